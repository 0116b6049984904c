// SPDX-License-Identifier: MIT
#include "cli/run.hpp"

#include "cli/exit_code.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/pdb/table_store.hpp"
#include "tessera/report/output.hpp"
#include "tessera/report/version.hpp"
#if TESSERA_WITH_MPI
#include "tessera/cluster/session.hpp"
#endif

namespace tessera {
namespace {

int dispatch(const Invocation& invocation, Context& context) {
  if (invocation.command == nullptr) {
    Output::standard_output().write(invocation.text);
    return exit_answered;
  }
  if (!invocation.config.quiet) {
    for (const std::string& warning : invocation.warnings) {
      Output::standard_error().write("warning: " + warning + "\n");
    }
  }
  expect_paths(invocation.config, invocation.command->bit);
  return invocation.command->run(invocation.config, context);
}

}  // namespace

int run_command(const std::vector<std::string>& arguments, Context& context) {
  on_table_wait([](const std::string& text) { Output::standard_error().write(text + "\n"); });
  try {
    return dispatch(parse_command_line(arguments, version_line(Context::mpi_library())), context);
  } catch (const JobFailed&) {
    return exit_internal;  // the end of the job reports it
  } catch (...) {
    return report_failure(current_failure());
  }
}

int report_failure(const Failure& failure) {
  // One line, whatever a path or another foreign text in the message holds.
  std::string line = failure.message;
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  }
  Output::standard_error().write("tessera: " + line + "\n");
  return exit_code(failure.kind);
}

std::vector<RankPlace> Context::places(int threads) const {
  const int cpus = static_cast<int>(allowed_cpus().size());
  return {{host_name(), cpus, threads > 0 ? threads : cpus}};
}

CensusResult Context::census(const CensusTask& task, const std::vector<RankPlace>& places,
                             CensusObserver& observer) {
  CensusTask own = task;
  own.threads = places[0].threads;
  LocalExchange alone;
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
