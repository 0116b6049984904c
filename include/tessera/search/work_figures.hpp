// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera {

/// What one process did in one execution.
struct WorkFigures {
  int threads = 1;
  std::uint64_t dealt = 0;     ///< subtrees that it began with
  std::uint64_t searched = 0;  ///< subtrees, among them cut and stolen ones
  std::uint64_t cut = 0;       ///< from running ones
  std::uint64_t given = 0;     ///< to other ranks
  std::uint64_t stolen = 0;    ///< from other ranks
  std::uint64_t requests = 0;  ///< to other ranks
  std::uint64_t refusals = 0;  ///< answers without work that it got
  std::uint64_t rounds = 0;    ///< sums over ranks that it took part in
  std::uint64_t expanded = 0;
  double seconds = 0;         ///< wall
  double search_seconds = 0;  ///< summed over threads
};

}  // namespace tessera
