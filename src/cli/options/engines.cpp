// SPDX-License-Identifier: MIT
#include "cli/options/engines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "heuristic/heuristic_spec.hpp"
#include "report/simulation.hpp"
#include "report/tables.hpp"
#include "search/beam/beam.hpp"

namespace tessera {
namespace {

bool is(const Config& config, const char* engine) {
  return config.engine == engine;
}

bool has_automaton(const Config& config) {
  return config.prune != "auto" && config.prune != "parent";
}

const char* excluding_option(const Config& config) {
  if (config.all) return "--all";
  if (config.finish_iteration) return "--finish-iteration";
  if (config.metric == Metric::multi) return "--metric multi";
  if (config.independent) return "--bounds independent";
  return nullptr;
}

// Throws Error(input) if the other options exclude the requested beam search.
void check_incumbent(const Config& config) {
  const bool is_beam = config.engine == "beam";
  if (!is_beam && config.incumbent.width == 0) return;
  const char* const asked = is_beam ? "--engine beam" : "--incumbent beam";
  if (is_beam && !config.incumbent.automatic && config.incumbent.width == 0) {
    bad_input("--engine beam: not with --incumbent none");
  }
  if (const char* const option = excluding_option(config)) {
    bad_input(fmt::format("{}: not with {}", asked, option));
  }
  if (!is_beam && config.engine != "ida") {
    bad_input(fmt::format("{}: not with --engine {}, expected ida or beam", asked, config.engine));
  }
}

// Checks options that only some engines support.
void check(const Config& config) {
  if (const char* option = why_no_batch(config);
      option != nullptr && config.batch == Batch::boards) {
    bad_input(fmt::format("--batch boards: not with {}, expected tree", option));
  }
  const bool keeps = keeps_boards(config);
  const auto refuse = [&](bool asked, const char* option, const char* expected) {
    if (asked)
      bad_input(fmt::format("{}: not with --engine {}, {}", option, config.engine, expected));
  };
  if (config.prune == "none") {
    bad_input(
        "--prune none: expected auto, parent or fsm:DEPTH; --engine iddfs leaves no move out");
  }
  check_incumbent(config);
  if (config.resume && !config.checkpoint) bad_input("--resume: needs --checkpoint FILE");
  if (config.independent) {
    if (config.checkpoint) bad_input("--checkpoint: needs --bounds shared");
    if (config.record) bad_input("--record: needs --bounds shared");
    if (config.all || config.finish_iteration) {
      bad_input(
          "--bounds independent: has no last iteration to finish, expected shared with --all "
          "and --finish-iteration");
    }
  }
  if (is(config, "ida")) {
    refuse(config.parallel != InnerParallel::none, "--parallel", "expected astar or greedy");
    return;
  }
  refuse(config.independent, "--bounds independent", "expected ida");
  refuse(config.checkpoint.has_value(), "--checkpoint", "expected ida");
  refuse(config.kernel != Kernel::automatic, "--kernel", "expected ida");
  refuse(config.record && !cuts_trees(config), "--record", "expected ida, iddfs or iddfs-pruned");
  refuse(has_automaton(config) && !is(config, "iddfs-pruned"), "--prune",
         "expected ida or iddfs-pruned");
  refuse(keeps && config.all, "--all", "expected ida, iddfs or iddfs-pruned");
  refuse(keeps && config.finish_iteration, "--finish-iteration",
         "expected ida, iddfs or iddfs-pruned");
  refuse(!cuts_trees(config) && (config.frontier > 0 || config.split_depth),
         "--frontier and --split-depth", "expected ida, iddfs or iddfs-pruned");
  if (config.parallel == InnerParallel::none) return;
  refuse(!is(config, "astar") && !is(config, "greedy"), "--parallel", "expected astar or greedy");
  if (config.backend == "mpi" || config.backend == "serial") {
    bad_input("--parallel: threads inside one search, expected --backend threads, not " +
              config.backend);
  }
  if (config.parallel == InnerParallel::distance &&
      ((config.heuristic != "auto" && config.heuristic != "manhattan") ||
       config.metric == Metric::multi)) {
    bad_input(
        "--parallel distance: adds up rows of Manhattan distance, expected --heuristic "
        "manhattan");
  }
}

// In metric multi every move along the last line is skipped, and there is only one kernel.
void check_multi(const Config& config) {
  if (has_automaton(config)) {
    bad_input("--prune " + config.prune + ": not with --metric multi, expected parent");
  }
  if (config.kernel == Kernel::bucket || config.kernel == Kernel::block) {
    bad_input("--kernel: --metric multi has one kernel, expected auto or plain");
  }
}

// Chooses where the engine runs, if the user did not or requested more than there is.
void place(Config& config, int ranks, std::vector<std::string>& notes) {
  if (config.parallel != InnerParallel::none) {
    config.backend = "threads";
    if (config.parallel == InnerParallel::distance) {
      config.heuristic = "manhattan";
      config.heuristic_list = {config.heuristic};
    }
    if (config.parallel == InnerParallel::queues) {
      if (config.threads != 0 && config.threads != config.queues) {
        notes.push_back(fmt::format("--parallel queues:{0} runs in {0} threads", config.queues));
      }
      config.threads = config.queues;
    }
    return;
  }
  if (config.batch == Batch::boards) return;  // one search per worker
  const bool spreads = is(config, "astar") || is(config, "greedy");
  if (config.backend == "mpi" && !spreads) {
    bad_input(
        "--backend mpi: not with --engine bfs, expected serial; census searches whole spaces");
  }
  if (config.backend == "mpi" && config.metric == Metric::multi) {
    bad_input("--backend mpi: --engine " + config.engine +
              " is spread over ranks in --metric single only, expected serial");
  }
  if (config.backend == "auto") {
    config.backend = ranks > 1 && spreads && config.metric == Metric::single ? "mpi" : "serial";
  }
  if (config.backend == "serial" && ranks > 1) {
    notes.push_back("--engine " + config.engine + " runs on one rank, the others sleep");
  }
  if (config.threads > 1) {
    notes.push_back("--engine " + config.engine + " searches in one thread" +
                    (config.backend == "mpi" ? " of each rank"
                     : spreads               ? "; --parallel and mpirun use more"
                                             : ""));
  }
  if (config.backend == "threads") config.backend = "serial";
  config.threads = 1;
}

// Options that have no effect, except those that an engine has its own note on.
void note_ignored(const Config& config, std::vector<std::string>& notes) {
  if (config.checkpoint_every && !config.checkpoint) {
    notes.emplace_back("--checkpoint-every does nothing without --checkpoint");
  }
  const bool keeps = keeps_boards(config);
  if (!keeps && config.backend == "serial" && config.threads > 1) {
    notes.push_back(fmt::format("--backend serial searches in one thread, --threads {} is ignored",
                                config.threads));
  }
  if (config.schedule != Schedule::stealing && (keeps || config.backend == "serial")) {
    notes.push_back(fmt::format("{} schedules nothing, --schedule {} is ignored",
                                keeps ? "--engine " + config.engine : "--backend serial",
                                to_string(config.schedule)));
  }
}

// The pruning rule for --prune on boards of a size with a resolved heuristic. `auto` is `parent` up
// to 16 cells, if all solutions or all nodes of the last iteration are requested, and in metric
// multi; else the fastest depth, or a smaller one if no tables are to be built either.
std::string prune_of(const Config& config, Size size, const std::string& heuristic) {
  if (config.prune != "auto") return config.prune;
  const bool one_solution = is(config, "ida") && config.metric == Metric::single && !config.all &&
                            !config.finish_iteration;
  if (!one_solution || size.cells() <= 16) return "parent";
  // The fastest depth with tables takes 14 s to build, once; without tables the build should take
  // about a second (docs/decisions/0020-automata.md).
  if (size.cells() > 25) return "fsm:12";
  return is_table_heuristic(parse_heuristic(heuristic)) ? "fsm:18" : "fsm:14";
}

}  // namespace

const char* why_no_batch(const Config& config) {
  if (config.checkpoint) return "--checkpoint";
  if (config.trace) return "--trace";
  if (config.log_dir) return "--log-dir";
  if (config.independent) return "--bounds independent";
  if (config.frontier > 0) return "--frontier";
  if (config.split_depth) return "--split-depth";
  if (config.parallel != InnerParallel::none) return "--parallel";
  if (config.emulation.nodes_per_second > 0) return "--emulate";
  if (config.record) return "--record";
  if (config.engine == "beam") return "--engine beam";
  if (config.incumbent.width > 0) return "--incumbent beam";
  return nullptr;
}

bool keeps_boards(const Config& config) {
  return is(config, "astar") || is(config, "greedy") || is(config, "bfs");
}

bool cuts_trees(const Config& config) {
  return !keeps_boards(config) && !is(config, "beam");
}

void check_board(const Config& config, Size size, const std::string& heuristic) {
  if (config.kernel == Kernel::bucket && !has_bucket_kernel(size, heuristic)) {
    bad_input("--kernel bucket: needs --heuristic manhattan and at most 16 cells");
  }
  (void)Pruning::stored_as(prune_of(config, size, heuristic), size);
}

Problem problem_of(const Config& config, const Board& start, const Board& goal,
                   const std::string& heuristic) {
  return {.instance = make_instance(start, goal),
          .heuristic = heuristic,
          .kernel = config.kernel,
          .prune = prune_of(config, goal.size(), heuristic),
          .metric = config.metric,
          .table_directory = config.table_directory,
          .emulation = config.emulation};
}

IdaStarOptions ida_star_options(const Config& config) {
  return {.finish_iteration = config.finish_iteration,
          .all = config.all,
          .independent = config.independent,
          .every_depth = config.engine.starts_with("iddfs"),
          .schedule = config.schedule,
          .frontier = config.frontier,
          .split_depth = config.split_depth,
          .trace = config.trace.has_value()};
}

Config for_engine(Config config, int ranks, std::vector<std::string>& notes) {
  check(config);
  if (config.metric == Metric::multi) check_multi(config);
  note_ignored(config, notes);
  if (is(config, "ida")) return config;
  if (is(config, "iddfs") || is(config, "bfs")) {
    if (config.heuristic != "auto") {
      notes.push_back("--engine " + config.engine + " has no heuristic, --heuristic " +
                      config.heuristic + " is ignored");
    }
    config.heuristic = "zero";
    config.heuristic_list = {config.heuristic};
  }
  if (keeps_boards(config)) {
    place(config, ranks, notes);
    return config;
  }
  if (is(config, "beam")) return config;
  config.kernel = Kernel::plain;
  // Metric multi has no move back: every engine skips moves along the last line.
  if (is(config, "iddfs") && config.metric == Metric::single) config.prune = "none";
  return config;
}

MemoryShare share_of_rank(int ranks, int hosts) {
  return memory_share(memory_limits(), std::max(1, ranks / std::max(1, hosts)));
}

std::uint64_t board_memory(const Config& config, const RunSetup& setup) {
  const MemoryShare share = share_of_rank(setup.ranks, setup.hosts);
  const auto ranks = static_cast<std::uint64_t>(setup.ranks);
  if (config.memory_bytes) return std::min(*config.memory_bytes, share.total_bytes * ranks);
  // The system would kill a search that fills all memory, without an answer.
  return std::min(share.total_bytes / 4 * 3, share.free_bytes / 10 * 9) * ranks;
}

BestFirstOptions best_first_options(const Config& config, const Crew& crew,
                                    std::uint64_t table_bytes) {
  const std::uint64_t allowed = board_memory(config, crew.setup);
  constexpr std::uint64_t least = std::uint64_t{1} << 20;
  const std::uint64_t ranks = static_cast<std::uint64_t>(crew.setup.ranks);
  if (allowed < table_bytes + ranks * least) {
    no_room(fmt::format("--memory: --engine {} and tables of {} need {} at least, {} are allowed",
                        config.engine, bytes_text(table_bytes),
                        bytes_text(table_bytes + ranks * least), bytes_text(allowed)));
  }
  const bool boards = config.batch == Batch::boards;
  const auto searches = boards ? static_cast<std::uint64_t>(crew.setup.workers) : ranks;
  return {.order = is(config, "astar")    ? BestFirstOrder::astar
                   : is(config, "greedy") ? BestFirstOrder::greedy
                                          : BestFirstOrder::breadth,
          .parallel = config.parallel,
          .queues = config.queues,
          .memory_bytes = (allowed - table_bytes) / searches};
}

void expect_recordable(const Config& config, std::size_t boards) {
  if (boards != 1) bad_input("--record: takes one board, not several");
  std::error_code none;
  const auto there = std::filesystem::status(*config.record, none);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    bad_input("--record: " + *config.record + " is not a file");
  }
}

