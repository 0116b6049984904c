// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "pdb/breadth_first.hpp"
#include "pdb/walking_table.hpp"

namespace tessera {
namespace {

using WalkingState = WalkingIndex::State;

// The distance of each state, by rank.
class WalkingDistances {
 public:
  explicit WalkingDistances(const WalkingKey& key)
      : key_(key), filling_(key), index_(walking_index(key)), values_(index_->size()) {
    std::ranges::fill(values_.bytes(), unreached);
    values_.bytes()[index_->rank(walking_goal(key, *index_))] = 0;
    for (const WalkingFilling::Edge& first : filling_.levels[0][0].edges) {
      for (const WalkingFilling::Edge& second : filling_.levels[1][first.next].edges) {
        starts_.push_back({first.row | second.row << 8, second.next, first.rank + second.rank});
      }
    }
  }

  [[nodiscard]] std::uint32_t size() const { return index_->size(); }
  [[nodiscard]] const WalkingIndex& index() const { return *index_; }
  [[nodiscard]] int at(std::uint32_t rank) const { return values_.bytes()[rank]; }

  /// False if `progress` stopped it.
  [[nodiscard]] bool find(int threads, const TableProgress& progress) {
    return by_depth(threads, progress, [&](WalkingState state, std::uint32_t, int depth) {
      std::uint64_t found = 0;
      for_walking_steps(*index_, state, key_.lines, [&](WalkingState next, int, int) {
        found += reach(value(index_->rank(next)), depth + 1) ? 1 : 0;
        return false;
      });
      return found;
    });
  }

  /// Calls visit(state, rank, distance) for all states, by distance; it returns how many states it
  /// has found or done. False if `progress` stopped it.
  template <class Visit>
  [[nodiscard]] bool by_depth(int threads, const TableProgress& progress, const Visit& visit) {
    return search_by_depth(starts_.size(), size(), threads, progress, [&](const Depth& depth) {
      return [&, distance = depth.moves](std::uint64_t chunk) {
        const Start& start = starts_[chunk];
        return below(2, start.node, start.state, start.rank, distance, visit);
      };
    });
  }

 private:
  struct Start {
    WalkingState state;
    std::size_t node;  // of level 2
    std::uint32_t rank;
  };

  [[nodiscard]] std::atomic_ref<std::uint8_t> value(std::uint32_t rank) {
    return std::atomic_ref(values_.bytes()[rank]);
  }
  [[nodiscard]] bool any_at(std::uint32_t rank, std::uint32_t count, int depth) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (value(rank + i).load(std::memory_order_relaxed) == depth) return true;
    }
    return false;
  }

  // Visits the states of this depth below a node.
  template <class Visit>
  std::uint64_t below(std::size_t line, std::size_t number, WalkingState state, std::uint32_t rank,
                      int depth, const Visit& visit) {
    const WalkingFilling::Node& node = filling_.levels[line][number];
    constexpr std::uint32_t few = 256;  // soon looked through
    if (node.states <= few && !any_at(rank, node.states, depth)) return 0;
    std::uint64_t done = 0;
    for (const WalkingFilling::Edge& edge : node.edges) {
      done += below(line + 1, edge.next, state | static_cast<WalkingState>(edge.row) << (8 * line),
                    rank + edge.rank, depth, visit);
    }
    return line < filling_.levels.size() - 1 ? done : visit(state, rank, depth);
  }

  WalkingKey key_;
  WalkingFilling filling_;
  std::shared_ptr<const WalkingIndex> index_;
  LargeBuffer values_;
  std::vector<Start> starts_;  // by the first two rows
};

TableKey table_key(TableKind kind, const WalkingKey& key) {
  return {kind, {key.length, key.lines}, Metric::single, 0, std::uint64_t{1} << key.blank_home};
}

// On a way that is 2 k longer than the distance d, the first step leads to a state whose distance
// is d - 1, and the rest is 2 k longer than that, too, or to one of d + 1, and the rest is 2 (k -
// 1) longer. So the words are found by distance, once for each k.
LargeBuffer build_escape_table(const WalkingKey& key, int threads, const TableProgress& progress) {
  constexpr double finding = 0.2;  // of the time
  constexpr double sweep = (1 - finding) / WalkingEscapes::lengths;
  WalkingDistances distances(key);
  if (!distances.find(threads, progress.part(0, finding))) return {};
  LargeBuffer table(sizeof(std::uint64_t) * distances.size());
  const std::span<std::uint64_t> words{reinterpret_cast<std::uint64_t*>(table.bytes().data()),
                                       distances.size()};
  for (int longer = 0; longer < WalkingEscapes::lengths; ++longer) {
    const int shift = WalkingEscapes::bits * longer;
    const int shorter = shift - WalkingEscapes::bits;
    constexpr std::uint64_t mask = (std::uint64_t{1} << WalkingEscapes::bits) - 1;
    const auto visit = [&](WalkingState state, std::uint32_t rank, int depth) {
      std::uint64_t escapes = longer > 0 ? words[rank] >> shorter & mask : 0;
      const auto add = [&](WalkingState after, int line, int home) {
        const std::uint32_t next = distances.index().rank(after);
        const bool nearer = distances.at(next) < depth;
        if (!nearer && longer == 0) return false;
        const std::uint64_t rest = words[next] >> (nearer ? shift : shorter) & mask;
        escapes |= home == line ? WalkingEscapes::one_more(rest, line) : rest;
        return false;
      };
      for_walking_steps(distances.index(), state, key.lines, add);
      words[rank] |= escapes << shift;
      return std::uint64_t{1};
    };
    const double begin = finding + sweep * longer;
    if (!distances.by_depth(threads, progress.part(begin, begin + sweep), visit)) return {};
  }
  for (std::uint32_t i = 0; i < distances.size(); ++i) {
    words[i] |= static_cast<std::uint64_t>(distances.at(i) >> 1 & 1)
                << WalkingEscapes::distance_bit;
  }
  return table;
}

}  // namespace

LargeBuffer build_walking_table(const WalkingKey& key, int threads, const TableProgress& progress) {
  WalkingDistances distances(key);
  if (!distances.find(threads, progress)) return {};
  LargeBuffer bits((distances.size() + 7) / 8);
  for (std::uint32_t i = 0; i < distances.size(); ++i) {
    bits.bytes()[i / 8] |= static_cast<std::uint8_t>((distances.at(i) >> 1 & 1) << (i % 8));
  }
  return bits;
}

std::optional<TableRequest> walking_request(const WalkingKey& key, bool with_escapes) {
  constexpr std::uint64_t small = 400'000;
  const std::uint64_t states = walking_index(key)->size();
  if (!with_escapes && states <= small) return {};
  const std::uint64_t bytes = with_escapes ? sizeof(std::uint64_t) * states : (states + 7) / 8;
  return TableRequest{
      table_key(with_escapes ? TableKind::escapes : TableKind::walking, key),
      {states, bytes, states + bytes},
      std::bind_front(with_escapes ? build_escape_table : build_walking_table, key)};
}

}  // namespace tessera
