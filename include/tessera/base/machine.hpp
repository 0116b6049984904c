// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The CPUs that this process may run on, ascending. Linux: sched_getaffinity.
[[nodiscard]] std::vector<int> allowed_cpus();

/// The CPUs of this host, whoever may use them.
[[nodiscard]] int host_cpus();

/// The name of this host, as gethostname gives it.
[[nodiscard]] std::string host_name();

/// What memory_limits (memory_limit.hpp) leave free for this process, in bytes; 0 where it is
/// unknown. Several processes of one host share it: memory_share says what each of them may use.
[[nodiscard]] std::uint64_t free_memory_bytes();

/// The CPU's name as the system reports it, or its architecture.
[[nodiscard]] std::string cpu_name();

/// The value of an environment variable; empty where it is not set.
[[nodiscard]] inline std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// Vector instruction sets that the hot code has a path for.
struct VectorSupport {
  bool avx2 = false;
  bool avx512 = false;  ///< F and the 64-bit compress that comes with it
};
[[nodiscard]] VectorSupport vector_support();

}  // namespace tessera
