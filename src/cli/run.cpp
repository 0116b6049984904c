// SPDX-License-Identifier: MIT
#include "cli/run.hpp"

#include "cli/exit_code.hpp"
#include "cli/parse.hpp"
#include "cli/paths.hpp"
#include "tessera/pdb/table_store.hpp"
#include "tessera/report/output.hpp"
#include "tessera/report/version.hpp"

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
  expect_distinct_paths(invocation.config, invocation.command->bit);
  expect_writable_paths(invocation.config, invocation.command->bit);
  switch (invocation.command->bit) {
    case on_solve:
      return invocation.config.dry_run ? command_estimate(invocation.config, context)
                                       : command_solve(invocation.config, context);
    case on_compare:
      return command_compare(invocation.config, context);
    case on_estimate:
      return command_estimate(invocation.config, context);
    case on_simulate:
      return command_simulate(invocation.config);
    case on_generate:
      return command_generate(invocation.config, context);
    case on_census:
      return command_census(invocation.config, context);
    case on_verify:
      return command_verify(invocation.config);
    case on_report:
      return command_report(invocation.config);
    case on_pdb:
      return command_pdb(invocation.config, context);
    case on_serve:
      return command_serve(invocation.config, context);
    case on_info:
      return command_info(invocation.config, context);
  }
  return exit_internal;
}

}  // namespace

int run_command(const std::vector<std::string>& arguments, Context& context) {
  on_table_wait([](const std::string& text) { Output::standard_error().write(text + "\n"); });
  try {
    return dispatch(parse_command_line(arguments, version_line(context.mpi_library())), context);
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

}  // namespace tessera
