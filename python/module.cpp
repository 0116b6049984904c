// SPDX-License-Identifier: MIT
// The native half of the Python package: the public interface of tessera, with the interpreter's
// lock released while it searches. python/tessera/__init__.py has what users see.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <tessera/solver.hpp>
#include <tessera/version.hpp>

#include "analysis/game_analysis.hpp"
#include "analysis/shorten.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/memory_limit.hpp"
#include "base/text.hpp"
#include "census/census.hpp"
#include "foreground.hpp"
#include "heuristic/length_guess.hpp"
#include "model/effort.hpp"
#include "puzzle/builtin_set.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_text.hpp"
#include "puzzle/random_board.hpp"
#include "search/kernels/subtree_search.hpp"
#include "solver/board_solver.hpp"
#include "solver/interface/translate.hpp"
#include "solver/memory.hpp"

namespace py = pybind11;

namespace tessera {
namespace {

py::dict dict_of(const api::Nodes& nodes) {
  return py::dict(py::arg("expanded") = nodes.expanded, py::arg("generated") = nodes.generated);
}

py::dict dict_of(const api::Iteration& iteration) {
  return py::dict(py::arg("bound") = iteration.bound, py::arg("expanded") = iteration.expanded,
                  py::arg("generated") = iteration.generated,
                  py::arg("seconds") = iteration.seconds, py::arg("complete") = iteration.complete);
}

py::dict lengths_of(const std::string& letters) {
  return py::dict(py::arg("single") = solution_length(letters, Metric::single),
                  py::arg("multi") = solution_length(letters, Metric::multi));
}

// The attributes of the package's Result, which adds the board.
py::dict dict_of(const api::Result& result, const api::Options& options) {
  const auto unless = [](bool is_missing, const auto& value) {
    return is_missing ? py::object(py::none()) : py::object(py::cast(value));
  };
  const bool has_none = result.length < 0;
  const bool is_answered =
      result.status == api::Status::solved || result.status == api::Status::unsolvable;
  py::object lengths = py::none();
  if (!has_none) lengths = lengths_of(result.moves);
  py::list iterations;
  for (const api::Iteration& iteration : result.iterations) iterations.append(dict_of(iteration));
  return py::dict(
      py::arg("status") = to_string(result.status),
      py::arg("length") = unless(has_none, result.length),
      py::arg("moves") = unless(has_none, result.moves), py::arg("optimal") = result.optimal,
      py::arg("lower_bound") = unless(result.status == api::Status::unsolvable, result.lower_bound),
      py::arg("upper_bound") = unless(result.upper_bound < 0, result.upper_bound),
      py::arg("iterations") = iterations, py::arg("heuristic") = result.heuristic,
      py::arg("seconds") = result.seconds, py::arg("setup_seconds") = result.setup_seconds,
      py::arg("lengths") = lengths, py::arg("nodes") = dict_of(result.nodes),
      py::arg("solutions") = unless(!options.all || !is_answered, result.solutions),
      py::arg("all_moves") = unless(result.all_moves.empty(), result.all_moves),
      py::arg("good_moves") = unless(result.good_moves.empty(), result.good_moves));
}

py::dict solve(api::Solver& solver, const api::Board& board, const py::object& on_bound) {
  Foreground foreground;
  api::Observer observer = foreground.observer();
  if (!on_bound.is_none()) {
    observer.iteration = [&](const api::Iteration& iteration) {
      foreground.post([&on_bound, iteration] { on_bound(dict_of(iteration)); });
    };
  }
  return dict_of(foreground.run([&] { return solver.solve(board, observer); }), solver.options());
}

py::list solve_batch(api::Solver& solver, const std::vector<api::Board>& boards) {
  Foreground foreground;
  py::list results;
  for (const api::Result& result :
       foreground.run([&] { return solver.solve(boards, foreground.observer()); })) {
    results.append(dict_of(result, solver.options()));
  }
  return results;
}

std::vector<api::Board> generate(int width, int height, int count, std::uint64_t seed,
                                 std::optional<int> scramble, const std::string& goal) {
  Foreground foreground;
  return foreground.run([&] {
    const Board end = internal(api::Board::goal(width, height, goal));
    Random random(seed);
    std::vector<api::Board> boards;
    for (int i = 0; i < count; ++i) {
      if (foreground.stopped()) internal_failure("stopped");  // run() throws the cause
      boards.push_back(
          external(scramble ? scrambled(end, *scramble, random) : random_board(end, random)));
    }
    return boards;
  });
}

// Brackets and mistakes of a game; each distance is searched with the solver.
py::dict analyse(api::Solver& solver, const api::Board& start, const std::string& moves) {
  const api::Options& options = solver.options();
  const Metric metric = options.metric;
  Foreground foreground;
  const GameAnalysis game = foreground.run([&] {
    const Board board = internal(start);
    const std::string letters = parse_legal_moves(board, moves, Mover::tile);
    const auto find = [&](const Board& from, const std::string&) {
      if (foreground.stopped()) internal_failure("stopped");  // run() throws the cause
      const api::Result found = solver.solve(external(from), foreground.observer());
      if (found.status == api::Status::unsolvable) bad_input("the board is not solvable");
      Distance distance{{found.lower_bound, {}}, found.moves};
      if (found.upper_bound >= 0) distance.bracket.upper = found.upper_bound;
      return distance;
    };
    return analyse_game(board, goal_board(options.goal, board.size()), letters, metric, find);
  });
  py::list distances;
  py::list brackets;
  for (std::size_t i = 0; i < game.brackets.size(); ++i) {
    const Bracket& bracket = game.brackets[i];
    if (game.is_exact(i)) distances.append(bracket.lower);
    else distances.append(py::none());
    brackets.append(py::make_tuple(bracket.lower, bracket.upper));
  }
  py::list mistakes;
  for (const Mistake& mistake : game.mistakes) {
    py::object better = py::none();
    if (!mistake.better.empty()) better = py::str(mistake.better);
    mistakes.append(py::dict(py::arg("move") = mistake.move, py::arg("before") = mistake.before,
                             py::arg("after") = mistake.after, py::arg("better") = better));
  }
  return py::dict(py::arg("length") = game.length, py::arg("optimal_length") = distances[0],
                  py::arg("distances") = distances, py::arg("brackets") = brackets,
                  py::arg("mistakes") = mistakes);
}

// A solver's options as the sources have them, and workers and limits for one call.
struct Workplace {
  Workplace(const api::Options& asked, const Foreground& foreground)
      : options(search_options(asked, 1)),
        workers(choose_workers(options, {local_place(options.threads)})),
        backend(local_backend(workers)),
        limited({.bytes = asked.memory}),
        limits(Limits{.deadline = {}, .interrupted = &foreground.stopped()}.for_board(
            options.board_time_limit)) {}
  SearchOptions options;
  Workers workers;
  std::unique_ptr<Backend> backend;
  LimitedMemory limited;
  Limits limits;
};

py::dict optimize(const api::Solver& solver, const api::Board& board, const std::string& moves,
                  int window) {
  Foreground foreground;
  Metric metric{};
  std::string letters;
  const Stopwatch watch;
  const Shortened found = foreground.run([&] {
    const Board start = internal(board);
    letters = parse_legal_moves(start, moves, Mover::tile);
    const Workplace place(solver.options(), foreground);
    metric = place.options.metric;
    return shorten(start, letters, shorten_options(place.options, window), *place.backend,
                   place.limits);
  });
  return py::dict(
      py::arg("length_before") = solution_length(letters, metric),
      py::arg("length") = solution_length(found.moves, metric), py::arg("moves") = found.moves,
      py::arg("optimal") = found.is_optimal, py::arg("window") = found.longest_window,
      py::arg("status") = found.stop ? "limit" : "finished", py::arg("seconds") = watch.seconds(),
      py::arg("lengths") = lengths_of(found.moves));
}

// A child of fork has none of the threads for which ~Solver would wait.
struct EndsInItsProcess {
  pid_t process = getpid();
  void operator()(api::Solver* solver) const {
    if (getpid() == process) delete solver;
  }
};

// What each bound up to the probable length will expand.
py::list estimate(const api::Solver& solver, const api::Board& board) {
  Foreground foreground;
  const Effort effort = foreground.run([&] {
    const Workplace place(solver.options(), foreground);
    if (place.options.engine != Engine::ida) {
      bad_input("estimate: only for engine ida, not " + to_string(place.options.engine));
    }
    const Board start = internal(board);
    const Board goal = goal_board(solver.options().goal, start.size());
    if (!solvable(start, goal)) bad_input("the board is not solvable");
    if (start == goal) return Effort{};
    const Plan plan = make_plan(place.options, goal, 1, &start);
    expect_memory(place.options, place.workers, plan.table_bytes);
    BoardSolver opener(place.options, place.workers, *place.backend);
    const auto is_stopped = [&] { return place.limits.reached(0).has_value(); };
    if (!opener.prepare(plan, {[&](double) { return !is_stopped(); }})) return Effort{};
    const Problem problem = problem_of(place.options, plan, start, goal);
    const std::unique_ptr<SubtreeSearch> search = make_subtree_search(problem);
    const int least = search->node_at("").f();
    const int last = guess_length(problem.instance, problem.metric, least).likely;
    return estimate_effort(*search, {.last_bound = last, .stopped = is_stopped});
  });
  py::list bounds;
  for (const BoundEffort& bound : effort.bounds) {
    bounds.append(py::dict(py::arg("bound") = bound.bound, py::arg("expanded") = bound.expanded,
                           py::arg("generated") = bound.generated, py::arg("low") = bound.low,
                           py::arg("high") = bound.high));
  }
  return bounds;
}

py::dict census(int width, int height, const std::string& metric, const std::string& goal,
                int threads) {
  Foreground foreground;
  const CensusResult result = foreground.run([&] {
    CensusTask task;
    task.metric = parse_metric(metric);
    task.size = {width, height};
    check_census(task);
    task.goal_blank = goal.starts_with("cell:") ? parse_goal_blank(goal, task.size)
                                                : goal_board(goal, task.size).blank();
    task.threads = local_place(threads).threads;
    const std::uint64_t need = census_memory_bytes(task.size, task.metric, 1);
    const std::uint64_t there = share_of_machine(1).free_bytes / 10 * 9;
    if (need > there) {
      out_of_resources("census " + to_string(task.size) + ": needs " + bytes_text(need) + ", " +
                       bytes_text(there) + " are free; tessera census can use a disk or ranks");
    }
    Ranks alone;
    CensusObserver nobody;
    return run_census(task, alone, nobody, foreground.stopped());
  });
  std::uint64_t states = 0;
  for (const std::uint64_t width_at : result.widths) states += width_at;
  return py::dict(py::arg("widths") = result.widths, py::arg("states") = states,
                  py::arg("radius") = result.widths.size() - 1,
                  py::arg("seconds") = result.seconds);
}

// The boards of a built-in set: id, board, optimal length (0: not known); and their goal.
py::tuple builtin_boards(const std::string& name, const std::string& metric) {
  const BuiltinSet set = translated([&] { return builtin_set(name, parse_metric(metric)); });
  py::list boards;
  for (const SetBoard& board : set.boards) {
    boards.append(
        py::make_tuple(board.board.id, external(board.board.board), board.optimal_length));
  }
  return py::make_tuple(boards, to_string(set.goal));
}

void bind_board(py::module_& module) {
  using api::Board;
  py::class_<Board>(module, "NativeBoard")
      .def(py::init([](int width, int height, const std::vector<int>& tiles) {
        return Board(width, height, tiles);
      }))
      .def_static("parse", py::overload_cast<std::string_view>(&Board::parse))
      .def_static("parse", py::overload_cast<std::string_view, int, int>(&Board::parse))
      .def_static("parse_all",
                  [](const std::string& text) {
                    Foreground foreground;
                    return foreground.run([&] { return Board::parse_all(text); });
                  })
      .def_static("goal", &Board::goal)
      .def_property_readonly("width", &Board::width)
      .def_property_readonly("height", &Board::height)
      .def_property_readonly("tiles", &Board::tiles)
      .def("text", &Board::text)
      .def("after",
           [](const Board& board, const std::string& moves) {
             return translated([&] {
               const std::string letters = parse_moves(moves, Mover::tile);
               return external(after_moves(internal(board), letters, Mover::tile));
             });
           })
      .def("solvable", &Board::solvable);
}

void bind_solver(py::module_& module) {
  using api::Solver;
  py::class_<Solver, std::unique_ptr<Solver, EndsInItsProcess>>(module, "NativeSolver")
      .def(py::init([](const std::string& heuristic, const std::string& metric,
                       const std::string& goal, const std::string& engine, int threads,
                       std::optional<double> time_limit, std::uint64_t node_limit,
                       std::uint64_t memory, bool all, std::uint64_t max_solutions,
                       bool finish_iteration, const std::string& tables) {
        return Solver({.heuristic = heuristic,
                       .metric = parse_metric(metric),
                       .goal = goal,
                       .engine = parse_engine(engine),
                       .threads = threads,
                       .time_limit = time_limit,
                       .node_limit = node_limit,
                       .memory = memory,
                       .all = all,
                       .max_solutions = max_solutions,
                       .finish_iteration = finish_iteration,
                       .tables = tables});
      }))
      .def("solve", &solve)
      .def("solve_batch", &solve_batch)
      .def("analyse", &analyse)
      .def("optimize", &optimize)
      .def("estimate", &estimate)
      .def("stop", &Solver::stop);
}

}  // namespace
}  // namespace tessera

