// SPDX-License-Identifier: MIT
#include "puzzle/move_text.hpp"

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {
namespace {

// The tile's letter for the mover's, and the other way round.
char exchanged(char letter, Mover mover) {
  return mover == Mover::tile ? letter : tessera::letter(opposite(*direction_of(letter)));
}

// Bytes of the UTF-8 character at the start of the text.
std::size_t character_bytes(std::string_view text) {
  const auto continues = [](unsigned char c) { return (c & 0xC0) == 0x80; };
  const auto end = std::find_if_not(text.begin() + 1, text.end(), continues);
  return static_cast<std::size_t>(end - text.begin());
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string parse_moves(std::string_view text, Mover mover) {
  std::string letters;
  bool may_repeat = false;  // a count may follow
  for (std::size_t character = 1; !text.empty(); ++character) {
    const auto place = [&] { return "character " + std::to_string(character) + " "; };
    const char c = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    if (direction_of(c)) {
      letters += exchanged(c, mover);
      text.remove_prefix(1);
      may_repeat = true;
    } else if (c == ',' || std::isspace(static_cast<unsigned char>(c)) != 0) {
      text.remove_prefix(1);
      may_repeat = false;
    } else if (is_digit(c) && may_repeat) {
      const auto digits =
          static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
      const auto count = parse_integer(text.substr(0, digits));
      if (count == 0) bad_input(place() + "'0' repeats a move no times, expected 1 or more");
      if (!count || static_cast<std::uint64_t>(*count) > most_moves) {
        bad_input(place() + quote(text.substr(0, digits)) + " repeats a move too often, expected " +
                  std::to_string(most_moves) + " moves at most");
      }
      letters.append(static_cast<std::size_t>(*count) - 1, letters.back());
      text.remove_prefix(digits);
      character += digits - 1;
      may_repeat = false;
    } else if (is_digit(c)) {
      bad_input(place() + quote(text.substr(0, 1)) +
                " does not follow a move, expected repeat counts directly after it, such as R3");
    } else {
      bad_input(place() + quote(text.substr(0, character_bytes(text))) +
                " is not a move, expected U, D, L or R");
    }
    if (letters.size() > most_moves) {
      bad_input("too many moves, expected at most " + std::to_string(most_moves));
    }
  }
  return letters;
}

std::string format_moves(std::string_view letters, Notation notation, Mover mover) {
  std::string text;
  while (!letters.empty()) {
    const std::size_t run = std::min(letters.find_first_not_of(letters.front()), letters.size());
    const char shown = exchanged(letters.front(), mover);
    if (notation == Notation::letters) {
      text.append(run, shown);
    } else {
      if (!text.empty()) text += ' ';
      text += shown;
      if (run > 1) text += std::to_string(run);
    }
    letters.remove_prefix(run);
  }
  return text;
}

Board after_moves(const Board& start, std::string_view letters, Mover mover) {
  Board board = start;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Direction d = direction_of(letters[i]).value();
    if (!board.neighbor(d)) {
      bad_input("move " + std::to_string(i + 1) + " '" + exchanged(letters[i], mover) +
                "' leaves the board, which is " + to_string(board) + " before it");
    }
    board.move(d);
  }
  return board;
}

std::string parse_legal_moves(const Board& start, std::string_view text, Mover mover) {
  std::string letters = parse_moves(text, mover);
  (void)after_moves(start, letters, mover);
  return letters;
}

}  // namespace tessera
