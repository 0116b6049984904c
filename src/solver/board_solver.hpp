// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "search/backend.hpp"
#include "solver/plan.hpp"

namespace tessera {

/// The backend of this process for such workers: not for mpi.
[[nodiscard]] std::unique_ptr<Backend> local_backend(const Workers& workers);

/// How each board of a batch is solved by one of these workers, which share the memory.
[[nodiscard]] BatchOptions batch_options(const SearchOptions& options, const Workers& workers,
                                         std::uint64_t table_bytes);

/// Carries plans out on a backend: opens each board's tables, unless they are those opened last,
/// and searches it with the engine of the options, which are adapted to it. Keeps a reference to
/// the backend.
class BoardSolver {
 public:
  BoardSolver(SearchOptions options, Workers workers, Backend& backend)
      : options_(std::move(options)), workers_(std::move(workers)), backend_(backend) {}

  [[nodiscard]] Backend& backend() { return backend_; }

  /// For the next boards; tables stay open.
  void set_options(const SearchOptions& options) { options_ = options; }

  /// Whether the tables and the pruning automaton of a plan are open, or it needs none.
  [[nodiscard]] bool is_prepared(const Plan& plan) const;
  /// The tables may be closed by now, or a rank's may have been overwritten.
  void forget_tables() { prepared_.clear(); }
  /// Builds or opens them if they are not. False if `progress` stopped it.
  [[nodiscard]] bool prepare(const Plan& plan, const TableProgress& progress);

  /// Searches a board whose tables are open. `ida`: for IDA*, with a journal perhaps; its
  /// incumbents are chosen here. Throws Error(resource) if memory is insufficient.
  [[nodiscard]] SearchResult search(const Problem& problem, std::uint64_t table_bytes,
                                    const Limits& limits, Observer& observer, IdaStarOptions ida);
  /// The same for a plan and without a journal.
  [[nodiscard]] SearchResult search(const Plan& plan, const Board& start, const Board& goal,
                                    const Limits& limits, Observer& observer) {
    return search(problem_of(options_, plan, start, goal), plan.table_bytes, limits, observer,
                  ida_star_options(options_));
  }

  /// The memory of the requested beam search of that board, as text; empty if there is none. Throws
  /// Error(resource) if it exceeds the limit.
  [[nodiscard]] std::string beam_memory(const Problem& problem, std::uint64_t table_bytes) const;

  /// Whether boards are solved side by side, one worker each, at least at first.
  [[nodiscard]] bool is_batch(std::size_t boards) const;

 private:
  [[nodiscard]] IncumbentOptions incumbents(const Problem& problem,
                                            std::uint64_t table_bytes) const;

  SearchOptions options_;
  const Workers workers_;
  Backend& backend_;
  std::string prepared_;            // whose tables were opened last
  std::uint64_t file_changes_ = 0;  // that were known then
};

}  // namespace tessera
