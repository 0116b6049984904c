// SPDX-License-Identifier: MIT
#include "pdb/walking_table.hpp"

#include <algorithm>
#include <atomic>
#include <unordered_map>

#include "base/error.hpp"
#include "base/shared_cache.hpp"
#include "pdb/breadth_first.hpp"

namespace tessera {
namespace {

using WalkingState = WalkingIndex::State;
using WalkingRow = WalkingIndex::Row;

constexpr std::uint8_t walking_unreached = 255;

constexpr WalkingRow one_tile(int home) {
  return WalkingRow{1} << (8 * home);
}

// Appends all rows that have `left` tiles more than `row`, in home lines from `home` on.
void add_rows(std::vector<WalkingRow>& rows, WalkingRow row, int home, int left) {
  if (home == 0) {
    rows.push_back(row + static_cast<WalkingRow>(left));
    return;
  }
  for (int count = 0; count <= left; ++count) {
    add_rows(rows, row + static_cast<WalkingRow>(count) * one_tile(home), home - 1, left - count);
  }
}

// The rows by number, full ones first.
std::vector<WalkingRow> rows_of(const WalkingKey& key) {
  std::vector<WalkingRow> rows;
  add_rows(rows, 0, key.lines - 1, key.length);
  add_rows(rows, 0, key.lines - 1, key.length - 1);
  return rows;
}

// Every way to fill the lines one after another: a node of level i is what is left over for the
// lines from i on.
struct WalkingFilling {
  struct Edge {
    std::size_t row;
    std::size_t next;    // node of the next level
    std::uint32_t rank;  // the number of states with an earlier edge
  };
  struct Node {
    std::vector<Edge> edges;
    std::uint32_t states = 0;
  };
  std::vector<std::vector<Node>> levels;

  WalkingFilling(const WalkingKey& key, const std::vector<WalkingRow>& rows) {
    WalkingRow all = 0;
    for (int home = 0; home < key.lines; ++home) {
      all += static_cast<WalkingRow>(key.length) * one_tile(home);
    }
    using Numbers = std::unordered_map<WalkingRow, std::size_t>;
    Numbers known{{all - one_tile(key.blank_home), 0}};
    for (int line = 0; line < key.lines; ++line) {
      std::vector<Node>& level = levels.emplace_back(known.size());
      Numbers next;
      for (const auto& [left, number] : known) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
          constexpr WalkingRow top = 0x8080808080808080;  // bits that a missing tile clears
          const WalkingRow rest = (left | top) - rows[row];
          if ((rest & top) != top) continue;
          const auto node = next.try_emplace(rest ^ top, next.size()).first;
          level[number].edges.push_back({row, node->second, 0});
        }
      }
      known = std::move(next);
    }
    levels.emplace_back(known.size())[known.at(0)].states = 1;
    for (std::size_t line = levels.size() - 1; line-- > 0;) {
      const std::vector<Node>& next = levels[line + 1];
      for (Node& node : levels[line]) {
        std::erase_if(node.edges, [&](const Edge& edge) { return next[edge.next].states == 0; });
        for (Edge& edge : node.edges) {
          edge.rank = node.states;
          node.states += next[edge.next].states;
        }
      }
    }
  }
};

// Shared by all callers with the same key.
std::shared_ptr<const WalkingIndex> shared_index(const WalkingKey& key) {
  static SharedCache<WalkingKey, WalkingIndex> known(4);
  return known.get(key, [&] { return std::make_shared<const WalkingIndex>(key); });
}

WalkingState goal_of(const WalkingKey& key, const WalkingIndex& index) {
  std::vector<WalkingRow> rows;
  for (int line = 0; line < key.lines; ++line) {
    const int tiles = key.length - (line == key.blank_home ? 1 : 0);
    rows.push_back(static_cast<WalkingRow>(tiles) * one_tile(line));
  }
  return index.state_of(rows);
}

// Calls visit(state, behind, home) for the states after a step, until it returns true.
template <class Visit>
void for_steps(const WalkingIndex& index, WalkingState state, int lines, const Visit& visit) {
  const int blank = index.blank_line(state);
  for (const bool behind : {false, true}) {
    const int next = behind ? blank + 1 : blank - 1;
    if (next < 0 || next >= lines) continue;
    for (int home = 0; home < lines; ++home) {
      if (!index.has(state, next, home)) continue;
      if (visit(index.slid(state, blank, next, home), behind, home)) return;
    }
  }
}

