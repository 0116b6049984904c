// SPDX-License-Identifier: MIT
#include "cli/options/options.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/predicate.hpp>
#include <cctype>
#include <functional>
#include <type_traits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/options/option_values.hpp"

namespace tessera {
namespace {

constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// In the order of their enumerations; what has no name cannot be asked for.
using Names = const char* const[];
constexpr Names compare_backends = {"", "serial", "threads", "mpi"};
constexpr Names bounds = {"shared", "independent"};
constexpr Names kernels = {"auto", "plain", "bucket", "block"};
constexpr Names batches = {"auto", "boards", "tree"};
constexpr Names notations = {"letters", "counts"};
constexpr Names movers = {"tile", "blank"};
constexpr Names progress_styles = {"auto", "plain", "none"};

// Reads an option into a field: the text itself, unless there is a reader.
template <auto Field, auto read = std::identity{}>
void into(Config& config, const std::string& value) {
  config.*Field = read(value);
}
template <auto Field, const auto& names>
constexpr auto choose = into<Field, named<std::decay_t<decltype(Config().*Field)>, names>>;
template <auto Field>
constexpr auto flag = into<Field, yes_or_no>;
template <auto Field, auto read>
void list_into(Config& config, const std::string& value) {
  auto& field = config.*Field;
  field.clear();
  for (const std::string& part : parse_names(value)) field.push_back(read(part));
}
template <auto Field, std::int64_t least, std::int64_t most>
void number(Config& config, const std::string& value) {
  auto& field = config.*Field;
  if constexpr (requires { field.value(); }) field.emplace(whole(value, least, most));
  else field = static_cast<std::remove_reference_t<decltype(field)>>(whole(value, least, most));
}
template <std::int64_t most>
int count_to(const std::string& value) {
  return static_cast<int>(whole(value, 1, most));
}
void time_limit_into(Config& config, const std::string& value) {
  config.time_limit = duration(value, 0, "30s or 1h30m");
}
void checkpoint_every_into(Config& config, const std::string& value) {
  config.checkpoint_every = duration(value, 1, "5s or 5m");
}
// Names of heuristics in lower case; after a colon there may be a file's name.
void heuristics_into(Config& config, const std::string& value) {
  std::string text = value;
  bool is_name = true;
  for (char& c : text) {
    if (c == ':' || c == ',') is_name = c == ',';
    if (is_name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  config.heuristic_list = parse_names(text);
  config.heuristic = config.heuristic_list.front();
}

// The value with the literal alternatives of an option as they are listed, whatever their case:
// FSM:12 for `auto|parent|fsm:DEPTH` is fsm:12.
std::string as_listed(std::string_view alternatives, const std::string& value) {
  constexpr std::string_view list_end = ",...";
  if (alternatives.ends_with(list_end)) {
    alternatives.remove_suffix(list_end.size());
    std::string list;
    for (const std::string& part : split_list(value)) {
      list += (list.empty() ? "" : ",") + as_listed(alternatives, part);
    }
    return list;
  }
  for (const std::string& alternative : split_list(alternatives, '|')) {
    const std::string literal = alternative.substr(0, alternative.find_first_of(capitals));
    const bool is_whole = literal == alternative;
    if (literal.empty() || !boost::istarts_with(value, literal)) continue;
    if (!is_whole || value.size() == literal.size()) return literal + value.substr(literal.size());
  }
  return value;
}

// For options that all commands with boards and moves have.
constexpr const char* unused_by_moves = "Checked but not used: moves are applied without a search";

constexpr OptionSpec options[] = {
    // ---- on the command line alone
    {"help", nullptr, "Options and examples", ~0U, nullptr, "Options", 'h'},
    {"help-all", nullptr, "All options", ~0U, nullptr, "Options"},
    {"config", "FILE",
     "Read options from a TOML file, such as threads = 2; those below [solve] are for solve alone", ~0U, nullptr,
     "Options"},
    // ---- boards
    {"file", "FILE", "Read boards from this file; - is standard input", on_boards,
     into<&Config::file>, "Boards"},
    {"set", "NAME[:RANGE]",
     "A built-in set: korf100, korf50, haskell, hardest15, deepcubea15, deepcubea24, deepcubea35, "
     "deepcubea48, clausecker400 or deep24; korf100:1-10,42 picks by id",
     on_boards, into<&Config::set>, "Boards"},
    {"size", "WxH", "Columns x rows; needed if the number of tiles is not a square",
     on_boards | on_moves | on_games, into<&Config::size, parse_size>, "Boards"},
    {"size", "WxH", "The same as the operand WxH", on_generate, into<&Config::size, parse_size>},
    {"size", "WxH", "pdb build: columns x rows of the boards", on_pdb, into<&Config::size, parse_size>},
    {"scramble", "MOVES",
     "Use the board that these moves reach from the goal, such as \"R2 D L\"; needs --size or a board as "
     "--goal",
     on_boards | on_games, into<&Config::scramble_moves>, "Boards", '\0', "TESSERA_SCRAMBLE_MOVES"},
    {"goal", "last|first|spiral|snake|columns|BOARD",
     "last (1,2,..,0), first (0,1,..), spiral (clockwise to the middle), snake (rows alternate), "
     "columns, or a board (last; a set or a file may bring its own)",
     on_boards | on_games, into<&Config::goal>, "Boards"},
    {"goal", "last|first|spiral|snake|columns|BOARD",
     "last (1,2,..,0), first (0,1,..), spiral (clockwise to the middle), snake (rows alternate), "
     "columns, or a board (last)",
     on_generate | on_moves | on_pdb, into<&Config::goal>},
    {"goal", "last|first|cell:K",
     "last (1,2,..,0), first (0,1,..), or in order with the blank in cell K (last)", on_census,
     into<&Config::goal>},
    {"metric", "single|multi",
     "single: one tile per move; multi: a run of tiles in line is one move (single)",
     on_boards | on_generate | on_moves | on_games | on_pdb | on_census, into<&Config::metric, parse_metric>,
     "Boards"},
    {"format", "auto|lines|slash|blocks|grid|csv|json",
     "Format of the file: auto, lines, slash (rows separated by /), blocks, grid, csv or json (auto)",
     on_boards, choose<&Config::format, board_format_names>},
    {"format", "auto|lines|slash|blocks|grid|csv|json",
     "Print boards as lines, slash (rows separated by /), blocks, grid, csv or json (auto: lines)",
     on_generate | on_moves, choose<&Config::format, board_format_names>},
    {"slice", "K/N", "Only every N-th board, starting with the K-th: part K of an array of N jobs",
     on_boards, into<&Config::slice, parse_slice>},
    {"keep-going", nullptr, "Report bad boards or games in a file and continue with the rest",
     on_boards | on_games, flag<&Config::keep_going>},

    {"stream", nullptr,
     "Keep tables loaded and answer each line of --file as it comes, with a row of JSON; a line is "
     "a board, or JSON with its options or {\"cancel\":ID}",
     on_solve, flag<&Config::stream>, "Boards"},
    {"unordered", nullptr, "With --stream, answer each board as soon as it is solved", on_solve,
     flag<&Config::unordered>, "Boards"},

    // ---- solving
    {"engine", "ida|iddfs|iddfs-pruned|astar|greedy|bfs|beam",
     "ida: IDA*; iddfs, iddfs-pruned: deepening by one move, without and with h; astar; "
     "greedy: by h alone, then narrow beams, any solution; bfs; beam: beam search alone, any "
     "solution (ida)",
     on_search, into<&Config::engine, parse_engine>, "Search"},
    {"parallel", "none|neighbors|distance|queues:K",
     "Threads inside astar and greedy: none, neighbors (one thread per child), distance (one thread "
     "per row of the board), queues:K (K queues, searched side by side; any solution) (none)",
     on_boards, apply_parallel},
    {"incumbent", "auto|none|beam:WIDTH",
     "Find a solution by beam search first, so that IDA* only excludes shorter ones: auto "
     "(beyond 16 cells, where that is faster; not with --all, --good-moves, --finish-iteration or "
     "--bounds independent), "
     "none, or a beam of WIDTH boards (auto)",
     on_search, into<&Config::incumbent, parse_incumbent<true>>, "Search"},
    {"seed", "S", "Breaks ties of the beam search; the same seed gives the same solution (1)",
     on_search, number<&Config::seed, 0, unlimited>},
    {"heuristic", "SPEC",
     "auto, or a name that info --heuristics or pdb list --collections lists (auto)",
     on_boards | on_games, heuristics_into, "Search"},
    {"heuristic", "SPEC", unused_by_moves, on_moves, heuristics_into},
    {"heuristics", "SPEC,...",
     "Search each board with each of these heuristics; rows are ordered by board", on_search,
     heuristics_into, "Search"},
    {"prune", "auto|parent|fsm:DEPTH",
     "parent: never move straight back; fsm:DEPTH: no move sequence of up to DEPTH moves that "
     "another one replaces; either with +mirror appended: search only half of the tree if the board "
     "is its own mirror image; auto: fsm beyond 16 cells for one optimal solution, if that is faster (auto)",
     on_boards, into<&Config::prune, prune_or_auto>},
    {"search-from", "auto|start|goal",
     "start: search from the board to the goal; goal: from the goal to the board, where the tree may be "
     "far smaller; auto: the end whose sampled tree is smaller, beyond 16 cells with --heuristic auto (auto)",
     on_search, choose<&Config::search_from, search_from_names>, "Search"},
    {"search-from", "auto|start|goal",
     "pdb build: auto and start build tables for searches from the board; goal for searches from the goal, "
     "for the blank in every cell (auto)",
     on_pdb, choose<&Config::search_from, search_from_names>},
    {"collections", nullptr, "pdb list: list the named collections of partitions, pdb:NAME", on_pdb,
     flag<&Config::collections>},
    {"partition", "PARTITION",
     "pdb build: sizes such as 7-8, sets such as {1,2,3}{4,5}, the name of a collection, a file with a picture "
     "of the partition, walking or escapes; not with --metric multi",
     on_pdb,
     [](Config& c, const std::string& v) {
       c.partition = v.starts_with("pdb:") ? v.substr(4) : v;
     }},
    {"pdb-dir", "FOLDER", "Where pattern databases are kept (the user's cache folder)",
     on_boards | on_games | on_pdb | on_census | on_serve | on_info, into<&Config::table_directory>, "Search"},
    {"backend", "auto|serial|threads|mpi",
     "auto, serial, threads or mpi (auto: mpi with more than one rank)",
     on_search | on_games | on_pdb | on_info, choose<&Config::backend, backend_names>, "Parallel"},
    {"threads", "N",
     "Search threads per rank; 0: all CPUs that this rank may use, divided among the ranks that share them (0)",
     on_search | on_games | on_pdb | on_census | on_info,
     number<&Config::threads, 0, 4096>, "Parallel", 't'},
    {"threads", "N", "Search threads; 0: all CPUs that the process may use (0)", on_generate | on_serve,
     number<&Config::threads, 0, 4096>, "", 't'},
    {"schedule", "static|dynamic|stealing",
     "static: all subtrees are assigned at the start; dynamic: workers take them one by one; "
     "stealing: assigned at the start, then idle threads and ranks take from others (stealing)",
     on_boards,
     choose<&Config::schedule, schedule_names>, "Parallel"},
    {"bounds", "shared|independent",
     "shared: one bound for all subtrees; independent: each its own IDA* (shared)", on_boards,
     choose<&Config::independent, bounds>},
    {"frontier", "N", "Cut the tree into at least N subtrees (depends on ranks x threads)",
     on_boards, number<&Config::frontier, 1, 1'000'000>},
    {"split-depth", "D", "Cut the tree at depth D instead", on_boards,
     number<&Config::split_depth, 0, 24>},
    {"kernel", "auto|plain|bucket|block",
     "auto, plain (node by node), bucket (many nodes together) or block (for large tables) (auto)",
     on_boards, choose<&Config::kernel, kernels>},
    {"emulate", "NODES[/RANK:FACTOR]",
     "Sleep as if each thread expanded NODES per second, so that more ranks than cores behave as "
     "on a cluster; rank RANK is FACTOR times slower",
     on_boards, into<&Config::emulation, parse_emulation>},
    {"batch", "auto|boards|tree",
     "Many boards: boards (one worker per board, without a beam search before), tree (all workers "
     "on one board) or auto: boards first, the hard ones as trees (auto)",
     on_search, choose<&Config::batch, batches>, "Parallel"},
    {"all", nullptr, "Find, count and list all optimal solutions", on_search,
     flag<&Config::all>, "Search"},
    {"max-solutions", "N", "With --all, list at most N of them; all are counted (1000)", on_search,
     number<&Config::most_solutions, 0, 100'000'000>, "Search"},
    {"good-moves", nullptr,
     "Count the optimal solutions, and those that begin with each first move", on_search,
     flag<&Config::good_moves>, "Search"},
    {"finish-iteration", nullptr, "Finish the last iteration, so that node counts are reproducible",
     on_boards, flag<&Config::finish_iteration>, "Search"},

    // ---- limits
    {"time-limit", "TIME", "Stop cleanly after this time: 200ms, 30s, 1h30m", on_search | on_games,
     time_limit_into, "Limits"},
    {"time-limit", "TIME", "Stop each pass over the boards after this time: 200ms, 30s, 1h30m",
     on_compare, time_limit_into, "Limits"},
    {"time-limit", "TIME", unused_by_moves, on_moves, time_limit_into},
    {"board-time-limit", "TIME", "Stop each board after this time and continue with the next",
     on_search | on_games,
     [](Config& c, const std::string& v) { c.board_time_limit = duration(v, 1, "30s or 1h30m"); },
     "Limits"},
    {"node-limit", "N",
     "Stop each board after about N generated nodes, excluding those of beam searches",
     on_boards | on_analyse, into<&Config::node_limit, node_count>, "Limits"},
    {"node-limit", "N", "Stop each window after about N generated nodes (200000)", on_optimize,
     into<&Config::node_limit, node_count>},
    {"node-limit", "N", unused_by_moves, on_moves, into<&Config::node_limit, node_count>},
    {"memory", "SIZE", "Memory that may be used; fails early if more is needed: 512MiB, 8GiB or 8GB",
     on_boards | on_games, into<&Config::memory_bytes, bytes>, "Limits"},
    {"memory", "SIZE", "Memory that each rank may use; fails early if more is needed: 512MiB, 8GiB or 8GB",
     on_census, into<&Config::memory_bytes, bytes>},
    {"memory", "SIZE", unused_by_moves, on_moves, into<&Config::memory_bytes, bytes>},

    {"disk", "FOLDER",
     "If memory is insufficient, keep compressed frontiers there; ranks may share it", on_census,
     into<&Config::disk>},

    // ---- checkpoints
    {"checkpoint", "FILE", "Write checkpoints to this file, from which --resume continues",
     on_search, into<&Config::checkpoint>, "Limits"},
    {"checkpoint", "FOLDER", "Write checkpoints to this folder, from which --resume continues",
     on_census, into<&Config::checkpoint>},
    {"checkpoint-every", "TIME", "Time between checkpoints (30s)", on_search, checkpoint_every_into,
     "Limits"},
    {"checkpoint-every", "TIME", "Time between checkpoints (5m)", on_census, checkpoint_every_into},
    {"resume", nullptr, "Resume from the checkpoint; start if there is none yet",
     on_search | on_census, flag<&Config::resume>, "Limits"},

    // ---- estimates
    {"dry-run", nullptr, "Print plan, memory and time estimate without searching", on_search,
     flag<&Config::dry_run>, "Output"},
    {"sample", "N", "Sample about N nodes of each board's tree (400000), and a quarter as many beyond its probable length", on_estimate,
     number<&Config::sample_nodes, 1, 1'000'000'000>, "Search"},
    {"last-bound", "B", "Estimate up to this bound instead of the bound expected to be the last",
     on_estimate, number<&Config::last_bound, 0, 1000>, "Search"},

    // ---- recording for simulate
    {"record", "FILE", "Record the cost of each subtree in complete bounds for simulate; searches them a second time",
     on_search, into<&Config::record>, "Output"},
    {"ranks", "N,N,...", "Ranks to simulate (16,256,4096,65536)", on_simulate,
     list_into<&Config::ranks, count_to<1'000'000>>},
    {"ranks", "N,N,...", "With --plan: ranks to plan for (those of this job)", on_census,
     list_into<&Config::ranks, count_to<1'000'000>>},
    {"latency", "TIME", "Message latency between ranks (2us)", on_simulate,
     [](Config& c, const std::string& v) { c.latency = duration(v, 0, "2us"); }},
    {"schedule", "static|dynamic|stealing,...",
     "static, dynamic or stealing, or several (stealing)", on_simulate,
     list_into<&Config::schedules, named<Schedule, schedule_names>>},
    {"work", "TIME",
     "Scale costs so that the last iteration is this much work per thread (as recorded)", on_simulate,
     [](Config& c, const std::string& v) { c.work = duration(v, 1, "10s"); }},
    {"threads", "N", "Search threads of each simulated rank (1)", on_simulate,
     number<&Config::threads, 0, 4096>, "", 't'},
    {"slow-ranks", "N", "Make N ranks four times as slow as the others (0)", on_simulate,
     number<&Config::slow_ranks, 0, 1'000'000>},
    {"rate", "NODES", "Nodes expanded per second per thread (as recorded)", on_simulate,
     number<&Config::rate, 1, 1'000'000'000'000>},
    {"iterations", "N", "Replay the last N iterations (2)", on_simulate,
     number<&Config::iterations, 1, 1000>},

    // ---- games
    {"file", "FILE",
     "Read JSON lines or a CSV with board and moves, such as results of solve; - is standard "
     "input",
     on_games, into<&Config::file>, "Boards"},
    {"moves", "MOVES", "The moves made from BOARD: letters, as in RULD or R3 U2", on_games,
     into<&Config::moves>, "Boards"},
    {"window", "N", "Also print the moves lost in each window of N moves", on_analyse,
     number<&Config::window, 1, 1'000'000>},
    {"window", "N", "The longest window to search", on_optimize, number<&Config::window, 1, 1'000'000>},

    // ---- moves
    {"invert", nullptr, "Print the moves from the end back to the board", on_moves,
     flag<&Config::invert>},
    {"simplify", nullptr, "Remove moves that cancel each other, as in LR", on_moves,
     flag<&Config::simplify>},
    {"reflect", nullptr, "Reflect board and moves across the main diagonal, so that columns become rows",
     on_moves, flag<&Config::reflect>},
    {"rotate", nullptr, "Rotate board and moves by 180 degrees; goal last becomes first", on_moves,
     flag<&Config::rotate>},

    // ---- output
    {"notation", "letters|counts",
     "Print moves as letters (RRRUUD) or with repeat counts (R3 U2 D), a word for each move of "
     "metric multi (letters)",
     on_solve | on_games | on_moves, choose<&Config::notation, notations>, "Output"},
    {"moves-of", "tile|blank",
     "Moves printed and moves in MOVES give the direction of the tile or of the blank; JSON always "
     "has the tile's (tile)",
     on_solve | on_games | on_moves, choose<&Config::moves_of, movers>, "Output"},
    {"moves-of", "tile|blank",
     "The moves of --scramble are the direction of the tile or of the blank (tile)",
     on_estimate | on_compare, choose<&Config::moves_of, movers>, "Boards"},
    {"json", "FILE", "Write JSON, one line per result; - is standard output",
     on_search | on_games | on_simulate | on_moves | on_census, into<&Config::json>, "Output"},
    {"csv", "FILE", "Write CSV, one row per board and heuristic; - is standard output", on_solve,
     into<&Config::csv>, "Output"},
    {"csv", "FILE", "Write CSV, one row per game; - is standard output", on_games, into<&Config::csv>},
    {"summary", "FILE",
     "Write a summary of the run as one JSON object; - is standard output", on_solve,
     into<&Config::summary>, "Output"},
    {"trace", "FILE",
     "Write what each thread did over time, for ui.perfetto.dev or chrome://tracing",
     on_search, into<&Config::trace>, "Output"},
    {"log-dir", "FOLDER", "Write a log of each rank to this folder, to find a slow node", on_search,
     into<&Config::log_dir>},
    {"quiet", nullptr, "Print only the answer, without remarks or progress",
     on_boards | on_games | on_simulate | on_generate | on_moves | on_verify | on_report | on_pdb | on_census | on_serve |
         on_info,
     flag<&Config::quiet>, "Output", 'q'},
    {"progress", "auto|plain|none",
     "auto (redraws on a terminal), plain (a line every 30 s) or none (auto)",
     on_boards | on_games | on_simulate | on_generate | on_pdb | on_census,
     choose<&Config::progress, progress_styles>, "Output"},

    // ---- generate
    {"count", "N", "Number of boards (1)", on_generate, number<&Config::count, 1, 1'000'000'000>,
     "Expert", 'n'},
    {"seed", "S|random",
     "The same seed gives the same boards on every machine; random: chosen now, and printed (1)",
     on_generate,
     [](Config& c, const std::string& v) {
       c.seed_is_random = v == "random";
       if (c.seed_is_random) return;
       if (!parse_integer(v)) bad_input(quote(v) + " is not a seed, expected random or a number S");
       number<&Config::seed, 0, unlimited>(c, v);
     }},
    {"seed", "S", "The same seed repeats all random choices (1)", on_compare | on_simulate,
     number<&Config::seed, 0, unlimited>},
    {"scramble", "M", "Make M random moves from the goal instead of drawing a random board",
     on_generate, number<&Config::scramble, 0, 1'000'000'000>},

    {"depth", "D",
     "Draw from all boards that need exactly D moves, with replacement; up to 12 cells",
     on_generate, number<&Config::depth, 0, 1000>},

    // ---- census
    {"deepest", "N", "Print up to N of the deepest boards, each with a proven solution (0)", on_census,
     number<&Config::deepest, 0, 1'000'000>},
    {"csv", "FILE", "Write depths and states as CSV; - is standard output", on_census,
     into<&Config::csv>},
    {"plan", nullptr,
     "Print memory, disk, network and time that a search would take, without searching", on_census,
     flag<&Config::plan>},
    {"dry-run", nullptr, "The same as --plan", on_census, flag<&Config::plan>},

    // ---- compare
    {"engines", "ida|iddfs|iddfs-pruned|astar|greedy|bfs|beam,...", "Engines to compare (ida)",
     on_compare, list_into<&Config::engines, parse_engine>, "Search"},
    {"incumbent", "none|beam:WIDTH",
     "For ida: find a solution by a beam search of WIDTH boards first; also the width of the "
     "engine beam (none)",
     on_compare, into<&Config::incumbent, parse_incumbent<false>>, "Search"},
    {"heuristics", "SPEC,...", "Heuristics to compare (auto)", on_compare,
     heuristics_into, "Search"},
    {"backends", "serial|threads|mpi,...",
     "serial, threads and mpi, or some of them (serial, threads, and mpi with more than one rank)",
     on_compare, list_into<&Config::backends, named<BackendKind, compare_backends>>, "Parallel"},
    {"workers", "N,N,...",
     "Search threads in all; mpi uses N / --threads-per-rank ranks (all CPUs, or those of the ranks)",
     on_compare, list_into<&Config::workers, count_to<4096>>, "Parallel"},
    {"threads", "N,N,...",
     "One number: search threads of each rank or, without mpirun, in all; several: the same as "
     "--workers",
     on_compare,
     [](Config& c, const std::string& v) {
       if (split_list(v).size() > 1) list_into<&Config::workers, count_to<4096>>(c, v);
       else number<&Config::threads, 1, 4096>(c, v);
     },
     "Parallel", 't'},
    {"threads-per-rank", "N", "Search threads of each rank, for mpi (1)", on_compare,
     number<&Config::threads, 1, 4096>, "Parallel"},
    {"repeat", "N",
     "Runs of each configuration, interleaved in random order; 1 to 50 (5). A run is one pass over "
     "all boards, or as many as take 50 ms",
     on_compare, number<&Config::repeat, 1, 50>, "Search"},
    {"study", "split-depth|threads|ranks|schedule",
     "Vary one parameter: split-depth (2 to 8, or to --split-depth), threads (1, 2, ... CPUs), "
     "ranks (1, 2, ... of the job) or schedule",
     on_compare, choose<&Config::study, study_names>, "Search"},
    {"json", "FILE", "Write all figures as one JSON object; - is standard output", on_compare,
     into<&Config::json>, "Output"},
    {"csv", "FILE", "Write CSV, one row per configuration; - is standard output", on_compare,
     into<&Config::csv>, "Output"},

    // ---- serve
    {"port", "PORT", "Port of the page; 0: any free port (8015)", on_serve,
     number<&Config::port, 0, 65535>},
    {"host", "HOST", "Address to listen on; 0.0.0.0: all addresses of this machine (127.0.0.1)",
     on_serve, into<&Config::host>},
    {"socket", "FILE", "Listen on a Unix socket that only you can open, instead of a port",
     on_serve, into<&Config::socket>},
    {"token", "TOKEN|auto",
     "Require this token from clients; auto creates one and prints it with the address", on_serve,
     into<&Config::token>},
    {"allow-host", "NAME,...",
     "Additional host names under which browsers may reach the page, such as a proxy's", on_serve,
     [](Config& c, const std::string& v) { c.allowed_hosts = split_list(v); }},

    {"json", "FILE", "pdb list: write the tables as one JSON object; - is standard output",
     on_pdb, into<&Config::json>},
    {"json", "FILE", "Write all of it as one JSON object; - is standard output", on_info,
     into<&Config::json>},

    // ---- report
    {"output", "FILE", "The page to write; - is standard output", on_report,
     into<&Config::output>, "Output", 'o'},

    // ---- info
    {"heuristics", nullptr, "List the heuristics", on_info,
     flag<&Config::heuristics>, "Expert", '\0', "TESSERA_INFO_HEURISTICS"},
};

}  // namespace

std::span<const OptionSpec> option_specs() {
  return options;
}

std::vector<std::reference_wrapper<const OptionSpec>> options_of(const CommandSpec& command) {
  std::vector<std::reference_wrapper<const OptionSpec>> taken;
  for (const OptionSpec& option : option_specs()) {
    if ((option.commands & command.bit) != 0) taken.emplace_back(option);
  }
  return taken;
}

void apply_option(const OptionSpec& option, Config& config, const std::string& value) {
  option.apply(config, as_listed(option.value == nullptr ? "true|false" : option.value, value));
}

std::string environment_name(const OptionSpec& option) {
  if (option.variable != nullptr) return option.variable;
  std::string name = boost::to_upper_copy("TESSERA_" + std::string(option.name));
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace tessera
