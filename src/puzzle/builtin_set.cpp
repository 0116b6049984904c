// SPDX-License-Identifier: MIT
#include "puzzle/builtin_set.hpp"

#include <algorithm>

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

constexpr Source sources[] = {
    {"korf100", "R. Korf's 100 random 15-puzzles (1985), 41 to 66 moves", Goal::Kind::first,
     korf100},
    {"korf50", "R. Korf's 50 random 24-puzzles (2002), 81 to 114 moves", Goal::Kind::first, korf50},
    {"haskell", "eight 15-puzzles of 3 to 40 moves of a Haskell study (2025)", Goal::Kind::last,
     haskell},
    {"hardest15", "all 15-puzzles of greatest depth: 80 single, 43 multi moves", Goal::Kind::first,
     hardest15_single, hardest15_multi},
};

std::vector<SetBoard> parse_set(std::string_view text) {
  std::vector<SetBoard> boards;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const auto fields = split_fields(line);
    if (fields.size() < 3) continue;
    const auto tiles = line.substr(static_cast<std::size_t>(fields[2].data() - line.data()));
    boards.push_back({{std::string(fields[0]), parse_board(tiles, {}), ""},
                      static_cast<int>(*parse_integer(fields[1]))});
  }
  return boards;
}

// "1-10,42" in the order given; a board named twice is solved twice.
std::vector<SetBoard> picked(const std::vector<SetBoard>& all, std::string_view set,
                             std::string_view range) {
  const auto count = static_cast<std::int64_t>(all.size());
  std::vector<SetBoard> boards;
  for (const std::string& part : split_list(range)) {
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
  const auto* const source = std::ranges::find(sources, name, &Source::name);
  if (source == std::end(sources)) bad_input("set " + unknown_name(name, builtin_set_names()));
  const bool multi = metric == Metric::multi && !source->multi.empty();
  BuiltinSet set{std::string(source->name), std::string(source->description), Goal(source->goal),
                 parse_set(multi ? source->multi : source->single)};
  if (colon != std::string_view::npos)
    set.boards = picked(set.boards, name, spec.substr(colon + 1));
  return set;
}

}  // namespace tessera
