// SPDX-License-Identifier: MIT
#include "puzzle/builtin_set.hpp"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>

#include "base/error.hpp"
#include "base/text.hpp"

// The assembler makes sets/NAME.txt part of the program: compilers limit the length of a string.
#define TESSERA_SET(name)                                                          \
  extern "C" const char tessera_set_##name[]; /* NOLINT */                         \
  __asm__(".pushsection .rodata\n.globl tessera_set_" #name "\ntessera_set_" #name \
          ":\n.incbin \"puzzle/sets/" #name ".txt\"\n.byte 0\n.popsection");
TESSERA_SET(korf100)
TESSERA_SET(korf50)
TESSERA_SET(haskell)
TESSERA_SET(hardest15_single)
TESSERA_SET(hardest15_multi)
TESSERA_SET(deepcubea15)
TESSERA_SET(deepcubea24)
TESSERA_SET(deepcubea35)
TESSERA_SET(deepcubea48)
TESSERA_SET(clausecker400)
TESSERA_SET(deep24)

namespace tessera {
namespace {

struct Source {
  std::string_view name;
  Goal::Kind goal;
  const char* single;           // id, optimal length, tiles: one board per line
  const char* multi = nullptr;  // if metric multi has another set
};

constexpr Source sources[] = {
    // R. Korf's 100 random 15-puzzles (1985) and, with A. Felner, 50 random 24-puzzles (2002).
    {"korf100", Goal::Kind::first, tessera_set_korf100},
    {"korf50", Goal::Kind::first, tessera_set_korf50},
    // Eight 15-puzzles of 3 to 40 moves of a Haskell study (2025).
    {"haskell", Goal::Kind::last, tessera_set_haskell},
    // All 15-puzzles of greatest depth: 80 single, 43 multi moves.
    {"hardest15", Goal::Kind::first, tessera_set_hardest15_single, tessera_set_hardest15_multi},
    // The DeepCubeA project's (2019).
    {"deepcubea15", Goal::Kind::last, tessera_set_deepcubea15},
    {"deepcubea24", Goal::Kind::last, tessera_set_deepcubea24},
    {"deepcubea35", Goal::Kind::last, tessera_set_deepcubea35},
    {"deepcubea48", Goal::Kind::last, tessera_set_deepcubea48},
    // R. Clausecker's 400 random 24-puzzles (2017).
    {"clausecker400", Goal::Kind::first, tessera_set_clausecker400},
    // Deep 24-puzzles: R, the goal turned by 180 degrees, and 11 more.
    {"deep24", Goal::Kind::last, tessera_set_deep24},
};

std::vector<SetBoard> parse_set(std::string_view text) {
  std::vector<SetBoard> boards;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const auto fields = split_fields(line);
    if (fields.size() < 3 || line.starts_with('#')) continue;
    const auto tiles = line.substr(static_cast<std::size_t>(fields[2].data() - line.data()));
    boards.push_back({{std::string(fields[0]), parse_board(tiles, {}), ""},
                      static_cast<int>(*parse_integer(fields[1]))});
  }
  return boards;
}

// "1-10,42" or "R,c3" in the order given, a number being a place in the set; a board named twice is
// solved twice.
std::vector<SetBoard> picked(const std::vector<SetBoard>& all, std::string_view set,
                             std::string_view range) {
  const auto count = static_cast<std::int64_t>(all.size());
  std::vector<SetBoard> boards;
  for (const std::string& part : split_list(range)) {
    const auto named = std::ranges::find_if(
        all, [&](const SetBoard& known) { return boost::iequals(part, known.board.id); });
    if (named != all.end()) {
      boards.push_back(*named);
      continue;
    }
    const std::size_t dash = part.find('-');
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 1 || *last > count || *first > *last) {
      bad_input("range " + quote(range) + " of set " + std::string(set) +
                " is not valid, expected ids from " + all.front().board.id + " to " +
                all.back().board.id + ", or positions such as 1-3,5");
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
  const bool multi = metric == Metric::multi && source->multi != nullptr;
  BuiltinSet set{Goal(source->goal), parse_set(multi ? source->multi : source->single)};
  if (colon != std::string_view::npos)
    set.boards = picked(set.boards, name, spec.substr(colon + 1));
  return set;
}

}  // namespace tessera
