// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "base/temporary_folder.hpp"

namespace tessera::cli {

/// 64 MiB of memory as a file system, where this process may mount one.
class SmallDisk {
 public:
  SmallDisk() : mounted_(mount("tmpfs", path().c_str(), "tmpfs", 0, "size=64m") == 0) {}
  ~SmallDisk() {
    if (mounted_) umount2(path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] std::string path() const { return folder_.text(); }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
  /// Another program takes what is there, but for so much.
  void fill(std::uint64_t but) const {
    struct statvfs system {};
    ASSERT_EQ(statvfs(path().c_str(), &system), 0);
    const std::uint64_t free = std::uint64_t{system.f_bavail} * system.f_frsize;
    std::ofstream file(path() + "/filler", std::ios::binary);
    file << std::string(free - std::min(free, but), 'x');
  }

 private:
  TemporaryFolder folder_;
  bool mounted_;
};

}  // namespace tessera::cli
