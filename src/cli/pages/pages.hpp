// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"

namespace tessera {

/// Pages in roff's `man` macros. `date` is the build date, such as 2026-11-21.
[[nodiscard]] std::string man_page(const std::string& date);
[[nodiscard]] std::string man_page(const CommandSpec& command, const std::string& date);

/// Scripts that complete commands, options, and values on Tab.
[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

/// The possible values of an option, as far as Tab can offer them.
struct Value {
  enum class Kind { free, words, file, folder };
  Kind kind = Kind::free;
  /// For kind words. A word that ends with a colon is the start of a value.
  std::vector<std::string> words;
  bool list = false;  ///< several of them, separated by commas
};

/// The possible values of an option, from their name in the table (OptionSpec::value).
[[nodiscard]] Value value_of(const OptionSpec& option);

/// The operands beside the command's options: the first one, and the others.
struct Operands {
  Value first;
  Value rest;
};
[[nodiscard]] Operands operands_of(const CommandSpec& command);

}  // namespace tessera
