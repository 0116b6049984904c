// SPDX-License-Identifier: MIT
#include "solver/board_solver.hpp"

#include "base/mapped_file.hpp"
#include "search/pruning/automaton_cost.hpp"
#include "search/tree/serial_executor.hpp"
#include "solver/memory.hpp"
#include "threads/threads_executor.hpp"

namespace tessera {
namespace {

// Generated nodes beyond which a board is not easy: about 50 ms of one thread.
constexpr std::uint64_t easy_board_nodes = 4'000'000;

}  // namespace

std::unique_ptr<Backend> local_backend(const Workers& workers) {
  if (workers.backend == BackendKind::serial) return std::make_unique<SerialExecutor>();
  return std::make_unique<ThreadsExecutor>(workers.threads());
}

BatchOptions batch_options(const SearchOptions& options, const Workers& workers,
                           std::uint64_t table_bytes) {
  BatchOptions batch;
  batch.ida = ida_star_options(options);
  batch.node_limit = options.node_limit;
  batch.time_limit = options.board_time_limit;
  if (stores_boards(options.engine)) {
    batch.best_first = best_first_options(options, workers, table_bytes);
  }
  if (options.batch == Batch::automatic) batch.easy_nodes = easy_board_nodes;
  return batch;
}

bool BoardSolver::is_prepared(const Plan& plan) const {
  const bool needs_any = plan.table_bytes > 0 || plan.prune > PruneRule::parent;
  return !needs_any || (table_names(plan) == prepared_ && file_changes_ == noticed_file_changes());
}

bool BoardSolver::prepare(const Plan& plan, const TableProgress& progress) {
  if (is_prepared(plan)) return true;
  prepared_.clear();
  notice_file_changes();
  file_changes_ = noticed_file_changes();
  const Board& target = plan.heuristic.target;
  if (!backend_.prepare(problem_of(options_, plan, target, target), progress)) return false;
  prepared_ = table_names(plan);
  return true;
}

SearchResult BoardSolver::search(const Problem& problem, std::uint64_t table_bytes,
                                 const Limits& limits, Observer& observer, IdaStarOptions ida) {
  if (stores_boards(options_.engine)) {
    return backend_.best_first(problem, best_first_options(options_, workers_, table_bytes), limits,
                               observer);
  }
  ida.incumbent = incumbents(problem, table_bytes);
  (void)beam_memory_line(problem, ida.incumbent, backend_);
  return ida_star(problem, ida, backend_, limits, observer);
}

IncumbentOptions BoardSolver::incumbents(const Problem& problem, std::uint64_t table_bytes) const {
  const Size size = problem.instance.size();
  return incumbent_options(options_, workers_, size,
                           table_bytes + automaton_cost(size, problem.prune).bytes);
}

std::string BoardSolver::beam_memory(const Problem& problem, std::uint64_t table_bytes) const {
  if (!requests_beam(options_)) return {};
  return beam_memory_line(problem, incumbents(problem, table_bytes), backend_);
}

bool BoardSolver::is_batch(std::size_t boards) const {
  const bool is_worth_it = boards > 1 && workers_.count() > 1;
  return options_.batch == Batch::boards || (is_worth_it && may_batch(options_));
}

}  // namespace tessera
