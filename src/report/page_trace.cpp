// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "report/page_content.hpp"

namespace tessera {
namespace {

constexpr std::size_t most_steps = 1U << 15;
constexpr std::size_t most_parts = 60'000;  // of all tracks: some 300 kB
constexpr std::size_t most_activities = 32;
constexpr std::size_t most_marks = 2'000;

struct TraceSpan {
  double begin = 0;  // microseconds
  double end = 0;
  int activity = -1;
};

struct TraceTrack {
  std::string name;
  std::vector<TraceSpan> spans;
};

struct Mark {
  double begin = 0;
  double end = 0;
  std::string name;
};

// The line on which the n-th element of the list "traceEvents" starts.
std::size_t line_of_event(std::string_view text, std::size_t n) {
  std::size_t line = 1;
  std::size_t depth = 0;
  bool quoted = false;
  const std::size_t key = text.find("\"traceEvents\"");
  const std::size_t list = text.find('[', key);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (i < list) continue;
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth == 2 && n-- == 0) return line;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return line;
}

class TraceReader {
 public:
  void read(const nlohmann::json& event) {
    if (!event.is_object()) bad_input("is not an object, expected a trace event");
    const std::string phase = text(event, "ph");
    const std::string name = text(event, "name");
    if (phase == "M") {
      read_name(event, name);
    } else if (phase == "X") {
      const double begin = time(event, "ts");
      const double duration = time(event, "dur");
      if (duration < 0) bad_input("\"dur\" of this event is negative");
      track(event).spans.push_back({begin, begin + duration, activity(name)});
      see(begin, begin + duration);
    } else if (phase == "B") {
      const double begin = time(event, "ts");
      open_[key(event)].push_back({begin, begin, name});
      see(begin, begin);
    } else if (phase == "E") {
      std::vector<Mark>& open = open_[key(event)];
      const double end = time(event, "ts");
      see(end, end);
      if (open.empty()) return;
      open.back().end = end;
      marks_.push_back(std::move(open.back()));
      open.pop_back();
    }
  }

