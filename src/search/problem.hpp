// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pdb/table_store.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/metric.hpp"
#include "search/pruning/prune_rule.hpp"

namespace tessera {

/// Which kernel searches. `plain` is depth-first, node by node; the others expand many nodes at
/// once where they can and count the same nodes: `bucket` for Manhattan (bucket_search.hpp),
/// `block` for heuristics with tables (block_search.cpp). `automatic` selects the fastest.
enum class Kernel : std::uint8_t { automatic, plain, bucket, block };

/// Simulates other speeds than the machine's own (EmulatedSearch in subtree_search.cpp).
struct Emulation {
  double nodes_per_second = 0;  ///< per thread, which sleeps the rest of the time; 0: full speed
  int slow_rank = -1;           ///< this rank is slower
  double slowness = 1;          ///< by this factor

  [[nodiscard]] double of_rank(int rank) const {
    return rank == slow_rank ? nodes_per_second / slowness : nodes_per_second;
  }
};

/// What every worker needs to know about a board to create its SubtreeSearch.
struct Problem {
  Instance instance;
  std::string heuristic;  ///< a resolved HeuristicSpec as text
  Kernel kernel = Kernel::automatic;
  PruneRule prune = PruneRule::parent;
  Metric metric = Metric::single;
  std::string table_directory = {};  ///< folder of the pattern databases; empty: the default
  Emulation emulation = {};
  int rank = 0;  ///< that searches
};

/// Which of a problem's tables this process builds: every count-th, starting at index.
struct TableShare {
  std::size_t index = 0;
  std::size_t count = 1;
};

/// Opens a problem's tables and its pruning automaton; first builds the missing ones of its share.
/// False if `progress` stopped it.
bool open_tables(const Problem& problem, int threads, const TableProgress& progress,
                 TableShare share = {});

/// Closes tables and automata that no search uses, until the others take at most `most_bytes`.
void close_tables(std::uint64_t most_bytes);

}  // namespace tessera
