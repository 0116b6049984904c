// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tessera/pdb/table_store.hpp"
#include "tessera/puzzle/instance.hpp"
#include "tessera/puzzle/metric.hpp"

namespace tessera {

/// Which kernel searches. `plain` is depth-first node by node; the others expand many nodes at
/// once where they can and count the same nodes: `bucket` Manhattan's (bucket_search.hpp), `block`
/// those of heuristics with tables (block_search.cpp). `automatic` takes what is faster.
enum class Kernel : std::uint8_t { automatic, plain, bucket, block };

/// Other speeds than the machine's own (emulated_search.cpp).
struct Emulation {
  double nodes_per_second = 0;  ///< a thread expands so many and sleeps the rest; 0: all it can
  int slow_rank = -1;           ///< this rank is slower
  double slowness = 1;          ///< so many times

  [[nodiscard]] double of_rank(int rank) const {
    return rank == slow_rank ? nodes_per_second / slowness : nodes_per_second;
  }
};

/// What every worker must know of a board: enough to make its SubtreeSearch.
struct Problem {
  Instance instance;
  std::string heuristic;  ///< a resolved HeuristicSpec as text
  Kernel kernel = Kernel::automatic;
  std::string prune = "parent";
  Metric metric = Metric::single;
  std::string table_directory = {};  ///< where pattern databases lie; empty: the default
  Emulation emulation = {};
  int rank = 0;  ///< the one that searches
};

/// Of the tables that a problem needs, which ones are this one's to make: every count-th.
struct TableShare {
  std::size_t index = 0;
  std::size_t count = 1;
};

/// Opens a problem's tables and its pruning automaton; those of the share that are missing are made
/// first. False where `progress` ended it.
bool open_tables(const Problem& problem, int threads, const TableProgress& progress,
                 TableShare share = {});

}  // namespace tessera
