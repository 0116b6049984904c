// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tessera {

/// One of the limits on this process's memory, in bytes.
struct MemoryLimit {
  std::string name;          ///< "memory of this host", "cgroup /slurm/job_7", "ulimit -v"
  std::uint64_t total = 0;   ///< the most memory that may be in use
  std::uint64_t free = 0;    ///< what can still be taken
  bool per_process = false;  ///< else shared by all processes of the host or group
};

/// What --memory allows several processes together, which share the tables that they map.
struct MemoryAllowance {
  std::uint64_t bytes = 0;  ///< 0: no limit
  int processes = 1;
};

/// Limits the whole process to its part of an allowance while this object exists; an allowance
/// without a limit changes nothing. Of several objects, also in several threads, the newest counts.
/// Whatever may do with less asks memory_limits() how much it may take.
class LimitedMemory {
 public:
  explicit LimitedMemory(const MemoryAllowance& allowance);
  ~LimitedMemory();
  LimitedMemory(const LimitedMemory&) = delete;
  LimitedMemory& operator=(const LimitedMemory&) = delete;
  /// The allowance in force.
  [[nodiscard]] static MemoryAllowance allowance();

 private:
  const MemoryAllowance allowance_;
};

/// The sources of the limits; tests pass their own file tree and limits.
struct MemoryLimitSources {
  std::filesystem::path root = "/";  ///< of /proc and of the paths in it
  rlimit address_space;
  rlimit data;
  MemoryAllowance allowance;
  /// The sources for this process.
  explicit MemoryLimitSources(const MemoryAllowance& allowed = LimitedMemory::allowance());
};

/// All limits in force: the host's memory, each control group (version 1 and 2) from the process's
/// own up to the root, ulimit -v and -d, and --memory. The host's is always first, with 0 bytes if
/// the system does not report it.
[[nodiscard]] std::vector<MemoryLimit> memory_limits(
    const MemoryLimitSources& sources = MemoryLimitSources());

/// The most memory that each of `processes` equal processes on this host may use, and how much of
/// it is still free; each value by the tightest limit.
struct MemoryShare {
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;
  std::string bound_by;  ///< the name of the limit behind `total_bytes`
};
[[nodiscard]] MemoryShare memory_share(const std::vector<MemoryLimit>& limits, int processes);

/// What each of `processes` processes on this host may use, whatever --memory allows.
[[nodiscard]] MemoryShare share_of_machine(int processes);

/// The most memory that this process may use in all, whatever is free now and --memory allows.
[[nodiscard]] std::uint64_t total_memory_bytes();

}  // namespace tessera
