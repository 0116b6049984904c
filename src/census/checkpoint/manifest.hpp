// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "census/census.hpp"
#include "census/disk/block_file.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// Two levels and the widths up to them.
struct CheckpointSet {
  std::uint64_t number = 0;
  int cell = -1;  ///< of the blank in some state of the newer level
  std::vector<std::uint64_t> widths;
  std::array<std::vector<BlockFile>, 2> levels;  ///< newer, older; each sorted by slab
};

/// The files in a checkpoint folder, by number of the set: census-SET.manifest, text with a
/// checksum at its end, census-SET-RUN-newer-SLAB.blocks, the same with `older`, and drafts of
/// these, .NAME.XXXXXX. Other files are ignored.
class SetFiles {
 public:
  /// The largest manifest that is read. At worst every slab of both levels has a line, with batches
  /// of one slab or hundreds of threads: 7.2 million lines for 16 cells, 0.7 GB.
  static constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;

  SetFiles(const CensusTask& task, const StateLayout& layout);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path manifest(std::uint64_t set) const;
  /// The line for a block file of a set in its manifest; `which` as below.
  [[nodiscard]] static std::string file_line(int which, const BlockFile& file);
  /// `file_lines`: the lines of all block files. Throws Error(resource).
  void write_manifest(const CheckpointSet& set, const std::string& file_lines) const;
  /// Throws Error(corrupt), or Error(input) if it is intact but of another search.
  [[nodiscard]] CheckpointSet read_manifest(std::uint64_t set) const;
  /// What the names of block files start with; `which`: 0 for the newer level, 1 for the older.
  [[nodiscard]] static std::string blocks_prefix(std::uint64_t set, std::uint64_t run, int which);

  /// Sets that have a manifest, newest first.
  [[nodiscard]] std::vector<std::uint64_t> sets() const;
  /// Removes the files of unwanted sets, and all drafts.
  void remove(const std::function<bool(std::uint64_t set)>& unwanted) const;

 private:
  const StateLayout& layout_;
  std::filesystem::path folder_;
  std::string identity_;  // identifies the search
};

}  // namespace tessera
