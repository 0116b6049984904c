// SPDX-License-Identifier: MIT
#include "cli/options/options.hpp"

// Otherwise toml++ asserts, or lets the compiler assume, what its own error messages are for: `[!]`
// would crash the program.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>  // included only here: it compiles slowly
#pragma pop_macro("NDEBUG")
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "puzzle/board_file.hpp"

namespace tessera {
namespace {

// The option of that name, if one of these commands has it.
const OptionSpec* option_of(std::string_view name, unsigned commands) {
  for (const OptionSpec& option : option_specs()) {
    const bool is_here = option.apply != nullptr && (option.commands & commands) != 0;
    if (is_here && name == option.name) return &option;
  }
  return nullptr;
}

bool takes_list(const OptionSpec& option) {
  const std::string_view value = option.value == nullptr ? "" : option.value;
  return value.ends_with(",...") || value.find("BOARD") != value.npos;
}

bool takes_number(const OptionSpec& option) {
  constexpr std::array<std::string_view, 7> numbers{"N", "D", "S", "M", "B", "NODES", "PORT"};
  return option.value != nullptr && std::ranges::count(numbers, option.value) > 0;
}

std::string expected_of(const OptionSpec& option) {
  if (option.value == nullptr) return "true or false";
  if (takes_list(option)) return "a list, or a string as on the command line";
  return takes_number(option) ? "a whole number" : "a string in quotes";
}

std::string_view type_name(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  if (node.is_boolean()) return "true or false";
  if (node.is_floating_point()) return "a number with a fraction";
  return "a date or time";  // strings and whole numbers are always accepted
}

class Reader {
 public:
  Reader(const std::string& path, const CommandSpec& command)
      : name_(file_name(path)), text_(read_text_file(path)), command_(command) {}

  ConfigFile read() {
    expect_shallow();
    toml::table file;
    try {
      file = toml::parse(std::string_view(text_), std::string_view(name_));
    } catch (const toml::parse_error& error) {
      bad_input(place(error.source()) + "not valid TOML: " + std::string(error.description()) +
                ", expected lines such as threads = 2 or schedule = \"static\"");
    }
    for (const auto& [key, value] : file) {
      if (!value.is_table()) {
        take(key, value, ~0U, settings_.of_all);
        continue;
      }
      const auto command = std::ranges::find(command_specs(), key.str(), &CommandSpec::name);
      if (command == command_specs().end()) refuse_table(key);
      for (const auto& [inner, own] : *value.as_table())
        take(inner, own, command->bit, settings_.of_command);
    }
    return std::move(settings_);
  }

 private:
  // toml++ calls itself for each part of a name such as a.b.c.
  void expect_shallow() const {
    constexpr int most_dots = 10'000;
    if (std::ranges::count(text_, '.') <= most_dots) return;
    bad_input(name_ + ": more than " + std::to_string(most_dots) +
              " dots, expected lines such as threads = 2");
  }

  [[nodiscard]] std::string place(const toml::source_region& source) const {
    return name_ + ":" + std::to_string(source.begin.line) + ": ";
  }

  // Reads an option that these commands have; keeps it if this command is one of them.
  void take(const toml::key& key, const toml::node& value, unsigned commands,
            OptionValues& settings) {
    const std::string name(key.str());
    const OptionSpec* const own = option_of(name, commands & command_.bit);
    const OptionSpec* const option = own != nullptr ? own : option_of(name, commands);
    if (option == nullptr) {
      std::vector<std::string> names;
      for (const OptionSpec& known : option_specs()) {
        if (option_of(known.name, commands) != nullptr) names.emplace_back(known.name);
      }
      bad_input(place(key.source()) + "option " +
                unknown_name(name, names, "an option without its dashes"));
    }
    if (own != nullptr && commands == ~0U && is_for_others(*own, value)) return;
    std::string text = text_of(*option, value);
    if (own != nullptr) settings[name] = {std::move(text), place(key.source()) + name};
  }

  // A flag of this command may be a value for others: `heuristics` is a flag of info.
  [[nodiscard]] bool is_for_others(const OptionSpec& own, const toml::node& value) const {
    const bool has_other = std::ranges::any_of(option_specs(), [&](const OptionSpec& other) {
      return std::string_view(other.name) == own.name && other.value != nullptr;
    });
    if (own.value != nullptr || !has_other) return false;
    try {
      Config nobody;
      apply_option(own, nobody, text_of(own, value));
      return false;
    } catch (const Error&) {
      return true;
    }
  }

  [[nodiscard]] std::string text_of(const OptionSpec& option, const toml::node& value) const {
    if (const auto* list = value.as_array(); list != nullptr && takes_list(option)) {
      std::string text;
      for (const toml::node& entry : *list) {
        if (!text.empty()) text += ',';
        text += scalar_of(option, entry);
      }
      return text;
    }
    return scalar_of(option, value);
  }

  [[nodiscard]] std::string scalar_of(const OptionSpec& option, const toml::node& value) const {
    if (const auto* text = value.as_string()) return text->get();
    if (const auto* number = value.as_integer()) return std::to_string(number->get());
    if (const auto* number = value.as_floating_point()) {
      const double x = number->get();
      const bool is_whole = std::abs(x) < 1e18 && x == std::trunc(x);
      const bool is_time = option.value != nullptr && std::string_view(option.value) == "TIME";
      if (is_whole && (is_time || takes_number(option))) return fmt::format("{:.0f}", x);
      if (is_time) return fmt::format("{}", x);
    }
    if (const auto* flag = value.as_boolean(); flag != nullptr && option.value == nullptr) {
      return flag->get() ? "true" : "false";
    }
    bad_input(place(value.source()) + option.name + ": is " + std::string(type_name(value)) +
              ", expected " + expected_of(option));
  }

  [[noreturn]] void refuse_table(const toml::key& key) const {
    const std::string name(key.str());
    if (const OptionSpec* option = option_of(name, ~0U)) {
      bad_input(place(key.source()) + name + ": is a table, expected " + expected_of(*option));
    }
    std::vector<std::string> names;
    for (const CommandSpec& command : command_specs()) names.emplace_back(command.name);
    bad_input(place(key.source()) + "command " +
              unknown_name(name, names, "a table such as [solve]"));
  }

  std::string name_;
  std::string text_;
  const CommandSpec& command_;
  ConfigFile settings_;
};

}  // namespace

ConfigFile read_config_file(const std::string& path, const CommandSpec& command) {
  return Reader(path, command).read();
}

}  // namespace tessera
