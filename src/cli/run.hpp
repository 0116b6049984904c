// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"
#include "tessera/base/failure.hpp"

namespace tessera {

/// One command from its arguments to its exit code. Every failure becomes one line on standard
/// error here, but for JobFailed, which the end of the job reports.
int run_command(const std::vector<std::string>& arguments, Context& context);

/// Writes that line; returns the exit code.
int report_failure(const Failure& failure);

/// main under mpirun or srun: rank 0 runs the command, the others work for it.
int cluster_main(int argc, char** argv);

}  // namespace tessera
