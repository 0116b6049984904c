// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace tessera {

/// Pages in roff's `man` macros. `date` is that of the build, such as 2026-11-21.
[[nodiscard]] std::string man_page(const std::string& date);
[[nodiscard]] std::string man_page(const CommandSpec& command, const std::string& date);

/// Scripts that complete commands, options, and values on Tab.
[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

/// What may stand where a value stands, as far as Tab can offer it.
struct Value {
  enum class Kind { free, words, file, folder };
  Kind kind = Kind::free;
  /// Of kind words. One that ends with a colon is the beginning of a value.
  std::vector<std::string> words;
  bool list = false;  ///< several of them, between commas
};

/// What the option's value may be, by what the table calls it (OptionSpec::value).
[[nodiscard]] Value value_of(const OptionSpec& option);

/// What may stand beside the command's options: the first such word, and the others.
struct Operands {
  Value first;
  Value rest;
};
[[nodiscard]] Operands operands_of(const CommandSpec& command);

}  // namespace tessera
