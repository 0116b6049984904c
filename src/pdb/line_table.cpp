// SPDX-License-Identifier: MIT
#include "pdb/line_table.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>

#include "base/shared_cache.hpp"
#include "pdb/breadth_first.hpp"
#include "pdb/regions.hpp"
#include "puzzle/direction.hpp"

namespace tessera {
namespace {

using Counts = LineIndex::Counts;

Counts kinds(std::uint32_t symbols, int count) {
  Counts counts{};
  for (int i = 0; i < count; ++i) ++counts[symbols >> (2 * i) & 3U];
  return counts;
}

std::vector<int> quarter_order(Size size) {
  std::vector<int> cells(static_cast<std::size_t>(size.cells()));
  std::iota(cells.begin(), cells.end(), 0);
  const auto quarter = [&](int cell) {
    return 2 * (2 * size.row(cell) / size.height) + 2 * size.column(cell) / size.width;
  };
  std::ranges::stable_sort(cells, {}, quarter);
  return cells;
}

// Rings from the edge to the middle, clockwise; the first starts below the corner, so that only one
// arc has two corners.
std::vector<int> spiral_order(Size size) {
  constexpr std::array clockwise{Direction::right, Direction::down, Direction::left, Direction::up};
  std::vector<int> cells{0};
  CellSet left = Regions(size).all() & ~cell_bit(0);
  for (std::size_t turns = 0; left != 0;) {
    const auto direction = static_cast<int>(clockwise[turns % clockwise.size()]);
    const int next = cells.back() + size.offset(direction);
    if (size.has_neighbor(cells.back(), direction) && (left & cell_bit(next)) != 0) {
      cells.push_back(next);
      left &= ~cell_bit(next);
    } else {
      ++turns;
    }
  }
  const auto rim_end = cells.begin() + 2 * (size.width + size.height) - 4;
  std::rotate(cells.begin(), rim_end - 1, rim_end);
  return cells;
}

// Colors by home cell. Kinds are sorted by their number of tiles, so that one index serves as many
// colorings of a board as possible.
std::array<std::uint8_t, max_line_cells> colors_of(const LineTableKey& key) {
  const int cells = key.size.cells();
  const std::vector<int> order =
      key.coloring == LineColoring::quarters ? quarter_order(key.size) : spiral_order(key.size);
  // Relative to the goal's blank: a goal and the same goal upside down have the same colors.
  const bool turned = 2 * key.goal_blank >= cells;
  std::array<std::uint8_t, max_line_cells> colors{};
  Counts counts{};
  for (int i = 0; i < cells; ++i) {
    const int cell = order[static_cast<std::size_t>(i)];
    const int home = turned ? cells - 1 - cell : cell;
    const int color = 4 * i / cells;
    colors[static_cast<std::size_t>(home)] = static_cast<std::uint8_t>(color);
    if (home != key.goal_blank) ++counts[static_cast<std::size_t>(color)];
  }
  std::array<std::size_t, 4> by_count{0, 1, 2, 3};
  std::ranges::stable_sort(by_count, {}, [&](std::size_t kind) { return counts[kind]; });
  std::array<std::uint8_t, 4> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[by_count[i]] = static_cast<std::uint8_t>(i);
  for (std::uint8_t& color : colors) color = names[color];
  return colors;
}

std::uint32_t goal_sequence(const LineTableKey& key,
                            const std::array<std::uint8_t, max_line_cells>& colors) {
  std::uint32_t sequence = 0;
  int place = 0;
  for (int cell = 0; cell < key.size.cells(); ++cell) {
    if (cell == key.goal_blank) continue;
    sequence |= std::uint32_t{colors[static_cast<std::size_t>(cell)]} << (2 * place++);
  }
  return sequence;
}

class Builder {
 public:
  explicit Builder(const LineTableKey& key)
      : size_(key.size),
        space_(key),
        step_(key.size.width),
        states_(std::size_t{space_.index->size()} * static_cast<std::size_t>(size_.height)),
        buffer_(states_),
        values_(buffer_.bytes().data()) {
    std::fill_n(values_, states_, line_unreached);
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
  using Value = std::atomic_ref<std::uint8_t>;

  [[nodiscard]] std::size_t place(std::uint32_t sequence, int row) const {
    return static_cast<std::size_t>(row) * space_.index->size() + space_.index->rank(sequence);
  }
  [[nodiscard]] Value value(std::size_t place) { return Value(values_[place]); }

  // Calls visit(sequence, row, place) for the states of an upper half with this value.
  template <class Visit>
  void for_states(std::uint32_t upper, std::uint8_t wanted, const Visit& visit) {
    const auto lower_halves = space_.index->lower_halves(upper);
    if (lower_halves.empty()) return;
    const std::uint32_t high = upper << LineIndex::lower_bits;
    for (int row = 0; row < size_.height; ++row) {
      std::size_t at = place(high | lower_halves.front(), row);
      for (const std::uint16_t lower : lower_halves) {
        if (value(at).load(std::memory_order_relaxed) == wanted) visit(high | lower, row, at);
        ++at;
      }
    }
  }

  // Calls visit(value) for the states reached by one vertical move, until it returns true.
  template <class Visit>
  void for_neighbors(std::uint32_t sequence, int row, const Visit& visit) {
    for (int column = 0; column < size_.width; ++column) {
      std::uint64_t word = sequence;
      for (int r = row; r > 0; --r) {
        word = step_.up(word, (r - 1) * size_.width + column);
        if (visit(value(place(static_cast<std::uint32_t>(word), r - 1)))) return;
      }
      word = sequence;
      for (int r = row; r + 1 < size_.height; ++r) {
        word = step_.down(word, r * size_.width + column);
        if (visit(value(place(static_cast<std::uint32_t>(word), r + 1)))) return;
      }
    }
  }

  std::uint64_t pushed(std::uint32_t upper, std::uint8_t depth) {
    std::uint64_t found = 0;
    for_states(upper, depth, [&](std::uint32_t sequence, int row, std::size_t) {
      for_neighbors(sequence, row, [&](Value neighbor) {
        std::uint8_t known = neighbor.load(std::memory_order_relaxed);
        if (known == line_unreached &&
            neighbor.compare_exchange_strong(known, static_cast<std::uint8_t>(depth + 1),
                                             std::memory_order_relaxed)) {
          ++found;
        }
        return false;
      });
    });
    return found;
  }

  std::uint64_t pulled(std::uint32_t upper, std::uint8_t depth) {
    std::uint64_t found = 0;
    for_states(upper, line_unreached, [&](std::uint32_t sequence, int row, std::size_t at) {
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
  LineSpace space_;
  LineStep step_;
  std::size_t states_;
  LargeBuffer buffer_;
  std::uint8_t* values_;
};

}  // namespace

LineTableKey line_table_key(Size size, int goal_blank, LineAxis axis, LineColoring coloring) {
  if (axis == LineAxis::vertical) return {size, goal_blank, coloring};
  return {{size.height, size.width},
          size.column(goal_blank) * size.height + size.row(goal_blank),
          coloring};
}

LineIndex::LineIndex(const Counts& counts) {
  const int symbols = std::accumulate(counts.begin(), counts.end(), 0);
  const int lower = std::min(symbols, lower_symbols);
  place_.resize(std::size_t{1} << (2 * lower));
  base_.resize(std::size_t{1} << (2 * (symbols - lower)));
  group_.resize(base_.size());
  lower_.resize(1);  // group 0 is empty: for upper halves without lower ones
  std::map<Counts, std::uint16_t> groups;
  for (std::uint32_t half = 0; half < place_.size(); ++half) {
    const auto [found, is_new] =
        groups.try_emplace(kinds(half, lower), static_cast<std::uint16_t>(lower_.size()));
    if (is_new) lower_.emplace_back();
    std::vector<std::uint16_t>& group = lower_[found->second];
    place_[half] = static_cast<std::uint16_t>(group.size());
    group.push_back(static_cast<std::uint16_t>(half));
  }
  for (std::uint32_t half = 0; half < base_.size(); ++half) {
    Counts rest = counts;
    const Counts used = kinds(half, symbols - lower);
    for (std::size_t kind = 0; kind < rest.size(); ++kind) rest[kind] -= used[kind];
    const auto found = groups.find(rest);
    if (found == groups.end()) continue;
    group_[half] = found->second;
    base_[half] = size_;
    size_ += static_cast<std::uint32_t>(lower_[found->second].size());
  }
}

std::shared_ptr<const LineIndex> LineIndex::shared(const Counts& counts) {
  static SharedCache<Counts, LineIndex> known(4);
  return known.get(counts, [&] { return std::make_shared<const LineIndex>(counts); });
}

LineSpace::LineSpace(const LineTableKey& key)
    : colors(colors_of(key)),
      goal(goal_sequence(key, colors)),
      index(LineIndex::shared(kinds(goal, key.size.cells() - 1))) {}

LargeBuffer build_line_table(const LineTableKey& key, int threads, const TableProgress& progress) {
  return Builder(key).build(threads, progress);
}

TableRequest line_request(const LineTableKey& key) {
  const std::uint64_t entries =
      std::uint64_t{LineSpace(key).index->size()} * static_cast<std::uint64_t>(key.size.height);
  return {{TableKind::lines, key.size, Metric::multi, static_cast<std::uint64_t>(key.coloring),
           std::uint64_t{1} << key.goal_blank},
          {entries, entries, entries},
          std::bind_front(build_line_table, key)};
}

std::vector<TableRequest> line_requests(Size size, int goal_blank) {
  std::vector<TableRequest> requests;
  for (const LineAxis axis : {LineAxis::vertical, LineAxis::horizontal}) {
    for (const LineColoring coloring : line_colorings) {
      add_once(requests, line_request(line_table_key(size, goal_blank, axis, coloring)));
    }
  }
  return requests;
}

}  // namespace tessera
