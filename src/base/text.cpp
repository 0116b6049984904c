// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/locale/utf.hpp>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace tessera {
namespace {

struct Unit {
  std::string_view name;
  double size;
};

// Removes an unsigned number with its unit from the start of a text; returns the amount. Empty if
// there is none.
std::optional<double> take_amount(std::string_view& text, std::span<const Unit> units) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || text[0] < '0' || text[0] > '9') return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  const std::string_view name = text.substr(0, text.find_first_of("0123456789"));
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (unit == units.end()) return {};
  text.remove_prefix(name.size());
  return number * unit->size;
}

// "beam" for "beam:WIDTH".
std::string_view stem_of(std::string_view name) {
  return name.substr(0, name.find(':'));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

// Bytes of the visible character of UTF-8 at the start of the text; 0 if it begins with none.
std::size_t visible_bytes(std::string_view text) {
  const char* end = text.data();
  const std::uint32_t code =
      boost::locale::utf::utf_traits<char>::decode(end, text.data() + text.size());
  const auto between = [code](std::uint32_t first, std::uint32_t last) {
    return first <= code && code <= last;
  };
  // What is no UTF-8 is larger than any code.
  const bool is_hidden = code < 0x20 || between(0x7F, 0x9F) || between(0x200B, 0x200F) ||
                         between(0x2028, 0x202E) || between(0x2060, 0x206F) || code == 0xFEFF ||
                         code > 0x10FFFF;
  return is_hidden ? 0 : static_cast<std::size_t>(end - text.data());
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20; });
}

std::string csv_field(std::string_view text, std::string_view special) {
  if (text.find_first_of(special) == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::vector<std::string_view> split_fields(std::string_view text) {
  constexpr std::string_view separators = " \t\r\n,";
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0, end = 0;; begin = end) {
    begin = text.find_first_not_of(separators, begin);
    if (begin == text.npos) return fields;
    end = std::min(text.find_first_of(separators, begin), text.size());
    fields.push_back(text.substr(begin, end - begin));
  }
}

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c == separator && depth == 0) items.emplace_back();
    else items.back() += c;
  }
  for (std::string& item : items) item = std::string(trimmed(item));
  return items;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  static constexpr Unit units[] = {
      {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
  if (text.empty()) return {};
  const std::string_view all = text;
  std::chrono::nanoseconds total{0};
  while (!text.empty()) {
    const std::optional<double> ns = take_amount(text, units);
    if (!ns) return {};
    // Beyond some 31 years; 64 bits hold ten times as many nanoseconds.
    if (static_cast<double>(total.count()) + *ns > 1e18) {
      bad_input(quote(all) + " is too large, expected at most 31 years");
    }
    total += std::chrono::nanoseconds(static_cast<std::int64_t>(*ns));
  }
  return total;
}

std::optional<std::chrono::nanoseconds> parse_time(std::string_view text) {
  const bool is_bare = !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
  return parse_duration(is_bare ? std::string(text) + "s" : std::string(text));
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  static constexpr Unit units[] = {
      {"", 1},         {"B", 1},        {"KB", 1e3},     {"MB", 1e6},    {"GB", 1e9},
      {"TB", 1e12},    {"K", 0x1p10},   {"M", 0x1p20},   {"G", 0x1p30},  {"T", 0x1p40},
      {"KIB", 0x1p10}, {"MIB", 0x1p20}, {"GIB", 0x1p30}, {"TIB", 0x1p40}};
  const std::string upper = boost::to_upper_copy(std::string(text));
  std::string_view rest = upper;
  const std::optional<double> bytes = take_amount(rest, units);
  if (!bytes || !rest.empty()) return {};
  if (*bytes >= 0x1p63) bad_input(quote(text) + " is too large, expected less than 8388608TiB");
  return static_cast<std::uint64_t>(*bytes);
}

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
  const std::string wanted = boost::to_lower_copy(std::string(name));
  std::string best;
  std::pair best_rank(true, std::numeric_limits<std::size_t>::max());
  for (const std::string& candidate : known) {
    const std::string lower = boost::to_lower_copy(candidate);
    const std::string_view stem = stem_of(lower);
    const std::size_t distance = edit_distance(stem_of(wanted), stem);
    const bool begins = wanted.size() > 3 && lower.starts_with(wanted);  // --time: --time-limit
    const bool is_near = distance <= std::max<std::size_t>(2, stem.size() / 3) &&
                         distance < std::min(wanted.size(), stem.size());
    const std::pair rank(!begins, distance);
    if ((begins || is_near) && rank < best_rank) {
      best = candidate;
      best_rank = rank;
    }
  }
  return best;
}

std::string unknown_name(std::string_view name, std::span<const std::string> known,
                         const std::string& expected) {
  const std::string unknown = quote(name) + " is unknown, ";
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) return unknown + "did you mean " + nearest + "?";
  return unknown + "expected " + (expected.empty() ? alternatives(known) : expected);
}

std::string line_place(const std::string& name, std::ptrdiff_t line) {
  return name.empty() ? "" : name + ":" + std::to_string(line) + ": ";
}

std::string alternatives(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return text;
}

std::string hexadecimal(std::uint64_t number) {
  return fmt::format("{:x}", number);
}

std::string with_commas(std::uint64_t number) {
  return fmt::format("{}", fmt::group_digits(number));
}

std::string bytes_text(std::uint64_t bytes) {
  int shift = 10;
  std::size_t unit = 0;
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
  for (; unit + 1 < std::size(units) && bytes >> shift >= 1024; ++unit) shift += 10;
  const double amount = std::ldexp(static_cast<double>(bytes), -shift);
  const int digits = amount == std::floor(amount) ? 0 : unit == 3 ? 2 : 1;
  return fmt::format("{:.{}f} {}", amount, digits, units[unit]);
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out = "'";
  std::size_t i = 0;
  while (i < std::min(text.size(), longest)) {
    const std::size_t bytes = visible_bytes(text.substr(i));
    out += bytes == 0 ? "?" : text.substr(i, bytes);
    i += std::max(bytes, std::size_t{1});
  }
  return out + (i < text.size() ? "...'" : "'");
}

}  // namespace tessera
