// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <functional>
#include <thread>

#include "search/beam/beam.hpp"

namespace tessera {

/// Ranks of a beam search as threads of one process. `stop_at_look` stops the search when rank 0
/// looks for the n-th time; rank 1 learns of it at its next look, all others only in the next sum.
class InProcessRanks {
 public:
  explicit InProcessRanks(int ranks)
      : ranks_(ranks),
        sums_(ranks),
        parts_(static_cast<std::size_t>(ranks)),
        all_(static_cast<std::size_t>(ranks)) {}

  void stop_at_look(int look, std::atomic<bool>& interrupted) {
    last_look_ = look;
    interrupted_ = &interrupted;
  }
  /// Called with the parts that a rank sends in its n-th exchange, from 0 on.
  std::function<void(int, const BeamExchange::Parts&)> on_parts;

  /// Calls `work` on every rank with its exchange.
  void run(const std::function<void(BeamExchange&)>& work) {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks_; ++rank) {
      threads.emplace_back([this, rank, &work] {
        Exchange exchange(*this, rank);
        work(exchange);
      });
    }
  }

 private:
  class Exchange final : public BeamExchange {
   public:
    Exchange(InProcessRanks& ranks, int rank) : all_(ranks), rank_(rank) {}
    [[nodiscard]] int ranks() const override { return all_.ranks_; }
    [[nodiscard]] int rank() const override { return rank_; }
    void sum(std::span<std::uint64_t> values) override {
      count_arrival();
      all_.sums_[own()] = values;
      all_.all_.arrive_and_wait();
      std::vector<std::uint64_t> total(values.size());
      for (const auto& part : all_.sums_) {
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
      }
      all_.all_.arrive_and_wait();
      std::copy(total.begin(), total.end(), values.begin());
    }
    Parts all_to_all(Parts parts) override {
      if (all_.on_parts) all_.on_parts(exchanges_++, parts);
      count_arrival();
      all_.parts_[own()] = std::move(parts);
      all_.all_.arrive_and_wait();
      Parts received;
      for (auto& from : all_.parts_) received.push_back(std::move(from[own()]));
      all_.all_.arrive_and_wait();
      return received;
    }
    [[nodiscard]] bool goes_on() override {
      if (all_.interrupted_ == nullptr) return true;
      if (rank_ == 0 && ++looks_ == all_.last_look_) *all_.interrupted_ = true;
      if (rank_ != 1) return true;
      // What rank 0 does before its next arrival comes first.
      for (int there = all_.arrivals_; there == arrivals_; there = all_.arrivals_) {
        all_.arrivals_.wait(there);
      }
      return !all_.stopped_;
    }
    void stop() override { all_.stopped_ = true; }

   private:
    [[nodiscard]] std::size_t own() const { return static_cast<std::size_t>(rank_); }
    void count_arrival() {
      ++arrivals_;
      if (rank_ != 0) return;
      ++all_.arrivals_;
      all_.arrivals_.notify_all();
    }
    InProcessRanks& all_;
    int rank_;
    int looks_ = 0;
    int exchanges_ = 0;
    int arrivals_ = 0;
  };

  int ranks_;
  std::vector<std::span<std::uint64_t>> sums_;
  std::vector<BeamExchange::Parts> parts_;
  std::barrier<> all_;
  int last_look_ = 0;
  std::atomic<bool>* interrupted_ = nullptr;
  std::atomic<bool> stopped_{false};
  std::atomic<int> arrivals_{0};  // of rank 0, at sums and exchanges
};

}  // namespace tessera
