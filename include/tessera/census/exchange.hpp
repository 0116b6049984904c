// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/failure.hpp"

namespace tessera {

/// Consecutive slabs (state_layout.hpp), every plane of them.
struct SlabRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  [[nodiscard]] std::uint64_t end() const { return first + count; }
  [[nodiscard]] bool contains(std::uint64_t slab) const { return slab - first < count; }
};

/// Thrown on all ranks, by what waits for another, where the search is given up.
struct GivenUp {};

/// What a complete search asks of the ranks that share it; here one process that holds everything.
/// All of them make the same calls in the same order. The census knows nothing else of ranks.
class Exchange {
 public:
  virtual ~Exchange() = default;
  [[nodiscard]] virtual int ranks() const { return 1; }
  [[nodiscard]] virtual int rank() const { return 0; }

  /// The sum over ranks of each value, for all.
  virtual void sum(std::span<std::uint64_t> /*values*/) {}
  /// Every rank's text, by rank, for all.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& mine) { return {mine}; }
  /// Completes a list of which each rank has filled its own part: `parts` by rank.
  virtual void complete(std::span<std::uint16_t> /*list*/, std::span<const SlabRange> /*parts*/) {}

  /// Bytes that go to or come from another rank; the memory stays until `finish`.
  struct Outgoing {
    int rank;
    std::span<const std::byte> bytes;
  };
  struct Incoming {
    int rank;
    std::span<std::byte> bytes;
  };
  /// Begins to move bytes; both sides know the lengths, none of which is 0. Two slots, 0 and 1, may
  /// be under way together.
  virtual void start(int /*slot*/, std::span<const Outgoing> /*out*/,
                     std::span<const Incoming> /*in*/) {}
  /// Helps what is under way along; called often while a rank computes.
  virtual void progress() {}
  /// Waits for all that the slot began.
  virtual void finish(int /*slot*/) {}
  /// Whether that is through, without waiting.
  [[nodiscard]] virtual bool done(int /*slot*/) { return true; }

  /// Whether the search is given up, which a rank asks often while it computes: then it leaves all
  /// that ranks do together, whatever others wait for.
  [[nodiscard]] virtual bool given_up() { return false; }
  /// Keeps what others' messages may still arrive in, where a rank leaves in the midst of a search.
  virtual void keep(std::shared_ptr<void> /*memory*/) {}

  /// Zeroed memory that all ranks share, from the start of a page on. It stays as long as this, and
  /// what is written before a `complete` or `sum` is seen after it. Empty where ranks
  /// are on several hosts or one of them cannot have it. Collective.
  [[nodiscard]] virtual std::span<std::uint8_t> common(std::size_t /*bytes*/) { return {}; }
};

using LocalExchange = Exchange;

/// Each rank's number, by rank, for all. Collective.
[[nodiscard]] inline std::vector<std::uint64_t> by_rank(Exchange& exchange, std::uint64_t mine) {
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(exchange.ranks()));
  numbers[static_cast<std::size_t>(exchange.rank())] = mine;
  exchange.sum(numbers);
  return numbers;
}

/// Has every rank do its part, and throws on all of them, as a CommonError, what the first that
/// failed threw. A collective call; `work` must not be one.
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