class WalkingBuilder {
 public:
  explicit WalkingBuilder(const WalkingKey& key)
      : key_(key), filling_(key, rows_of(key)), index_(shared_index(key)), values_(index_->size()) {
    std::ranges::fill(values_.bytes(), walking_unreached);
    values_.bytes()[index_->rank(goal_of(key, *index_))] = 0;
    for (const WalkingFilling::Edge& first : filling_.levels[0][0].edges) {
      for (const WalkingFilling::Edge& second : filling_.levels[1][first.next].edges) {
        starts_.push_back({first.row | second.row << 8, second.next, first.rank + second.rank});
      }
    }
  }

  LargeBuffer build(int threads, const TableProgress& progress) {
    const bool whole =
        search_by_depth(starts_.size(), index_->size(), threads, progress, [&](const Depth& depth) {
          return [&, moves = static_cast<std::uint8_t>(depth.moves)](std::uint64_t chunk) {
            const Start& start = starts_[chunk];
            return expanded(2, start.node, start.state, start.rank, moves);
          };
        });
    if (!whole) return {};
    LargeBuffer bits((index_->size() + 7) / 8);
    for (std::size_t i = 0; i < index_->size(); ++i) {
      bits.bytes()[i / 8] |= static_cast<std::uint8_t>((values_.bytes()[i] >> 1 & 1) << (i % 8));
    }
    return bits;
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
  [[nodiscard]] bool any_at(std::uint32_t rank, std::uint32_t count, std::uint8_t depth) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (value(rank + i).load(std::memory_order_relaxed) == depth) return true;
    }
    return false;
  }

  // Reaches the neighbors of the states of this depth below a node; returns how many are new.
  std::uint64_t expanded(std::size_t line, std::size_t number, WalkingState state,
                         std::uint32_t rank, std::uint8_t depth) {
    const WalkingFilling::Node& node = filling_.levels[line][number];
    constexpr std::uint32_t few = 256;  // soon looked through
    if (node.states <= few && !any_at(rank, node.states, depth)) return 0;
    std::uint64_t found = 0;
    for (const WalkingFilling::Edge& edge : node.edges) {
      found +=
          expanded(line + 1, edge.next, state | static_cast<WalkingState>(edge.row) << (8 * line),
                   rank + edge.rank, depth);
    }
    if (line < filling_.levels.size() - 1) return found;
    for_steps(*index_, state, key_.lines, [&](WalkingState next, bool, int) {
      const auto neighbor = value(index_->rank(next));
      std::uint8_t known = neighbor.load(std::memory_order_relaxed);
      if (known == walking_unreached &&
          neighbor.compare_exchange_strong(known, static_cast<std::uint8_t>(depth + 1),
                                           std::memory_order_relaxed)) {
        ++found;
      }
      return false;
    });
    return found;
  }

  WalkingKey key_;
  WalkingFilling filling_;
  std::shared_ptr<const WalkingIndex> index_;
  LargeBuffer values_;
  std::vector<Start> starts_;  // by the first two rows
};

}  // namespace

WalkingIndex::WalkingIndex(const WalkingKey& key) : lines_(key.lines), counts_(rows_of(key)) {
  const WalkingFilling filling(key, counts_);
  rows_ = counts_.size();
  size_ = filling.levels[0][0].states;
  if (lines_ > most_lines || rows_ > no_row) internal_failure("walking: too many lines or rows");

  std::unordered_map<WalkingRow, std::size_t> numbers;
  for (std::size_t row = 0; row < rows_; ++row) numbers[counts_[row]] = row;
  one_more_.assign(rows_ * stride, no_row);
  one_less_.assign(rows_ * stride, no_row);
  full_rows_ = rows_;
  for (std::size_t row = 0; row < rows_; ++row) {
    for (int home = 0; home < lines_; ++home) {
      const auto full = numbers.find(counts_[row] + one_tile(home));
      if (full == numbers.end()) continue;  // the row is full
      full_rows_ = std::min(full_rows_, row);
      const auto h = static_cast<std::size_t>(home);
      one_more_[row * stride + h] = static_cast<std::uint8_t>(full->second);
      one_less_[full->second * stride + h] = static_cast<std::uint8_t>(row);
    }
  }

  // Nodes of the lines in the middle, level by level.
  std::vector<std::size_t> base{0, 0, 0};
  for (std::size_t level = 2; level + 3 < filling.levels.size(); ++level) {
    base.push_back(base.back() + filling.levels[level].size() * rows_);
  }
  middle_.resize(base.back());
  next_.resize(lines_ > 5 ? base.back() : 0);
  first_.resize(rows_ * rows_);
  last_.resize(rows_ * rows_);
  for (const WalkingFilling::Edge& a : filling.levels[0][0].edges) {
    for (const WalkingFilling::Edge& b : filling.levels[1][a.next].edges) {
      first_[a.row + rows_ * b.row] = {a.rank + b.rank, static_cast<std::uint32_t>(b.next * rows_)};
    }
  }
  const auto last = static_cast<std::size_t>(lines_) - 2;
  for (std::size_t level = 2; level < last; ++level) {
    for (std::size_t node = 0; node < filling.levels[level].size(); ++node) {
      for (const WalkingFilling::Edge& edge : filling.levels[level][node].edges) {
        const std::size_t at = base[level] + node * rows_ + edge.row;
        middle_[at] = edge.rank;
        if (level + 1 < last)
          next_[at] = static_cast<std::uint32_t>(base[level + 1] + edge.next * rows_);
      }
    }
  }
  if (lines_ < 4) return;
  for (const WalkingFilling::Node& node : filling.levels[last]) {
    for (const WalkingFilling::Edge& a : node.edges) {
      const std::size_t b = filling.levels[last + 1][a.next].edges.front().row;
      last_[a.row + rows_ * b] = static_cast<std::uint8_t>(a.rank);
    }
  }
}

