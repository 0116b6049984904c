// SPDX-License-Identifier: MIT
#include "cli/options.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <type_traits>

#include "cli/option_values.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

constexpr const char* engines[] = {"ida",    "iddfs", "iddfs-pruned", "astar",
                                   "greedy", "bfs",   "beam"};
constexpr const char* backends[] = {"auto", "serial", "threads", "mpi"};
constexpr auto own_backends = std::span(backends).subspan(1);
constexpr Choice<Schedule> schedules[] = {
    {"static", Schedule::dealt}, {"dynamic", Schedule::dynamic}, {"stealing", Schedule::stealing}};
constexpr Choice<bool> bounds[] = {{"shared", false}, {"independent", true}};
constexpr Choice<Kernel> kernels[] = {{"auto", Kernel::automatic},
                                      {"plain", Kernel::plain},
                                      {"bucket", Kernel::bucket},
                                      {"block", Kernel::block}};
constexpr Choice<Batch> batches[] = {
    {"auto", Batch::automatic}, {"boards", Batch::boards}, {"tree", Batch::tree}};
constexpr Choice<ProgressStyle> progress_styles[] = {{"auto", ProgressStyle::automatic},
                                                     {"plain", ProgressStyle::plain},
                                                     {"none", ProgressStyle::none}};

constexpr unsigned on_boards = on_solve | on_compare;

// How options are read into a field.
template <auto Field>
void text(Config& config, const std::string& value) {
  config.*Field = value;
}
template <auto Field, const auto& names>
void named(Config& config, const std::string& value) {
  config.*Field = one_of(value, names);
}
template <auto Field, const auto& choices>
void choice(Config& config, const std::string& value) {
  config.*Field = chosen(value, choices);
}
template <auto Field, std::int64_t least, std::int64_t most>
void number(Config& config, const std::string& value) {
  auto& field = config.*Field;
  if constexpr (requires { field.value(); }) field.emplace(whole(value, least, most));
  else field = static_cast<std::remove_reference_t<decltype(field)>>(whole(value, least, most));
}
template <auto Field, auto read>
void parsed(Config& config, const std::string& value) {
  config.*Field = read(value);
}

