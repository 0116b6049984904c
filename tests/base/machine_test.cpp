// SPDX-License-Identifier: MIT
#include "base/machine.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace tessera {
namespace {

// What Linux reports of the first CPU; nothing on other architectures.
std::set<std::string> cpu_flags() {
  std::set<std::string> flags;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) flags.insert(word);
    break;
  }
  return flags;
}

// Code for AVX2 uses the other ones, too: a virtual machine may have it without them.
TEST(Machine, VectorSupportIncludesWhatItsCodeUses) {
  const std::set<std::string> flags = cpu_flags();
  if (!vector_support().avx2) GTEST_SKIP() << "no AVX2 here";
  for (const char* const flag : {"avx2", "bmi1", "bmi2", "popcnt"}) {
    EXPECT_TRUE(flags.contains(flag)) << flag;
  }
}

}  // namespace
}  // namespace tessera
