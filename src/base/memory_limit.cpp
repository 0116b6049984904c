// SPDX-License-Identifier: MIT
#include "base/memory_limit.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <sstream>

#include "base/control_group.hpp"

namespace tessera {
namespace {

using Path = std::filesystem::path;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// "key value" or "key: value" lines; non-numeric values are skipped.
std::map<std::string, std::uint64_t> read_figures(const Path& path) {
  std::map<std::string, std::uint64_t> figures;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t value = 0;
    if (words >> key >> value) figures[key] = value;
  }
  return figures;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) {
  return a - std::min(a, b);
}

// The names in the two versions of control groups.
struct GroupVersion {
  const char* limit;
  const char* usage;
  const char* stat_prefix;  // in memory.stat: for the group with its descendants
};
constexpr GroupVersion group_versions[] = {
    {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_"},
    {"memory.max", "memory.current", ""},
};

// Memory used without reclaimable file pages, which the kernel frees when memory is short.
std::uint64_t group_usage(const Path& folder, const GroupVersion& version) {
  const auto stat = read_figures(folder / "memory.stat");
  std::uint64_t cached = 0;
  for (const char* kind : {"active_file", "inactive_file"}) {
    const auto found = stat.find(version.stat_prefix + std::string(kind));
    if (found != stat.end()) cached += found->second;
  }
  return difference(read_number(folder / version.usage).value_or(0), cached);
}

void add_group_limits(std::vector<MemoryLimit>& limits, const Path& root) {
  for (const ControlGroup& group : own_control_groups(root, "memory")) {
    const GroupVersion& names = group_versions[group.version - 1];
    const auto most = read_number(group.folder / names.limit);
    // Version 1 has no word for unlimited; it uses nearly 2^63.
    constexpr std::uint64_t nearly_unlimited = std::uint64_t{1} << 62;
    if (!most || *most >= nearly_unlimited) continue;
    limits.push_back({"cgroup " + group.name, *most,
                      difference(*most, group_usage(group.folder, names)), false});
  }
}

std::mutex limiting_mutex;
std::vector<const LimitedMemory*> limiting;  // the oldest first

void add_process_limit(std::vector<MemoryLimit>& limits, const char* name, std::uint64_t bytes,
                       std::uint64_t used_kilobytes) {
  if (bytes == RLIM_INFINITY) return;
  limits.push_back({name, bytes, difference(bytes, used_kilobytes << 10), true});
}

}  // namespace

LimitedMemory::LimitedMemory(const MemoryAllowance& allowance) : allowance_(allowance) {
  const std::lock_guard lock(limiting_mutex);
  if (allowance.bytes > 0) limiting.push_back(this);
}

LimitedMemory::~LimitedMemory() {
  const std::lock_guard lock(limiting_mutex);
  std::erase(limiting, this);
}

MemoryAllowance LimitedMemory::allowance() {
  const std::lock_guard lock(limiting_mutex);
  return limiting.empty() ? MemoryAllowance{} : limiting.back()->allowance_;
}

MemoryLimitSources::MemoryLimitSources(const MemoryAllowance& allowed)
    : address_space(), data(), allowance(allowed) {
  if (getrlimit(RLIMIT_AS, &address_space) != 0) address_space.rlim_cur = RLIM_INFINITY;
  if (getrlimit(RLIMIT_DATA, &data) != 0) data.rlim_cur = RLIM_INFINITY;
}

std::vector<MemoryLimit> memory_limits(const MemoryLimitSources& sources) {
  std::vector<MemoryLimit> limits;
  auto host = read_figures(sources.root / "proc/meminfo");
  limits.push_back({"memory of this host", host["MemTotal:"] << 10,
                    host[host.contains("MemAvailable:") ? "MemAvailable:" : "MemTotal:"] << 10,
                    false});
  add_group_limits(limits, sources.root);
  auto own = read_figures(sources.root / "proc/self/status");
  add_process_limit(limits, "ulimit -v", sources.address_space.rlim_cur, own["VmSize:"]);
  add_process_limit(limits, "ulimit -d", sources.data.rlim_cur, own["VmData:"]);
  if (sources.allowance.bytes > 0) {
    const auto processes = static_cast<std::uint64_t>(sources.allowance.processes);
    const std::uint64_t shared = own["RssFile:"];
    add_process_limit(limits, "--memory", sources.allowance.bytes / processes,
                      difference(own["VmRSS:"], shared) + shared / processes);
  }
  return limits;
}

MemoryShare memory_share(const std::vector<MemoryLimit>& limits, int processes) {
  MemoryShare share{unlimited, unlimited, ""};
  for (const MemoryLimit& limit : limits) {
    const auto sharing = static_cast<std::uint64_t>(limit.per_process ? 1 : std::max(1, processes));
    share.free_bytes = std::min(share.free_bytes, limit.free / sharing);
    if (limit.total / sharing >= share.total_bytes) continue;
    share.total_bytes = limit.total / sharing;
    share.bound_by = limit.name;
  }
  return share;
}

MemoryShare share_of_machine(int processes) {
  return memory_share(memory_limits(MemoryLimitSources(MemoryAllowance{})), processes);
}

std::uint64_t total_memory_bytes() {
  const std::uint64_t total = share_of_machine(1).total_bytes;
  return total > 0 ? total : unlimited;
}

}  // namespace tessera
