// SPDX-License-Identifier: MIT
#include "census/spill_folder.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>
#include <utility>

#include "census/agreement.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/census/census.hpp"

namespace tessera {
namespace {

constexpr std::string_view prefix = "spill-";

std::uint64_t free_bytes(const std::filesystem::path& folder) {
  struct statvfs system {};
  if (statvfs(folder.c_str(), &system) != 0) return ~std::uint64_t{0} >> 1;
  return std::uint64_t{system.f_bavail} * system.f_frsize;
}

}  // namespace

SpillFolder::SpillFolder(std::filesystem::path folder, Exchange& exchange)
    : path_(std::move(folder)), exchange_(exchange) {
  const auto rank = static_cast<std::size_t>(exchange.rank());
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const std::string run = exchange.gather(std::to_string(now))[0];
  own_prefix_ = std::string(prefix) + run + '-' + std::to_string(rank);
  agree(exchange, [&] {
    expect_room(path_, 0);
    write_atomically(path_ / marker(run, rank), std::array<std::span<const std::uint8_t>, 0>{});
  });
  std::error_code none;
  std::size_t leader = 0;
  while (leader < rank && !std::filesystem::exists(path_ / marker(run, leader), none)) ++leader;
  for (const std::string& text : exchange.gather(std::to_string(leader))) {
    leaders_.push_back(std::stoul(text));
  }
  hosts_ = exchange.gather(host_name());
  agree(exchange, [&] {
    std::filesystem::remove(path_ / marker(run, rank), none);
    if (leader != rank) return;
    lock_.emplace(path_ / ".spill.lock");
    for (const auto& entry : std::filesystem::directory_iterator(path_, none)) {
      std::error_code ignored;
      const std::string name = entry.path().filename().string();
      if (name.starts_with(prefix)) std::filesystem::remove(entry.path(), ignored);
    }
  });
}

std::string SpillFolder::marker(const std::string& run, std::size_t rank) const {
  return ".spill-" + run + '-' + std::to_string(rank);
}

void SpillFolder::expect(std::uint64_t bytes, const std::string& what) const {
  const std::size_t ranks = leaders_.size();
  std::vector<std::uint64_t> values(2 * ranks, 0);  // needed by leader, free by rank
  const auto rank = static_cast<std::size_t>(exchange_.rank());
  values[leaders_[rank]] = bytes;
  values[ranks + rank] = free_bytes(path_);
  exchange_.sum(values);
  for (std::size_t first = 0; first < ranks; ++first) {
    const std::uint64_t needed = values[first];
    const std::uint64_t free = values[ranks + first];
    if (needed <= free) continue;
    std::ostringstream text;
    text << path_.string();
    if (leaders_.back() != 0) text << " on " << hosts_[first];
    text << ": " << (free >> 20) << " MiB are free, " << (needed >> 20) + 1 << " MiB are needed";
    const auto sharing = std::count(leaders_.begin(), leaders_.end(), first);
    if (sharing > 1) text << " by " << sharing << " ranks";
    if (!what.empty()) text << " for " << what;
    throw CommonError(ErrorKind::resource, text.str());
  }
}

}  // namespace tessera