constexpr OptionSpec options[] = {
    // ---- which boards
    {"file", "FILE", "Read boards from this file, - being standard input", on_boards,
     text<&Config::file>},
    {"set", "NAME[:RANGE]",
     "A built-in set: korf100, korf50, haskell or hardest15; korf100:1-10,42 picks by id",
     on_boards, text<&Config::set>},
    {"size", "WxH", "Columns x rows; needed if the number of tiles is not a square",
     on_boards | on_generate | on_pdb, parsed<&Config::size, parse_size>},
    {"goal", "last|first|BOARD",
     "last (1,2,..,0), first (0,1,..), or a board (last; a set brings its own)",
     on_boards | on_generate | on_pdb, text<&Config::goal>},
    {"goal", "last|first|cell:K",
     "last (1,2,..,0), first (0,1,..), or in order with the blank in cell K (last)", on_census,
     text<&Config::goal>},
    {"metric", "single|multi",
     "single: one tile per move; multi: a run of tiles in line is one move (single)",
     on_boards | on_pdb | on_generate | on_census, parsed<&Config::metric, parse_metric>},
    {"format", "auto|lines|blocks|json", "Format of the boards: auto, lines, blocks or json (auto)",
     on_boards | on_generate, parsed<&Config::format, parse_board_format>},
    {"slice", "K/N", "Only every N-th board from the K-th on: part K of a job array of N",
     on_boards, parsed<&Config::slice, parse_slice>},
    {"keep-going", nullptr, "Report bad boards of a file and solve the rest", on_boards,
     parsed<&Config::keep_going, flag>},

    // ---- how they are solved
    {"engine", "ida|iddfs|iddfs-pruned|astar|greedy|bfs|beam",
     "ida: IDA*; iddfs, iddfs-pruned: deepening by one move, without and with h; astar; "
     "greedy: by h alone, any solution; bfs; beam: beam search alone, any solution (ida)",
     on_solve, named<&Config::engine, engines>},
    {"parallel", "none|neighbors|distance|queues:K",
     "Threads inside astar and greedy: none, neighbors (a child each), distance (rows of a "
     "board each), queues:K (K searches) (none)",
     on_solve, apply_parallel},
    {"incumbent", "auto|none|beam:WIDTH",
     "Find a solution by beam search first, so that IDA* only excludes shorter ones: auto "
     "(beyond 16 cells, where it pays), none, or a beam of WIDTH boards (auto)",
     on_solve, [](Config& c, const std::string& v) { c.incumbent = parse_incumbent(v, true); }},
    {"seed", "S", "Breaks ties of the beam search; the same seed gives the same solution (1)",
     on_solve, number<&Config::seed, 0, unlimited>},
    {"heuristic", "SPEC", "auto, or a name that info --heuristics lists (auto)", on_solve,
     text<&Config::heuristic>},
    {"prune", "auto|parent|fsm:DEPTH",
     "parent: never move straight back; fsm:DEPTH: no move sequence of up to DEPTH moves that "
     "another one replaces; auto: fsm beyond 16 cells for one optimal solution (auto)",
     on_solve, parsed<&Config::prune, parse_prune>},
    {"collections", nullptr, "pdb list: list the named collections of partitions, pdb:NAME", on_pdb,
     parsed<&Config::collections, flag>},
    {"partition", "PARTITION",
     "Sizes such as 7-8, sets such as {1,2,3}{4,5}, the name of a collection, or a file with a "
     "picture of the partition",
     on_pdb,
     [](Config& c, const std::string& v) {
       c.partition = v.starts_with("pdb:") ? v.substr(4) : v;
     }},
    {"pdb-dir", "FOLDER", "Where pattern databases are kept (the user's cache folder)",
     on_solve | on_pdb | on_info | on_serve | on_census, text<&Config::table_directory>},
    {"backend", "auto|serial|threads|mpi",
     "auto, serial, threads or mpi (auto: mpi with more than one rank)",
     on_solve | on_info | on_pdb, named<&Config::backend, backends>},
    {"threads", "N", "Search threads per rank; 0: all CPUs that this rank may use (0)",
     on_solve | on_info | on_pdb | on_serve | on_generate | on_census,
     number<&Config::threads, 0, 4096>},
    {"schedule", "static|dynamic|stealing",
     "How subtrees are distributed: static, dynamic or stealing (stealing)", on_solve,
     choice<&Config::schedule, schedules>},
    {"bounds", "shared|independent",
     "shared: one bound for all subtrees; independent: each its own IDA* (shared)", on_solve,
     choice<&Config::independent, bounds>},
    {"frontier", "N", "Cut the tree into at least N subtrees (depends on ranks x threads)",
     on_solve, number<&Config::frontier, 1, 1'000'000>},
    {"split-depth", "D", "Cut the tree at depth D instead", on_solve,
     number<&Config::split_depth, 0, 24>},
    {"kernel", "auto|plain|bucket|block",
     "auto, plain (node by node), bucket (many nodes together) or block (for large tables) (auto)",
     on_solve, choice<&Config::kernel, kernels>},
    {"emulate", "NODES[/RANK:FACTOR]",
     "Sleep as if each thread expanded NODES per second, so that more ranks than cores behave as "
     "on a cluster; rank RANK is FACTOR times slower",
     on_solve, parsed<&Config::emulation, parse_emulation>},
    {"batch", "auto|boards|tree",
     "Many boards: boards (one worker per board), tree (all workers on one board) or auto: boards "
     "first, the hard ones as trees (auto)",
     on_solve, choice<&Config::batch, batches>},
    {"all", nullptr, "Find and count all optimal solutions", on_solve, parsed<&Config::all, flag>},
    {"finish-iteration", nullptr, "Finish the last iteration, so that node counts are reproducible",
     on_solve, parsed<&Config::finish_iteration, flag>},

    // ---- where it stops
    {"time-limit", "TIME", "Stop cleanly after this time, in compare each pass: 200ms, 30s, 1h30m",
     on_solve,
     [](Config& c, const std::string& v) { c.time_limit = duration(v, 0, "30s or 1h30m"); }},
    {"node-limit", "N", "Stop each board after N generated nodes", on_solve,
     number<&Config::node_limit, 1, unlimited>},
    {"memory", "SIZE",
     "Memory that may be used (census: per rank); fails early if more is needed: 512MiB, 8GiB",
     on_solve | on_census, parsed<&Config::memory_bytes, bytes>},

    {"disk", "FOLDER",
     "If memory is insufficient, keep compressed frontiers there; ranks may share it", on_census,
     text<&Config::disk>},

    // ---- how it survives a kill
    {"checkpoint", "FILE", "Write checkpoints to this file, from which --resume continues",
     on_solve, text<&Config::checkpoint>},
    {"checkpoint", "FOLDER", "Write checkpoints to this folder, from which --resume continues",
     on_census, text<&Config::checkpoint>},
    {"checkpoint-every", "TIME", "Time between checkpoints (30s; census: 5m)", on_solve | on_census,
     [](Config& c, const std::string& v) { c.checkpoint_every = duration(v, 1, "5s or 5m"); }},
    {"resume", nullptr, "Resume from the checkpoint; start if there is none yet",
     on_solve | on_census, parsed<&Config::resume, flag>},

    // ---- what it would take
    {"dry-run", nullptr, "Print plan, memory and time estimate without searching", on_solve,
     parsed<&Config::dry_run, flag>},
    {"sample", "N", "Sample at most N nodes of each board's tree (400000)", on_estimate,
     number<&Config::sample_nodes, 1, 1'000'000'000>},
    {"last-bound", "B", "Estimate up to this bound instead of the probably last one", on_estimate,
     number<&Config::last_bound, 0, 1000>},

    // ---- what it would be on more ranks
    {"record", "FILE", "Record the cost of each subtree for simulate; searches a second time",
     on_solve, text<&Config::record>},
    {"ranks", "N,N,...",
     "Ranks to simulate (16,256,4096,65536) or, with census --plan, to plan for (those of this "
     "job)",
     on_simulate | on_census,
     [](Config& c, const std::string& v) {
       for (const std::string& number : split_list(v)) {
         c.ranks.push_back(static_cast<int>(whole(number, 1, 1'000'000)));
       }
     }},
    {"latency", "TIME", "Message latency between ranks (2us)", on_simulate,
     [](Config& c, const std::string& v) { c.latency = duration(v, 0, "2us"); }},
    {"schedule", "static|dynamic|stealing,...",
     "static, dynamic or stealing, or several (stealing)", on_simulate,
     [](Config& c, const std::string& v) {
       c.schedules.clear();
       for (const std::string& name : split_list(v)) {
         c.schedules.push_back(chosen(name, schedules));
       }
     }},
    {"work", "TIME",
     "Scale costs so that the last iteration is this much work per rank (as recorded)", on_simulate,
     [](Config& c, const std::string& v) { c.work = duration(v, 1, "10s"); }},
    {"slow-ranks", "N", "N ranks are four times slower than the others (0)", on_simulate,
     number<&Config::slow_ranks, 0, 1'000'000>},
    {"rate", "NODES", "Nodes expanded per second per thread (as recorded)", on_simulate,
     number<&Config::rate, 1, 1'000'000'000'000>},
    {"iterations", "N", "Replay the last N iterations (2)", on_simulate,
     number<&Config::iterations, 1, 1000>},

    // ---- output
    {"json", "FILE", "Write JSON, a line for each result, - being standard output",
     on_solve | on_census, text<&Config::json>},
    {"trace", "FILE",
     "Write what each thread of each rank did when, for ui.perfetto.dev or chrome://tracing",
     on_solve, text<&Config::trace>},
    {"log-dir", "FOLDER", "Write a log of each rank to this folder, to find a slow node", on_solve,
     text<&Config::log_dir>},
    {"quiet", nullptr, "Only the answer: no remarks, no progress",
     on_solve | on_generate | on_verify | on_info | on_pdb | on_serve | on_census | on_report,
     parsed<&Config::quiet, flag>},
    {"progress", "auto|plain|none",
     "auto (redraws on a terminal), plain (a line every 30 s) or none (auto)",
     on_solve | on_pdb | on_census | on_generate | on_simulate,
     choice<&Config::progress, progress_styles>},

    // ---- generate
    {"count", "N", "Number of boards (1)", on_generate, number<&Config::count, 1, 1'000'000'000>},
    {"seed", "S", "The same seed gives the same boards on every machine (1)", on_generate,
     number<&Config::seed, 0, unlimited>},
    {"scramble", "M", "Make M random moves from the goal instead of drawing a random board",
     on_generate, number<&Config::scramble, 0, 1'000'000'000>},

    {"depth", "D", "Draw from all boards that need exactly D moves; up to 12 cells", on_generate,
     number<&Config::depth, 0, 1000>},

    // ---- census
    {"deepest", "N", "Print N of the deepest boards, each with a proven solution (0)", on_census,
     number<&Config::deepest, 0, 1'000'000>},
    {"csv", "FILE", "Write depths and states as CSV, - being standard output", on_census,
     text<&Config::csv>},
    {"plan", nullptr,
     "Print memory, disk, network and time that a search would take, without searching", on_census,
     parsed<&Config::plan, flag>},
    {"dry-run", nullptr, "The same as --plan", on_census, parsed<&Config::plan, flag>},

    // ---- compare
    {"engines", "ida|iddfs|iddfs-pruned|astar|greedy|bfs|beam,...", "Engines to compare (ida)",
     on_compare,
     [](Config& c, const std::string& v) {
       c.engines = parse_names(v);
       for (const std::string& name : c.engines) (void)one_of(name, engines);
     }},
    {"incumbent", "none|beam:WIDTH",
     "For ida: find a solution by a beam search of WIDTH boards first; also the width of the "
     "engine "
     "beam (none)",
     on_compare, [](Config& c, const std::string& v) { c.incumbent = parse_incumbent(v, false); }},
    {"heuristics", "SPEC,...", "Heuristics to compare (auto)", on_compare,
     parsed<&Config::heuristic_list, parse_names>},
    {"backends", "serial|threads|mpi,...",
     "serial, threads and mpi, or some of them (serial, threads, and mpi with more than one rank)",
     on_compare,
     [](Config& c, const std::string& v) {
       c.backends = parse_names(v);
       for (const std::string& name : c.backends) (void)one_of(name, own_backends);
     }},
    {"workers", "N,N,...",
     "Search threads in all, for threads and mpi; mpi uses N / --threads-per-rank ranks (all CPUs)",
     on_compare,
     [](Config& c, const std::string& v) {
       c.workers.clear();
       for (const std::string& number : parse_names(v)) {
         c.workers.push_back(static_cast<int>(whole(number, 1, 4096)));
       }
     }},
    {"threads", "N", "The same as --threads-per-rank", on_compare,
     number<&Config::threads, 1, 4096>},
    {"threads-per-rank", "N", "Search threads of each rank, for mpi (1)", on_compare,
     number<&Config::threads, 1, 4096>},
    {"repeat", "N",
     "Runs of each configuration, interleaved in random order; 1 to 50 (5). A run is one pass over "
     "all "
     "boards, or as many as take 50 ms",
     on_compare, number<&Config::repeat, 1, 50>},
    {"study", "split-depth|threads|ranks|schedule",
     "Vary one thing: split-depth (2 to 8, or to --split-depth), threads (1, 2, ... CPUs), ranks "
     "(1, 2, ... of the job) or schedule",
     on_compare, choice<&Config::study, studies>},
    {"json", "FILE", "Write all figures as one JSON object, - being standard output", on_compare,
     text<&Config::json>},
    {"csv", "FILE", "Write CSV, one row per configuration, - being standard output", on_compare,
     text<&Config::csv>},

    // ---- serve
    {"port", "PORT", "Port of the page; 0: any free port (8015)", on_serve,
     number<&Config::port, 0, 65535>},
    {"host", "HOST", "Address to listen on; 0.0.0.0: all addresses of this machine (127.0.0.1)",
     on_serve, text<&Config::host>},
    {"socket", "FILE", "Listen on a Unix socket that only you can open, instead of a port",
     on_serve, text<&Config::socket>},
    {"token", "TOKEN|auto",
     "Require this token from clients; auto creates one and prints it with the address", on_serve,
     text<&Config::token>},
    {"allow-host", "NAME,...",
     "Further names under which browsers may reach the page, such as a proxy's", on_serve,
     [](Config& c, const std::string& v) { c.allowed_hosts = split_list(v); }},

    {"json", "FILE", "pdb list: write the tables as one JSON object, - being standard output",
     on_pdb, text<&Config::json>},
    {"json", "FILE", "Write all of it as one JSON object, - being standard output", on_info,
     text<&Config::json>},

    // ---- report
    {"output", "FILE", "The page to write, - being standard output", on_report,
     text<&Config::output>, 'o'},

    // ---- info
    {"heuristics", nullptr, "List the heuristics", on_info, parsed<&Config::heuristics, flag>},
};

}  // namespace

std::span<const OptionSpec> option_specs() {
  static const std::vector<OptionSpec> all = [] {
    std::vector<OptionSpec> specs(std::begin(options), std::end(options));
    for (OptionSpec& spec : specs) {
      if ((spec.commands & on_solve) != 0) spec.commands |= on_estimate;
      const std::string_view name = spec.name;
      if (name == "seed" && (spec.commands & on_solve) != 0) continue;  // of beam search alone
      const bool shared = name == "threads" || name == "seed" || name == "json" || name == "quiet";
      if (shared && (spec.commands & (on_solve | on_generate)) != 0) spec.commands |= on_simulate;
      // How a search is done, as far as it does not belong to one board alone. `json` has an entry
      // of its own.
      constexpr std::string_view of_searches[] = {
          "parallel", "prune",       "pdb-dir",          "kernel",     "emulate",    "bounds",
          "frontier", "split-depth", "finish-iteration", "time-limit", "node-limit", "memory",
          "seed",     "quiet",       "progress"};
      if (std::find(std::begin(of_searches), std::end(of_searches), name) !=
              std::end(of_searches) ||
          (name == "schedule" && (spec.commands & on_solve) != 0)) {
        spec.commands |= on_compare;
      }
    }
    return specs;
  }();
  return all;
}

std::vector<std::reference_wrapper<const OptionSpec>> options_of(const CommandSpec& command) {
  std::vector<std::reference_wrapper<const OptionSpec>> taken;
  for (const OptionSpec& option : option_specs()) {
    if ((option.commands & command.bit) != 0) taken.emplace_back(option);
  }
  return taken;
}

void refuse_unknown(const std::string& what, const std::string& name,
                    const std::vector<std::string>& known, const std::string& hint) {
  const std::string nearest = nearest_name(name, known);
  bad_input(what + " " + quote(name) + " is unknown, " +
            (nearest.empty() ? "expected " + hint : "did you mean " + nearest + "?"));
}

std::string environment_name(const OptionSpec& option) {
  std::string name = "TESSERA_";
  for (const char c : std::string_view(option.name)) {
    name += c == '-' ? '_' : static_cast<char>(c - (c >= 'a' && c <= 'z' ? 'a' - 'A' : 0));
  }
  return name;
}

}  // namespace tessera
