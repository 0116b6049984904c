// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {

/// Parses an untrusted JSON object (`Json` is nlohmann's type; base does not depend on it). The
/// result is discarded if the text is not an object. Throws Error(input) on a duplicate key, since
/// it would be ambiguous which value is meant.
template <class Json>
[[nodiscard]] Json parse_json_object(std::string_view text) {
  std::set<std::string> keys;
  std::string twice;
  const auto note_key = [&](int depth, typename Json::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) {
      auto key = parsed.template get<std::string>();
      if (!keys.insert(key).second && twice.empty()) twice = std::move(key);
    }
    return true;
  };
  Json json = Json::parse(text, note_key, /*allow_exceptions=*/false);
  if (!json.is_object()) return Json(Json::value_t::discarded);
  if (!twice.empty()) bad_input(quote(twice) + " appears twice, expected it once");
  return json;
}

/// Throws Error(input) for a key that is not known: a misspelled one would be ignored silently.
template <class Json>
void expect_keys(const Json& json, const std::vector<std::string>& known) {
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(known, key) == known.end()) bad_input("key " + unknown_name(key, known));
  }
}

/// The value of a key; null if it is absent or `json` is no object. Not copied: arrays may be
/// nested deeper than the stack is.
template <class Json>
[[nodiscard]] const Json& field_of(const Json& json, const char* key) {
  static const Json null;
  const auto found = json.find(key);
  return found == json.end() ? null : *found;
}

/// A string value; `otherwise` if it is absent or null. Throws Error(input).
template <class Json>
[[nodiscard]] std::string text_of(const Json& json, const char* key, const std::string& otherwise) {
  const Json& value = field_of(json, key);
  if (value.is_null()) return otherwise;
  if (!value.is_string()) bad_input(std::string(key) + " is not a string");
  return value.template get<std::string>();
}

/// A boolean; `otherwise` if it is absent or null. Throws Error(input).
template <class Json>
[[nodiscard]] bool flag_of(const Json& json, const char* key, bool otherwise) {
  const Json& value = field_of(json, key);
  if (value.is_null()) return otherwise;
  if (!value.is_boolean()) bad_input(std::string(key) + ": expected true or false");
  return value.template get<bool>();
}

/// A whole number, 0 or more; empty if it is absent or null. Throws Error(input).
template <class Json>
[[nodiscard]] std::optional<std::uint64_t> count_of(const Json& json, const char* key) {
  const Json& value = field_of(json, key);
  if (value.is_null()) return {};
  if (!value.is_number_unsigned()) {
    bad_input(std::string(key) + ": expected a whole number, 0 or more");
  }
  return value.template get<std::uint64_t>();
}

/// A duration, as seconds or a text such as "30s"; empty if it is absent or null.
/// Throws Error(input).
template <class Json>
[[nodiscard]] std::optional<std::chrono::nanoseconds> duration_of(const Json& json,
                                                                  const char* key) {
  const Json& value = field_of(json, key);
  if (value.is_null()) return {};
  std::optional<std::chrono::nanoseconds> read;
  if (value.is_string()) read = parse_time(value.template get<std::string>());
  if (value.is_number()) {
    const auto seconds = value.template get<double>();
    if (seconds > 1e9) bad_input(std::string(key) + ": is too large, expected at most 31 years");
    if (seconds > 0) {
      read = std::chrono::nanoseconds(static_cast<std::int64_t>(std::ceil(seconds * 1e9)));
    }
  }
  if (!read || read->count() <= 0) {
    bad_input(std::string(key) + ": expected a time of more than 0, in seconds or such as " +
              "\"30s\" or \"5m\"");
  }
  return read;
}

/// The value, or JSON null if it is empty.
template <class Json, class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
template <class Json>
[[nodiscard]] Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

/// JSON on one line. Strings may contain any bytes, as ids and file names do.
template <class Json>
[[nodiscard]] std::string to_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// An untrusted value for a message: only its type if it is nested, since it may be a million deep.
template <class Json>
[[nodiscard]] std::string shown(const Json& json) {
  return json.is_structured() ? json.type_name() : quote(to_line(json));
}

}  // namespace tessera
