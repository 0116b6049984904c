// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "census/levels/sweep.hpp"
#include "census/ranks/common_items.hpp"
#include "census/ranks/halo.hpp"

namespace tessera {

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
