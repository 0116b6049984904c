// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/memory.hpp"

namespace tessera {

/// Tiles of the map that one rank holds, every plane of them.
struct TileRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  [[nodiscard]] bool contains(std::uint64_t tile) const { return tile - first < count; }
};

/// Thrown on all ranks, by what waits for another, where the search is given up.
struct GivenUp {};

/// What a complete search asks of the ranks that share it; all of them make the same calls in the
/// same order. The census knows nothing else of ranks.
class Exchange {
 public:
  virtual ~Exchange() = default;
  [[nodiscard]] virtual int ranks() const = 0;
  [[nodiscard]] virtual int rank() const = 0;

  /// The sum over ranks of each value, for all.
  virtual void sum(std::span<std::uint64_t> values) = 0;
  /// Every rank's text, by rank, for all.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& mine) = 0;
  /// Completes a list of which each rank has filled its own part: `parts` by rank.
  virtual void complete(std::span<std::uint16_t> list, std::span<const TileRange> parts) = 0;
  /// Both of these at once.
  virtual void conclude(std::span<std::uint16_t> list, std::span<const TileRange> parts,
                        std::span<std::uint64_t> values) {
    complete(list, parts);
    sum(values);
  }

  /// Words that go to or come from another rank; the memory stays until `finish`.
  struct Outgoing {
    int rank;
    std::span<const std::uint64_t> words;
  };
  struct Incoming {
    int rank;
    std::span<std::uint64_t> words;
  };
  /// Begins to move words; both sides know the lengths, none of which is 0. Two slots, 0 and 1, may
  /// be under way at once.
  virtual void start(int slot, std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
  /// Helps what is under way along; called often while a rank computes.
  virtual void progress() = 0;
  /// Waits for all that the slot began.
  virtual void finish(int slot) = 0;
  /// Whether that is through, without waiting.
  [[nodiscard]] virtual bool done(int slot) = 0;

  /// Whether the search is given up, which a rank asks often while it computes: then it leaves all
  /// that ranks do together, whatever others wait for.
  [[nodiscard]] virtual bool given_up() { return false; }
  /// Keeps what others' messages may still arrive in, where a rank leaves in the midst of a search.
  virtual void keep(std::shared_ptr<void> /*memory*/) {}

  /// Whether another rank's shared memory can be seen here; that rank says the same of this.
  [[nodiscard]] virtual bool sees(int /*rank*/) const { return false; }
  /// Shows this rank's memory (LargeBuffer::shared, the same kind of thing on every rank) to those
  /// ranks, and gives theirs: by rank, null for others. It stays as long as this. What is written
  /// before a `complete`, `conclude` or `sum` is seen after it. Throws CommonError(resource) where
  /// one of them cannot be seen. Collective.
  [[nodiscard]] virtual std::vector<const std::uint8_t*> show(const LargeBuffer& /*mine*/) {
    return std::vector<const std::uint8_t*>(static_cast<std::size_t>(ranks()));
  }
  /// Zeroed memory that all ranks have in common, from the start of a page on; only where every
  /// rank sees every other. It stays as long as this. Empty where one of them cannot have it: then
  /// none sees another any more. Collective.
  [[nodiscard]] virtual std::span<std::uint8_t> common(std::size_t /*bytes*/) { return {}; }
};

/// One process that holds everything.
class LocalExchange final : public Exchange {
 public:
  [[nodiscard]] int ranks() const override { return 1; }
  [[nodiscard]] int rank() const override { return 0; }
  void sum(std::span<std::uint64_t>) override {}
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override { return {mine}; }
  void complete(std::span<std::uint16_t>, std::span<const TileRange>) override {}
  void start(int, std::span<const Outgoing>, std::span<const Incoming>) override {}
  void progress() override {}
  void finish(int) override {}
  [[nodiscard]] bool done(int) override { return true; }
};

}  // namespace tessera
