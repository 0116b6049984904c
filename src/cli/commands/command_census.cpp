// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/context.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_sequence.hpp"
#include "report/census_report.hpp"
#include "report/estimate.hpp"
#include "report/version.hpp"
#include "solver/board_solver.hpp"
#include "solver/memory.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

// Throws Error(resource) for a size that no machine can hold.
Size census_size(const std::string& text) {
  const Size size = parse_census_size(text);
  if (size.cells() > 16 && std::min(size.width, size.height) > 1) {
    out_of_resources(
        fmt::format("census {}: more states than any machine can hold, expected at most 16 "
                    "cells, or one row or column",
                    to_string(size)));
  }
  return size;
}

// Memory limit of a rank, in bytes: --memory, else its share of nine tenths of the free memory on
// rank 0's host.
std::uint64_t memory_for_rank(const Config& config, const Context& context) {
  if (config.memory_bytes) return *config.memory_bytes;
  return share_of_rank(context.places(0)).free_bytes / 10 * 9;
}

// How each rank of a search on disk divides its memory.
CensusDiskPlan disk_plan(const CensusTask& task, const Config& config, const Context& context,
                         int ranks, std::uint64_t memory_bytes) {
  int threads = 1;
  for (const RankPlace& place : context.places(config.threads)) {
    threads = std::max(threads, place.threads);
  }
  return census_disk_plan(task.size, task.metric, threads, memory_bytes, checkpoint_place(task),
                          ranks);
}

// Decides whether frontiers stay in memory or, if it is insufficient and --disk names a folder, go
// there. Throws Error(resource), with the numbers and the number of ranks that would suffice, if a
// rank needs more memory, or the folder has less room.
void choose_storage(CensusTask& task, const Config& config, const Context& context) {
  const int ranks = context.ranks();
  const std::uint64_t need = census_memory_bytes(task.size, task.metric, ranks);
  const std::uint64_t there =
      std::min(memory_for_rank(config, context), share_of_rank(context.places(0)).total_bytes);
  if (need <= there) return;
  const std::string each = ranks == 1 ? "" : fmt::format(" on each of {} ranks", ranks);
  const char* const limit = config.memory_bytes ? "allowed" : "free";
  if (config.disk) {
    task.disk = *config.disk;
    task.memory_bytes = there;
    const CensusDiskPlan plan = disk_plan(task, config, context, ranks, there);
    if (plan.batch_slabs == 0) {
      out_of_resources(fmt::format("census {} {}: a search on disk needs {} of memory{}, {} are {}",
                                   to_string(task.size), to_string(task.metric),
                                   bytes_text(plan.least_memory), each, bytes_text(there), limit));
    }
    // That it is a folder; the search itself checks its room, once it has removed what killed
    // searches left there.
    expect_room(task.disk, 0);
    return;
  }
  const auto enough = census_ranks_for(task.size, task.metric, there);
  out_of_resources(fmt::format(
      "census {} {}: {} states need {}{}, {} are {}; {}", to_string(task.size),
      to_string(task.metric), with_commas(census_states(task.size)), bytes_text(need), each,
      bytes_text(there), limit,
      enough ? fmt::format("{} ranks with as much each suffice, or --disk FOLDER", *enough)
             : "no number of ranks with as much each suffices; try --disk FOLDER"));
}

// Along one row or column there is only one path, so no search is needed.
std::string line_solution(const Board& board, const Board& goal) {
  const bool row = board.size().height == 1;
  const int steps = goal.blank() - board.blank();
  const char ahead = row ? 'L' : 'U';
  const char back = row ? 'R' : 'D';
  return std::string(static_cast<std::size_t>(std::abs(steps)), steps > 0 ? ahead : back);
}

// A shortest solution of a board, by a search that is independent of the census. Empty if a signal
// stopped it.
std::optional<std::string> solved(const Board& board, const Board& goal, const Config& config,
                                  BoardSolver& solver, const Context& context) {
  if (!board.size().playable()) return line_solution(board, goal);
  const Limits limits{.interrupted = &context.interrupted};
  Observer nobody;
  const Plan plan = make_plan(config, goal, 1);
  if (!solver.prepare(plan, {[&](double) { return !limits.reached(0); }})) return {};
  return solver.search(plan, board, goal, limits, nobody).solution;
}

// States per second of one thread on this machine, for a size of the same shape whose bitmap fits
// its caches.
double measured_rate(const CensusTask& task) {
  CensusTask sample;
  sample.size = std::min(task.size.width, task.size.height) == 2 ? Size{6, 2} : Size{4, 3};
  sample.metric = task.metric;
  Ranks alone;
  CensusObserver nobody;
  const std::atomic<bool> never{false};
  const CensusResult result = run_census(sample, alone, nobody, never);
  return static_cast<double>(census_states(sample.size)) / (result.setup_seconds + result.seconds);
}

