// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// A control group that limits this process.
struct ControlGroup {
  int version = 2;  ///< of control groups: 1, with a hierarchy per controller, or 2
  std::filesystem::path folder;
  std::string name;  ///< below the top of its hierarchy: "/slurm/job_7"
};

/// The groups of this process, for each version its own first, then those above it. `root`: the
/// folder in which to find /proc and /sys.
[[nodiscard]] std::vector<ControlGroup> own_control_groups(const std::filesystem::path& root,
                                                           const std::string& controller);

/// How many CPUs' time a group may use, by which it stops its threads for a part of each period.
struct CpuQuota {
  double cpus = 0;
  std::string group;
};

/// The smallest quota of the groups of this process.
[[nodiscard]] std::optional<CpuQuota> cpu_quota(const std::filesystem::path& root = "/");

/// The number at the start of a file; empty if there is none, as with "max".
[[nodiscard]] std::optional<std::uint64_t> read_number(const std::filesystem::path& path);

}  // namespace tessera
