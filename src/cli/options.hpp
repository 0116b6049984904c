// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/config.hpp"

namespace tessera {

class Context;

/// The commands that there are, as bits, so that an option can belong to several.
enum CommandBit : unsigned {
  on_solve = 1U << 0,
  on_generate = 1U << 1,
  on_verify = 1U << 2,
  on_info = 1U << 3,
  on_pdb = 1U << 4,
  on_estimate = 1U << 5,  ///< takes solve's options, too
  on_serve = 1U << 6,
  on_census = 1U << 7,
  on_simulate = 1U << 8,
  on_compare = 1U << 9,
  on_report = 1U << 10,
};

struct CommandSpec {
  CommandBit bit;
  const char* name;
  const char* summary;
  const char* words;                    ///< what may stand beside options, in usage; empty: nothing
  const char* examples;                 ///< real command lines, one a line
  const char* description;              ///< a paragraph for the man page
  int (*run)(const Config&, Context&);  ///< returns the exit code
};

/// One option: the only place where it is named. Its environment variable is TESSERA_ and the
/// name in capitals; its key in a configuration file is the name. Help, man pages and completions
/// are made from this.
struct OptionSpec {
  const char* name;  ///< without dashes
  /// What its value is called, or null for a flag. Alternatives stand between bars, those that are
  /// written as they are in lower case: `none|queues:K|FILE`; a list of them ends with `,...`.
  const char* value;
  const char* help;
  unsigned commands;  ///< CommandBits
  /// Reads the value into the configuration. Throws Error(input) without the option's name.
  void (*apply)(Config&, const std::string& value);
  char letter = '\0';  ///< a short name, after one dash
};

[[nodiscard]] std::span<const CommandSpec> command_specs();
[[nodiscard]] std::span<const OptionSpec> option_specs();
/// Those that a command takes.
[[nodiscard]] std::vector<std::reference_wrapper<const OptionSpec>> options_of(
    const CommandSpec& command);

/// "option 'shedule' is unknown, did you mean schedule?", with the hint where none is near: an
/// Error(input).
[[noreturn]] void refuse_unknown(const std::string& what, const std::string& name,
                                 const std::vector<std::string>& known, const std::string& hint);

/// The environment variable that sets an option.
[[nodiscard]] std::string environment_name(const OptionSpec& option);

}  // namespace tessera
