// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "cli/options/boards.hpp"
#include "cli/process/context.hpp"
#include "compare/comparison.hpp"
#include "heuristic/registry.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/plan.hpp"
#include "solver/tables.hpp"

namespace tessera {

/// A configuration to time: its name, and its options.
struct Planned {
  Configuration configuration;
  SearchOptions options;
  std::vector<Plan> plans;        ///< by board
  std::uint64_t table_bytes = 0;  ///< the most of any board
};

struct ComparisonPlan {
  std::vector<Planned> configurations;
  std::vector<std::string> notes;  ///< what was left out of the product, and why; one per line
};

/// Plans a comparison: engines x heuristics x backends x workers, and what --study varies; skips
/// impossible combinations.
class Planner {
 public:
  Planner(const Config& config, const std::vector<BoardTask>& boards, const Context& context)
      : config_(config),
        boards_(boards),
        ranks_(context.ranks()),
        places_(context.places(0)),
        threads_(std::max(1, config.threads)) {
    if (config.study == Study::ranks && ranks_ == 1) {
      bad_input("--study ranks: there is one rank, expected mpirun -np R tessera compare ...");
    }
  }

  /// Throws Error(input) if nothing is left, an option is wrong for all, or tables cannot be
  /// written.
  ComparisonPlan plan() {
    if (ranks_ == 1 && config_.threads > 0 && !config_.workers.empty()) {
      note(
          fmt::format("--threads {} is ignored: it is for each rank, there is one, and --workers "
                      "names the threads",
                      config_.threads));
    }
    for (const Engine engine : config_.engines) {
      for (const std::string& heuristic : config_.heuristic_list) {
        for (const BackendKind backend : backends()) {
          for (const int workers : workers_of(backend, engine))
            add(engine, heuristic, backend, workers);
        }
      }
    }
    if (plan_.configurations.empty()) bad_input(plan_.notes.front());
    for (const Planned& planned : plan_.configurations) {
      for (const Plan& plan : planned.plans) {
        expect_table_room(planned.options.table_directory, plan.heuristic);
      }
    }
    return std::move(plan_);
  }

 private:
  static constexpr int first_depth = 2;  // of the study; the seed programs' was 2 to 8
  static constexpr int last_depth = 8;

  // 1, 2, 3, ...; if that exceeds a screenful, the powers of two and the last.
  static std::vector<int> up_to(int most) {
    std::vector<int> numbers;
    for (int number = 1; number <= most; number += most <= 16 ? 1 : number)
      numbers.push_back(number);
    if (numbers.back() != most) numbers.push_back(most);
    return numbers;
  }

  [[nodiscard]] std::vector<BackendKind> backends() const {
    using enum BackendKind;
    if (!config_.backends.empty()) return config_.backends;
    if (config_.study == Study::threads) return {serial, threads};
    if (config_.study == Study::ranks) return {serial, mpi};
    if (ranks_ > 1) return {serial, threads, mpi};
    return {serial, threads};
  }

  [[nodiscard]] std::vector<int> workers_of(BackendKind backend, Engine engine) const {
    if (backend == BackendKind::serial) return {1};
    if (is_parallel_inside(engine, backend) && config_.parallel == InnerParallel::queues) {
      return {config_.queues};
    }
    if (!config_.workers.empty()) return config_.workers;
    if (backend == BackendKind::threads && config_.study == Study::threads)
      return up_to(config_.threads > 0 ? config_.threads : places_[0].cpus);
    if (backend == BackendKind::mpi && config_.study == Study::ranks) {
      std::vector<int> workers = up_to(ranks_);
      for (int& number : workers) number *= threads_;
      return workers;
    }
    if (ranks_ == 1) return {config_.threads > 0 ? config_.threads : places_[0].cpus};
    // As many threads as the ranks of this host have; otherwise there is nothing to compare.
    const auto is_here = [&](const RankPlace& place) { return place.host == places_[0].host; };
    const auto ranks_here = std::ranges::count_if(places_, is_here);
    const int here = static_cast<int>(ranks_here) * threads_;
    if (backend == BackendKind::threads || ranks_here == ranks_) return {here};
    return {here, ranks_ * threads_};
  }

