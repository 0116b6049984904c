// SPDX-License-Identifier: MIT
#include "cli/process/run.hpp"

#include "base/machine.hpp"
#include "base/memory_limit.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/signals.hpp"
#include "report/output.hpp"
#if TESSERA_WITH_MPI
#include "cluster/job/session.hpp"
#endif

namespace tessera {
namespace {

// mpirun of Open MPI 5 reads in pieces, and up to PMIx 6.0 a piece that ends within a line may
// appear on the other stream (openpmix issue 3858).
bool may_split_lines(const Config& config, const Context& context) {
  return CommandOutput::writes_data(config) && context.ranks() > 1 &&
         !environment("PRTE_LAUNCHED").empty();
}

int dispatch(const Invocation& invocation, Context& context) {
  if (invocation.command == nullptr) {
    Output::standard_output().write(invocation.text);
    return exit_answered;
  }
  if (!invocation.config.quiet) {
    for (const std::string& warning : invocation.warnings) {
      Output::standard_error().write("warning: " + warning + "\n");
    }
    if (may_split_lines(invocation.config, context)) {
      Output::standard_error().write(
          "warning: mpirun of Open MPI 5 may print part of a long line on standard error; name a "
          "file instead of -\n");
    }
  }
  expect_paths(invocation.config, invocation.command->bit);
  const bool per_rank = invocation.command->bit == on_census;
  const LimitedMemory limited({.bytes = invocation.config.memory_bytes.value_or(0),
                               .processes = per_rank ? 1 : context.ranks()});
  return invocation.command->run(invocation.config, context);
}

}  // namespace

int run_command(const std::vector<std::string>& arguments, Context& context) {
  try {
    return dispatch(parse_command_line(arguments), context);
  } catch (const JobFailed&) {
    return exit_internal;  // reported at the end of the job
  } catch (...) {
    return report_failure(current_failure());
  }
}

int report_failure(const Failure& failure) {
  CommandOutput::complain(failure.message);
  return exit_code(failure.kind);
}

void Context::stop_on_signals() {
  tessera::stop_on_signals(interrupted);
}

std::vector<RankPlace> Context::places(int threads) const {
  return {local_place(threads)};
}

CensusResult Context::census(const CensusTask& task, const std::vector<RankPlace>& places,
                             CensusObserver& observer) {
  CensusTask own = task;
  own.threads = places[0].threads;
  Ranks alone;
  return run_census(own, alone, observer, interrupted);
}

std::string Context::mpi_library() {
#if TESSERA_WITH_MPI
  return Session::library_version();
#else
  return {};
#endif
}

}  // namespace tessera
