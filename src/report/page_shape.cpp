// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "report/page_content.hpp"

namespace tessera {
namespace {

OrderedJson picked_value(const nlohmann::json& value, std::string_view kind,
                         const std::string& name) {
  const auto expect = [&](bool fits, const char* expected) {
    if (!fits) bad_input(fmt::format("{} is {}, expected {}", name, shown(value), expected));
  };
  if (kind == "count or null" && value.is_null()) return nullptr;
  if (kind.starts_with("count")) {
    expect(value.is_number_unsigned(), "a whole number, 0 or more");
  } else if (kind == "amount") {
    expect(value.is_number() && value.get<double>() >= 0, "a number, 0 or more");
    return rounded(value.get<double>());
  } else if (kind == "moment") {
    expect(value.is_number() && value.get<double>() >= 0, "a number, 0 or more");
    return to_microseconds(value.get<double>());
  } else if (kind == "any amount") {
    expect(value.is_number(), "a number");
    return rounded(value.get<double>());
  } else if (kind == "flag") {
    expect(value.is_boolean(), "true or false");
  } else {
    expect(value.is_string(), "a text");
  }
  return value;
}

}  // namespace

double rounded(double number) {
  if (number == 0 || !std::isfinite(number)) return 0;
  return std::strtod(fmt::format("{:.5g}", number).c_str(), nullptr);
}

double to_microseconds(double seconds) {
  return std::round(seconds * 1e6) / 1e6;
}

OrderedJson picked(const nlohmann::json& value, const OrderedJson& shape, const std::string& name) {
  if (shape.is_string()) return picked_value(value, shape.get_ref<const std::string&>(), name);
  if (shape.is_array()) {
    if (!value.is_array()) bad_input(name + " is not a list");
    OrderedJson list = OrderedJson::array();
    for (const nlohmann::json& element : value) {
      const std::string place = shape[0].get<std::string>() + " " + std::to_string(list.size() + 1);
      list.push_back(picked(element, shape[1], place));
    }
    return list;
  }
  if (!value.is_object()) bad_input(name + " is not an object");
  OrderedJson object = OrderedJson::object();
  for (const auto& [key, of_field] : shape.items()) {
    if (const auto& field = field_of(value, key.c_str()); !field.is_null()) {
      object[key] = picked(field, of_field, "\"" + key + "\" of " + name);
    } else if (of_field == "needed text") {
      bad_input("no text \"" + key + "\" in " + name);
    } else {
      object[key] = of_field.is_object()  ? picked(nlohmann::json::object(), of_field, name)
                    : of_field.is_array() ? OrderedJson::array()
                                          : OrderedJson(nullptr);
    }
  }
  return object;
}

}  // namespace tessera
