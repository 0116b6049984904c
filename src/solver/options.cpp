// SPDX-License-Identifier: MIT
#include "solver/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "heuristic/registry.hpp"

namespace tessera {
namespace {

// In the order of their enumerations.
constexpr std::array engine_names{"ida", "iddfs", "iddfs-pruned", "astar", "greedy", "bfs", "beam"};

bool has_automaton(const SearchOptions& options) {
  return options.prune.value_or(PruneRule::parent) != PruneRule::parent;
}

bool is_best_first(Engine engine) {
  return engine == Engine::astar || engine == Engine::greedy;
}

// What happens to an option that the engine does not support.
enum class Unsupported : std::uint8_t { refused, dropped };

// Applies the rules for options that only some engines support.
void apply_engine_rules(SearchOptions& options, Unsupported unsupported) {
  const Engine engine = options.engine;
  const bool is_ida = engine == Engine::ida;
  const bool cuts = cuts_trees(engine);
  const auto only = [&](bool suits, auto& value, const auto& usual, const char* option,
                        const char* expected) {
    if (suits || value == usual) return;
    if (unsupported == Unsupported::refused) {
      bad_input(fmt::format("{}: not with --engine {}, expected {}", option, to_string(engine),
                            expected));
    }
    value = usual;
  };
  const char* const trees = "ida, iddfs or iddfs-pruned";
  only(is_ida || options.search_from != SearchFrom::goal, options.search_from,
       SearchFrom::automatic, "--search-from goal", "ida");
  only(is_ida || engine == Engine::beam, options.incumbent.width, 0U, "--incumbent beam",
       "ida or beam");
  only(is_ida, options.independent, false, "--bounds independent", "ida");
  only(is_ida, options.checkpoint, std::nullopt, "--checkpoint", "ida");
  only(is_ida, options.kernel, Kernel::automatic, "--kernel", "ida");
  only(cuts, options.record, std::nullopt, "--record", trees);
  only(is_ida || engine == Engine::iddfs_pruned || !has_automaton(options), options.prune,
       std::nullopt, "--prune", "ida or iddfs-pruned");
  only(cuts, options.all, false, "--all", trees);
  only(cuts, options.good_moves, false, "--good-moves", trees);
  only(cuts, options.finish_iteration, false, "--finish-iteration", trees);
  only(cuts, options.frontier, 0U, "--frontier and --split-depth", trees);
  only(cuts, options.split_depth, std::nullopt, "--frontier and --split-depth", trees);
  only(is_best_first(engine), options.parallel, InnerParallel::none, "--parallel",
       "astar or greedy");
}

// Throws Error(input) if other options exclude the requested beam search.
void check_incumbent(const SearchOptions& options) {
  if (!requests_beam(options)) return;
  const bool is_beam = options.engine == Engine::beam;
  if (is_beam && !options.incumbent.automatic && options.incumbent.width == 0) {
    bad_input("--engine beam: not with --incumbent none");
  }
  if (const char* const option = why_no_incumbent(options)) {
    bad_input(
        fmt::format("{}: not with {}", is_beam ? "--engine beam" : "--incumbent beam", option));
  }
}

void check_independent(const SearchOptions& options) {
  if (!options.independent) return;
  if (options.checkpoint) bad_input("--checkpoint: needs --bounds shared");
  if (options.record) bad_input("--record: needs --bounds shared");
  if (options.counts_all() || options.finish_iteration) {
    bad_input(
        "--bounds independent: has no last iteration to finish, expected shared with --all "
        "and --finish-iteration");
  }
}

void check_parallel(const SearchOptions& options) {
  if (options.parallel == InnerParallel::none) return;
  if (options.backend == BackendKind::mpi || options.backend == BackendKind::serial) {
    bad_input("--parallel: threads inside one search, expected --backend threads, not " +
              to_string(options.backend));
  }
  const bool is_manhattan = options.heuristic == "auto" || options.heuristic == "manhattan";
  if (options.parallel == InnerParallel::distance &&
      (!is_manhattan || options.metric == Metric::multi)) {
    bad_input(
        "--parallel distance: adds up rows of Manhattan distance, expected --heuristic "
        "manhattan");
  }
}

// In metric multi every move along the last line is skipped, and there is only one kernel.
void check_multi(const SearchOptions& options) {
  if (options.metric != Metric::multi) return;
  if (has_automaton(options)) {
    bad_input("--prune " + to_string(*options.prune) +
              ": not with --metric multi, expected parent");
  }
  if (options.kernel == Kernel::bucket || options.kernel == Kernel::block) {
    bad_input("--kernel: --metric multi has one kernel, expected auto or plain");
  }
}

// Chooses where an engine that keeps boards runs, if the user did not or requested more than there
// is.
void place(SearchOptions& options, int ranks, std::vector<std::string>& notes) {
  const std::string engine = "--engine " + to_string(options.engine);
  if (options.parallel != InnerParallel::none) {
    options.backend = BackendKind::threads;
    if (options.parallel == InnerParallel::distance) options.heuristic = "manhattan";
    if (options.parallel == InnerParallel::queues) {
      if (options.threads != 0 && options.threads != options.queues) {
        notes.push_back(fmt::format("--parallel queues:{0} runs in {0} threads", options.queues));
      }
      options.threads = options.queues;
    }
    return;
  }
  if (options.batch == Batch::boards) return;  // one search per worker
  BackendKind& backend = options.backend;
  const bool spreads = is_best_first(options.engine);
  if (backend == BackendKind::mpi && !spreads) {
    bad_input(
        "--backend mpi: not with --engine bfs, expected serial; census searches whole spaces");
  }
  if (backend == BackendKind::mpi && options.metric == Metric::multi) {
    bad_input("--backend mpi: " + engine +
              " is spread over ranks in --metric single only, expected serial");
  }
  if (backend == BackendKind::automatic) {
    const bool on_ranks = ranks > 1 && spreads && options.metric == Metric::single;
    backend = on_ranks ? BackendKind::mpi : BackendKind::serial;
  }
  if (backend == BackendKind::serial && ranks > 1) {
    notes.push_back(engine + " runs on one rank, the others sleep");
  }
  if (options.threads > 1) {
    notes.push_back(engine + " searches in one thread" +
                    (backend == BackendKind::mpi ? " of each rank"
                     : spreads                   ? "; --parallel and mpirun use more"
                                                 : ""));
  }
  if (backend == BackendKind::threads) backend = BackendKind::serial;
  options.threads = 1;
}

// Options that have no effect, except those that an engine has its own note on.
void note_ignored(const SearchOptions& options, std::vector<std::string>& notes) {
  if (options.checkpoint_every && !options.checkpoint) {
    notes.emplace_back("--checkpoint-every does nothing without --checkpoint");
  }
  if (options.most_solutions && !options.all) {
    notes.emplace_back("--max-solutions does nothing without --all");
  }
  if (options.node_limit > 0 && options.engine == Engine::beam) {
    notes.emplace_back("--node-limit does not count boards of beam searches, it is ignored");
  }
  const bool keeps = stores_boards(options.engine);
  const bool serial = options.backend == BackendKind::serial;
  if (!keeps && serial && options.threads > 1) {
    notes.push_back(fmt::format("--backend serial searches in one thread, --threads {} is ignored",
                                options.threads));
  }
  if (options.schedule != Schedule::stealing && (keeps || serial)) {
    notes.push_back(
        fmt::format("{} schedules nothing, --schedule {} is ignored",
                    keeps ? "--engine " + to_string(options.engine) : "--backend serial",
                    to_string(options.schedule)));
  }
}

}  // namespace

std::string api::to_string(Engine engine) {
  return engine_names.at(static_cast<std::size_t>(engine));
}

Engine api::parse_engine(std::string_view name) {
  const std::string lower = boost::to_lower_copy(std::string(name));
  if (lower == "idastar" || lower == "ida*") return Engine::ida;
  if (lower == "a*") return Engine::astar;
  const auto found = std::ranges::find(engine_names, lower);
  if (found == engine_names.end()) {
    bad_input("engine " + unknown_name(name, std::vector<std::string>(engine_names.begin(),
                                                                      engine_names.end())));
  }
  return static_cast<Engine>(found - engine_names.begin());
}

std::string to_string(BackendKind backend) {
  return backend_names[static_cast<std::size_t>(backend)];
}

bool stores_boards(Engine engine) {
  return is_best_first(engine) || engine == Engine::bfs;
}

bool cuts_trees(Engine engine) {
  return !stores_boards(engine) && engine != Engine::beam;
}

bool requests_beam(const SearchOptions& options) {
  return options.engine == Engine::beam || options.incumbent.width > 0;
}

bool takes_heuristic(const SearchOptions& options) {
  return options.engine != Engine::iddfs && options.engine != Engine::bfs &&
         options.parallel != InnerParallel::distance;
}

const char* why_no_batch(const SearchOptions& options) {
  if (options.checkpoint) return "--checkpoint";
  if (options.trace) return "--trace";
  if (options.log_dir) return "--log-dir";
  if (options.independent) return "--bounds independent";
  if (options.frontier > 0) return "--frontier";
  if (options.split_depth) return "--split-depth";
  if (options.parallel != InnerParallel::none) return "--parallel";
  if (options.emulation.nodes_per_second > 0) return "--emulate";
  if (options.record) return "--record";
  if (options.engine == Engine::beam) return "--engine beam";
  if (options.incumbent.width > 0) return "--incumbent beam";
  return nullptr;
}

bool may_batch(const SearchOptions& options) {
  return options.batch == Batch::boards ||
         (options.batch == Batch::automatic && why_no_batch(options) == nullptr &&
          !stores_boards(options.engine));
}

const char* why_no_incumbent(const SearchOptions& options) {
  if (options.counts_all()) return options.good_moves ? "--good-moves" : "--all";
  if (options.finish_iteration) return "--finish-iteration";
  if (options.independent) return "--bounds independent";
  return nullptr;
}

void drop_unsupported(SearchOptions& options) {
  apply_engine_rules(options, Unsupported::dropped);
  if (options.backend != BackendKind::threads) options.parallel = InnerParallel::none;
  if (options.backend != BackendKind::serial) return;
  options.frontier = 0;
  options.split_depth.reset();
}

std::vector<std::string> adapt_to_engine(SearchOptions& options, int ranks) {
  if (const char* option = why_no_batch(options);
      option != nullptr && options.batch == Batch::boards) {
    bad_input(fmt::format("--batch boards: not with {}, expected tree", option));
  }
  if (options.prune == PruneRule::none) {
    bad_input(
        "--prune none: expected auto, parent or fsm:DEPTH; --engine iddfs leaves no move out");
  }
  if (options.counts_all() && has_automaton(options)) {
    bad_input("--prune " + to_string(*options.prune) +
              ": leaves solutions out, --all needs parent");
  }
  if (options.search_from == SearchFrom::goal && (options.counts_all() || options.record)) {
    bad_input(fmt::format("--search-from goal: not with {}",
                          options.counts_all() ? "--all or --good-moves" : "--record"));
  }
  check_incumbent(options);
  if (options.resume && !options.checkpoint) bad_input("--resume: needs --checkpoint FILE");
  check_independent(options);
  apply_engine_rules(options, Unsupported::refused);
  check_parallel(options);
  check_multi(options);
  std::vector<std::string> notes;
  note_ignored(options, notes);
  if (options.engine == Engine::iddfs || options.engine == Engine::bfs) {
    if (options.heuristic != "auto") {
      expect_known_heuristic(options.heuristic, options.metric);
      notes.push_back("--engine " + to_string(options.engine) + " has no heuristic, --heuristic " +
                      options.heuristic + " is ignored");
    }
    options.heuristic = "zero";
  }
  if (stores_boards(options.engine)) {
    place(options, ranks, notes);
  } else if (options.engine == Engine::iddfs || options.engine == Engine::iddfs_pruned) {
    options.kernel = Kernel::plain;
    // Metric multi has no move back: every engine skips moves along the last line.
    const bool prunes = options.engine == Engine::iddfs_pruned || options.metric == Metric::multi;
    if (!prunes) options.prune = PruneRule::none;
  }
  return notes;
}

}  // namespace tessera
