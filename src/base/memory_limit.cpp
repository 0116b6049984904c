// SPDX-License-Identifier: MIT
#include "tessera/base/memory_limit.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

namespace tessera {
namespace {

using Path = std::filesystem::path;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// Below `root`, even if the path is absolute.
Path below(const Path& root, const Path& path) {
  return root / path.relative_path();
}

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

// The number in a file; empty if there is none, such as "max".
std::optional<std::uint64_t> read_number(const Path& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (!(file >> value)) return std::nullopt;
  return value;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) {
  return a - std::min(a, b);
}

// The names in the two versions of control groups.
struct GroupVersion {
  const char* file_system;
  const char* controller;  // in /proc/self/cgroup and the mount's options
  const char* limit;
  const char* usage;
  const char* stat_prefix;  // in memory.stat: for the group with its descendants
};
constexpr GroupVersion group_versions[] = {
    {"cgroup", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"},
    {"cgroup2", "", "memory.max", "memory.current", ""},
};

// Whether a comma-separated list contains an item, which may be empty.
bool lists(const std::string& items, const std::string& item) {
  return ("," + items + ",").find("," + item + ",") != std::string::npos;
}

// A line of /proc/self/mountinfo: 36 35 0:29 ROOT MOUNT options ... - TYPE source superoptions
struct Mount {
  Path root;  // the mounted folder of the file system
  Path place;
};

std::optional<Mount> mount_of(const Path& root, const GroupVersion& version) {
  std::ifstream file(below(root, "/proc/self/mountinfo"));
  for (std::string line; std::getline(file, line);) {
    std::istringstream text(line);
    const std::vector<std::string> words(std::istream_iterator<std::string>(text), {});
    const auto dash = std::ranges::find(words, "-");
    if (dash - words.begin() < 5 || words.end() - dash < 4) continue;
    if (dash[1] != version.file_system) continue;
    const bool any = *version.controller == '\0';
    if (any || lists(dash[3], version.controller)) return Mount{words[3], words[4]};
  }
  return std::nullopt;
}

// A line of /proc/self/cgroup: 4:memory:/path, or 0::/path for version 2.
std::optional<Path> own_group(const Path& root, const GroupVersion& version) {
  std::ifstream file(below(root, "/proc/self/cgroup"));
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (lists(controllers, version.controller)) return Path(line.substr(second + 1));
  }
  return std::nullopt;
}

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

void add_group_limits(std::vector<MemoryLimit>& limits, const Path& root,
                      const GroupVersion& version) {
  const auto mount = mount_of(root, version);
  const auto group = own_group(root, version);
  if (!mount || !group) return;
  // In a container the mount may start at the container's own group, or hide where that is.
  const Path relative = group->lexically_relative(mount->root);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  Path folder = below(root, mount->place);
  const Path top = folder;
  if (inside && relative != ".") folder /= relative;
  std::error_code none;
  if (!std::filesystem::is_directory(folder, none)) folder = top;
  while (true) {
    const auto most = read_number(folder / version.limit);
    // Version 1 has no word for unlimited; it uses nearly 2^63.
    constexpr std::uint64_t nearly_unlimited = std::uint64_t{1} << 62;
    if (most && *most < nearly_unlimited) {
      const Path name = "/" / folder.lexically_relative(top);
      limits.push_back({"cgroup " + (folder == top ? "/" : name.string()), *most,
                        difference(*most, group_usage(folder, version)), false});
    }
    if (folder == top) return;
    folder = folder.parent_path();
  }
}

void add_process_limit(std::vector<MemoryLimit>& limits, const char* name, const rlimit& limit,
                       std::uint64_t used_kilobytes) {
  if (limit.rlim_cur == RLIM_INFINITY) return;
  limits.push_back({name, limit.rlim_cur, difference(limit.rlim_cur, used_kilobytes << 10), true});
}

}  // namespace

MemoryLimitSources::MemoryLimitSources() : address_space(), data() {
  if (getrlimit(RLIMIT_AS, &address_space) != 0) address_space.rlim_cur = RLIM_INFINITY;
  if (getrlimit(RLIMIT_DATA, &data) != 0) data.rlim_cur = RLIM_INFINITY;
}

std::vector<MemoryLimit> memory_limits(const MemoryLimitSources& sources) {
  std::vector<MemoryLimit> limits;
  auto host = read_figures(below(sources.root, "/proc/meminfo"));
  limits.push_back({"memory of this host", host["MemTotal:"] << 10,
                    host[host.contains("MemAvailable:") ? "MemAvailable:" : "MemTotal:"] << 10,
                    false});
  for (const GroupVersion& version : group_versions) {
    add_group_limits(limits, sources.root, version);
  }
  auto own = read_figures(below(sources.root, "/proc/self/status"));
  add_process_limit(limits, "ulimit -v", sources.address_space, own["VmSize:"]);
  add_process_limit(limits, "ulimit -d", sources.data, own["VmData:"]);
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

}  // namespace tessera
