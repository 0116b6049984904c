// SPDX-License-Identifier: MIT
#include "pdb/walking_index.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "base/shared_cache.hpp"

namespace tessera {
namespace {

using WalkingRow = WalkingIndex::Row;

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

}  // namespace

WalkingFilling::WalkingFilling(const WalkingKey& key) {
  const std::vector<WalkingRow> rows = rows_of(key);
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

WalkingIndex::WalkingIndex(const WalkingKey& key) : lines_(key.lines), counts_(rows_of(key)) {
  const WalkingFilling filling(key);
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

std::shared_ptr<const WalkingIndex> walking_index(const WalkingKey& key) {
  static SharedCache<WalkingKey, WalkingIndex> known(4);
  return known.get(key, [&] { return std::make_shared<const WalkingIndex>(key); });
}

WalkingIndex::State walking_goal(const WalkingKey& key, const WalkingIndex& index) {
  std::vector<WalkingRow> rows;
  for (int line = 0; line < key.lines; ++line) {
    const int tiles = key.length - (line == key.blank_home ? 1 : 0);
    rows.push_back(static_cast<WalkingRow>(tiles) * one_tile(line));
  }
  return index.state_of(rows);
}

}  // namespace tessera
