// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>

#include "base/memory.hpp"
#include "base/thread_team.hpp"
#include "puzzle/board_hash.hpp"
#include "search/pruning/move_automaton.hpp"

namespace tessera {
namespace {

using Cells = std::array<std::uint8_t, Size::max_cells>;

// One thread's search, start cell by start cell.
class Finder {
 public:
  Finder(Size size, const BoardHash& hash, std::span<const Pruning::Row> rows,
         std::size_t table_bytes, std::function<bool()> go_on)
      : geometry_(size),
        hash_(hash),
        rows_(rows),
        go_on_(std::move(go_on)),
        table_bytes_(std::bit_floor(table_bytes)) {}

  struct Found {
    std::vector<MoveString> duplicates;
    std::uint64_t others = 0;
  };

  // Expects at most `expected` strings, including those two moves shorter. False if stopped.
  bool find(int start, int length, std::uint64_t expected, Found& found) {
    start_ = start;
    found_ = &found;
    std::iota(cells_.begin(), cells_.end(), std::uint8_t{0});
    // At most seven eighths full.
    const std::uint64_t wanted = std::bit_ceil(expected + expected / 7 + 1) * sizeof(Entry);
    const std::uint64_t bytes =
        std::min<std::uint64_t>(table_bytes_, std::max<std::uint64_t>(wanted, 4096));
    if (buffer_.bytes().size() < bytes) buffer_ = LargeBuffer(bytes);
    table_ = reinterpret_cast<Entry*>(buffer_.bytes().data());
    mask_ = bytes / sizeof(Entry) - 1;
    parts_ = std::max<std::uint64_t>(1, wanted / bytes);
    for (part_ = 0; part_ < parts_ && !stopped_; ++part_) {
      std::memset(table_, 0, bytes);
      searching_ = false;
      if (length >= 2) walk(length - 2);
      flush();
      searching_ = true;
      walk(length);
      flush();
    }
    // Parts were searched one after another.
    if (parts_ > 1) std::ranges::sort(found.duplicates);
    return !stopped_;
  }

 private:
  using Entry = std::uint64_t;  // 0: empty; else hash bits above, a MoveString below
  static constexpr int string_bits = 2 * DuplicateMoves::most_length + 1;
  static constexpr Entry string_mask = (Entry{1} << string_bits) - 1;
  static constexpr int part_shift = 32;  // hash bits that neither slot nor entry uses
  static constexpr std::size_t in_flight = 16;
  static constexpr std::uint64_t polled_arrivals = 1 << 18;

  struct Arrival {
    std::uint64_t hash;
    MoveString moves;
  };

  void walk(int length) {
    if (length == 0) arrive(0, no_moves);
    else descend(static_cast<Pruning::State>(start_), start_, length, 0, no_moves);
  }

  void descend(Pruning::State state, int blank, int left, std::uint64_t hash, MoveString moves) {
    if (stopped_) return;
    const Pruning::Row& row = rows_[state];
    for (std::size_t d = 0; d < 4; ++d) {
      if (row[d] == Pruning::none) continue;
      const int next = blank + geometry_.offset(static_cast<int>(d));
      const std::uint8_t tile = cells_[static_cast<std::size_t>(next)];
      const std::uint64_t after = hash ^ hash_.change(tile, next, blank);
      const MoveString string = moves << 2 | d;
      if (left == 1) {
        arrive(after, string);
        continue;
      }
      cells_[static_cast<std::size_t>(blank)] = tile;
      descend(row[d], next, left - 1, after, string);
      cells_[static_cast<std::size_t>(next)] = tile;
    }
  }

  void arrive(std::uint64_t hash, MoveString moves) {
    if ((hash >> part_shift & (parts_ - 1)) != part_) return;
    if (arrived_ % polled_arrivals == polled_arrivals - 1) stopped_ = stopped_ || !go_on_();
    __builtin_prefetch(&table_[hash & mask_], 1);
    if (arrived_ - entered_ == in_flight) enter(arrivals_[entered_++ % in_flight]);
    arrivals_[arrived_++ % in_flight] = {hash, moves};
  }

