// SPDX-License-Identifier: MIT
#include "cli/context.hpp"
#include "cli/exit_code.hpp"
#include "tessera/base/error.hpp"
#include "tessera/puzzle/goal.hpp"
#include "tessera/puzzle/random_board.hpp"
#include "tessera/report/output.hpp"

namespace tessera {

int command_generate(const Config& config) {
  if (!config.size) bad_input("no size, expected --size WxH");
  const Goal goal = parse_goal(config.goal.value_or("last"), config.size);
  const Board goal_board = goal.board(*config.size);
  Random random(config.seed);
  Output output = Output::standard_output();
  std::string text;
  for (int i = 1; i <= config.count; ++i) {
    NamedBoard board{std::to_string(i), {}, ""};
    board.board = config.scramble ? scrambled(goal_board, *config.scramble, random)
                                  : random_board(goal_board, random);
    text += format_board(board, config.format);
    constexpr std::size_t flush_bytes = 1 << 16;
    if (text.size() >= flush_bytes || i == config.count) {
      output.write(text);
      text.clear();
    }
  }
  return exit_answered;
}

}  // namespace tessera
