// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/failure.hpp"

namespace tessera {

/// Consecutive slabs (state_layout.hpp), every plane of them.
struct SlabRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  [[nodiscard]] std::uint64_t end() const { return first + count; }
  [[nodiscard]] bool contains(std::uint64_t slab) const { return slab - first < count; }
};

/// Thrown on all ranks, by calls that wait for another rank, if the search is given up.
struct GivenUp {};

/// The communication that a complete search needs between its ranks; here for a single process. All
/// ranks make the same calls in the same order. The census knows nothing else about ranks.
class Exchange {
 public:
  virtual ~Exchange() = default;
  [[nodiscard]] virtual int ranks() const { return 1; }
  [[nodiscard]] virtual int rank() const { return 0; }

  /// Replaces each value by its sum over ranks, on all ranks.
  virtual void sum(std::span<std::uint64_t> /*values*/) {}
  /// Every rank's text, by rank, on all ranks.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& mine) { return {mine}; }
  /// Completes a list of which each rank has filled its own part: `parts` by rank.
  virtual void complete(std::span<std::uint16_t> /*list*/, std::span<const SlabRange> /*parts*/) {}

  /// Bytes for or from another rank; the memory must stay valid until `finish`.
  struct Outgoing {
    int rank;
    std::span<const std::byte> bytes;
  };
  struct Incoming {
    int rank;
    std::span<std::byte> bytes;
  };
  /// Starts transfers; both sides know the lengths, none of which is 0. Two slots, 0 and 1, may be
  /// in use at the same time.
  virtual void start(int /*slot*/, std::span<const Outgoing> /*out*/,
                     std::span<const Incoming> /*in*/) {}
  /// Advances pending transfers; called often while a rank computes.
  virtual void progress() {}
  /// Waits for all transfers of the slot.
  virtual void finish(int /*slot*/) {}
  /// Whether they are complete, without waiting.
  [[nodiscard]] virtual bool done(int /*slot*/) { return true; }

  /// Whether the search is given up. A rank checks this often while it computes and then abandons
  /// all collective work, whatever other ranks wait for.
  [[nodiscard]] virtual bool given_up() { return false; }
  /// Keeps alive the buffers that messages may still arrive in, if a rank abandons a search.
  virtual void keep(std::shared_ptr<void> /*memory*/) {}

  /// Zeroed, page-aligned memory shared by all ranks. It lives as long as this object, and writes
  /// before a `complete` or `sum` are visible after it. Empty if ranks are on several hosts or one
  /// cannot get the memory. Collective.
  [[nodiscard]] virtual std::span<std::uint8_t> common(std::size_t /*bytes*/) { return {}; }
};

using LocalExchange = Exchange;

/// Each rank's number, by rank, on all ranks. Collective.
[[nodiscard]] inline std::vector<std::uint64_t> by_rank(Exchange& exchange, std::uint64_t mine) {
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(exchange.ranks()));
  numbers[static_cast<std::size_t>(exchange.rank())] = mine;
  exchange.sum(numbers);
  return numbers;
}

/// Runs `work` on every rank; throws the first failing rank's error on all of them, as a
/// CommonError. Collective; `work` must not be.
inline void agree(Exchange& exchange, const std::function<void()>& work) {
  std::string failure;  // the kind as a digit, then the message
  try {
    work();
  } catch (const Error& error) {
    failure = static_cast<char>('0' + static_cast<int>(error.kind())) + std::string(error.what());
  }
  for (const std::string& text : exchange.gather(failure)) {
    if (!text.empty()) throw CommonError(static_cast<ErrorKind>(text[0] - '0'), text.substr(1));
  }
}

}  // namespace tessera
