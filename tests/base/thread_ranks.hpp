// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/failure.hpp"
#include "base/memory.hpp"
#include "base/ranks.hpp"

namespace tessera {

/// Ranks that are threads of one process, so that what happens between ranks can be tested and
/// watched by sanitizers without MPI.
class ThreadRanks {
 public:
  /// On one host they share memory.
  explicit ThreadRanks(int ranks, bool one_host = false)
      : one_host_(one_host),
        all_(ranks),
        lists_(std::size_t(ranks)),
        failures_(std::size_t(ranks)) {}

  /// Sets `interrupted` when rank 0 looks for the n-th time whether to go on. Rank 1 learns of the
  /// stop that follows at its next look, all others only in the next sum.
  void interrupt_at_look(int look, std::atomic<bool>& interrupted) {
    last_look_ = look;
    interrupted_ = &interrupted;
  }
  /// Called with the parts that a rank sends in its n-th transfer, from 0 on.
  std::function<void(int, const Ranks::Parts&)> on_parts;

  /// Calls `work` as each rank and throws what rank 0 threw, or else another.
  void run(const std::function<void(Ranks&)>& work) {
    {
      std::vector<std::jthread> threads;
      for (int rank = 0; rank < size(); ++rank) {
        threads.emplace_back([&, rank] {
          Rank ranks(*this, rank);
          try {
            work(ranks);
          } catch (...) {
            failures_[std::size_t(rank)] = std::current_exception();
          }
        });
      }
    }
    for (const auto& failure : failures_) {
      if (failure) std::rethrow_exception(failure);
    }
  }

 private:
  struct Message {
    int from;
    int to;
    std::vector<std::byte> bytes;
    std::size_t length;  // that the receiver expects
  };

  class Rank final : public Ranks {
   public:
    Rank(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
    [[nodiscard]] int size() const override { return all_.size(); }
    [[nodiscard]] int rank() const override { return rank_; }
    void sum(std::span<std::uint64_t> values) override {
      count_arrival();
      all_.lists_[std::size_t(rank_)].assign(values.begin(), values.end());
      all_.all_.arrive_and_wait();
      std::fill(values.begin(), values.end(), 0);
      for (const auto& list : all_.lists_) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] += list[i];
      }
      all_.all_.arrive_and_wait();
    }
    [[nodiscard]] std::unique_ptr<Transfer> transfer() override {
      return std::make_unique<Sent>(*this);
    }
    void agree(const char* step, const std::function<void()>& work) override {
      std::string failure;  // the kind as a digit, then the message
      try {
        Ranks::agree(step, work);
      } catch (const Error& error) {
        failure =
            static_cast<char>('0' + static_cast<int>(error.kind())) + std::string(error.what());
      }
      for (const std::string& text : gather(*this, failure)) {
        if (!text.empty()) throw CommonError(static_cast<ErrorKind>(text[0] - '0'), text.substr(1));
      }
    }
    [[nodiscard]] bool may_continue() override {
      if (all_.interrupted_ == nullptr) return !all_.stopped_;
      if (rank_ == 0 && ++looks_ == all_.last_look_) *all_.interrupted_ = true;
      if (rank_ != 1) return true;
      // What rank 0 does before its next arrival comes first.
      for (int there = all_.arrivals_; there == arrivals_; there = all_.arrivals_) {
        all_.arrivals_.wait(there);
      }
      return !all_.stopped_;
    }
    void stop() override { all_.stopped_ = true; }
    [[nodiscard]] std::span<std::uint8_t> common(std::size_t bytes) override {
      if (!all_.one_host_) return {};
      if (rank_ == 0) all_.common_.emplace_back(bytes);
      all_.all_.arrive_and_wait();
      const std::span<std::uint8_t> memory = all_.common_.back().bytes();
      all_.all_.arrive_and_wait();
      return memory;
    }

   private:
    class Sent final : public Transfer {
     public:
      explicit Sent(Rank& rank) : rank_(rank) {}
      void start(bool emptied) override {
        ThreadRanks& all = rank_.all_;
        if (all.on_parts) all.on_parts(rank_.transfers_++, out);
        rank_.count_arrival();
        in[std::size_t(rank_.rank_)] = std::move(out[std::size_t(rank_.rank_)]);
        out[std::size_t(rank_.rank_)].clear();
        const std::lock_guard lock(all.mutex_);
        for (int other = 0; other < all.size(); ++other) {
          const std::vector<std::byte>& bytes = out[std::size_t(other)];
          if (bytes.empty()) continue;
          all.mail_.push_back({rank_.rank_, other, {}, bytes.size()});
          if (!emptied) all.mail_.back().bytes = bytes;
        }
        for (int other = 0; other < all.size(); ++other) {
          if (other != rank_.rank_ && !in[std::size_t(other)].empty()) awaited_.push_back(other);
        }
      }
      [[nodiscard]] bool done() override {
        std::erase_if(awaited_, [&](int from) { return receive(from); });
        return awaited_.empty();
      }
      void wait() override {
        while (!done()) std::this_thread::yield();
      }

     private:
      bool receive(int from) {
        ThreadRanks& all = rank_.all_;
        std::vector<std::byte>& to = in[std::size_t(from)];
        const std::lock_guard lock(all.mutex_);
        const auto found = std::ranges::find_if(all.mail_, [&](const Message& message) {
          return message.from == from && message.to == rank_.rank_;
        });
        if (found == all.mail_.end()) return false;
        if (found->length != to.size()) {
          throw std::runtime_error("wrong length " + std::to_string(found->length) + " for " +
                                   std::to_string(to.size()) + " from " + std::to_string(from) +
                                   " to " + std::to_string(rank_.rank_));
        }
        std::ranges::copy(found->bytes, to.begin());
        all.mail_.erase(found);
        return true;
      }

      Rank& rank_;
      std::vector<int> awaited_;  // ranks
    };

    void count_arrival() {
      ++arrivals_;
      if (rank_ != 0) return;
      ++all_.arrivals_;
      all_.arrivals_.notify_all();
    }

    ThreadRanks& all_;
    int rank_;
    int looks_ = 0;
    int transfers_ = 0;
    int arrivals_ = 0;
  };

  [[nodiscard]] int size() const { return static_cast<int>(lists_.size()); }

  bool one_host_;
  std::barrier<> all_;
  std::vector<std::vector<std::uint64_t>> lists_;
  std::vector<std::exception_ptr> failures_;
  std::deque<LargeBuffer> common_;
  int last_look_ = 0;
  std::atomic<bool>* interrupted_ = nullptr;
  std::atomic<bool> stopped_{false};
  std::atomic<int> arrivals_{0};  // of rank 0, at sums and transfers
  std::mutex mutex_;
  std::deque<Message> mail_;
};

}  // namespace tessera
