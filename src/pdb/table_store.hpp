// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/lock_file.hpp"
#include "base/memory.hpp"
#include "pdb/table.hpp"

namespace tessera {

/// What is called while a table is built; by default nothing.
struct TableProgress {
  /// Called from time to time by one thread with the fraction done, 0 to 1; false stops the work.
  std::function<bool(double)> report = {};
  /// Called once, with "waiting for TABLE, held by process 123 on host", if another process builds
  /// the table.
  std::function<void(const std::string&)> waits = {};

  [[nodiscard]] bool operator()(double done) const { return !report || report(done); }
  /// For a part of the work, from one fraction to another, while this object exists.
  [[nodiscard]] TableProgress part(double begin, double end) const {
    const auto of_all = [this, begin, end](double done) {
      return (*this)(begin + (end - begin) * done);
    };
    return {of_all, waits};
  }
};

/// The entry, in tables of a byte per entry, of what cannot be reached.
inline constexpr std::uint8_t unreached = 255;

/// The size of a table and the memory to build it.
struct TableCost {
  std::uint64_t entries = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t build_bytes = 0;  ///< memory while it is built
};

/// A table that a heuristic needs, and how to build it.
struct TableRequest {
  TableKey key;
  TableCost cost;
  std::function<LargeBuffer(int threads, const TableProgress&)> build;
};

/// Upper estimate of the time to build tables, on two cores.
[[nodiscard]] double build_seconds(const std::vector<TableRequest>& requests);

/// Adds a request unless the same table is already requested.
void add_once(std::vector<TableRequest>& requests, TableRequest request);

/// The table folder: `directory`, or if that is empty, $TESSERA_PDB_DIR, else
/// $XDG_CACHE_HOME/tessera or ~/.cache/tessera. Throws Error(input) if no variable is set, or the
/// home folder does not exist.
[[nodiscard]] std::string table_folder(const std::string& directory);

/// Waits for a table that another process builds, as long as `progress` goes on, and tells it of
/// the wait once.
[[nodiscard]] LockFile::Waiting waiting_for(const std::filesystem::path& path,
                                            const TableProgress& progress);

/// For a wait in this process: asks `progress` whether to go on; empty if that is.
[[nodiscard]] std::function<bool()> while_wanted(const TableProgress& progress);

/// Whether the table's file exists.
[[nodiscard]] bool is_cached(const std::string& directory, const TableRequest& request);

/// Throws Error, as open_table would, if something is in the way of these tables that can be found
/// out without opening them: no permission, too little room in the folder for missing ones, too few
/// file descriptors, too little memory or address space.
void expect_usable(const std::string& directory, std::vector<TableRequest> requests);

/// The requested table: from the folder, else built by `threads` threads and written there. It
/// stays open while it is used; beyond that the 256 most recently opened stay open. One whose file
/// is known to have changed is opened again. If several processes request a missing table, one
/// builds it and the others wait. Throws Error(corrupt) for a damaged file, Error(resource) if
/// memory or disk space is insufficient, Error(input) for an invalid folder; null if `progress`
/// stopped the build.
[[nodiscard]] std::shared_ptr<const Table> open_table(const std::string& directory,
                                                      const TableRequest& request, int threads = 1,
                                                      const TableProgress& progress = {});

/// Closes unused tables of open_table(), the least recently used first, until the open ones total
/// at most `most_bytes`.
void release_tables(std::uint64_t most_bytes);

}  // namespace tessera