  void flush() {
    while (entered_ < arrived_) enter(arrivals_[entered_++ % in_flight]);
  }

  void enter(const Arrival& arrival) {
    const Entry tag = arrival.hash & ~string_mask;
    std::size_t slot = arrival.hash & mask_;
    for (; table_[slot] != 0; slot = (slot + 1) & mask_) {
      const Entry entry = table_[slot];
      if ((entry & ~string_mask) != tag) continue;
      if (replayed(entry & string_mask) != replayed(arrival.moves)) continue;
      if (searching_) found_->duplicates.push_back(arrival.moves);
      return;
    }
    table_[slot] = tag | arrival.moves;
    if (searching_) ++found_->others;
  }

  [[nodiscard]] Cells replayed(MoveString moves) const {
    Cells cells{};
    std::iota(cells.begin(), cells.end(), std::uint8_t{0});
    int blank = start_;
    for (int i = static_cast<int>(std::bit_width(moves)) - 3; i >= 0; i -= 2) {
      const int next = blank + geometry_.offset(static_cast<int>(moves >> i & 3));
      std::swap(cells[static_cast<std::size_t>(blank)], cells[static_cast<std::size_t>(next)]);
      blank = next;
    }
    return cells;
  }

  RuntimeGeometry geometry_;
  const BoardHash& hash_;
  std::span<const Pruning::Row> rows_;
  std::function<bool()> go_on_;
  std::size_t table_bytes_;
  LargeBuffer buffer_;
  Entry* table_ = nullptr;
  std::size_t mask_ = 0;
  std::uint64_t parts_ = 1;
  std::uint64_t part_ = 0;
  int start_ = 0;
  bool searching_ = false;
  bool stopped_ = false;
  Found* found_ = nullptr;
  Cells cells_{};
  std::array<Arrival, in_flight> arrivals_{};  // the latest ones, whose slots are being prefetched
  std::uint64_t arrived_ = 0;
  std::uint64_t entered_ = 0;
};

}  // namespace

DuplicateMoves::DuplicateMoves(Size size, int threads, std::size_t table_bytes)
    : size_(size),
      threads_(threads),
      table_bytes_(table_bytes),
      count_(static_cast<std::size_t>(size.cells()), 1),
      count_before_(count_.size(), 0) {}

std::uint64_t DuplicateMoves::strings() const {
  return std::accumulate(count_.begin(), count_.end(), std::uint64_t{0});
}

std::vector<std::vector<MoveString>> DuplicateMoves::next_length(std::span<const Row> rows,
                                                                 const TableProgress& progress) {
  ++length_;
  const std::size_t cells = count_.size();
  // The largest first, so that no thread starts a large one at the end.
  std::vector<std::size_t> order(cells);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [this](std::size_t i) { return count_[i]; });
  const double all = static_cast<double>(strings());
  const BoardHash hash(1);
  std::vector<Finder::Found> found(cells);
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> stopped{false};
  ThreadTeam team(threads_);
  team.run([&](int thread) {
    try {
      Finder finder(size_, hash, rows, table_bytes_, [&] {
        if (thread == 0 && !progress(static_cast<double>(done) / all)) stopped = true;
        return !stopped;
      });
      for (std::size_t i = next++; i < cells && !stopped; i = next++) {
        const std::size_t cell = order[i];
        constexpr std::uint64_t most_ways = 4;  // 3 after the first move
        const std::uint64_t expected =
            count_[cell] * (length_ == 1 ? most_ways : most_ways - 1) + count_before_[cell];
        if (!finder.find(static_cast<int>(cell), length_, expected, found[cell])) stopped = true;
        done += count_[cell];
      }
    } catch (...) {
      stopped = true;
      throw;
    }
  });
  if (stopped) return {};
  std::vector<std::vector<MoveString>> duplicates;
  count_before_ = count_;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    count_[cell] = found[cell].others;
    duplicates.push_back(std::move(found[cell].duplicates));
  }
  return duplicates;
}

}  // namespace tessera