PYBIND11_MODULE(_tessera, module) {
  using namespace tessera;
  module.doc() = "Native half of tessera; import tessera instead.";
  // The package replaces these by its own classes of exceptions.
  static py::object make_error;
  module.def("set_errors", [](py::object make) { make_error = std::move(make); });
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const py::object raised = make_error(static_cast<int>(error.kind()), error.what());
      PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
    }
  });
  bind_board(module);
  bind_solver(module);
  module.def("generate", &generate);
  module.def("end_all", &Foreground::end_all);
  module.def("boards", &builtin_boards);
  module.def("sets", &builtin_set_names);
  module.def("census", &census);
  module.def("parse_moves", [](const std::string& text, bool blank) {
    return translated([&] { return parse_moves(text, blank ? Mover::blank : Mover::tile); });
  });
  module.def("format_moves", [](const std::string& letters, bool counts, bool blank) {
    return translated([&] {
      return format_moves(parse_moves(letters, Mover::tile),
                          counts ? Notation::counts : Notation::letters,
                          blank ? Mover::blank : Mover::tile);
    });
  });
  module.attr("__version__") = std::to_string(TESSERA_VERSION_MAJOR) + "." +
                               std::to_string(TESSERA_VERSION_MINOR) + "." +
                               std::to_string(TESSERA_VERSION_PATCH);
  // Before the interpreter is gone.
  module.add_object("_cleanup", py::capsule([] { make_error.release(); }));
}
