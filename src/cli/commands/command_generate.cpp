// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <random>

#include "base/error.hpp"
#include "base/memory_limit.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/context.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "report/output.hpp"
#include "report/progress.hpp"

namespace tessera {

namespace {

// Of the word or the option.
Size size_of(const Config& config) {
  if (config.words.size() > 1) {
    bad_input(quote(config.words[1]) + " is not expected, the number of boards is --count N");
  }
  if (config.words.empty() && !config.size) {
    bad_input("no size, expected tessera generate WxH, or --size WxH");
  }
  if (config.words.empty()) return *config.size;
  const Size size = parse_size(config.words[0]);
  if (config.size.value_or(size) != size) {
    bad_input("--size " + to_string(*config.size) + ": the size is already given as " +
              to_string(size));
  }
  return size;
}

// Random boards among all of exactly that depth, found by a complete search. It supports goals with
// the tiles in order; for any other `goal`, tiles are renamed.
std::vector<Board> boards_of_depth(const Config& config, const Board& goal, std::uint64_t seed,
                                   Context& context) {
  constexpr int most_cells = 12;
  if (goal.size().cells() > most_cells) {
    bad_input("--depth: needs all states of " + to_string(goal.size()) + ", expected at most " +
              std::to_string(most_cells) + " cells");
  }
  if (config.scramble) bad_input("--depth: not with --scramble");
  CensusTask task;
  task.size = goal.size();
  task.goal_blank = goal.blank();
  task.metric = config.metric;
  task.last_depth = config.depth;
  task.picks = static_cast<std::uint64_t>(config.count);
  task.pick_seed = seed;
  task.threads = context.places(config.threads)[0].threads;
  // All boards are drawn before the first is written.
  const std::uint64_t need = task.picks * (sizeof(Board) + 2 * sizeof(std::uint64_t));
  const MemoryShare share = share_of_machine(1);  // 0 bytes: not known
  if (share.total_bytes > 0 && need > share.free_bytes) {
    out_of_resources(fmt::format("--count: {} boards of one depth take {} of memory, {} are free",
                                 with_commas(task.picks), bytes_text(need),
                                 bytes_text(share.free_bytes)));
  }
  Ranks alone;
  CensusObserver nobody;  // at most some seconds
  CensusResult result = run_census(task, alone, nobody, context.interrupted);
  if (context.interrupted) return {};
  const int deepest = static_cast<int>(result.widths.size()) - 1;
  if (deepest < *config.depth) {
    bad_input("--depth: no board of " + to_string(goal.size()) + " is so deep, expected 0 to " +
              std::to_string(deepest));
  }
  std::vector<int> names(static_cast<std::size_t>(goal.size().cells()), 0);
  for (int cell = 0, tile = 1; cell < goal.size().cells(); ++cell) {
    if (cell != goal.blank()) names[static_cast<std::size_t>(tile++)] = goal.tile(cell);
  }
  for (Board& board : result.picked) board = board.renamed(names);
  return std::move(result.picked);
}

}  // namespace

int command_generate(const Config& config, Context& context) {
  const Size size = size_of(config);
  const Goal goal =
      with_error_prefix("--goal: ", [&] { return parse_goal(config.goal.value_or("last"), size); });
  const Board goal_board = goal.board(size);
  // At most 32 bits, so that people can type it.
  const std::uint64_t seed = config.seed_is_random ? std::random_device{}() : config.seed;
  context.stop_on_signals();
  Output errors = Output::standard_error();
  if (config.seed_is_random) errors.write(fmt::format("# seed {}\n", seed));
  ProgressObserver progress(errors, config.shown_progress());
  const std::vector<Board> drawn =
      config.depth ? boards_of_depth(config, goal_board, seed, context) : std::vector<Board>{};
  Random random(seed);
  Output output = Output::standard_output();
  progress.board_started(
      fmt::format("{} boards", with_commas(static_cast<std::uint64_t>(config.count))));
  const std::string goal_name = to_string(goal);
  std::string text = format_board_header(size, goal_name, config.format);
  int i = 1;
  for (; i <= config.count && !context.interrupted; ++i) {
    NamedBoard board{std::to_string(i), {}, goal_name};
    if (config.depth) board.board = drawn[static_cast<std::size_t>(i - 1)];
    else
      board.board = config.scramble ? scrambled(goal_board, *config.scramble, random, config.metric)
                                    : random_board(goal_board, random);
    text += format_board(board, config.format);
    constexpr std::size_t flush_bytes = 1 << 16;
    if (text.size() >= flush_bytes || i == config.count) {
      progress.clear();  // both may be the same terminal
      output.write(text);
      text.clear();
    }
    if (i < config.count) progress.part_done(i / static_cast<double>(config.count));
  }
  if (i > config.count) return exit_answered;
  progress.clear();
  output.write(text);
  CommandOutput::complain("stopped by a signal; the boards until then are complete");
  return exit_stopped;
}

}  // namespace tessera
