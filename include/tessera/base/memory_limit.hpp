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
  std::uint64_t total = 0;   ///< what may be in use at most
  std::uint64_t free = 0;    ///< what can still be taken
  bool per_process = false;  ///< else shared by all processes of the host or group
};

/// What the limits depend on; a test passes a tree of files and limits of its own.
struct MemoryLimitSources {
  std::filesystem::path root = "/";  ///< of /proc and of the paths that it names
  rlimit address_space;
  rlimit data;
  /// Those of this process.
  MemoryLimitSources();
};

/// All limits that hold: the host's memory, each control group (version 1 and 2) from the
/// process's own up to the root, ulimit -v and -d. The host's is first and always there, with 0
/// bytes where the system does not say.
[[nodiscard]] std::vector<MemoryLimit> memory_limits(
    const MemoryLimitSources& sources = MemoryLimitSources());

/// What each of `processes` equal ones on this host may use at most, and what is still free for
/// it; each by the limit that binds most.
struct MemoryShare {
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;
  std::string bound_by;  ///< the name of the limit behind `total_bytes`
};
[[nodiscard]] MemoryShare memory_share(const std::vector<MemoryLimit>& limits, int processes);

}  // namespace tessera