WalkingIndex::State WalkingIndex::state_of(Rows rows) const {
  State state = 0;
  for (std::size_t line = 0; line < rows.size(); ++line) {
    const auto found = std::ranges::find(counts_, rows[line]);
    if (found == counts_.end()) internal_failure("walking: a board that the goal does not lead to");
    state |= static_cast<State>(found - counts_.begin()) << (8 * line);
  }
  return state;
}

WalkingTable::WalkingTable(const WalkingKey& key, std::shared_ptr<const Table> file)
    : lines_(static_cast<std::size_t>(key.lines)),
      index_(shared_index(key)),
      goal_(goal_of(key, *index_)),
      key_(key),
      file_(std::move(file)) {
  if (file_) bits_ = file_->data();
  else link();
}

void WalkingTable::link() {
  constexpr Link unknown = ~Link{0};
  own_links_.assign(2 * index_->size() * lines_, unknown);
  links_ = own_links_.data();
  self_.assign(index_->size(), unknown);
  std::vector<State> states{goal_};  // by distance
  self_[index_->rank(goal_)] = index_->rank(goal_);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::uint32_t rank = index_->rank(states[i]);
    const Link farther = (self_[rank] >> link_shift) + 1;
    for_steps(*index_, State{states[i]}, key_.lines, [&](State next, bool behind, int home) {
      const std::uint32_t other = index_->rank(next);
      if (self_[other] == unknown) {
        self_[other] = other | farther << link_shift;
        states.push_back(next);
      }
      own_links_[place(rank, behind, home)] = self_[other];
      return false;
    });
  }
}

WalkingTable::State WalkingTable::start(WalkingIndex::Rows rows) const {
  const State state = index_->state_of(rows);
  const std::uint32_t rank = index_->rank(state);
  if (links_ != nullptr) return expanded(self_[rank]);
  constexpr int shift = WalkingIndex::distance_shift;
  constexpr State far = 128;  // more than any distance, and a multiple of four
  const auto lines = static_cast<State>(std::abs(index_->blank_line(state) - key_.blank_home));
  State way = state | (far + 2 * bit(rank) + lines % 2) << shift;
  State distance = 0;
  for (; (way ^ goal_) << (64 - shift) != 0; ++distance) {
    const State from = way;
    for_steps(*index_, from, key_.lines, [&](State next, bool, int) {
      way = stepped(next, index_->rank(next));
      return way >> shift < from >> shift;
    });
  }
  return state | distance << shift;
}

LargeBuffer build_walking_table(const WalkingKey& key, int threads, const TableProgress& progress) {
  return WalkingBuilder(key).build(threads, progress);
}

std::vector<TableRequest> walking_requests(const WalkingKey& key) {
  constexpr std::uint64_t small = 400'000;
  const std::uint64_t states = shared_index(key)->size();
  if (states <= small) return {};
  const std::uint64_t bytes = (states + 7) / 8;
  return {{{TableKind::walking,
            {key.length, key.lines},
            Metric::single,
            0,
            std::uint64_t{1} << key.blank_home},
           {states, bytes, states + bytes},
           std::bind_front(build_walking_table, key)}};
}

}  // namespace tessera
