// SPDX-License-Identifier: MIT
#include "puzzle/builtin_set.hpp"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {
namespace {

struct Source {
  std::string_view name;
  std::string_view description;
  Goal::Kind goal;
  std::string_view single;      // id, optimal length, tiles: one board per line
  std::string_view multi = {};  // if metric multi has another set
  std::string_view rest = {};   // of `single`: compilers limit the length of a string
};

constexpr std::string_view korf100 =
#include "puzzle/set_korf100.inc"
    ;
constexpr std::string_view korf50 =
#include "puzzle/set_korf50.inc"
    ;
constexpr std::string_view haskell =
#include "puzzle/set_haskell.inc"
    ;
constexpr std::string_view hardest15_single =
#include "puzzle/set_hardest15_stm.inc"
    ;
constexpr std::string_view hardest15_multi =
#include "puzzle/set_hardest15_mtm.inc"
    ;
constexpr std::string_view deepcubea15 =
#include "puzzle/set_deepcubea15.inc"
    ;
constexpr std::string_view deepcubea24 =
#include "puzzle/set_deepcubea24.inc"
    ;
constexpr std::string_view deepcubea35 =
#include "puzzle/set_deepcubea35.inc"
    ;
constexpr std::string_view deepcubea48_first =
#include "puzzle/set_deepcubea48_first.inc"
    ;
constexpr std::string_view deepcubea48_second =
#include "puzzle/set_deepcubea48_second.inc"
    ;
constexpr std::string_view clausecker400 =
#include "puzzle/set_clausecker400.inc"
    ;
constexpr std::string_view deep24 =
#include "puzzle/set_deep24.inc"
    ;

constexpr Source sources[] = {
    {"korf100", "R. Korf's 100 random 15-puzzles (1985), 41 to 66 moves", Goal::Kind::first,
     korf100},
    {"korf50", "R. Korf's 50 random 24-puzzles (2002), 81 to 114 moves", Goal::Kind::first, korf50},
    {"haskell", "eight 15-puzzles of 3 to 40 moves of a Haskell study (2025)", Goal::Kind::last,
     haskell},
    {"hardest15", "all 15-puzzles of greatest depth: 80 single, 43 multi moves", Goal::Kind::first,
     hardest15_single, hardest15_multi},
    {"deepcubea15", "500 15-puzzles of the DeepCubeA project (2019)", Goal::Kind::last,
     deepcubea15},
    {"deepcubea24", "496 24-puzzles of the DeepCubeA project", Goal::Kind::last, deepcubea24},
    {"deepcubea35", "500 6x6 boards of the DeepCubeA project", Goal::Kind::last, deepcubea35},
    {"deepcubea48",
     "500 7x7 boards of the DeepCubeA project",
     Goal::Kind::last,
     deepcubea48_first,
     {},
     deepcubea48_second},
    {"clausecker400", "R. Clausecker's 400 random 24-puzzles (2017)", Goal::Kind::first,
     clausecker400},
    {"deep24", "deep 24-puzzles: R, the goal turned by 180 degrees (156 moves), and 11 more",
     Goal::Kind::last, deep24},
};

// Adds the boards of `text`.
void parse_set(std::string_view text, std::vector<SetBoard>& boards) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const auto fields = split_fields(line);
    if (fields.size() < 3) continue;
    const auto tiles = line.substr(static_cast<std::size_t>(fields[2].data() - line.data()));
    boards.push_back({{std::string(fields[0]), parse_board(tiles, {}), ""},
                      static_cast<int>(*parse_integer(fields[1]))});
  }
}

// "1-10,42" or "R,c3" in the order given; a board named twice is solved twice.
std::vector<SetBoard> picked(const std::vector<SetBoard>& all, std::string_view set,
                             std::string_view range) {
  const auto count = static_cast<std::int64_t>(all.size());
  std::vector<SetBoard> boards;
  for (const std::string& part : split_list(range)) {
    const auto named =
        std::ranges::find(all, part, [](const SetBoard& board) { return board.board.id; });
    if (named != all.end()) {
      boards.push_back(*named);
      continue;
    }
    const std::size_t dash = part.find('-');
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 1 || *last > count || *first > *last) {
      bad_input("range " + quote(range) + " of set " + std::string(set) +
                " is not valid, expected ids from 1 to " + std::to_string(count) +
                " such as 1-3,5");
    }
    boards.insert(boards.end(), all.begin() + (*first - 1), all.begin() + *last);
  }
  return boards;
}

}  // namespace

std::vector<std::string> builtin_set_names() {
  std::vector<std::string> names;
  for (const Source& source : sources) names.emplace_back(source.name);
  return names;
}

BuiltinSet builtin_set(std::string_view spec, Metric metric) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const auto* const source = std::ranges::find_if(
      sources, [&](const Source& known) { return boost::iequals(name, known.name); });
  if (source == std::end(sources)) bad_input("set " + unknown_name(name, builtin_set_names()));
  const bool multi = metric == Metric::multi && !source->multi.empty();
  BuiltinSet set{
      std::string(source->name), std::string(source->description), Goal(source->goal), {}};
  parse_set(multi ? source->multi : source->single, set.boards);
  parse_set(source->rest, set.boards);
  if (colon != std::string_view::npos)
    set.boards = picked(set.boards, name, spec.substr(colon + 1));
  return set;
}

}  // namespace tessera
