// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

/// The binomial tree that carries messages from the master to all ranks and back: each rank passes
/// on messages to or from a block of consecutive ranks that starts with itself.
///
///   8 ranks:   0 - 4, 2, 1    4 - 6, 5    2 - 3    6 - 7

namespace tessera {

/// Ranks from `first` up to, but not including, `end`.
struct RankBlock {
  int first = 0;
  int end = 0;
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - first); }
};

/// The parent of a rank that is not the master.
[[nodiscard]] inline int parent_of(int rank) {
  return rank & (rank - 1);
}

/// The rank and all ranks below it.
[[nodiscard]] inline RankBlock block_of(int rank, int ranks) {
  return {rank, rank == 0 ? ranks : std::min(rank + (rank & -rank), ranks)};
}

/// The blocks directly below a rank, the last and largest first.
[[nodiscard]] inline std::vector<RankBlock> blocks_below(int rank, int ranks) {
  std::vector<RankBlock> blocks;
  const int whole =
      rank == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(ranks))) : (rank & -rank);
  for (int distance = whole / 2; distance > 0; distance /= 2) {
    if (rank + distance < ranks) blocks.push_back(block_of(rank + distance, ranks));
  }
  return blocks;
}

}  // namespace tessera
