// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "tessera/pdb/table_store.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// Of the tables that a problem needs, which ones are this one's to make: every count-th.
struct TableShare {
  std::size_t index = 0;
  std::size_t count = 1;
};

/// Opens a problem's tables and its pruning automaton; those of the share that are missing are made
/// first. False where `progress` ended it.
bool open_tables(const Problem& problem, int threads, const TableProgress& progress,
                 TableShare share = {});

/// Opens a problem's tables on some set of workers, which share out what must be made first. False
/// where `progress` ended it. Unless overridden, the calling thread makes them.
class TableBuilder {
 public:
  virtual ~TableBuilder() = default;
  virtual bool prepare(const Problem& problem, const TableProgress& progress) {
    return open_tables(problem, 1, progress);
  }
};

}  // namespace tessera