// One machine's plan, as text and as a line of JSON.
void write_plan(CommandOutput& output, const CensusTask& task, const Config& config,
                Context& context, int ranks, double rate) {
  const int threads = context.places(config.threads)[0].threads;
  const std::uint64_t memory = census_memory_bytes(task.size, task.metric, ranks);
  const std::uint64_t there = memory_for_rank(config, context);
  const auto enough = census_ranks_for(task.size, task.metric, there);
  // Bitmaps beyond the caches run at memory speed: measured on 7x2 against 6x2.
  constexpr std::uint64_t cached_bytes = std::uint64_t{256} << 20;
  constexpr double beyond_cache = 1.6;
  const double slower = memory > cached_bytes ? beyond_cache : 1;
  const double seconds = static_cast<double>(census_states(task.size)) / rate * slower /
                         (static_cast<double>(ranks) * threads);
  const CensusDiskPlan disk = disk_plan(task, config, context, ranks, there);
  const std::uint64_t disk_bytes = disk.disk_bytes * static_cast<std::uint64_t>(ranks);
  const std::uint64_t network = census_exchange_bytes(task.size, task.metric, ranks);
  output.answer(fmt::format(
      "census {} {}: {} states\n"
      "memory          {} on {}, {} in all; {} are {}\n"
      "ranks           {}\n"
      "disk            {}\n"
      "network         {} in a dense level, all ranks together, each on a host of its own\n"
      "time            {} in memory, longer on disk, at {:.0f} M states/s per thread "
      "(measured here{}), {} x {}\n",
      to_string(task.size), to_string(task.metric), with_commas(census_states(task.size)),
      bytes_text(memory), ranks == 1 ? "1 rank" : fmt::format("each of {} ranks", ranks),
      bytes_text(memory * static_cast<std::uint64_t>(ranks)), bytes_text(there),
      config.memory_bytes ? "allowed" : "free",
      !enough        ? "no number of ranks suffices"
      : *enough == 1 ? fmt::format("1 with {} suffices", bytes_text(there))
                     : fmt::format("{} with {} each suffice", *enough, bytes_text(there)),
      disk.batch_slabs == 0
          ? fmt::format("needs {} of memory on each rank", bytes_text(disk.least_memory))
      : disk_bytes == 0 ? "none needed"
                        : fmt::format("up to {} in all, with --disk FOLDER and {} on each rank",
                                      bytes_text(disk_bytes), bytes_text(there)),
      bytes_text(network), rough_time(seconds), rate / 1e6,
      slower > 1 ? fmt::format(", {:.1f} times slower beyond the caches", slower) : "",
      counted(ranks, "rank"), counted(threads, "thread")));
  const Json json = {{"schema", "tessera.census-plan/1"},
                     {"size", to_string(task.size)},
                     {"metric", to_string(task.metric)},
                     {"states", census_states(task.size)},
                     {"ranks", ranks},
                     {"threads", threads},
                     {"memory_bytes_per_rank", memory},
                     {"allowed_bytes_per_rank", there},
                     {"enough_ranks", or_null<Json>(enough)},
                     {"disk_bytes", disk.batch_slabs == 0 ? Json(nullptr) : Json(disk_bytes)},
                     {"network_bytes_per_level", network},
                     {"states_per_second", rate},
                     {"seconds", seconds},
                     // Deprecated names of the same figures, for older scripts.
                     {"memory_bytes_a_rank", memory},
                     {"allowed_bytes_a_rank", there},
                     {"network_bytes_a_level", network}};
  output.write_json(json.dump());
}

int plan(const CensusTask& task, const Config& config, Context& context) {
  if (config.csv) bad_input("--csv: not with --plan, expected --json");
  CommandOutput output(config);
  const double rate = measured_rate(task);
  const std::vector<int> machines =
      config.ranks.empty() ? std::vector<int>{context.ranks()} : config.ranks;
  for (const int ranks : machines) write_plan(output, task, config, context, ranks, rate);
  return exit_answered;
}

class Census {
 public:
  Census(const Config& config, Context& context, const CensusTask& task)
      : config_(config), context_(context), task_(task), output_(config) {}

