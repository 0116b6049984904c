// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The CPUs that this process may run on, ascending. Linux: sched_getaffinity.
[[nodiscard]] std::vector<int> allowed_cpus();

/// The number of CPUs of this host, including those that this process may not use.
[[nodiscard]] int host_cpus();

/// The name of this host, as gethostname gives it.
[[nodiscard]] std::string host_name();

/// The CPU's name as the system reports it, or its architecture, or this.
inline constexpr const char* unknown_cpu = "unknown CPU";
[[nodiscard]] std::string cpu_name();

/// The value of an environment variable; empty if it is not set.
[[nodiscard]] inline std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// The vector instruction sets that the hot code has code paths for.
struct VectorSupport {
  bool avx2 = false;    ///< with BMI, BMI2 and popcnt; a virtual machine may lack some of them
  bool avx512 = false;  ///< F, which includes the 64-bit compress
};
[[nodiscard]] VectorSupport vector_support();

}  // namespace tessera
