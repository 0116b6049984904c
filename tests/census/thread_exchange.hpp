// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/memory.hpp"
#include "census/exchange.hpp"

namespace tessera {

/// Ranks that are threads of one process, so that what the census does between ranks can be tested
/// and watched by sanitizers without MPI.
class ThreadRanks {
 public:
  /// On one host they share memory.
  explicit ThreadRanks(int ranks, bool one_host = false)
      : one_host_(one_host), texts_(std::size_t(ranks)), lists_(std::size_t(ranks)) {}

  /// Once it is true, the ranks give their search up.
  void stop_on(const std::atomic<bool>& stop) { stop_ = &stop; }

  /// Calls work(exchange) as each rank and throws what rank 0 threw, or else another.
  void run(const std::function<void(Exchange&)>& work) {
    std::vector<std::exception_ptr> failures(texts_.size());
    {
      std::vector<std::jthread> threads;
      for (int rank = 0; rank < static_cast<int>(texts_.size()); ++rank) {
        threads.emplace_back([&, rank] {
          Rank exchange(*this, rank);
          try {
            work(exchange);
          } catch (...) {
            failures[std::size_t(rank)] = std::current_exception();
          }
        });
      }
    }
    for (const auto& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
  }

 private:
  [[nodiscard]] bool given_up() const { return stop_ != nullptr && *stop_; }

  void meet() {
    std::unique_lock lock(meeting_);
    const unsigned round = round_;
    if (++here_ == texts_.size()) {
      here_ = 0;
      ++round_;
      all_here_.notify_all();
    } else {
      while (!all_here_.wait_for(lock, std::chrono::milliseconds(5),
                                 [&] { return round_ != round; })) {
        if (given_up()) throw GivenUp();
      }
    }
  }

  struct Message {
    int from;
    int to;
    int slot;
    std::vector<std::byte> bytes;
  };

  class Rank final : public Exchange {
   public:
    Rank(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
    [[nodiscard]] int ranks() const override { return static_cast<int>(all_.texts_.size()); }
    [[nodiscard]] int rank() const override { return rank_; }
    void sum(std::span<std::uint64_t> values) override {
      all_.lists_[std::size_t(rank_)].assign(values.begin(), values.end());
      all_.meet();
      std::fill(values.begin(), values.end(), 0);
      for (const auto& list : all_.lists_) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] += list[i];
      }
      all_.meet();
    }
    [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override {
      all_.texts_[std::size_t(rank_)] = mine;
      all_.meet();
      std::vector<std::string> texts = all_.texts_;
      all_.meet();
      return texts;
    }
    void complete(std::span<std::uint16_t> list, std::span<const SlabRange> parts) override {
      all_.lists_[std::size_t(rank_)].assign(list.begin(), list.end());
      all_.meet();
      for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        for (std::uint64_t i = parts[rank].first; i < parts[rank].first + parts[rank].count; ++i) {
          list[i] = static_cast<std::uint16_t>(all_.lists_[rank][i]);
        }
      }
      all_.meet();
    }
    void start(int slot, std::span<const Outgoing> out, std::span<const Incoming> in) override {
      in_[slot].assign(in.begin(), in.end());
      const std::lock_guard lock(all_.mutex_);
      for (const Outgoing& message : out) {
        all_.mail_.push_back(
            {rank_, message.rank, slot, {message.bytes.begin(), message.bytes.end()}});
      }
    }
    void progress() override {}
    void finish(int slot) override {
      while (!done(slot)) {
        if (given_up()) throw GivenUp();
        std::this_thread::yield();
      }
    }
    [[nodiscard]] bool done(int slot) override {
      std::erase_if(in_[slot], [&](const Incoming& expected) { return receive(slot, expected); });
      return in_[slot].empty();
    }

    [[nodiscard]] bool given_up() override { return all_.given_up(); }
    void keep(std::shared_ptr<void> memory) override {
      const std::lock_guard lock(all_.mutex_);
      all_.kept_.push_back(std::move(memory));
    }
    [[nodiscard]] std::span<std::uint8_t> common(std::size_t bytes) override {
      if (!all_.one_host_) return {};
      if (rank_ == 0) all_.common_.emplace_back(bytes);
      all_.meet();
      const std::span<std::uint8_t> memory = all_.common_.back().bytes();
      all_.meet();
      return memory;
    }

   private:
    bool receive(int slot, const Incoming& expected) {
      const std::lock_guard lock(all_.mutex_);
      const auto found = std::find_if(all_.mail_.begin(), all_.mail_.end(), [&](const Message& m) {
        return m.from == expected.rank && m.to == rank_ && m.slot == slot;
      });
      if (found == all_.mail_.end()) return false;
      if (found->bytes.size() != expected.bytes.size())
        throw std::runtime_error("wrong length " + std::to_string(found->bytes.size()) + " for " +
                                 std::to_string(expected.bytes.size()) + " from " +
                                 std::to_string(expected.rank) + " to " + std::to_string(rank_) +
                                 " slot " + std::to_string(slot));
      std::copy(found->bytes.begin(), found->bytes.end(), expected.bytes.begin());
      all_.mail_.erase(found);
      return true;
    }

    ThreadRanks& all_;
    int rank_;
    std::vector<Incoming> in_[2];
  };

  bool one_host_;
  const std::atomic<bool>* stop_ = nullptr;
  std::vector<std::shared_ptr<void>> kept_;
  std::deque<LargeBuffer> common_;
  std::vector<std::string> texts_;
  std::vector<std::vector<std::uint64_t>> lists_;
  std::mutex meeting_;
  std::condition_variable all_here_;
  std::size_t here_ = 0;
  unsigned round_ = 0;
  std::mutex mutex_;
  std::deque<Message> mail_;
};

}  // namespace tessera
