// SPDX-License-Identifier: MIT
#pragma once

#include <barrier>
#include <functional>
#include <thread>

#include "tessera/search/beam.hpp"

namespace tessera {

/// Ranks of a beam search as threads of one process.
class InProcessRanks {
 public:
  explicit InProcessRanks(int ranks)
      : ranks_(ranks),
        sums_(ranks),
        parts_(static_cast<std::size_t>(ranks)),
        all_(static_cast<std::size_t>(ranks)) {}

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
      all_.parts_[own()] = std::move(parts);
      all_.all_.arrive_and_wait();
      Parts received;
      for (auto& from : all_.parts_) received.push_back(std::move(from[own()]));
      all_.all_.arrive_and_wait();
      return received;
    }

   private:
    [[nodiscard]] std::size_t own() const { return static_cast<std::size_t>(rank_); }
    InProcessRanks& all_;
    int rank_;
  };

  int ranks_;
  std::vector<std::span<std::uint64_t>> sums_;
  std::vector<BeamExchange::Parts> parts_;
  std::barrier<> all_;
};

}  // namespace tessera
