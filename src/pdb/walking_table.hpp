// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "pdb/table_store.hpp"
#include "pdb/walking_index.hpp"

namespace tessera {

/// What a table with escapes has for a state: for each line, how many of the tiles at home in it
/// can leave it on a way to the goal as long as the distance, two longer, and four longer. M.
/// Spiegel (2026) names it the escape condition.
///
///     bit 63   60                40                20                 0
///         | d / 2 | four longer   | two longer      | d: line 4 | ... 0 |
///
/// Bit i of a line's four: more than i tiles can.
struct WalkingEscapes {
  static constexpr int most_lines = 5;
  static constexpr int most_tiles = 4;  ///< of a line that have to leave it: one can stay
  static constexpr int lengths = 3;
  static constexpr int bits = most_lines * most_tiles;
  static constexpr int distance_bit = 60;

  /// The bit for that many tiles; 0 for none.
  [[nodiscard]] static constexpr std::uint64_t one(int line, std::uint64_t tiles) {
    return (std::uint64_t{1} << tiles >> 1) << (most_tiles * line);
  }
  /// One more for a line.
  [[nodiscard]] static constexpr std::uint64_t one_more(std::uint64_t word, int line) {
    const std::uint64_t all = ((std::uint64_t{1} << most_tiles) - 1) << (most_tiles * line);
    return word | ((word & all) << 1 & all) | one(line, 1);
  }
};

/// Walking distance along an axis, step by step.
///
/// A large table has one bit per state. A step changes the distance d by exactly one, and the
/// blank's line says whether it is even; so d / 2 mod 2, the bit, says whether it rose or fell. A
/// state's distance is found once, by walking to the goal; then each step updates it.
///
/// A small table links each state, which is then the place of its links, to the next ones instead:
/// one read.
///
/// A table with escapes has a word per state, and the distance is that of a way on which, for each
/// line, as many of the tiles at home in it leave it as have to. It changes by one per step, too.
class WalkingTable {
 public:
  using State = WalkingIndex::State;

  /// `file` is a large table or, as its key says, one with escapes; null for a small one.
  WalkingTable(const WalkingKey& key, std::shared_ptr<const Table> file);
  WalkingTable(const WalkingTable&) = delete;
  WalkingTable& operator=(const WalkingTable&) = delete;

  /// Of its file; 0 for a small table.
  [[nodiscard]] std::uint64_t file_bytes() const { return file_ ? file_->bytes() : 0; }
  /// False once a change of its file was noticed.
  [[nodiscard]] bool is_unchanged() const { return !file_ || file_->is_unchanged(); }

  [[nodiscard]] static int distance(State state) {
    return static_cast<int>(state >> WalkingIndex::distance_shift);
  }
  /// The state after a step, as for WalkingIndex::slid.
  [[nodiscard, gnu::always_inline]] State after(State state, int blank, int next, int home) const {
    if (is_linked()) return linked(state, link_number(next > blank, home));
    const State moved = index_->slid(state, blank, next, home);
    return stepped(moved, index_->rank(moved));
  }
  /// Whether it is a small table.
  [[nodiscard]] bool is_linked() const { return links_ != nullptr; }
  /// `after` of a small table, by the number of the step.
  [[nodiscard, gnu::always_inline]] State linked(State state, unsigned number) const {
    return expanded(links_[static_cast<std::uint32_t>(state) + number]);
  }
  /// Of a step to a line before the blank's or behind it.
  [[nodiscard]] unsigned link_number(bool is_behind, int home) const {
    return (is_behind ? static_cast<unsigned>(lines_) : 0U) + static_cast<unsigned>(home);
  }
  /// The same in three parts, so that a search can prefetch the bits of many states.
  [[nodiscard]] State slid(State state, int blank, int next, int home) const {
    if (is_linked()) return linked(state, link_number(next > blank, home));
    return index_->slid(state, blank, next, home);
  }
  [[nodiscard]] std::uint32_t prefetched(State slid) const {
    if (links_ != nullptr) return 0;
    const std::uint32_t rank = index_->rank(slid);
    if (escapes_ != nullptr) __builtin_prefetch(escapes_ + rank);
    else __builtin_prefetch(bits_ + rank / 8);
    return rank;
  }
  [[nodiscard]] State stepped(State slid, std::uint32_t rank) const {
    if (links_ != nullptr) return slid;
    constexpr int shift = WalkingIndex::distance_shift;
    const State now = escapes_ != nullptr ? escape_bit(slid, rank) : bit(rank);
    const State falls = (slid >> (shift + 1) ^ slid >> shift ^ now) & 1;
    return slid + (State{1} << shift) - (falls << (shift + 1));
  }
  /// With escapes: how many of the tiles that are in their home line have to leave it.
  [[nodiscard]] static State demanding(State state, int line, int tiles) {
    const int shift = demand_shift + demand_bits * line;
    const State others = state & ~(((State{1} << demand_bits) - 1) << shift);
    return others | static_cast<State>(tiles) << shift;
  }
  /// The state with these rows, with its distance. With escapes, `demands` are those of the lines.
  [[nodiscard]] State start(WalkingIndex::Rows rows, State demands = 0) const;

 private:
  // The place of a state's links, and above it the distance.
  using Link = std::uint32_t;
  static constexpr int link_shift = 24;
  [[nodiscard]] static State expanded(Link link) {
    return (link & ((Link{1} << link_shift) - 1)) | static_cast<State>(link >> link_shift)
                                                        << WalkingIndex::distance_shift;
  }
  [[nodiscard]] Link place(std::uint32_t rank) const {
    return rank * 2 * static_cast<Link>(lines_);
  }
  void link();
  // Half of what the demands add to the distance.
  [[nodiscard]] State surcharge(State state, std::uint32_t rank) const {
    State wanted = 0;
    for (int line = 0; line < WalkingEscapes::most_lines; ++line) {
      const State tiles = state >> (demand_shift + demand_bits * line) & ((1 << demand_bits) - 1);
      wanted |= WalkingEscapes::one(line, tiles);
    }
    State added = 0;
    for (int longer = 0; longer < WalkingEscapes::lengths; ++longer)
      added += (wanted & ~(escapes_[rank] >> (WalkingEscapes::bits * longer))) != 0 ? 1 : 0;
    return added;
  }
  [[nodiscard]] State escape_bit(State state, std::uint32_t rank) const {
    return (escapes_[rank] >> WalkingEscapes::distance_bit ^ surcharge(state, rank)) & 1;
  }
  [[nodiscard]] State bit(std::uint32_t rank) const { return bits_[rank / 8] >> (rank % 8) & 1; }

  static constexpr int demand_shift = 8 * WalkingEscapes::most_lines;
  static constexpr int demand_bits = 3;

  const Link* links_ = nullptr;  // by rank and link_number; of a small table
  std::size_t lines_;
  const std::uint8_t* bits_ = nullptr;      // by rank; of a large one
  const std::uint64_t* escapes_ = nullptr;  // by rank; with escapes
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

/// The request for a table; none for a small one, which each process builds in a moment. With
/// escapes, for at most five lines of at most five cells: a WalkingEscapes word per state. Memory
/// while that is built: nine bytes per state.
[[nodiscard]] std::optional<TableRequest> walking_request(const WalkingKey& key, bool with_escapes);

}  // namespace tessera
