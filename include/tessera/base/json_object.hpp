// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {

/// A JSON object from outside (`Json` is nlohmann's type; base does not depend on it): discarded
/// where the text is none. Throws Error(input) where a key stands twice in the object: of two
/// boards nobody knows which is meant.
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

/// A value, or null where there is none.
template <class Json, class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// JSON in one line. Texts may hold any bytes, as ids and names of files do.
template <class Json>
[[nodiscard]] std::string to_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera
