// SPDX-License-Identifier: MIT
#include "cli/options/boards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "puzzle/builtin_set.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_text.hpp"

namespace tessera {
namespace {

// Boards of several sources would add up unnoticed, with repeated ids.
void expect_one_source(const Config& config) {
  std::vector<std::string> sources;
  if (!config.words.empty()) sources.emplace_back("BOARD");
  if (config.file) sources.emplace_back("--file");
  if (config.set) sources.emplace_back("--set");
  if (config.scramble_moves) sources.emplace_back("--scramble");
  if (sources.size() > 1) {
    bad_input(sources[0] + " and " + sources[1] + ": two sources of boards, expected one");
  }
  if (config.words.size() == 1 && config.words[0] == "-") {
    bad_input("BOARD: - is not a board, expected --file - to read standard input");
  }
}

// Explains common mistakes in words that are not boards.
void refuse_misplaced_boards(const Config& config) {
  for (const std::string& word : config.words) {
    std::error_code no_path;
    if (parse_integer(word) || !std::filesystem::is_regular_file(word, no_path)) continue;
    bad_input(fmt::format("BOARD: {0} is not a number, did you mean --file {0}?", quote(word)));
  }
  const auto reads = [](const auto& parse) {
    try {
      (void)parse();
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  const auto whole = [&](const std::string& word) {
    return reads([&] { return parse_board(word, config.size); });
  };
  if (config.words.size() == 1) {
    const std::string& word = config.words.front();
    if (!whole(word) && reads([&] { return parse_size(word); })) {
      bad_input(fmt::format("BOARD: {0} is a size, did you mean --size {0}?", word));
    }
  }
  if (config.words.size() > 1 && std::ranges::all_of(config.words, whole)) {
    bad_input(
        fmt::format("BOARD: {} boards, expected one; --file takes several (- for standard input)",
                    config.words.size()));
  }
}

// Bad boards of a file are reported only by the first slice, not by all.
void keep_slice(BoardTasks& boards, Slice slice) {
  std::size_t i = 0;
  std::erase_if(boards.tasks,
                [&](const BoardTask&) { return i++ % slice.parts != slice.part - 1; });
  if (slice.part > 1) boards.complaints.clear();
  if (i > 0 && boards.tasks.empty()) {
    boards.notes.push_back(fmt::format("no board in --slice {}/{}", slice.part, slice.parts));
  }
}

// Users match result rows to boards by id.
void note_repeated_ids(BoardTasks& boards) {
  std::set<std::string> known;
  std::size_t repeated = 0;
  std::string example;
  for (const BoardTask& task : boards.tasks) {
    if (known.insert(task.id).second) continue;
    if (repeated++ == 0) example = task.id;
  }
  if (repeated == 0) return;
  boards.notes.push_back(fmt::format(
      "{} the id of an earlier one, such as {}",
      repeated == 1 ? "1 board has" : counted(repeated, "board") + " have", quote(example)));
}

}  // namespace

BoardTask board_task(const Config& config, const NamedBoard& board) {
  const Size size = board.board.size();
  const std::string text = config.goal.value_or(board.goal.empty() ? "last" : board.goal);
  const Goal goal = with_error_prefix(config.goal ? "--goal: " : "goal: ",
                                      [&] { return parse_goal(text, size); });
  return {board.id, board.board, goal.board(size), to_string(goal)};
}

BoardTask parse_board_task(const Config& config, std::span<const std::string> words) {
  const std::string text = fmt::format("{}", fmt::join(words, " "));
  return board_task(
      config, with_error_prefix("BOARD: ", [&] { return parse_named_board(text, config.size); }));
}

BoardTasks read_board_tasks(const Config& config) {
  expect_one_source(config);
  BoardTasks boards;
  if (!config.words.empty()) {
    try {
      boards.tasks.push_back(parse_board_task(config, config.words));
    } catch (const Error&) {
      refuse_misplaced_boards(config);
      throw;
    }
  }
  if (config.file) {
    BoardFileOptions options{config.format, config.size, {}};
    if (config.keep_going) {
      options.on_bad_board = [&](const std::string& complaint) {
        boards.complaints.push_back(complaint);
      };
    }
    for (const NamedBoard& board : read_boards(*config.file, options)) {
      try {
        boards.tasks.push_back(with_error_prefix(line_place(file_name(*config.file), board.line),
                                                 [&] { return board_task(config, board); }));
      } catch (const Error& error) {
        if (!config.keep_going) throw;
        boards.complaints.emplace_back(error.what());
      }
    }
  }
  if (config.set) {
    const BuiltinSet set = builtin_set(*config.set, config.metric);
    for (const SetBoard& entry : set.boards) {
      NamedBoard board = entry.board;
      board.goal = to_string(set.goal);
      if (const Size size = board.board.size(); config.size.value_or(size) != size) {
        bad_input(fmt::format("--size {}: --set {} has boards of {}", to_string(*config.size),
                              *config.set, to_string(size)));
      }
      boards.tasks.push_back(board_task(config, board));
    }
  }
  if (config.scramble_moves) boards.tasks.push_back(scrambled_task(config));
  if (boards.tasks.empty() && boards.complaints.empty()) {
    bad_input("no board, expected BOARD, --file FILE, --set NAME or --scramble MOVES");
  }
  note_repeated_ids(boards);
  keep_slice(boards, config.slice);
  return boards;
}

BoardTask scrambled_task(const Config& config) {
  const Goal goal = with_error_prefix(
      "--goal: ", [&] { return parse_goal(config.goal.value_or("last"), config.size); });
  const std::optional<Size> size = config.size ? config.size : goal.size();
  if (!size) bad_input("--scramble: no size, expected --size WxH, such as --size 4x4");
  const Board start = goal.board(*size);
  const Board board = with_error_prefix("--scramble: ", [&] {
    return after_moves(start, parse_moves(*config.scramble_moves, config.moves_of),
                       config.moves_of);
  });
  return board_task(config, {"1", board, ""});
}

}  // namespace tessera
