// SPDX-License-Identifier: MIT
#include "pdb/line_table.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <numeric>

#include "base/shared_cache.hpp"
#include "pdb/breadth_first.hpp"

namespace tessera {
namespace {

template <class Colors>
using Counts = typename LineIndex<Colors>::Counts;

// A number with a digit per tile, in base Colors::colors, as a sequence that begins at a place.
template <class Colors>
struct Half {
  typename Colors::Sequence sequence = 0;
  Counts<Colors> counts{};

  Half(std::uint32_t digits, int first, int tiles) {
    for (int i = 0; i < tiles; ++i, digits /= Colors::colors) {
      const unsigned color = digits % Colors::colors;
      sequence |= Colors::only(first + i, color);
      ++counts[color];
    }
  }
};

template <class Colors>
std::size_t halves(int tiles) {
  std::size_t count = 1;
  for (int i = 0; i < tiles; ++i) count *= Colors::colors;
  return count;
}

template <class Colors>
class Builder {
 public:
  explicit Builder(const LineTableKey& key)
      : size_(key.size),
        space_(key),
        step_(key.size.width),
        states_(std::size_t{space_.index->size()} * static_cast<std::size_t>(size_.height)),
        buffer_(states_),
        values_(buffer_.bytes().data()) {
    std::fill_n(values_, states_, unreached);
    values_[place(space_.goal, size_.row(key.goal_blank))] = 0;
  }

  LargeBuffer build(int threads, const TableProgress& progress) {
    constexpr std::uint32_t chunk = 64;  // upper halves
    const std::uint32_t end = space_.index->upper_halves();
    const bool whole = search_by_depth(
        (end + chunk - 1) / chunk, states_, threads, progress, [&](const Depth& depth) {
          // If few states are left, each looks for a neighbor on the level instead; most find one
          // soon.
          const bool pull = states_ - depth.known < 2 * depth.frontier;
          return [&, pull, moves = static_cast<std::uint8_t>(depth.moves)](std::uint64_t number) {
            const auto first = static_cast<std::uint32_t>(number) * chunk;
            std::uint64_t found = 0;
            for (auto upper = first; upper < std::min(first + chunk, end); ++upper) {
              found += pull ? pulled(upper, moves) : pushed(upper, moves);
            }
            return found;
          };
        });
    return whole ? std::move(buffer_) : LargeBuffer();
  }

 private:
  using Sequence = typename Colors::Sequence;
  using Value = std::atomic_ref<std::uint8_t>;

  [[nodiscard]] std::size_t place(Sequence sequence, int row) const {
    return static_cast<std::size_t>(row) * space_.index->size() + space_.index->rank(sequence);
  }
  [[nodiscard]] Value value(std::size_t place) { return Value(values_[place]); }

  // Calls visit(sequence, row, place) for the states of an upper half with this value.
  template <class Visit>
  void for_states(std::uint32_t upper, std::uint8_t wanted, const Visit& visit) {
    const auto lower_halves = space_.index->lower_halves(upper);
    if (lower_halves.empty()) return;
    const Sequence high = space_.index->upper_half(upper);
    for (int row = 0; row < size_.height; ++row) {
      std::size_t at = place(high | lower_halves.front(), row);
      for (const Sequence lower : lower_halves) {
        if (value(at).load(std::memory_order_relaxed) == wanted) visit(high | lower, row, at);
        ++at;
      }
    }
  }

  // Calls visit(value) for the states reached by one vertical move, until it returns true.
  template <class Visit>
  void for_neighbors(Sequence sequence, int row, const Visit& visit) {
    for (int column = 0; column < size_.width; ++column) {
      std::uint64_t word = sequence;
      for (int r = row; r > 0; --r) {
        word = step_.up(word, (r - 1) * size_.width + column);
        if (visit(value(place(static_cast<Sequence>(word), r - 1)))) return;
      }
      word = sequence;
      for (int r = row; r + 1 < size_.height; ++r) {
        word = step_.down(word, r * size_.width + column);
        if (visit(value(place(static_cast<Sequence>(word), r + 1)))) return;
      }
    }
  }

  std::uint64_t pushed(std::uint32_t upper, std::uint8_t depth) {
    std::uint64_t found = 0;
    for_states(upper, depth, [&](Sequence sequence, int row, std::size_t) {
      for_neighbors(sequence, row, [&](Value neighbor) {
        found += reach(neighbor, depth + 1) ? 1 : 0;
        return false;
      });
    });
    return found;
  }

  std::uint64_t pulled(std::uint32_t upper, std::uint8_t depth) {
    std::uint64_t found = 0;
    for_states(upper, unreached, [&](Sequence sequence, int row, std::size_t at) {
      for_neighbors(sequence, row, [&](Value neighbor) {
        if (neighbor.load(std::memory_order_relaxed) != depth) return false;
        value(at).store(static_cast<std::uint8_t>(depth + 1), std::memory_order_relaxed);
        ++found;
        return true;
      });
    });
    return found;
  }

