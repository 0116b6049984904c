// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pdb/table_store.hpp"

namespace tessera {

/// Identifies a table of walking distance (Takahashi) along one axis: `lines` lines of `length`
/// cells, and the line in which the blank ends. The same lines in reverse order have the same
/// distances, so blank_home < lines - 1 - blank_home or equal.
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

/// Walking distance along an axis, step by step.
///
/// A large table has one bit per state. A step changes the distance d by exactly one, and the
/// blank's line says whether it is even; so d / 2 mod 2, the bit, says whether it rose or fell. A
/// state's distance is found once, by walking to the goal; then each step updates it.
///
/// A small table links each state, which is then its rank, to the next ones instead: one read.
class WalkingTable {
 public:
  using State = WalkingIndex::State;

  /// `file` is a large table, null for a small one.
  WalkingTable(const WalkingKey& key, std::shared_ptr<const Table> file);
  WalkingTable(const WalkingTable&) = delete;
  WalkingTable& operator=(const WalkingTable&) = delete;

  [[nodiscard]] static int distance(State state) {
    return static_cast<int>(state >> WalkingIndex::distance_shift);
  }
  /// The state after a step, as for WalkingIndex::slid.
  [[nodiscard, gnu::always_inline]] State after(State state, int blank, int next, int home) const {
    if (links_ != nullptr) return expanded(links_[place(state, next > blank, home)]);
    const State moved = index_->slid(state, blank, next, home);
    return stepped(moved, index_->rank(moved));
  }
  /// The same in three parts, so that a search can prefetch the bits of many states.
  [[nodiscard]] State slid(State state, int blank, int next, int home) const {
    if (links_ != nullptr) return expanded(links_[place(state, next > blank, home)]);
    return index_->slid(state, blank, next, home);
  }
  [[nodiscard]] std::uint32_t prefetched(State slid) const {
    if (links_ != nullptr) return 0;
    const std::uint32_t rank = index_->rank(slid);
    __builtin_prefetch(bits_ + rank / 8);
    return rank;
  }
  [[nodiscard]] State stepped(State slid, std::uint32_t rank) const {
    if (links_ != nullptr) return slid;
    constexpr int shift = WalkingIndex::distance_shift;
    const State falls = (slid >> (shift + 1) ^ slid >> shift ^ bit(rank)) & 1;
    return slid + (State{1} << shift) - (falls << (shift + 1));
  }
  /// The state with these rows, with its distance.
  [[nodiscard]] State start(WalkingIndex::Rows rows) const;

 private:
  // A rank, and above it the distance.
  using Link = std::uint32_t;
  static constexpr int link_shift = 24;
  [[nodiscard]] static State expanded(Link link) {
    return (link & ((Link{1} << link_shift) - 1)) | static_cast<State>(link >> link_shift)
                                                        << WalkingIndex::distance_shift;
  }
  [[nodiscard]] std::size_t place(State rank, bool from_behind, int home) const {
    const auto number = static_cast<std::uint32_t>(rank);  // without the distance
    return (2 * std::size_t{number} + (from_behind ? 1 : 0)) * lines_ +
           static_cast<std::size_t>(home);
  }
  void link();
  [[nodiscard]] State bit(std::uint32_t rank) const { return bits_[rank / 8] >> (rank % 8) & 1; }

  const Link* links_ = nullptr;  // by rank, direction and home line; of a small table
  std::size_t lines_;
  const std::uint8_t* bits_ = nullptr;  // by rank; of a large one
  std::shared_ptr<const WalkingIndex> index_;
  State goal_;
  WalkingKey key_;
  std::shared_ptr<const Table> file_;
  std::vector<Link> own_links_;
  std::vector<Link> self_;  // by rank
};

/// A bit per state; empty if `progress` stopped it. Memory while it is built: a byte and a bit per
/// state.
[[nodiscard]] LargeBuffer build_walking_table(const WalkingKey& key, int threads,
                                              const TableProgress& progress = {});

/// The request for a table; none for a small one, which each process builds in a moment.
[[nodiscard]] std::vector<TableRequest> walking_requests(const WalkingKey& key);

}  // namespace tessera
