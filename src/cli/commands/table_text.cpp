// SPDX-License-Identifier: MIT
#include "cli/commands/table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pdb/line_colors.hpp"

namespace tessera {

std::string table_text(const TableKey& key) {
  std::string text;
  if (key.kind == TableKind::automaton) {
    return fmt::format("duplicate moves, --prune fsm:{}", key.homes);
  }
  if (key.kind == TableKind::lines) {
    // By LineColoring.
    constexpr std::array names{"?", "quarters", "a spiral", "blocks on the left",
                               "blocks on the right"};
    constexpr std::array orders{"rows", "columns", "diagonals", "falling diagonals"};
    // A file may claim any number.
    const auto coloring = static_cast<LineColoring>(std::min<std::uint64_t>(key.homes, 255));
    if (const auto shape = two_color_shape(coloring, key.size)) {
      return fmt::format("two colors by {}, {}{} of {} tiles",
                         orders[static_cast<std::size_t>(shape->order)],
                         shape->last ? "the last " : "", shape->tiles, key.size.cells() - 1);
    }
    return std::string("colored in ") + names[key.homes < names.size() ? key.homes : 0];
  }
  if (key.kind == TableKind::walking || key.kind == TableKind::escapes) {
    const char* const what = key.kind == TableKind::walking ? "walking distance" : "escapes";
    return fmt::format("{}, {} lines of {}", what, key.size.height, key.size.width);
  }
  for (int cell = 0; cell < key.size.cells(); ++cell) {
    if (cell > 0 && key.size.column(cell) == 0) text += ' ';
    text += (key.homes >> cell & 1) != 0 ? 'x' : '-';
  }
  return text;
}

}  // namespace tessera
