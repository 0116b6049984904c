// SPDX-License-Identifier: MIT
#include "search/view_order.hpp"

#include <algorithm>
#include <numeric>

namespace tessera {

ViewOrder::ViewOrder(std::size_t views) : views_(views) {
  std::iota(views_.begin(), views_.end(), std::uint8_t{0});
}

void ViewOrder::add_sample(std::uint64_t views) {
  if (samples_.size() < most_samples) {
    samples_.push_back(views);
    return;
  }
  samples_[next_sample_++ % most_samples] = views;
}

bool ViewOrder::learn(int bound) {
  if (bound == bound_) return false;
  bound_ = bound;
  std::vector<std::uint64_t> left = samples_;
  std::vector<std::uint8_t> order;
  std::vector<std::uint8_t> others = views_;
  while (!others.empty() && !left.empty()) {
    const auto prunes = [&](std::uint8_t view) {
      return std::count_if(left.begin(), left.end(),
                           [&](std::uint64_t views) { return (views >> view & 1) != 0; });
    };
    const auto best =
        std::max_element(others.begin(), others.end(),
                         [&](std::uint8_t a, std::uint8_t b) { return prunes(a) < prunes(b); });
    order.push_back(*best);
    others.erase(best);
    std::erase_if(left, [&](std::uint64_t views) { return (views >> order.back() & 1) != 0; });
  }
  order.insert(order.end(), others.begin(), others.end());
  const bool changed = order != views_;
  views_ = std::move(order);
  return changed;
}

}  // namespace tessera
