// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "cli/options/config.hpp"
#include "cli/options/options.hpp"
#include "cli/process/context.hpp"

namespace tessera {

/// A parsed command line: a command with its configuration, or a text to print (help, version).
struct Invocation {
  const CommandSpec* command = nullptr;
  Config config = {};
  std::vector<std::string> warnings = {};  ///< for standard error, unless --quiet
  std::string text;                        ///< printed instead if `command` is null
};

/// Reads the command line, then the environment, then a --config file, in this order of
/// precedence. Throws Error(input).
[[nodiscard]] Invocation parse_command_line(const std::vector<std::string>& arguments);

/// Runs one command from its arguments to its exit code. Every failure becomes one line on standard
/// error, except JobFailed, which is reported at the end of the job.
int run_command(const std::vector<std::string>& arguments, Context& context);

/// Writes the failure as one line; returns the exit code.
int report_failure(const Failure& failure);

}  // namespace tessera
