// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tessera/base/file.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// The folder of disk mode as the ranks have it: one that they share, or each host one of its own
/// under the same path. The first of those who share one, which they find out by files that they
/// leave there, holds its lock until the end, clears away what a killed search left, and counts its
/// room for all. All calls are collective; they throw CommonError.
class SpillFolder {
 public:
  /// Throws where a rank cannot write there; waits for another search in it.
  SpillFolder(std::filesystem::path folder, Exchange& exchange);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// What the names of this rank's files begin with.
  [[nodiscard]] const std::string& own_prefix() const { return own_prefix_; }

  /// Throws, with the figures, where a folder has less room than the ranks that share it need
  /// together. `what` needs it: "depth 31".
  void expect(std::uint64_t bytes, const std::string& what) const;

 private:
  [[nodiscard]] std::string marker(const std::string& run, std::size_t rank) const;

  std::filesystem::path path_;
  Exchange& exchange_;
  std::string own_prefix_;
  std::vector<std::size_t> leaders_;  // by rank: the first who has the same folder
  std::vector<std::string> hosts_;    // by rank
  std::optional<FileLock> lock_;
};

}  // namespace tessera
