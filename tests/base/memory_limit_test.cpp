// SPDX-License-Identifier: MIT
#include "base/memory_limit.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "base/control_group.hpp"
#include "base/temporary_folder.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t mib = 1 << 20;

// A machine with 1000 MiB, 800 of them free, and these files.
class Machine {
 public:
  explicit Machine(const std::map<std::string, std::string>& files) {
    write("proc/meminfo", "MemTotal: 1024000 kB\nMemFree: 1 kB\nMemAvailable: 819200 kB\n");
    write("proc/self/status", "Name: tessera\nVmSize: 102400 kB\nVmData: 51200 kB\n");
    for (const auto& [path, content] : files) write(path, content);
    sources_.root = folder_.path();
    sources_.address_space.rlim_cur = RLIM_INFINITY;
    sources_.data.rlim_cur = RLIM_INFINITY;
  }

  void write(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories((folder_.path() / path).parent_path());
    (void)folder_.file(path, content);
  }
  [[nodiscard]] MemoryShare share(int processes = 1) const {
    return memory_share(memory_limits(sources_), processes);
  }
  MemoryLimitSources sources_;

 private:
  TemporaryFolder folder_;
};

void expect(const MemoryShare& share, std::uint64_t total_mib, std::uint64_t free_mib,
            const std::string& name) {
  EXPECT_EQ(share.total_bytes / mib, total_mib) << name;
  EXPECT_EQ(share.free_bytes / mib, free_mib) << name;
  EXPECT_EQ(share.bound_by, name);
}

const std::string version_2 =
    "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string version_1 =
    "31 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
    "32 23 0:28 / /sys/fs/cgroup/memory rw shared:7 - cgroup cgroup rw,memory\n";

TEST(MemoryLimit, WithoutGroupsItIsTheHosts) {
  expect(Machine({}).share(), 1000, 800, "memory of this host");
  expect(Machine({}).share(4), 250, 200, "memory of this host");
}

TEST(MemoryLimit, AGroupOfVersion2AndTheOnesAboveIt) {
  const std::string job = "sys/fs/cgroup/slurm/job_7/";
  const Machine machine({{"proc/self/mountinfo", version_2},
                         {"proc/self/cgroup", "0::/slurm/job_7/step\n"},
                         {job + "step/memory.max", "max\n"},
                         {job + "memory.max", "157286400\n"},
                         {job + "memory.current", "104857600\n"},
                         {job + "memory.stat",
                          "anon 1\nactive_file 10485760\n"
                          "inactive_file 20971520\n"},
                         {"sys/fs/cgroup/slurm/memory.max", "314572800\n"},
                         {"sys/fs/cgroup/slurm/memory.current", "293601280\n"}});
  // Caches are given back; the outer group leaves less free.
  expect(machine.share(), 150, 20, "cgroup /slurm/job_7");
  machine.write("sys/fs/cgroup/slurm/memory.max", "104857600\n");
  expect(machine.share(), 100, 0, "cgroup /slurm");
}

