// SPDX-License-Identifier: MIT
#include "cli/solve_banner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

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
