// SPDX-License-Identifier: MIT
#include "cli/solve_tasks.hpp"

#include <utility>

#include "cli/engines.hpp"
#include "cli/heuristics.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/error.hpp"

namespace tessera {

void SolveTasks::set_up(Checkpoint* checkpoint) {
  choose_heuristics(checkpoint);
  if (config_.all && config_.prune.starts_with("fsm")) {
    bad_input("--prune " + config_.prune + ": leaves solutions out, --all needs parent");
  }
  expect_table_rooms(checkpoint);
}

void SolveTasks::choose_heuristics(Checkpoint* checkpoint) {
  for (std::size_t i = 0; i < size(); ++i) {
    const BoardTask& task = boards_.tasks[i];
    ChosenHeuristic chosen = choose_heuristic(config_, task.goal, size(), &task.board);
    const auto begun =
        checkpoint && config_.heuristic == "auto" ? checkpoint->heuristic(i) : std::nullopt;
    if (begun && *begun != chosen.spec) chosen = {.name = *begun, .spec = *begun, .advice = ""};
    if (!is_solvable(i)) chosen.advice.clear();
    check_board(config_, task.board.size(), chosen.spec);
    heuristics_.push_back(std::move(chosen));
  }
}

// A checkpoint of other boards and a folder that cannot hold the tables are found before anything
// is printed.
void SolveTasks::expect_table_rooms(Checkpoint* checkpoint) const {
  TableRoom room(config_);
  for (std::size_t i = 0; i < size(); ++i) {
    if (!is_solvable(i)) continue;
    if (checkpoint) {
      checkpoint->expect(i, problem(i));
      if (checkpoint->has_answer(i, visits_all())) continue;
    }
    room.expect(heuristics_[i].spec, boards_.tasks[i].goal);
  }
}

bool SolveTasks::is_solvable(std::size_t i) const {
  return solvable(boards_.tasks[i].board, boards_.tasks[i].goal);
}

Problem SolveTasks::problem(std::size_t i) const {
  const BoardTask& task = boards_.tasks[i];
  // Only node by node is a limit met where plain IDA* meets it: the other kernels go through the
  // last iteration in another order.
  const bool exact = config_.node_limit > 0 && config_.kernel == Kernel::automatic;
  Problem problem = problem_of(config_, task.board, task.goal, heuristics_[i].spec);
  if (exact) problem.kernel = Kernel::plain;
  return problem;
}

BoardResult SolveTasks::unsolved(std::size_t i) const {
  const BoardTask& task = boards_.tasks[i];
  BoardResult result;
  result.id = task.id;
  result.board = task.board;
  result.goal = task.goal_name;
  result.metric = config_.metric;
  result.heuristic = heuristics_[i].name;
  result.solvable = is_solvable(i);
  if (!result.solvable) result.status = Status::unsolvable;
  return result;
}

BoardResult SolveTasks::judged(std::size_t i, SearchResult found) const {
  const BoardTask& task = boards_.tasks[i];
  BoardResult result = unsolved(i);
  if (keeps_boards(config_)) {
    result.memory = {found.states, found.bytes, found.stop == Stop::memory};
  }
  result.seconds = found.seconds;
  result.earlier_seconds = found.earlier_seconds;
  result.setup_seconds = found.setup_seconds;
  result.counts = found.counts;
  result.iterations = std::move(found.iterations);
  result.times = std::move(found.times);
  result.incumbent = std::move(found.incumbent);
  result.lower_bound = found.bound;
  result.status = !found.stop                       ? Status::solved
                  : found.stop == Stop::interrupted ? Status::interrupted
                                                    : Status::limit;
  if (!found.solution) return result;
  // Replayed on the board as given, with nothing that the search used.
  const std::optional<Board> end = replayed(task.board, *found.solution);
  result.verified = end && *end == task.goal;
  if (!result.verified) {
    throw Error(ErrorKind::internal,
                "board " + task.id + ": the solution found does not lead to the goal");
  }
  result.length = solution_length(*found.solution, config_.metric);
  result.moves = std::move(found.solution);
  result.optimal = found.optimal;
  if (config_.all) result.solutions = found.solution_count;
  return result;
}

std::optional<double> TablePreparation::prepare(std::size_t i, ProgressObserver& progress) {
  const Board& goal = tasks_[i].goal;
  const ChosenHeuristic& heuristic = tasks_.heuristic(i);
  const Problem problem = problem_of(config_, goal, goal, heuristic.spec);
  const std::string wanted = heuristic.spec + " " + to_string(goal);
  const bool has_tables = table_bytes(heuristic.spec, goal) > 0;
  if (wanted == prepared_ || !(has_tables || Pruning::is_stored(problem.prune, goal.size())))
    return 0;
  const Stopwatch watch;
  progress.board_started("building tables of " + (has_tables ? heuristic.name : problem.prune));
  const bool made = crew_.backend->prepare(problem, [&](double done) {
    progress.table_progress(done);
    return !limits_.reached(0);
  });
  progress.clear();
  prepared_ = made ? wanted : "";
  if (!made) return {};
  return watch.seconds();
}

}  // namespace tessera
