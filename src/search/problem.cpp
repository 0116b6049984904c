// SPDX-License-Identifier: MIT
#include "search/problem.hpp"

#include <algorithm>

#include "base/mapped_file.hpp"
#include "heuristic/heuristic_spec.hpp"
#include "search/pruning/pruning.hpp"

namespace tessera {

bool open_tables(const Problem& problem, int threads, const TableProgress& progress,
                 TableShare share) {
  notice_file_changes();  // tables that were overwritten are opened again
  const std::vector<TableRequest> requests = table_requests(
      parse_heuristic(problem.heuristic), problem.instance.size(), problem.instance.goal_blank);
  // Each table's share of the progress is proportional to its entries.
  double all = 0;
  for (const TableRequest& request : requests) all += static_cast<double>(request.cost.entries);
  double done = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto entries = static_cast<double>(requests[i].cost.entries);
    const TableProgress part = progress.part(done / all, (done + entries) / all);
    if (i % share.count == share.index &&
        open_table(problem.table_directory, requests[i], threads, part) == nullptr) {
      return false;
    }
    done += entries;
  }
  // The automaton comes after the tables. One that is stored is built by the first process that has
  // no table to build.
  const Size size = problem.instance.size();
  const bool is_own = requests.size() % share.count == share.index;
  if (!is_own && Pruning::stored_as(problem.prune, size)) return true;
  return Pruning::of(problem.prune, size, problem.table_directory, threads, progress) != nullptr;
}

void close_tables(std::uint64_t most_bytes) {
  const std::uint64_t automata = Pruning::release(most_bytes);
  release_databases(most_bytes - std::min(most_bytes, automata));
}

}  // namespace tessera