  int run() {
    const std::vector<RankPlace> places = context_.places(config_.threads);
    context_.stop_on_signals();
    const std::uint64_t memory =
        task_.disk.empty() ? census_memory_bytes(task_.size, task_.metric, context_.ranks())
                           : task_.memory_bytes;
    output_.remark(
        fmt::format("tessera {}: census {} {}, {} states, {} x {}, {} per rank{}\n", version(),
                    to_string(task_.size), to_string(task_.metric),
                    with_commas(census_states(task_.size)), counted(context_.ranks(), "rank"),
                    counted(places[0].threads, "thread"), bytes_text(memory), disk_text()));
    CensusProgress progress(output_.errors(), config_.shown_progress(), census_states(task_.size),
                            memory * static_cast<std::uint64_t>(context_.ranks()));
    const RunIdentity run = begin_run(config_.command_line);
    CensusReport report{.size = task_.size,
                        .goal = config_.goal.value_or("last"),
                        .metric = task_.metric,
                        .result = context_.census(task_, places, progress),
                        .deepest = {},
                        .ranks = context_.ranks(),
                        .threads = places[0].threads,
                        .run = run};
    progress.clear();
    // Before solving the deepest boards, which may take longer than the search.
    tell(report);
    bool proven = false;
    std::exception_ptr failure;  // does not cost the widths
    try {
      proven = report.result.complete && prove_deepest(report);
    } catch (const Error&) {
      failure = std::current_exception();
    }
    output_.write_json(to_json(report));
    output_.write_csv(to_csv(report));
    if (failure) std::rethrow_exception(failure);
    if (report.result.complete) return proven ? exit_answered : exit_stopped;
    if (report.result.kept) {
      output_.complain("stopped by a signal; " + task_.checkpoint +
                       " holds the progress, --resume continues from there");
      return exit_stopped_with_checkpoint;
    }
    output_.complain(task_.checkpoint.empty()
                         ? "stopped by a signal; without --checkpoint the search is lost"
                         : "stopped by a signal before this search saved anything");
    return exit_stopped;
  }

 private:
  [[nodiscard]] std::string disk_text() const {
    if (task_.disk.empty()) return config_.disk ? ", in memory: --disk is not used" : "";
    const int ranks = context_.ranks();
    const CensusDiskPlan plan = disk_plan(task_, config_, context_, ranks, task_.memory_bytes);
    return fmt::format(", up to {} in {}",
                       bytes_text(plan.disk_bytes * static_cast<std::uint64_t>(ranks)), task_.disk);
  }

  bool prove_deepest(CensusReport& report) {
    if (report.result.picked.empty()) return true;
    output_.remark(fmt::format("solving {} of the deepest boards, which proves their depth\n",
                               report.result.picked.size()));
    const Board goal = ordered_board(task_.size, task_.goal_blank);
    const Workers workers{BackendKind::threads, {local_place(report.threads)}};
    const std::unique_ptr<Backend> backend = local_backend(workers);
    BoardSolver solver(config_, workers, *backend);
    const int depth = static_cast<int>(report.result.widths.size()) - 1;
    for (const Board& board : report.result.picked) {
      const auto moves = solved(board, goal, config_, solver, context_);
      if (!moves) {
        output_.complain(
            "stopped by a signal while the deepest boards were solved; the search is complete");
        return false;
      }
      if (replayed_length(board, goal, *moves, config_.metric) != depth) {
        internal_failure(fmt::format("board {}: solved in {} moves, the census says {}",
                                     to_string(board), solution_length(*moves, config_.metric),
                                     depth));
      }
      output_.answer(fmt::format("{}: {}, optimal, verified: {}\n", to_string(board),
                                 counted(depth, "move"), *moves));
      report.deepest.push_back({board, *moves, depth});
    }
    return true;
  }

  void tell(const CensusReport& report) {
    const CensusResult& result = report.result;
    // Before the table: mpirun relays long output in pieces and would print this between two of
    // them.
    if (result.seconds > 0) {
      // Without the levels from a checkpoint.
      const double states = std::accumulate(result.widths.begin() + result.resumed_depth + 1,
                                            result.widths.end(), 0.0);
      output_.remark(fmt::format("{:.2f} s, {:.1f} M states/s; {:.2f} s before the first level\n",
                                 result.seconds, states / result.seconds / 1e6,
                                 result.setup_seconds));
    }
    if (!task_.disk.empty()) {
      output_.remark(fmt::format("{} of frontiers, compressed; {} written, {} read\n",
                                 bytes_text(result.frontier_bytes),
                                 bytes_text(result.bytes_written), bytes_text(result.bytes_read)));
    }
    if (!config_.quiet) output_.answer(census_table(report));
    output_.answer(census_answer(report));
  }

  const Config& config_;
  Context& context_;
  const CensusTask& task_;
  CommandOutput output_;
};

}  // namespace

int command_census(const Config& config, Context& context) {
  if (config.words.empty()) bad_input("no size, expected tessera census WxH");
  if (config.words.size() > 1) bad_input(quote(config.words[1]) + " is not expected");
  CensusTask task;
  task.size = census_size(config.words[0]);
  task.goal_blank = with_error_prefix(
      "--goal: ", [&] { return parse_goal_blank(config.goal.value_or("last"), task.size); });
  task.metric = config.metric;
  task.picks = config.deepest;
  task.checkpoint = config.checkpoint.value_or("");
  task.checkpoint_seconds = config.checkpoint_every.value_or(Seconds(300)).count();
  task.resume = config.resume;
  if (config.resume && !config.checkpoint) bad_input("--resume: needs --checkpoint FOLDER");
  if (config.plan) {
    task.disk = config.disk.value_or("");
    return plan(task, config, context);
  }
  if (!config.ranks.empty()) {
    bad_input("--ranks: needs --plan; a search has the ranks of mpirun -np R");
  }
  choose_storage(task, config, context);
  return Census(config, context, task).run();
}

}  // namespace tessera
