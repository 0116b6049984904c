// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/config.hpp"
#include "cli/context.hpp"
#include "cli/options.hpp"
#include "tessera/base/failure.hpp"

namespace tessera {

/// A command line understood: a command with its configuration, or a text to print (help, version).
struct Invocation {
  const CommandSpec* command = nullptr;
  Config config;
  std::vector<std::string> warnings;  ///< for standard error, unless --quiet
  std::string text;                   ///< to print instead, where command is null
};

/// Reads the command line, then the environment, then a --config file, in this order of
/// precedence. Throws Error(input).
[[nodiscard]] Invocation parse_command_line(const std::vector<std::string>& arguments);

/// One command from its arguments to its exit code. Every failure becomes one line on standard
/// error here, but for JobFailed, which the end of the job reports.
int run_command(const std::vector<std::string>& arguments, Context& context);

/// Writes that line; returns the exit code.
int report_failure(const Failure& failure);

}  // namespace tessera
