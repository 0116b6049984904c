// SPDX-License-Identifier: MIT
#include "cli/boards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/puzzle/builtin_set.hpp"

namespace tessera {
namespace {

void add(std::vector<BoardTask>& tasks, const NamedBoard& board, const Goal& goal) {
  tasks.push_back({board.id, board.board, goal.board(board.board.size()), to_string(goal)});
}

// --goal holds for all boards; else a board's own, else the default.
Goal goal_of(const Config& config, const std::string& own, Size size) {
  if (!config.goal && own.empty()) return Goal(Goal::Kind::last);
  return at_place(config.goal ? "--goal: " : "goal: ",
                  [&] { return parse_goal(config.goal ? *config.goal : own, size); });
}

// Boards of several sources would add up unseen, with ids that are there twice.
void expect_one_source(const Config& config) {
  std::vector<std::string> sources;
  if (!config.words.empty()) sources.emplace_back("BOARD");
  if (config.file) sources.emplace_back("--file");
  if (config.set) sources.emplace_back("--set");
  if (sources.size() > 1) {
    bad_input(sources[0] + " and " + sources[1] + ": two sources of boards, expected one of them");
  }
  if (config.words.size() == 1 && config.words[0] == "-") {
    bad_input("BOARD: - is not a board, expected --file - to read standard input");
  }
}

bool is_board(const std::string& word, std::optional<Size> size) {
  try {
    (void)parse_board(word, size);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// What people mean by words that are no board.
void refuse_misplaced_boards(const Config& config) {
  for (const std::string& word : config.words) {
    std::error_code no_path;
    if (parse_integer(word) || !std::filesystem::is_regular_file(word, no_path)) continue;
    bad_input(fmt::format("BOARD: {0} is not a number, did you mean --file {0}?", quote(word)));
  }
  const auto whole = [&](const std::string& word) { return is_board(word, config.size); };
  if (config.words.size() > 1 && std::all_of(config.words.begin(), config.words.end(), whole)) {
    bad_input(
        fmt::format("BOARD: {} boards, expected one; --file takes several (- for standard input)",
                    config.words.size()));
  }
}

// Bad boards of a file are the first part's to complain about, not everybody's.
void keep_slice(BoardTasks& boards, Slice slice) {
  if (slice.parts == 1) return;
  std::vector<BoardTask> kept;
  for (std::size_t i = slice.part - 1; i < boards.tasks.size(); i += slice.parts) {
    kept.push_back(std::move(boards.tasks[i]));
  }
  boards.tasks = std::move(kept);
  if (slice.part > 1) boards.complaints.clear();
}

}  // namespace

BoardTasks read_board_tasks(const Config& config) {
  expect_one_source(config);
  BoardTasks boards;
  if (!config.words.empty()) {
    std::string text;  // quotes are easily forgotten: tiles may come as words, too
    for (const std::string& word : config.words) text += word + " ";
    try {
      const Board board = parse_board(text, config.size);
      add(boards.tasks, {"1", board, ""}, goal_of(config, "", board.size()));
    } catch (const Error& error) {
      refuse_misplaced_boards(config);
      throw Error(error.kind(), "BOARD: " + std::string(error.what()));
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
        add(boards.tasks, board, goal_of(config, board.goal, board.board.size()));
      } catch (const Error& error) {
        const std::string complaint =
            file_name(*config.file) + ": board " + board.id + ": " + error.what();
        if (!config.keep_going) throw Error(error.kind(), complaint);
        boards.complaints.push_back(complaint);
      }
    }
  }
  if (config.set) {
    const BuiltinSet set = builtin_set(*config.set, config.metric);
    for (const SetBoard& board : set.boards) {
      if (const Size size = board.board.board.size(); config.size.value_or(size) != size) {
        bad_input(fmt::format("--size {}: --set {} has boards of {}", to_string(*config.size),
                              *config.set, to_string(size)));
      }
      add(boards.tasks, board.board,
          config.goal ? goal_of(config, "", board.board.board.size()) : set.goal);
    }
  }
  if (boards.tasks.empty() && boards.complaints.empty()) {
    bad_input("no board, expected BOARD, --file FILE or --set NAME");
  }
  keep_slice(boards, config.slice);
  return boards;
}

}  // namespace tessera
