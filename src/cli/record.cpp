// SPDX-License-Identifier: MIT
#include "cli/record.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "tessera/base/clock.hpp"
#include "tessera/base/error.hpp"
#include "tessera/model/work_record.hpp"
#include "tessera/report/tables.hpp"

namespace tessera {

void expect_recordable(const Config& config, std::size_t boards) {
  if (boards != 1) bad_input("--record: takes one board, not several");
  if (config.independent) bad_input("--record: needs --bounds shared");
  std::error_code none;
  const auto there = std::filesystem::status(*config.record, none);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    bad_input("--record: " + *config.record + " is no file");
  }
}

namespace {

// Nodes that a thread expanded per second of searching. Recording is slower, with Manhattan
// distance up to 18 times. Empty if the search was too short to measure.
std::optional<double> search_rate(const BoardResult& result, int workers) {
  constexpr double least = 0.01;  // seconds
  double expanded = 0;
  double seconds = 0;  // of all threads
  for (const IterationReport& report : result.iterations) {
    if (!report.timed) continue;
    expanded += static_cast<double>(report.counts.expanded);
    seconds += report.seconds * workers * (1 - report.idle_fraction);
  }
  if (seconds < least) return {};
  return expanded / seconds;
}

}  // namespace

void record_search(const Config& config, const Problem& problem, const BoardTask& task,
                   const BoardResult& result, Crew& crew, Output& remarks) {
  const Stopwatch watch;
  WorkRecord record;
  record.id = task.id;
  record.size = to_string(task.board.size());
  record.board = to_string(task.board);
  record.goal = task.goal_name;
  record.metric = to_string(config.metric);
  record.heuristic = result.heuristic;
  RecordOptions options;
  for (const IterationReport& report : result.iterations) options.bounds.push_back(report.bound);
  (void)record_work(problem, *crew.backend, options, record);
  record.rate = search_rate(result, crew.setup.workers).value_or(record.rate);
  write_record(*config.record, record);
  if (config.quiet) return;
  std::size_t subtrees = 0;
  for (const WorkTree& tree : record.iterations) subtrees += tree.nodes.size();
  remarks.write(fmt::format(
      "recorded {} subtrees of {} iterations in {} s, {:.1f} M expanded/s per thread: {}\n",
      with_commas(subtrees), record.iterations.size(), seconds_text(watch.seconds()),
      record.rate / 1e6, *config.record));
}

}  // namespace tessera
