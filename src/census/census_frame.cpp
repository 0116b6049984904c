// SPDX-License-Identifier: MIT
#include "census/census_frame.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/random.hpp"

namespace tessera {
namespace {

// The states with these numbers in this rank's slabs, as text: the tiles of boards as bytes.
std::string pick_own(const StateLayout& layout, const CensusFrame& frame, const LevelPlanes& level,
                     const std::vector<std::uint64_t>& numbers, std::uint64_t first) {
  std::string picked;
  std::vector<std::uint64_t> room(layout.stride());
  const SlabRange& range = level.layer->part();
  auto next = std::ranges::lower_bound(numbers, first);
  for (std::uint64_t slab = range.first; slab < range.end(); ++slab) {
    const std::uint64_t here = level.count(slab);
    if (next == numbers.end()) break;
    if (*next >= first + here) {
      first += here;
      continue;
    }
    for (int cell = 0; cell < layout.cells(); ++cell) {
      if (!level.active(slab, cell)) continue;
      const std::uint64_t* const words = level.layer->look(slab, cell, room);
      for (std::uint32_t word = 0; word < layout.words(); ++word) {
        for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1, ++first) {
          for (; next != numbers.end() && *next == first; ++next) {
            picked +=
                frame.board_text(cell, layout.order(cell, slab, word, std::countr_zero(bits)));
          }
        }
      }
    }
  }
  return picked;
}

}  // namespace

// A tile's number is its goal position in the user's orientation; its label, in the layout's.
int CensusFrame::tile_of(int label) const {
  const int inner = label <= inner_goal() ? label - 1 : label;
  const int cell = turned_ ? inner_size().transposed(inner) : inner;
  return cell < goal_ ? cell + 1 : cell;
}

std::string CensusFrame::board_text(int inner_blank, const std::vector<int>& labels) const {
  std::string text(static_cast<std::size_t>(size_.cells()), '\0');
  for (int cell = 0; cell < size_.cells(); ++cell) {
    const int inner = inner_cell(cell);
    if (inner == inner_blank) continue;
    const int label = labels[static_cast<std::size_t>(inner < inner_blank ? inner : inner - 1)];
    text[static_cast<std::size_t>(cell)] = static_cast<char>(tile_of(label));
  }
  return text;
}

std::vector<std::uint64_t> picked_numbers(const CensusTask& task, std::uint64_t width) {
  std::vector<std::uint64_t> numbers;
  if (task.pick_seed) {
    Random random(*task.pick_seed);
    for (std::uint64_t i = 0; i < task.picks; ++i) numbers.push_back(random.below(width));
  } else {
    for (std::uint64_t i = 0; i < std::min(task.picks, width); ++i) numbers.push_back(i);
  }
  return numbers;
}

std::vector<Board> pick_boards(const StateLayout& layout, const CensusFrame& frame,
                               const LevelPlanes& level, const CensusTask& task,
                               std::uint64_t width, Ranks& ranks) {
  const std::vector<std::uint64_t> drawn = picked_numbers(task, width);
  if (drawn.empty()) return {};
  std::vector<std::uint64_t> numbers = drawn;
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const std::vector<std::uint64_t> counts = by_rank(ranks, level.count());
  const auto before =
      std::accumulate(counts.begin(), counts.begin() + ranks.rank(), std::uint64_t{0});
  std::string all;
  for (const std::string& part : gather(ranks, pick_own(layout, frame, level, numbers, before))) {
    all += part;
  }
  const auto cells = static_cast<std::size_t>(layout.cells());
  std::vector<Board> picked;
  picked.reserve(drawn.size());
  for (const std::uint64_t number : drawn) {
    const auto at = std::ranges::lower_bound(numbers, number) - numbers.begin();
    const std::string text = all.substr(static_cast<std::size_t>(at) * cells, cells);
    picked.emplace_back(task.size, std::vector<std::int64_t>(text.begin(), text.end()));
  }
  return picked;
}

}  // namespace tessera