  [[nodiscard]] bool is_parallel_inside(Engine engine, BackendKind backend) const {
    return config_.parallel != InnerParallel::none && backend == BackendKind::threads &&
           (engine == Engine::astar || engine == Engine::greedy);
  }

  void add(Engine engine, const std::string& heuristic, BackendKind backend, int workers) {
    Planned planned;
    SearchOptions& own = planned.options;
    own = config_;
    own.engine = engine;
    const bool has_heuristic = engine != Engine::iddfs && engine != Engine::bfs;
    own.heuristic = has_heuristic ? heuristic : "auto";
    own.backend = backend;
    own.batch = Batch::tree;
    own.threads = workers;
    if (engine != Engine::beam) own.incumbent.automatic = false;  // only what is named is compared
    drop_unsupported(own);
    Configuration& name = planned.configuration;
    name.engine = to_string(engine);
    name.backend = to_string(backend);
    name.heuristic = has_heuristic ? heuristic : "";
    name.threads = workers;
    if (backend == BackendKind::mpi && !place(planned, workers)) return;
    if (own.incumbent.width > 0) name.more = fmt::format("beam:{}", own.incumbent.width);
    if (own.parallel == InnerParallel::queues) name.more = fmt::format("queues:{}", own.queues);
    if (own.parallel == InnerParallel::neighbors) name.more = "neighbors";
    if (own.parallel == InnerParallel::distance) name.more = "distance";
    if (config_.study == Study::split_depth && backend != BackendKind::serial) {
      const int last = config_.split_depth.value_or(last_depth);
      for (int depth = std::min(first_depth, last); depth <= last; ++depth) {
        own.split_depth = depth;
        finish(planned);
      }
    } else if (config_.study == Study::schedule && backend != BackendKind::serial) {
      for (const Schedule schedule : {Schedule::dealt, Schedule::dynamic, Schedule::stealing}) {
        own.schedule = schedule;
        name.more = to_string(schedule);
        finish(planned);
      }
    } else {
      finish(planned);
    }
  }

  // Uses `workers` ranks of --threads each.
  bool place(Planned& planned, int workers) {
    if (ranks_ == 1) {
      bad_input(
          "--backends mpi: there is one rank, expected mpirun -np R tessera compare ... with R of "
          "2 or more");
    }
    Configuration& name = planned.configuration;
    const bool spreads = stores_boards(planned.options.engine);
    name.threads = planned.options.threads = spreads ? 1 : threads_;
    name.ranks = workers / name.threads;
    if (workers % name.threads != 0) {
      note(fmt::format("mpi with {} is left out: not a multiple of --threads {}",
                       counted(workers, "worker"), threads_));
      return false;
    }
    if (name.ranks > ranks_) {
      note(fmt::format("mpi with {} is left out: there are {} ranks{}", counted(workers, "worker"),
                       ranks_,
                       name.threads > 1 ? fmt::format(" of {} threads", name.threads) : ""));
      return false;
    }
    return true;
  }

  // Adds the configuration for its engine, unless it is impossible or a duplicate.
  void finish(Planned planned) {
    Configuration& name = planned.configuration;
    const bool divides_trees =
        cuts_trees(planned.options.engine) && planned.options.backend != BackendKind::serial;
    if (is_left_out_of_study(planned)) return;
    name.split_depth = planned.options.split_depth;
    if (divides_trees) name.schedule = to_string(planned.options.schedule);
    if (!fits_engine(planned) || !make_plans(planned)) return;
    name_choices(planned);
    const auto is_it = [&](const Planned& other) {
      return name_of(other.configuration) == name_of(name);
    };
    auto& all = plan_.configurations;
    if (std::ranges::none_of(all, is_it)) all.push_back(std::move(planned));
  }

