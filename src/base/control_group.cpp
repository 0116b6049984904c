// SPDX-License-Identifier: MIT
#include "base/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace tessera {
namespace {

using Path = std::filesystem::path;

// Whether a comma-separated list contains an item, which may be empty.
bool lists(const std::string& items, const std::string& item) {
  return ("," + items + ",").find("," + item + ",") != std::string::npos;
}

// A line of /proc/self/mountinfo: 36 35 0:29 ROOT MOUNT options ... - TYPE source superoptions
struct Mount {
  Path root;  // the mounted folder of the file system
  Path place;
};

std::optional<Mount> mount_of(const Path& root, int version, const std::string& controller) {
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream text(line);
    const std::vector<std::string> words(std::istream_iterator<std::string>(text), {});
    const auto dash = std::ranges::find(words, "-");
    if (dash - words.begin() < 5 || words.end() - dash < 4) continue;
    if (dash[1] != (version == 1 ? "cgroup" : "cgroup2")) continue;
    if (version == 2 || lists(dash[3], controller)) return Mount{words[3], words[4]};
  }
  return std::nullopt;
}

// A line of /proc/self/cgroup: 4:memory:/path, or 0::/path for version 2.
std::optional<Path> own_group(const Path& root, int version, const std::string& controller) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (lists(controllers, version == 1 ? controller : "")) return Path(line.substr(second + 1));
  }
  return std::nullopt;
}

}  // namespace

std::vector<ControlGroup> own_control_groups(const Path& root, const std::string& controller) {
  std::vector<ControlGroup> groups;
  for (const int version : {1, 2}) {
    const auto mount = mount_of(root, version, controller);
    const auto group = own_group(root, version, controller);
    if (!mount || !group) continue;
    // In a container the mount may start at the container's own group, or hide where that is.
    const Path relative = group->lexically_relative(mount->root);
    const bool inside = !relative.empty() && *relative.begin() != "..";
    const Path top = root / mount->place.relative_path();
    Path folder = top;
    if (inside && relative != ".") folder /= relative;
    std::error_code none;
    if (!std::filesystem::is_directory(folder, none)) folder = top;
    for (; folder != top; folder = folder.parent_path()) {
      groups.push_back(
          {version, folder, std::string("/").append(folder.lexically_relative(top).string())});
    }
    groups.push_back({version, top, "/"});
  }
  return groups;
}

std::optional<CpuQuota> cpu_quota(const Path& root) {
  std::optional<CpuQuota> least;
  for (const ControlGroup& group : own_control_groups(root, "cpu")) {
    const bool is_old = group.version == 1;
    std::ifstream file(group.folder / (is_old ? "cpu.cfs_quota_us" : "cpu.max"));
    std::ifstream second_file(group.folder / "cpu.cfs_period_us");
    double time = 0;  // -1 or "max" if there is no quota
    double period = 0;
    const bool limited =
        file >> time && (is_old ? second_file : file) >> period && time > 0 && period > 0;
    if (limited && (!least || time / period < least->cpus)) least = {time / period, group.name};
  }
  return least;
}

std::optional<std::uint64_t> read_number(const Path& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (!(file >> value)) return std::nullopt;
  return value;
}

}  // namespace tessera
