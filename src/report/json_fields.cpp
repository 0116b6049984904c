// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "report/page_content.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

[[noreturn]] void wrong(const nlohmann::json& value, const char* key, std::string_view where,
                        std::string_view expected) {
  // A list may hold a million others within one another, which no message should follow.
  const std::string found =
      value.is_structured() ? std::string(value.type_name())
                            : value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  bad_input(fmt::format("\"{}\" of {} is {}, expected {}", key, where, quote(found), expected));
}

}  // namespace

double rounded(double number) {
  if (number == 0 || !std::isfinite(number)) return 0;
  return std::strtod(fmt::format("{:.5g}", number).c_str(), nullptr);
}

OrderedJson read_field(const nlohmann::json& object, Field field, std::string_view where) {
  const auto found = object.find(field.key);
  if (found == object.end() || found->is_null()) return nullptr;
  const auto expect = [&](bool fits, const char* expected) {
    if (!fits) wrong(*found, field.key, where, expected);
  };
  switch (field.kind) {
    case FieldKind::text:
      expect(found->is_string(), "a text");
      return *found;
    case FieldKind::count:
      expect(found->is_number_unsigned(), "a whole number, 0 or more");
      return *found;
    case FieldKind::amount:
      expect(found->is_number() && found->get<double>() >= 0, "a number, 0 or more");
      return rounded(found->get<double>());
    case FieldKind::any_amount:
      expect(found->is_number(), "a number");
      return rounded(found->get<double>());
    case FieldKind::flag:
      expect(found->is_boolean(), "true or false");
      return *found;
  }
  return nullptr;
}

OrderedJson read_fields(const nlohmann::json& object, const Fields& fields,
                        std::string_view where) {
  OrderedJson picked = OrderedJson::object();
  const auto pick = [&](const std::vector<const char*>& keys, FieldKind kind) {
    for (const char* key : keys) picked[key] = read_field(object, {key, kind}, where);
  };
  pick(fields.texts, FieldKind::text);
  pick(fields.counts, FieldKind::count);
  pick(fields.amounts, FieldKind::amount);
  pick(fields.any_amounts, FieldKind::any_amount);
  pick(fields.flags, FieldKind::flag);
  return picked;
}

const nlohmann::json& read_array(const nlohmann::json& object, const char* key,
                                 std::string_view where) {
  static const nlohmann::json none = nlohmann::json::array();
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return none;
  if (!found->is_array()) wrong(*found, key, where, "a list");
  return *found;
}

}  // namespace tessera
