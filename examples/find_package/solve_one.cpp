// SPDX-License-Identifier: MIT
// Solves one board on two threads and prints each bound:
//   solve_one "8 6 7 2 5 4 3 0 1"
#include <cstdlib>
#include <iostream>

#include <tessera/base/error.hpp>
#include <tessera/heuristic/registry.hpp>
#include <tessera/puzzle/goal.hpp>
#include <tessera/search/ida_star.hpp>
#include <tessera/threads/threads_executor.hpp>

namespace {

class PrintBounds final : public tessera::Observer {
 public:
  void iteration_finished(const tessera::IterationReport& report) override {
    std::cout << "bound " << report.bound << ": " << report.counts.expanded << " expanded\n";
  }
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: solve_one BOARD\n";
    return EXIT_FAILURE;
  }
  const tessera::Board board = tessera::parse_board(argv[1], {});
  const tessera::Board goal = tessera::Goal().board(board.size());
  if (!tessera::solvable(board, goal)) {
    std::cout << "unsolvable\n";
    return EXIT_SUCCESS;
  }
  tessera::Problem problem;
  problem.instance = tessera::make_instance(board, goal);
  problem.heuristic = to_string(tessera::resolve_heuristic("linear-conflict", goal));

  tessera::IdaStarOptions options;
  options.finish_iteration = true;  // so that counts do not depend on which thread comes first
  tessera::ThreadsExecutor executor(2);
  PrintBounds observer;
  const auto result = tessera::ida_star(problem, options, executor, tessera::Limits(), observer);
  std::cout << result.solution->size() << " moves: " << *result.solution << "\n";
  return tessera::replayed(board, *result.solution) == goal ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const tessera::Error& error) {
  std::cerr << "solve_one: " << error.what() << "\n";
  return EXIT_FAILURE;
}
