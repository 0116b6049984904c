// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tessera {

/// An axis for walking distance (Takahashi): `lines` lines of `length` cells, and the line in which
/// the blank ends. The same lines in reverse order have the same distances, so blank_home is at
/// most lines - 1 - blank_home.
struct WalkingKey {
  int lines = 0;
  int length = 0;
  int blank_home = 0;

  auto operator<=>(const WalkingKey&) const = default;
};

/// Numbers the states: how many tiles with each home line are in each line. A state is a word; byte
/// i is the number of the row of counts of line i:
///
///     bit 63       56                                 8 7        0
///         | distance |   ...   | row 2 |   row 1       |   row 0   |
///
/// A row is full or, in the blank's line, a tile short. The rank of a state is a sum of numbers
/// that are found row by row, since the counts that are left over for the other rows are all that
/// matters. The first two rows are read together; the last two, too, whose number does not depend
/// on those before: 5x5 has 65 million states, and 1.5 MB of numbers to rank them.
class WalkingIndex {
 public:
  using State = std::uint64_t;
  using Row = std::uint64_t;  ///< of counts: a byte per home line
  using Rows = std::span<const Row>;
  static constexpr int most_lines = 7;  ///< the last byte is the distance
  static constexpr int distance_shift = 56;
  static constexpr std::uint8_t no_row = 255;

  explicit WalkingIndex(const WalkingKey& key);

  [[nodiscard]] std::uint32_t size() const { return size_; }

  /// The state after a tile with that home line moved from line `next` to the blank's, `blank`; the
  /// distance remains that of the state before. There must be such a tile.
  [[nodiscard]] State slid(State state, int blank, int next, int home) const {
    const std::size_t to = row(state, blank);
    const std::size_t from = row(state, next);
    const auto h = static_cast<std::size_t>(home);
    return state ^ (to ^ one_more_[to * stride + h]) << (8 * blank) ^
           (from ^ one_less_[from * stride + h]) << (8 * next);
  }
  /// Whether there is such a tile in a line.
  [[nodiscard]] bool has(State state, int line, int home) const {
    return one_less_[row(state, line) * stride + static_cast<std::size_t>(home)] != no_row;
  }
  [[nodiscard]] std::uint32_t rank(State state) const {
    const First& first = first_[row(state, 0) + rows_ * row(state, 1)];
    std::uint32_t rank = first.rank;
    if (lines_ > 4) {
      std::size_t at = first.node + row(state, 2);
      rank += middle_[at];
      for (int line = 3; line + 2 < lines_; ++line) {
        at = next_[at] + row(state, line);
        rank += middle_[at];
      }
    }
    return rank + last_[row(state, lines_ - 2) + rows_ * row(state, lines_ - 1)];
  }
  /// The state with these rows, by line, without its distance.
  [[nodiscard]] State state_of(Rows rows) const;
  [[nodiscard]] int blank_line(State state) const {
    int line = 0;
    while (row(state, line) < full_rows_) ++line;
    return line;
  }

 private:
  static constexpr std::size_t stride = 8;  // of home lines
  struct First {
    std::uint32_t rank = 0;
    std::uint32_t node = 0;
  };
  [[nodiscard]] static std::size_t row(State state, int line) { return state >> (8 * line) & 255; }

  int lines_;
  std::size_t rows_ = 0;
  std::size_t full_rows_ = 0;
  std::uint32_t size_ = 0;
  std::vector<std::uint8_t> one_more_;  // by row and home line: the row with such a tile more
  std::vector<std::uint8_t> one_less_;
  std::vector<First> first_;           // by the first two rows
  std::vector<std::uint32_t> middle_;  // by node and row
  std::vector<std::uint32_t> next_;    // likewise, the next line's node
  std::vector<std::uint8_t> last_;     // by the last two rows
  std::vector<Row> counts_;            // by row
};

/// Every way to fill the lines one after another: a node of level i is what is left over for the
/// lines from i on.
struct WalkingFilling {
  struct Edge {
    std::size_t row;
    std::size_t next;    ///< node of the next level
    std::uint32_t rank;  ///< the number of states with an earlier edge
  };
  struct Node {
    std::vector<Edge> edges;
    std::uint32_t states = 0;
  };
  std::vector<std::vector<Node>> levels;

  explicit WalkingFilling(const WalkingKey& key);
};

/// Shared by all callers with the same key.
[[nodiscard]] std::shared_ptr<const WalkingIndex> walking_index(const WalkingKey& key);

[[nodiscard]] WalkingIndex::State walking_goal(const WalkingKey& key, const WalkingIndex& index);

/// Calls visit(state, next, home) for the states after a step, in which a tile with that home line
/// moved from line `next` to the blank's, until it returns true.
template <class Visit>
void for_walking_steps(const WalkingIndex& index, WalkingIndex::State state, int lines,
                       const Visit& visit) {
  const int blank = index.blank_line(state);
  for (const int next : {blank - 1, blank + 1}) {
    if (next < 0 || next >= lines) continue;
    for (int home = 0; home < lines; ++home) {
      if (!index.has(state, next, home)) continue;
      if (visit(index.slid(state, blank, next, home), next, home)) return;
    }
  }
}

}  // namespace tessera
