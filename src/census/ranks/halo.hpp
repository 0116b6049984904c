// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "census/levels/layer.hpp"
#include "tessera/census/exchange.hpp"
#include "tessera/census/tile_layout.hpp"

namespace tessera {

/// Tiles of the map by rank, as equal as can be.
[[nodiscard]] std::vector<TileRange> share_tiles(std::uint64_t tiles, int ranks);

/// A vertical move from a plane: which window, and where the plane lies.
struct Pull {
  const Window* window;
  Layer* source;
  int plane;  ///< of the source layer
};

/// Disk mode: what a move of a pass brings to a batch of tiles from others, by tile of the batch
/// (`first`) and block; null where that is empty.
struct FarBlocks {
  std::vector<std::uint32_t> first;
  std::vector<const std::uint64_t*> words;
};

/// Blocks of other ranks' tiles that moves bring here. Which they are follows from the layout, so
/// both sides know without a word; blocks of tiles where the plane is empty are left out, which
/// both sides know from the layer's `active`. Tiles go by chunks, so that one chunk's words travel
/// while another is computed.
class Halo {
 public:
  /// `parts`: tiles by rank, or one part that all ranks have in common. In disk mode others bring
  /// the blocks: `set_near` says where they are.
  Halo(const TileLayout& layout, std::vector<TileRange> parts, Exchange& exchange,
       bool on_disk = false);

  [[nodiscard]] const std::vector<TileRange>& parts() const { return parts_; }
  [[nodiscard]] const TileRange& mine() const { return mine_; }
  [[nodiscard]] std::size_t chunks() const { return chunks_; }
  /// The tiles of this rank's chunk.
  [[nodiscard]] TileRange chunk(std::size_t index) const { return chunk_of(mine_, index); }

  /// Whether some rank sees this one's layers; they must lie in shared memory then.
  [[nodiscard]] bool shares() const { return shares_; }
  /// The layers that moves will come from, the same on each rank, are shown to ranks that see them,
  /// so that no block of them is sent there. In memory only. Collective.
  void show(const std::vector<Layer*>& layers);

  /// What all ranks do next: the moves of a pass, of which only those whose window leaves the tile
  /// matter here. Sources stay as they are until the last chunk is finished.
  void begin(std::vector<Pull> pulls);
  void start(std::size_t chunk);
  void finish(std::size_t chunk);

  /// Ors what `pull`, the index of a move of this pass, brings to `tile` of a finished chunk.
  /// `bring(offset, words, length)` is called for each block that is not known to be empty.
  template <class Bring>
  void blocks(std::size_t pull, std::uint64_t tile, const Bring& bring) const {
    const Pull& what = pulls_[pull];
    const Window& window = *what.window;
    Elsewhere next = elsewhere(pull, tile);
    std::size_t seen = 0;
    for (std::uint32_t block = 0; block < window.blocks; ++block) {
      const TileLayout::Block from = layout_.source_block(window, tile, block);
      const std::uint64_t* words = nullptr;
      if (near_.contains(from.tile)) {
        if (what.source->active(from.tile, what.plane)) {
          words = what.source->words(from.tile, what.plane) + from.offset;
        }
      } else {
        if (next.arrived != nullptr) words = *next.arrived++;
        if (next.shown != nullptr) {
          const std::uint32_t rank = next.block++->rank;
          if (words == nullptr) {
            words = shown_block(what, *next.shown, rank, from);
            if (words != nullptr) ++seen;
          }
        }
      }
      if (words != nullptr) bring(block * window.block_words, words, window.block_words);
    }
    if (seen > 0) words_seen_.fetch_add(seen * window.block_words, std::memory_order_relaxed);
  }

  [[nodiscard]] const std::vector<Pull>& pulls() const { return pulls_; }
  /// Disk mode: the tiles that are computed next, and what comes to them from others.
  void set_near(TileRange near, std::vector<FarBlocks> far) {
    near_ = near;
    far_ = std::move(far);
  }

  /// Words so far that went to other ranks, or were seen with them.
  [[nodiscard]] std::uint64_t words_sent() const { return words_sent_ + words_seen(); }
  [[nodiscard]] std::uint64_t words_seen() const { return words_seen_; }
  /// Bytes that the lists take.
  [[nodiscard]] std::uint64_t list_bytes() const;

 private:
  struct RemoteBlock {
    std::uint32_t tile;
    std::uint32_t offset;
    std::uint32_t rank;
  };
  struct OwnBlock {
    std::uint32_t tile;
    std::uint32_t offset;
  };
  // Of one window: what comes here, by tile (`first`) and block; what goes to a rank's chunk.
  struct Static {
    std::vector<std::uint32_t> first;
    std::vector<RemoteBlock> in;
    std::vector<std::vector<OwnBlock>> out;  // by rank * chunks + chunk
  };
  struct Arrived {
    std::vector<const std::uint64_t*> words;  // by block of `in` of the chunk; null: empty
  };

  [[nodiscard]] std::size_t index_of(const Window& window) const {
    return static_cast<std::size_t>(&window - layout_.windows().data());
  }
  [[nodiscard]] TileRange chunk_of(const TileRange& part, std::size_t index) const;
  [[nodiscard]] std::uint32_t owner(std::uint64_t tile) const;
  void list_incoming(const Window& window, Static& list) const;
  void list_outgoing(const Window& window, Static& list) const;
  // A layer as other ranks show it: its words by rank, null where they are not seen.
  struct Shown {
    const Layer* layer;
    std::vector<const std::uint64_t*> words;
  };
  // What other ranks' blocks for one tile and move are found by, each in turn.
  struct Elsewhere {
    const std::uint64_t* const* arrived = nullptr;  // null: nothing is sent here
    const RemoteBlock* block = nullptr;
    const Shown* shown = nullptr;  // null: nothing is seen
  };
  [[nodiscard]] Elsewhere elsewhere(std::size_t pull, std::uint64_t tile) const;
  [[nodiscard]] const std::uint64_t* shown_block(const Pull& pull, const Shown& shown,
                                                 std::uint32_t rank,
                                                 const TileLayout::Block& from) const {
    const std::uint64_t* const words = shown.words[rank];
    if (words == nullptr || !pull.source->active(from.tile, pull.plane)) return nullptr;
    return words + pull.source->words_into(parts_[rank], from.tile, pull.plane) + from.offset;
  }

  const TileLayout& layout_;
  std::vector<TileRange> parts_;
  Exchange& exchange_;
  TileRange mine_;
  TileRange near_;  // tiles whose words layers have
  std::vector<FarBlocks> far_;
  std::size_t chunk_tiles_ = 1;
  std::size_t chunks_ = 1;
  std::vector<Static> lists_;  // by window
  std::vector<Pull> pulls_;
  std::vector<Arrived> arrived_[2];                      // by pull
  std::vector<std::vector<std::uint64_t>> incoming_[2];  // by rank
  std::vector<std::vector<std::uint64_t>> outgoing_[2];
  std::uint64_t words_sent_ = 0;
  bool shares_ = false;    // with some ranks
  bool messages_ = false;  // with the others
  std::vector<Shown> shown_;
  std::vector<const Shown*> sources_;  // by pull
  mutable std::atomic<std::uint64_t> words_seen_{0};
};

}  // namespace tessera
