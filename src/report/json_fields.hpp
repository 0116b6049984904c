// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

using OrderedJson = nlohmann::ordered_json;

/// What a field of a result file may be; each may be absent or null.
enum class FieldKind : std::uint8_t {
  text,        ///< a string
  count,       ///< a whole number, 0 or more
  amount,      ///< a number, 0 or more, rounded to five digits: all that a plot shows
  any_amount,  ///< the same, perhaps negative
  flag,        ///< true or false
};

struct Field {
  const char* key;
  FieldKind kind;
};

/// Fields by their kinds.
struct Fields {
  std::vector<const char*> texts = {};
  std::vector<const char*> counts = {};
  std::vector<const char*> amounts = {};
  std::vector<const char*> any_amounts = {};
  std::vector<const char*> flags = {};
};

/// A field, null where it is absent. Throws Error(input) that says what `where` has instead.
[[nodiscard]] OrderedJson read_field(const nlohmann::json& object, Field field,
                                     std::string_view where);

/// Of an object only these fields, so that nothing else of a file reaches the page.
[[nodiscard]] OrderedJson read_fields(const nlohmann::json& object, const Fields& fields,
                                      std::string_view where);

/// An array of an object, empty where it is absent. Throws Error(input) where it is something else.
[[nodiscard]] const nlohmann::json& read_array(const nlohmann::json& object, const char* key,
                                               std::string_view where);

/// A number rounded to five digits.
[[nodiscard]] double rounded(double number);

}  // namespace tessera
