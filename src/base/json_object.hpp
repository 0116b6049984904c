// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

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

/// The value, or JSON null if it is empty.
template <class Json, class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
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
