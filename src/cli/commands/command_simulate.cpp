// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/memory_limit.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/context.hpp"
#include "report/progress.hpp"
#include "report/simulation.hpp"

namespace tessera {

int command_simulate(const Config& config, Context& context) {
  if (config.words.size() != 1) {
    bad_input("expected one record: tessera simulate FILE, which solve --record wrote");
  }
  const WorkRecord record = read_record(config.words[0]);
  const std::vector<int> all =
      config.ranks.empty() ? std::vector<int>{16, 256, 4096, 65536} : config.ranks;
  if (const int fewest = *std::ranges::min_element(all); config.slow_ranks > fewest) {
    bad_input(fmt::format("--slow-ranks {}: more than the ranks to simulate, expected 0 to {}",
                          config.slow_ranks, fewest));
  }
  const int threads = std::max(1, config.threads);
  const int most = std::ranges::max(all);
  const MemoryShare share = share_of_machine(1);  // 0 bytes: not known
  const std::uint64_t need = simulation_bytes({.ranks = most, .threads = threads});
  if (share.total_bytes > 0 && need > share.free_bytes) {
    out_of_resources(fmt::format("--ranks {}: simulating {} x {} needs {} of memory, {} are free",
                                 most, counted(most, "rank"), counted(threads, "thread"),
                                 bytes_text(need), bytes_text(share.free_bytes)));
  }
  context.stop_on_signals();
  CommandOutput output(config);
  if (!config.quiet) output.answer(simulation_heading(record, static_cast<double>(config.rate)));
  const auto count =
      std::min(static_cast<std::size_t>(config.iterations), record.iterations.size());
  ProgressObserver progress(output.errors(), config.shown_progress());
  progress.board_started("simulating");
  const double replays = static_cast<double>(all.size() * config.schedules.size() * count);
  double done = 0;
  for (const int ranks : all) {
    for (const Schedule schedule : config.schedules) {
      for (std::size_t i = record.iterations.size() - count; i < record.iterations.size(); ++i) {
        SimulationOptions options;
        options.machine.ranks = ranks;
        options.machine.threads = threads;
        options.machine.rate = static_cast<double>(config.rate);
        options.machine.latency_seconds = config.latency.count();
        options.machine.slow_ranks = config.slow_ranks;
        options.schedule = schedule;
        options.iteration = i;
        options.work_seconds = config.work.value_or(Seconds(0)).count();
        options.seed = config.seed;
        options.interrupted = &context.interrupted;
        const Simulation result = simulate(record, options);
        progress.clear();
        if (context.interrupted) {
          output.complain("stopped by a signal; the rows until then are complete");
          return exit_stopped;
        }
        output.answer(simulation_row(result, options));
        output.write_json(to_json(result, options, record));
        if (++done < replays) progress.part_done(done / replays);
      }
    }
  }
  return exit_answered;
}

}  // namespace tessera
