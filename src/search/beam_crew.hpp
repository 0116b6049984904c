// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "tessera/search/beam.hpp"

namespace tessera {

/// The threads of a rank at work on the layers of a beam search. Between their items the main
/// thread looks whether the search is to stop: rank 0 asks the limits, the others learn it from
/// there.
class BeamCrew {
 public:
  using Work = std::function<void(std::size_t item, int thread)>;

  BeamCrew(ThreadTeam& team, BeamExchange& exchange, const Limits& limits)
      : team_(team), exchange_(exchange), limits_(limits) {}

  [[nodiscard]] ThreadTeam& team() { return team_; }
  [[nodiscard]] std::size_t threads() const { return static_cast<std::size_t>(team_.threads()); }
  /// Why the limits stop the search, on rank 0.
  [[nodiscard]] std::optional<Stop> stop() const { return stop_; }

  /// Shares the items out among the threads.
  void share(std::size_t items, const Work& work) {
    look();
    team_.share(items, work, [this] { look(); });
  }
  /// The same for work that nobody needs once the search stops: then items are left out. No layer
  /// after it is used, so that what they would have written may be anything.
  void share_until_stopped(std::size_t items, const Work& work) {
    share(items, [&](std::size_t item, int thread) {
      if (!stopped_.load(std::memory_order_relaxed)) work(item, thread);
    });
  }

 private:
  void look() {
    if (stopped_.load(std::memory_order_relaxed)) return;
    if (exchange_.rank() == 0 && (stop_ = limits_.reached(0))) exchange_.stop();
    if (stop_ || !exchange_.goes_on()) stopped_ = true;
  }

  ThreadTeam& team_;
  BeamExchange& exchange_;
  const Limits& limits_;
  std::optional<Stop> stop_;
  std::atomic<bool> stopped_{false};
};

}  // namespace tessera
