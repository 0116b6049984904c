// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/base/memory.hpp"
#include "tessera/pdb/table_file.hpp"

namespace tessera {

/// Called now and then by one thread with the done fraction, 0 to 1; false ends the work.
using TableProgress = std::function<bool(double)>;

/// A table in memory, one copy a node: its file mapped.
using Table = TableFile;

/// What a table takes.
struct TableCost {
  std::uint64_t entries = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t build_bytes = 0;  ///< memory while it is built
};

/// What an entry takes to make on two cores, at most: some 50 ns of CPU time, on a busy machine
/// twice as long.
inline constexpr double build_seconds_per_entry = 5e-8;

/// A table that a heuristic needs, and how to make it.
struct TableRequest {
  TableKey key;
  TableCost cost;
  std::function<LargeBuffer(int threads, const TableProgress&)> build;
};

/// Adds a request unless there is one for the same table.
void add_once(std::vector<TableRequest>& requests, TableRequest request);

/// The folder for tables where none is named: $XDG_CACHE_HOME/tessera or ~/.cache/tessera. Throws
/// Error(resource) where neither variable is set.
[[nodiscard]] std::string default_table_directory();

/// Whether the table's file is there.
[[nodiscard]] bool is_cached(const std::string& directory, const TableRequest& request);

/// The table of a request: found in the folder, else built by `threads` threads and written there.
/// It stays open while it is used, and the 256 opened last beyond that. Of several processes that
/// ask for one that is missing one builds, the others wait. Throws Error(corrupt) for a damaged
/// file, Error(resource) where memory or disk does not do, Error(input) for a folder that cannot
/// be; returns null where `progress` ended the building.
[[nodiscard]] std::shared_ptr<const Table> open_table(const std::string& directory,
                                                      const TableRequest& request, int threads,
                                                      const TableProgress& progress);

/// Closes tables of open_table() that nobody uses, the least recently used first, until those that
/// are open have at most so many bytes.
void release_tables(std::uint64_t most_bytes);

/// Who hears "waiting for TABLE, held by process 123 on host" once per wait of open_table for
/// another process that builds the table; nobody at first.
void on_table_wait(std::function<void(const std::string&)> hear);

}  // namespace tessera
