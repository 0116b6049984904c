// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tessera {

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
