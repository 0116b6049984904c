// SPDX-License-Identifier: MIT
#include "report/result_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <iterator>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "report/page_content.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

using Parsed = nlohmann::json;

constexpr std::string_view expected =
    "expected results of solve, compare, census, simulate, analyse or optimize --json, or a trace "
    "of solve --trace";

std::size_t line_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

std::string schema_of(const Parsed& json) {
  const Parsed& schema = field_of(json, "schema");
  return schema.is_string() ? schema.get<std::string>() : "";
}

// Parses a text as one JSON value; on failure, gives the line of the error.
Parsed parse_whole(std::string_view text) {
  try {
    return Parsed::parse(text);
  } catch (const Parsed::parse_error& error) {
    // Reports a truncated file at its last line, not at the empty line after it.
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    const std::size_t place = std::min(error.byte == 0 ? 0 : error.byte - 1, last);
    bad_input(fmt::format("{}: is not JSON, {}", line_at(text, place), expected));
  } catch (const Parsed::exception&) {
    bad_input(fmt::format("1: contains a number that is too large, {}", expected));
  }
}

// What a page may hold besides boards and traces, in its order.
struct Kind {
  std::string_view schema;
  const char* list;  // in the page's data
  OrderedJson (*read)(const PageRow& row);
  const char* one;
  const char* many;
};
constexpr Kind kinds[] = {
    {"tessera.compare/1", "comparisons", read_comparison, "comparison", "comparisons"},
    {"tessera.census/1", "censuses", read_census, "census", "censuses"},
    {"tessera.simulation/1", "simulations", read_simulation, "simulated run", "simulated runs"},
    {"tessera.analysis/1", "games", read_game, "game", "games"},
    {"tessera.optimization/1", "shortened", read_shortened, "of them shortened",
     "of them shortened"}};

// Appends "2 boards"; nothing if there are none.
void append_count(std::string& text, std::size_t count, const char* one, const char* many) {
  if (count == 0) return;
  text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
}

}  // namespace

struct ResultPage::Content {
  OrderedJson files = OrderedJson::array();
  PageBoards boards;
  OrderedJson lists;  // by kind
  OrderedJson traces = OrderedJson::array();

  Content() {
    for (const Kind& kind : kinds) lists[kind.list] = OrderedJson::array();
  }

  void add(const Parsed& json) {
    const std::string schema = schema_of(json);
    const PageRow row{json, files.size(), boards};
    if (schema == "tessera.result/1") return add_result(row);
    const auto* const kind = std::ranges::find(kinds, schema, &Kind::schema);
    if (kind != std::end(kinds)) return lists[kind->list].push_back(kind->read(row));
    const std::string what = schema.empty()
                                 ? "is not a result"
                                 : "schema " + quote(schema) + " is not supported by report";
    bad_input(what + ", " + std::string(expected));
  }

  void add_lines(std::string_view text) {
    std::size_t number = 0;
    for (std::string_view rest = text; !rest.empty();) {
      ++number;
      const std::string_view line = trimmed(take_line(rest));
      if (line.empty()) continue;
      with_error_prefix(fmt::format("{}: ", number), [&] {
        const auto json = parse_json_object<Parsed>(line);
        if (json.is_discarded() && !Parsed::accept(line)) {
          bad_input("is not JSON, " + std::string(expected));
        }
        add(json);
      });
    }
  }

  // Whether the first line alone is an object with a schema, known or unknown.
  static bool is_lines(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    return !schema_of(Parsed::parse(line, nullptr, false)).empty();
  }

  void add_text(std::string_view text) {
    if (trimmed(text).empty()) bad_input("1: is empty, " + std::string(expected));
    if (is_lines(text)) return add_lines(text);
    const Parsed json = parse_whole(text);
    if (field_of(json, "traceEvents").is_array()) {
      return traces.push_back(read_trace(json, text, files.size()));
    }
    // Parsed again, since its keys must differ; but not what is refused anyway.
    const bool has_schema = !schema_of(json).empty();
    with_error_prefix("1: ", [&] { add(has_schema ? parse_json_object<Parsed>(text) : json); });
  }
};

ResultPage::ResultPage() : content_(std::make_unique<Content>()) {}
ResultPage::~ResultPage() = default;

void ResultPage::add(std::string_view text, const std::string& name) {
  with_error_prefix(name + ":", [&] { content_->add_text(text); });
  content_->files.push_back(name);
}

std::string ResultPage::summary() const {
  std::string text;
  append_count(text, content_->boards.rows.size(), "board", "boards");
  for (const Kind& kind : kinds) {
    append_count(text, content_->lists[kind.list].size(), kind.one, kind.many);
  }
  append_count(text, content_->traces.size(), "trace", "traces");
  return text;
}

std::string ResultPage::html() const {
  const Content& content = *content_;
  OrderedJson data{{"version", version()},
                   {"files", content.files},
                   {"runs", content.boards.runs},
                   {"boards", content.boards.rows}};
  data.update(content.lists);
  data["traces"] = content.traces;
  const PageParts& parts = page_parts();
  // In JSON `<` occurs only in strings. Without it none can end the element or start a comment.
  return fmt::format("{}{}{}", parts.before_data,
                     boost::replace_all_copy(to_line(data), "<", "\\u003c"), parts.after_data);
}

}  // namespace tessera
