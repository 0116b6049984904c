// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "census/levels/sweep.hpp"
#include "census/ranks/halo.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// Work that ranks with shared memory take item by item: each those of its own part first, which
/// lie in memory that it touched first, then what others have left.
class CommonItems {
 public:
  /// `memory`: so many bytes, zeroed, the same on all ranks.
  CommonItems(const Exchange& exchange, std::span<std::uint8_t> memory);
  [[nodiscard]] static std::size_t bytes(int ranks);

  /// All ranks, with the same number. They must meet between one `begin` and the next, when they
  /// have done all items of the former.
  void begin(std::size_t items);
  /// Any thread of any rank: the next item that nobody has taken, or as many as there are.
  [[nodiscard]] std::size_t next();

 private:
  [[nodiscard]] std::uint64_t& taken(std::uint64_t round, std::size_t rank) const;

  std::size_t ranks_;
  std::size_t rank_;
  std::uint64_t* counters_;  // shared
  std::uint64_t round_ = 0;
  std::size_t items_ = 0;
};

/// Layers in memory. Ranks either share all of it, and then take slabs as threads do; or each holds
/// its own slabs and exchanges a halo; or there is one rank alone.
class MemorySweep final : public Sweep {
 public:
  /// `common`: memory that all ranks share, for counters and layers; empty: they do not.
  MemorySweep(const StateLayout& layout, Exchange& exchange, ThreadTeam& team,
              std::span<std::uint8_t> common);
  [[nodiscard]] static std::size_t common_bytes(const StateLayout& layout, int ranks,
                                                const std::vector<int>& planes);

  [[nodiscard]] Layer::Storage next_storage(int planes) override;
  bool run(Crossings& crossings, const std::vector<std::uint8_t>& wanted, const Compute& compute,
           const Progress& progress, const Pass& pass) override;
  void conclude(Layer& layer, const std::function<void()>& refresh,
                std::span<std::uint64_t> values) override;
  void share_active(Layer& layer) override;
  [[nodiscard]] std::uint64_t bytes_sent() const override {
    return halo_ ? halo_->bytes_sent() : 0;
  }

 private:
  std::span<std::uint8_t> common_;  // that no layer has yet
  std::optional<CommonItems> items_;
  std::optional<Halo> halo_;
};

}  // namespace tessera
