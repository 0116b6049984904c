// SPDX-License-Identifier: MIT
#include "cli/solve_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "cli/engines.hpp"
#include "tessera/base/text.hpp"
#include "tessera/report/tables.hpp"
#include "tessera/report/version.hpp"

namespace tessera {
namespace {

// Without PMIx srun's tasks are programs on their own.
std::string lone_tasks_warning(const Context& context) {
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  const char* const task = std::getenv("SLURM_PROCID");
  if (context.ranks() > 1 || tasks == nullptr || task == nullptr) return {};
  const auto count = parse_integer(tasks);
  if (!count || *count < 2 || std::string_view(task) != "0") return {};
  return fmt::format(
      "warning: srun started {} independent tasks, each does all of the work; "
      "try srun --mpi=pmix, or mpirun\n",
      *count);
}

}  // namespace

SolveOutput::SolveOutput(const Config& config, bool many)
    : config_(config), many_(many), output_(config) {
  output_.open_files(config);
  if (config.trace) trace_file_.emplace(Output::file(*config.trace));
}

void SolveOutput::begin(const Crew& crew, std::optional<WorkLog>& log) {
  progress_.emplace(output_.errors(), config_.shown_progress(), !config_.quiet && !many_);
  std::vector<std::string> hosts;
  std::vector<TracedRank> ranks;
  for (const RankPlace& place : crew.places) {
    hosts.push_back(place.host);
    ranks.push_back({place.host, place.threads});
  }
  progress_->ranks_are_on(std::move(hosts));
  observers_.add(*progress_);
  if (log) {
    log_ = &*log;
    log_->threads(crew.places[0].threads);
    observers_.add(*log_);
  }
  if (trace_file_) {
    observers_.add(trace_.emplace(std::move(*trace_file_), crew.setup, std::move(ranks)));
  }
}

void SolveOutput::write_heading(bool bounds) {
  if (many_) remark(board_heading());
  else if (bounds) remark(bound_heading());
}

void SolveOutput::board_started(const std::string& id) {
  progress_->board_started(id);
  if (trace_) trace_->board_started(id);
  if (log_) log_->board_started(id);
}

void SolveOutput::board_finished(const BoardResult& result) {
  if (trace_) trace_->board_finished(result);
}

void SolveOutput::write_result(const BoardResult& result, const RunSetup& setup) {
  progress_->clear();
  if (many_) remark(board_row(result));
  output_.answer(answer_line(result));
  if (!many_) remark(memory_line(result));
  if (result.memory && result.memory->full) {
    output_.complain(memory_complaint(result, config_));
  }
  if (config_.json) output_.write_json(to_json(result, setup));
}

std::string solve_banner(const Crew& crew, const std::vector<ChosenHeuristic>& heuristics,
                         std::uint64_t table_bytes, const Context& context) {
  std::vector<std::string> names;
  for (const ChosenHeuristic& heuristic : heuristics) names.push_back(heuristic.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string memory =
      table_bytes == 0 ? "no table" : fmt::format("{:.1f} MiB of tables", mebibytes(table_bytes));
  std::string text =
      fmt::format("tessera {}: {} backend, {}, {} CPU{} per rank, heuristic {} ({})\n", version(),
                  crew.setup.backend, layout_text(crew.setup), crew.places[0].cpus,
                  crew.places[0].cpus == 1 ? "" : "s", fmt::join(names, ", "), memory);
  for (const ChosenHeuristic& heuristic : heuristics) {
    if (heuristic.advice.empty()) continue;
    text += "tip: " + heuristic.advice + "\n";
    break;
  }
  return text + lone_tasks_warning(context) + binding_warning(crew, "--threads");
}

}  // namespace tessera
