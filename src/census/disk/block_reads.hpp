// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "census/disk/segment_store.hpp"

namespace tessera {

/// Blocks of segments, compressed, where they are in memory or on their way from files; those of a
/// file that lie close to one another are read together. Their segments stay meanwhile.
class BlockReads {
 public:
  explicit BlockReads(Spill& spill) : spill_(&spill) {}

  /// Its number, from 0 on. Not after `begin`.
  std::size_t add(SegmentStore::Block block);
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  void begin();
  /// Throw where reading failed.
  [[nodiscard]] bool done() const;
  void wait() const;

  [[nodiscard]] BlockEntry entry(std::size_t i) const;
  /// Once it is done.
  [[nodiscard]] std::span<const std::uint8_t> bytes(std::size_t i) const;
  /// Says that these bytes are not what was written.
  [[noreturn]] void damaged(std::size_t i) const;

 private:
  struct Wanted {
    const Segment* segment = nullptr;  // null: there is nothing
    std::size_t index = 0;
    std::shared_ptr<const Bytes> memory;  // null: in a part
    std::size_t part = 0;
    std::uint64_t offset = 0;  // into the memory or part
  };
  Spill* spill_;
  std::vector<Wanted> blocks_;
  std::shared_ptr<Spill::Reading> reading_;
};

}  // namespace tessera
