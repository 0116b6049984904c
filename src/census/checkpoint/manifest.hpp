// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "census/disk/block_file.hpp"
#include "tessera/census/census.hpp"
#include "tessera/census/state_layout.hpp"

namespace tessera {

/// Two levels and the widths up to them.
struct CheckpointSet {
  std::uint64_t number = 0;
  int cell = -1;  ///< of the blank in some state of the newer level
  std::vector<std::uint64_t> widths;
  std::array<std::vector<BlockFile>, 2> levels;  ///< newer, older
};

/// A block file of a set as one line: level, name, first slab, slabs, bytes, checksum.
struct FileLine {
  int level = 0;
  BlockFile file;
};
std::ostream& operator<<(std::ostream& to, const FileLine& line);
std::istream& operator>>(std::istream& from, FileLine& line);

/// The manifest of a set: text, a checksum at its end.
class Manifest {
 public:
  Manifest(const CensusTask& task, const StateLayout& layout);

  /// Throws Error(resource).
  void write(const std::filesystem::path& path, const CheckpointSet& set) const;
  /// Throws Error(corrupt), or Error(input) where it is whole, but of another search.
  [[nodiscard]] CheckpointSet read(const std::filesystem::path& path, std::uint64_t number) const;

 private:
  [[nodiscard]] std::optional<CheckpointSet> parse(std::istream& lines) const;
  [[nodiscard]] bool is_possible(const BlockFile& file) const;

  const StateLayout& layout_;
  std::string identity_;  // of the search
};

/// The files of a checkpoint's folder, by number of the set: census-SET.manifest,
/// census-SET-RUN-newer-SLAB.blocks, the same with `older`, and drafts of them, .NAME.XXXXXX. All
/// others are left alone.
class SetFiles {
 public:
  explicit SetFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path manifest(std::uint64_t set) const;
  /// `which`: 0 for the newer level, 1 for the older; `slab`: the first in the file.
  [[nodiscard]] static std::string blocks_name(std::uint64_t set, const std::string& run, int which,
                                               std::uint64_t slab);
  [[nodiscard]] static bool is_blocks_name(const std::string& name);

  /// Sets that have a manifest, newest first.
  [[nodiscard]] std::vector<std::uint64_t> sets() const;
  /// Removes the files of unwanted sets, and all drafts.
  void remove(const std::function<bool(std::uint64_t set)>& unwanted) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace tessera
