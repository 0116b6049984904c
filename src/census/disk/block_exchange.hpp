// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "census/disk/block_reads.hpp"
#include "census/disk/outside_slabs.hpp"
#include "census/disk/segment_store.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// Other ranks' blocks that a batch needs, as they lie compressed in their owners' segments.
struct RemoteBlocks {
  struct Block {
    BlockEntry entry;
    int rank = 0;           ///< who sent it
    std::size_t start = 0;  ///< in its bytes
  };
  std::vector<Block> blocks;                      ///< in the order of the slabs that were asked for
  std::vector<std::vector<std::uint64_t>> words;  ///< by rank

  [[nodiscard]] std::span<const std::uint8_t> bytes(const Block& block) const;
};

/// Disk mode over ranks: all of them go through a pass step by step, a batch each, and while one is
/// computed the blocks of other ranks' slabs that the next one needs come from their owners. Both
/// sides list which they are (`outside_slabs`), so nobody asks. First the blocks' entries go, which
/// give the lengths, then the bytes in rounds: in round k a rank sends to the one k after it and
/// receives from the one k before, so that it never holds more of what goes out than one batch
/// takes, however many ranks there are.
class BlockExchange {
 public:
  BlockExchange(const StateLayout& layout, Exchange& exchange, std::vector<SlabRange> parts,
                std::uint64_t batch_slabs, Spill& spill);

  /// Steps that any rank takes.
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Begins to move what this step needs: `wanted` is of this rank's batch, all of other ranks'
  /// slabs. Layers stay as they are until it is finished.
  void start(std::size_t step, const std::vector<Crossing>& crossings,
             const std::vector<OutsideSlab>& wanted);
  /// Helps what is under way along. Throws Error(corrupt) where a file that it reads is damaged.
  void progress();
  [[nodiscard]] std::shared_ptr<const RemoteBlocks> finish();

  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  enum class State { idle, entries, reading, bytes };
  static constexpr int entries_slot = 0;
  static constexpr int bytes_slot = 1;

  bool step_on();
  void take_entries();
  void begin_round();
  void send_round();

  const StateLayout& layout_;
  Exchange& exchange_;
  std::vector<SlabRange> parts_;
  std::uint64_t batch_slabs_;
  Spill& spill_;
  std::size_t ranks_;
  std::size_t me_;
  std::size_t steps_ = 0;
  State state_ = State::idle;
  std::size_t round_ = 0;
  std::shared_ptr<RemoteBlocks> arrival_;
  std::vector<std::vector<SegmentStore::Block>> sends_;  // of the step, by rank
  std::vector<std::vector<std::uint64_t>> entries_out_;  // by rank
  std::vector<std::vector<std::uint64_t>> entries_in_;   // by rank
  std::optional<BlockReads> reads_;                      // of the round
  std::vector<std::uint64_t> words_out_;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace tessera