  Size size_;
  LineSpace<Colors> space_;
  LineStep<Colors> step_;
  std::size_t states_;
  LargeBuffer buffer_;
  std::uint8_t* values_;
};

}  // namespace

template <class Colors>
LineIndex<Colors>::LineIndex(const Counts& counts) {
  const int tiles = std::accumulate(counts.begin(), counts.end(), 0);
  const int lower = std::min(tiles, Colors::lower_tiles);
  place_.resize(halves<Colors>(lower));
  base_.resize(halves<Colors>(tiles - lower));
  group_.resize(base_.size());
  lower_.resize(1);  // group 0 is empty: for upper halves without lower ones
  std::map<Counts, std::uint16_t> groups;
  for (std::uint32_t digits = 0; digits < place_.size(); ++digits) {
    const Half<Colors> half(digits, 0, lower);
    const auto [found, is_new] =
        groups.try_emplace(half.counts, static_cast<std::uint16_t>(lower_.size()));
    if (is_new) lower_.emplace_back();
    std::vector<Sequence>& group = lower_[found->second];
    place_[digits] = static_cast<std::uint16_t>(group.size());
    group.push_back(half.sequence);
  }
  for (std::uint32_t digits = 0; digits < base_.size(); ++digits) {
    Counts rest = counts;
    const Half<Colors> half(digits, 0, tiles - lower);
    for (std::size_t color = 0; color < rest.size(); ++color) rest[color] -= half.counts[color];
    const auto found = groups.find(rest);
    if (found == groups.end()) continue;
    group_[digits] = found->second;
    base_[digits] = size_;
    size_ += static_cast<std::uint32_t>(lower_[found->second].size());
  }
}

template <class Colors>
std::shared_ptr<const LineIndex<Colors>> LineIndex<Colors>::shared(const Counts& counts) {
  static SharedCache<Counts, LineIndex> known(4);
  return known.get(counts, [&] { return std::make_shared<const LineIndex>(counts); });
}

template <class Colors>
typename Colors::Sequence LineIndex<Colors>::upper_half(std::uint32_t upper) const {
  return Half<Colors>(upper, Colors::lower_tiles, Colors::max_cells - 1 - Colors::lower_tiles)
      .sequence;
}

template <class Colors>
LineSpace<Colors>::LineSpace(const LineTableKey& key) : colors(line_colors(key)) {
  Counts<Colors> counts{};
  int place = 0;
  for (int cell = 0; cell < key.size.cells(); ++cell) {
    if (cell == key.goal_blank) continue;
    const unsigned color = colors[static_cast<std::size_t>(cell)];
    goal |= Colors::only(place++, color);
    ++counts[color];
  }
  index = LineIndex<Colors>::shared(counts);
}

template class LineIndex<FourColors>;
template class LineIndex<ThreeColors>;
template class LineIndex<TwoColors>;
template class LineIndex<TwoColorsOfMany>;
template struct LineSpace<FourColors>;
template struct LineSpace<ThreeColors>;
template struct LineSpace<TwoColors>;
template struct LineSpace<TwoColorsOfMany>;

namespace {

// Calls use(FourColors()), or as the coloring is.
template <class Use>
auto with_colors(LineColoring coloring, const Use& use) {
  if (coloring >= LineColoring::first_side) return use(TwoColorsOfMany());
  if (coloring >= LineColoring::first_half) return use(TwoColors());
  return coloring >= LineColoring::left ? use(ThreeColors()) : use(FourColors());
}

LargeBuffer build_line_table(const LineTableKey& key, int threads, const TableProgress& progress) {
  return with_colors(key.coloring, [&]<class Colors>(Colors) {
    return Builder<Colors>(key).build(threads, progress);
  });
}

}  // namespace

TableRequest line_request(const LineTableKey& key) {
  const std::uint64_t sequences = with_colors(key.coloring, [&]<class Colors>(Colors) {
    return std::uint64_t{LineSpace<Colors>(key).index->size()};
  });
  const std::uint64_t entries = sequences * static_cast<std::uint64_t>(key.size.height);
  return {{TableKind::lines, key.size, Metric::multi, static_cast<std::uint64_t>(key.coloring),
           std::uint64_t{1} << key.goal_blank},
          {entries, entries, entries},
          std::bind_front(build_line_table, key)};
}

std::vector<TableRequest> line_requests(Size size, int goal_blank,
                                        std::span<const LineColoring> colorings) {
  std::vector<TableRequest> requests;
  for (const LineAxis axis : {LineAxis::vertical, LineAxis::horizontal}) {
    for (const LineColoring coloring : colorings) {
      add_once(requests, line_request(line_table_key(size, goal_blank, axis, coloring)));
    }
  }
  return requests;
}

}  // namespace tessera