void expect_memory(const Config& config, const Crew& crew, std::uint64_t table_bytes) {
  if (keeps_boards(config)) {
    (void)best_first_options(config, crew, table_bytes);
    return;
  }
  const std::uint64_t need = search_bytes(crew.setup.workers) + table_bytes;
  if (config.memory_bytes && *config.memory_bytes < need) {
    no_room(
        fmt::format("--memory: {} and tables of {} may need {}, {} are allowed; "
                    "give more, or {}",
                    counted(crew.setup.workers, "search thread"), bytes_text(table_bytes),
                    bytes_text(need), bytes_text(*config.memory_bytes),
                    table_bytes > *config.memory_bytes || crew.setup.workers == 1
                        ? "choose a heuristic with smaller tables"
                        : "use fewer threads"));
  }
}

IncumbentOptions incumbent_options(const Config& config, const RunSetup& setup, Size size,
                                   std::uint64_t table_bytes) {
  IncumbentOptions options = config.incumbent;
  options.seed = config.seed;
  options.prove = config.engine != "beam";
  const std::uint64_t allowed = board_memory(config, setup);
  options.memory_bytes =
      (allowed - std::min(allowed, table_bytes)) / static_cast<std::uint64_t>(setup.ranks);
  constexpr std::uint64_t usual_width = 65'536;  // of --engine beam without a width
  if (!options.prove && options.width == 0) options.width = usual_width;
  options.automatic = options.automatic && is(config, "ida") && IncumbentOptions::pays(size) &&
                      excluding_option(config) == nullptr;
  return options;
}

std::string beam_memory_line(const Problem& problem, const IncumbentOptions& options,
                             const BeamExecutor& executor) {
  if (options.width == 0) return {};
  const int ranks = executor.beam_ranks(options.width);
  const std::uint64_t need = beam_bytes(problem, options.width, ranks);
  if (need <= options.memory_bytes) {
    return fmt::format("a beam of {} boards takes {}{}\n", with_commas(options.width),
                       bytes_text(need), ranks > 1 ? " on each rank" : "");
  }
  no_room(
      fmt::format("--memory: a beam search of width {} needs {} on each rank, {} are "
                  "allowed beside the tables",
                  options.width, bytes_text(need), bytes_text(options.memory_bytes)));
}

}  // namespace tessera