TEST(MemoryLimit, AGroupOfVersion1) {
  const std::string group = "sys/fs/cgroup/memory/a/b/";
  const Machine machine({{"proc/self/mountinfo", version_1 + version_2},
                         {"proc/self/cgroup", "9:cpu,cpuacct:/x\n4:memory:/a/b\n0::/\n"},
                         {group + "memory.limit_in_bytes", "209715200\n"},
                         {group + "memory.usage_in_bytes", "104857600\n"},
                         {group + "memory.stat", "inactive_file 7\ntotal_inactive_file 52428800\n"},
                         {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"}});
  expect(machine.share(), 200, 150, "cgroup /a/b");
}

// The mount shows the container's group as its root, or the group's path means nothing here.
TEST(MemoryLimit, WithinAContainer) {
  const std::string mount =
      "32 23 0:28 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
  for (const char* group : {"4:memory:/docker/abc\n", "4:memory:/kubepods/pod1\n"}) {
    const Machine machine({{"proc/self/mountinfo", mount},
                           {"proc/self/cgroup", group},
                           {"sys/fs/cgroup/memory/memory.limit_in_bytes", "209715200\n"},
                           {"sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n"}});
    expect(machine.share(), 200, 200, "cgroup /");
  }
}

TEST(MemoryLimit, UlimitsHoldForEachProcess) {
  Machine machine({});
  machine.sources_.address_space.rlim_cur = 300 * mib;
  expect(machine.share(), 300, 200, "ulimit -v");
  expect(machine.share(2), 300, 200, "ulimit -v");
  expect(machine.share(5), 200, 160, "memory of this host");
  machine.sources_.data.rlim_cur = 75 * mib;
  expect(machine.share(), 75, 25, "ulimit -d");
}

// The program's own 40 MiB, and its part of 60 MiB that it maps.
TEST(MemoryLimit, AnAllowanceIsDividedAmongItsProcesses) {
  Machine machine({});
  machine.write("proc/self/status", "VmRSS: 102400 kB\nRssFile: 61440 kB\n");
  machine.sources_.allowance = {.bytes = 600 * mib};
  expect(machine.share(), 600, 500, "--memory");
  machine.sources_.allowance.processes = 3;
  expect(machine.share(), 200, 140, "--memory");
  expect(machine.share(3), 200, 140, "--memory");
}

TEST(MemoryLimit, AnAllowanceEndsWithItsScope) {
  const std::uint64_t total = total_memory_bytes();
  {
    const LimitedMemory outer({.bytes = 300 * mib, .processes = 3});
    const LimitedMemory inner({});
    const MemoryShare share = memory_share(memory_limits(), 1);
    EXPECT_EQ(share.bound_by, "--memory");
    EXPECT_EQ(share.total_bytes, 100 * mib);
    EXPECT_EQ(total_memory_bytes(), total);
    EXPECT_NE(share_of_machine(1).bound_by, "--memory");
  }
  EXPECT_EQ(LimitedMemory::allowance().bytes, 0U);
}

TEST(MemoryLimit, AllowancesMayEndInAnyOrder) {
  auto first = std::make_unique<LimitedMemory>(MemoryAllowance{.bytes = 300 * mib});
  auto second = std::make_unique<LimitedMemory>(MemoryAllowance{.bytes = 200 * mib});
  EXPECT_EQ(LimitedMemory::allowance().bytes, 200 * mib);
  first.reset();
  EXPECT_EQ(LimitedMemory::allowance().bytes, 200 * mib);
  second.reset();
  EXPECT_EQ(LimitedMemory::allowance().bytes, 0U);
}

TEST(MemoryLimit, MalformedFilesAreNoLimit) {
  const Machine machine({{"proc/self/mountinfo", "32 23\n" + version_2 + "- cgroup2\n\n"},
                         {"proc/self/cgroup", "\n:\n0:\n0::/a/../../..\n0::\n"},
                         {"sys/fs/cgroup/memory.max", "lots\n"},
                         {"sys/fs/cgroup/memory.stat", "active_file -\n"}});
  expect(machine.share(), 1000, 800, "memory of this host");
}

TEST(MemoryLimit, OfThisMachineIsPositive) {
  const MemoryShare share = memory_share(memory_limits(), 1);
  EXPECT_GT(share.free_bytes, 0U);
  EXPECT_LE(share.free_bytes, share.total_bytes);
  EXPECT_GT(memory_share(memory_limits(), 1).free_bytes, 0U);
}

TEST(CpuQuota, IsTheSmallestOfTheGroups) {
  const std::string job = "sys/fs/cgroup/slurm/job_7/";
  const Machine machine({{"proc/self/mountinfo", version_2},
                         {"proc/self/cgroup", "0::/slurm/job_7/step\n"},
                         {job + "step/cpu.max", "max 100000\n"}});
  EXPECT_FALSE(cpu_quota(machine.sources_.root));
  machine.write(job + "cpu.max", "250000 100000\n");
  machine.write("sys/fs/cgroup/slurm/cpu.max", "80000 10000\n");
  const auto quota = cpu_quota(machine.sources_.root);
  ASSERT_TRUE(quota);
  EXPECT_EQ(quota->cpus, 2.5);
  EXPECT_EQ(quota->group, "/slurm/job_7");
}

TEST(CpuQuota, IsFoundInVersion1) {
  const Machine machine({{"proc/self/mountinfo", version_1},
                         {"proc/self/cgroup", "9:cpu,cpuacct:/x\n"},
                         {"sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n"},
                         {"sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n"}});
  EXPECT_FALSE(cpu_quota(machine.sources_.root));
  machine.write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "150000\n");
  ASSERT_TRUE(cpu_quota(machine.sources_.root));
  EXPECT_EQ(cpu_quota(machine.sources_.root)->cpus, 1.5);
}

}  // namespace
}  // namespace tessera