  [[nodiscard]] bool is_left_out_of_study(const Planned& planned) {
    const bool studies_trees =
        config_.study == Study::schedule || config_.study == Study::split_depth;
    if (!studies_trees || cuts_trees(planned.options.engine) ||
        planned.options.backend == BackendKind::serial) {
      return false;
    }
    note(fmt::format("{} is left out of --study {}: it cuts no tree", planned.configuration.engine,
                     study_names[static_cast<std::size_t>(config_.study)]));
    return true;
  }

  // If `check` throws Error(input), notes that the configuration is left out.
  [[nodiscard]] bool passes(const Configuration& name, const std::function<void()>& check) {
    try {
      check();
      return true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      note(fmt::format("{} is left out: {}", name_of(name), error.what()));
      return false;
    }
  }

  [[nodiscard]] bool fits_engine(Planned& planned) {
    return passes(planned.configuration, [&] {
      const BackendKind backend = planned.options.backend;
      (void)adapt_to_engine(planned.options, 1);
      if (planned.options.backend != backend) {
        bad_input(
            fmt::format("engine {} searches in one thread, expected --backends serial{}",
                        planned.configuration.engine,
                        planned.options.engine == Engine::bfs ? "" : " or mpi, or --parallel"));
      }
    });
  }

  [[nodiscard]] bool make_plans(Planned& planned) {
    // Time limits are for what is timed, not for building tables before.
    SearchOptions untimed = planned.options;
    untimed.time_limit.reset();
    untimed.board_time_limit = {};
    const bool names_boards = have_several_sizes(boards_);
    const auto place = [&](const BoardTask& board) {
      return names_boards ? "board " + board.id + ": " : "";
    };
    // An unknown heuristic is an error, not a reason to skip a configuration.
    if (untimed.heuristic != "auto") expect_known_heuristic(untimed.heuristic, untimed.metric);
    std::vector<ChosenHeuristic> heuristics;
    for (const BoardTask& board : boards_) {
      heuristics.push_back(with_error_prefix(place(board), [&] {
        return choose_heuristic(untimed, board.goal, boards_.size(), &board.board);
      }));
    }
    return passes(planned.configuration, [&] {
      for (std::size_t i = 0; i < boards_.size(); ++i) {
        const BoardTask& board = boards_[i];
        Plan& plan = planned.plans.emplace_back(
            plan_with(untimed, boards_.size(), std::move(heuristics[i])));
        with_error_prefix(place(board), [&] {
          expect_searchable(planned.options, plan, board.board, board.goal);
        });
        planned.table_bytes = std::max(planned.table_bytes, plan.table_bytes);
      }
    });
  }

  // The heuristic and pruning rule that `auto` chose, each if it is the same for all boards.
  static void name_choices(Planned& planned) {
    Configuration& name = planned.configuration;
    const Plan& first = planned.plans.front();
    const auto same_name = [&](const Plan& plan) {
      return plan.heuristic.name == first.heuristic.name;
    };
    if (!name.heuristic.empty() && std::ranges::all_of(planned.plans, same_name)) {
      name.heuristic = first.heuristic.name;
    }
    const auto same_rule = [&](const Plan& plan) { return plan.prune == first.prune; };
    if (cuts_trees(planned.options.engine) && std::ranges::all_of(planned.plans, same_rule)) {
      name.prune = to_string(first.prune);
    }
  }

  void note(const std::string& text) {
    if (std::ranges::find(plan_.notes, text) == plan_.notes.end()) plan_.notes.push_back(text);
  }

  const Config& config_;
  const std::vector<BoardTask>& boards_;
  int ranks_;
  std::vector<RankPlace> places_;  // of the ranks
  int threads_;                    // of each rank, with mpi
  ComparisonPlan plan_;
};

}  // namespace tessera