  OrderedJson page_json(const nlohmann::json& json, std::size_t file) {
    std::erase_if(tracks_, [](const auto& entry) { return entry.second.spans.empty(); });
    // Engines without subtrees, such as A*, trace only boards and bounds.
    if (tracks_.empty()) add_searches_of_marks();
    if (tracks_.empty())
      bad_input("this trace is empty, expected one with a finished board or bound");
    OrderedJson page{{"file", file}};
    static const auto shape = OrderedJson::parse(R"({"otherData": {
      "engine": "text", "backend": "text", "schedule": "text", "ranks": "count",
      "threads": "count"}})");
    page["other"] = picked(json, shape, "this trace")["otherData"];
    page["seconds"] = rounded((end_ - begin_) / 1e6);
    page["activities"] = names_;
    add_marks(page);
    add_tracks(page);
    return page;
  }

 private:
  using Key = std::pair<std::int64_t, std::int64_t>;

  // A required field of an event, with its type.
  static const nlohmann::json& field(const nlohmann::json& event, const char* key, const char* type,
                                     bool (nlohmann::json::*is_type)() const) {
    const nlohmann::json& value = field_of(event, key);
    if (!(value.*is_type)()) bad_input(fmt::format("no {} \"{}\" in this trace event", type, key));
    return value;
  }
  static std::string text(const nlohmann::json& event, const char* key) {
    return field(event, key, "text", &nlohmann::json::is_string);
  }
  static double time(const nlohmann::json& event, const char* key) {
    const double value = field(event, key, "time", &nlohmann::json::is_number);
    if (std::abs(value) < 1e15) return value;
    bad_input(fmt::format("no time \"{}\" in this trace event", key));
  }
  static Key key(const nlohmann::json& event) {
    const auto whole = [&](const char* name) {
      return field(event, name, "number", &nlohmann::json::is_number_integer).get<std::int64_t>();
    };
    return {whole("pid"), whole("tid")};
  }

  TraceTrack& track(const nlohmann::json& event) { return tracks_[key(event)]; }

  int activity(const std::string& name) {
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) return static_cast<int>(found - names_.begin());
    // All further activities share the last name.
    if (names_.size() + 1 == most_activities) names_.emplace_back("other");
    if (names_.size() == most_activities) return most_activities - 1;
    names_.push_back(name);
    return static_cast<int>(names_.size()) - 1;
  }

  void read_name(const nlohmann::json& event, const std::string& kind) {
    static const nlohmann::json::json_pointer name("/args/name");
    if (!event.contains(name) || !event.at(name).is_string()) return;
    if (kind == "process_name") processes_[key(event).first] = event.at(name);
    if (kind == "thread_name") track(event).name = event.at(name);
  }

  void add_searches_of_marks() {
    for (const Mark& mark : marks_) {
      TraceTrack& whole = tracks_[{}];
      whole.name = "search";
      whole.spans.push_back({mark.begin, mark.end, activity("search")});
    }
  }

  void see(double begin, double end) {
    begin_ = std::min(begin_, begin);
    end_ = std::max(end_, end);
  }

  void add_marks(OrderedJson& page) {
    page["marks"] = OrderedJson::array();
    // If there are more, keep the longest.
    std::ranges::sort(marks_, std::greater(),
                      [](const Mark& mark) { return mark.end - mark.begin; });
    if (marks_.size() > most_marks) marks_.resize(most_marks);
    std::ranges::stable_sort(marks_, {}, &Mark::begin);
    for (const Mark& mark : marks_) {
      page["marks"].push_back({to_microseconds((mark.begin - begin_) / 1e6),
                               to_microseconds((mark.end - begin_) / 1e6), mark.name});
    }
  }

  void add_tracks(OrderedJson& page) {
    const std::size_t room = std::max<std::size_t>(40, most_parts / tracks_.size());
    for (auto& [key, track] : tracks_) track.spans = without_overlap(std::move(track.spans));
    // All tracks have the same steps, the finest that fit the room of each track.
    std::size_t steps = most_steps;
    const auto fits = [&](const auto& entry) {
      return dominant(entry.second.spans, steps).size() <= 2 * room;
    };
    while (steps > 64 && !std::ranges::all_of(tracks_, fits)) steps /= 2;
    page["step"] = (end_ - begin_) / 1e6 / static_cast<double>(steps);
    page["tracks"] = OrderedJson::array();
    for (const auto& [key, track] : tracks_) {
      std::vector<double> seconds(names_.size(), 0);
      for (const TraceSpan& piece : track.spans) {
        seconds[static_cast<std::size_t>(piece.activity)] += (piece.end - piece.begin) / 1e6;
      }
      for (double& sum : seconds) sum = rounded(sum);
      page["tracks"].push_back(
          {{"rank", key.first},
           {"process", processes_[key.first]},
           {"name", track.name.empty() ? fmt::format("thread {}", key.second) : track.name},
           {"seconds", seconds},
           {"parts", dominant(track.spans, steps)}});
    }
  }

  // For nested spans, only the time of each span itself, in order.
  static std::vector<TraceSpan> without_overlap(std::vector<TraceSpan> spans) {
    std::ranges::sort(spans, {}, [](const TraceSpan& s) { return std::pair(s.begin, -s.end); });
    std::vector<TraceSpan> pieces;
    std::vector<TraceSpan> around;  // open spans, the innermost last
    constexpr double never = std::numeric_limits<double>::infinity();
    double now = -never;
    spans.push_back({never, never});  // closes all others
    for (const TraceSpan& span : spans) {
      while (!around.empty()) {
        const TraceSpan inner = around.back();
        const double until = std::min(inner.end, span.begin);
        if (until > now) pieces.push_back({std::exchange(now, until), until, inner.activity});
        if (inner.end > span.begin) break;
        around.pop_back();
      }
      now = std::max(now, span.begin);
      around.push_back(span);
    }
    return pieces;
  }

  // What a track mostly does in each of `steps` equal time steps: activity or -1 for nothing,
  // number of steps, and so on.
  [[nodiscard]] std::vector<int> dominant(const std::vector<TraceSpan>& pieces,
                                          std::size_t steps) const {
    const double step = std::max(1e-9, (end_ - begin_) / static_cast<double>(steps));
    std::vector<int> parts;
    std::vector<double> share(names_.size(), 0);
    auto piece = pieces.begin();
    for (std::size_t i = 0; i < steps; ++i) {
      const double from = begin_ + static_cast<double>(i) * step;
      const double to = from + step;
      std::ranges::fill(share, 0);
      double nothing = step;
      for (; piece != pieces.end(); ++piece) {
        const double overlap = std::min(piece->end, to) - std::max(piece->begin, from);
        if (overlap > 0) {
          share[static_cast<std::size_t>(piece->activity)] += overlap;
          nothing -= overlap;
        }
        if (piece->end > to) break;
      }
      const auto most = std::ranges::max_element(share);
      const int activity = *most > nothing ? static_cast<int>(most - share.begin()) : -1;
      if (parts.empty() || parts[parts.size() - 2] != activity) {
        parts.push_back(activity);
        parts.push_back(0);
      }
      ++parts.back();
    }
    return parts;
  }

  std::map<Key, TraceTrack> tracks_;
  std::map<std::int64_t, std::string> processes_;
  std::map<Key, std::vector<Mark>> open_;
  std::vector<Mark> marks_;
  std::vector<std::string> names_;
  double begin_ = std::numeric_limits<double>::infinity();
  double end_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

OrderedJson read_trace(const nlohmann::json& json, std::string_view text, std::size_t file) {
  TraceReader reader;
  std::size_t number = 0;
  for (const nlohmann::json& event : json.at("traceEvents")) {
    try {
      reader.read(event);
    } catch (const Error& error) {
      throw Error(error.kind(), std::to_string(line_of_event(text, number)) + ": " + error.what());
    }
    ++number;
  }
  return with_error_prefix("1: ", [&] { return reader.page_json(json, file); });
}

}  // namespace tessera
