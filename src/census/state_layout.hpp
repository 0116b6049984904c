// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "puzzle/size.hpp"

namespace tessera {

/// Consecutive slabs, every plane of them.
struct SlabRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  [[nodiscard]] std::uint64_t end() const { return first + count; }
  [[nodiscard]] bool contains(std::uint64_t slab) const { return slab - first < count; }
};

[[nodiscard]] constexpr std::uint64_t factorial(int n) {
  std::uint64_t product = 1;
  for (int i = 2; i <= n; ++i) product *= static_cast<std::uint64_t>(i);
  return product;
}

/// How a vertical move changes the order of the tiles: it rotates `size.width` consecutive tiles,
/// which changes only the Lehmer digits of these positions and so permutes blocks of bits.
///
/// A window that starts among the digits of the slab number leads to other slabs (`leaves_slab`).
/// The others stay inside one and are a chain of adjacent swaps: first of word-number digits
/// (`word_target`), then of the last of these with the first digit inside the word (`straddles`),
/// then inside the word. Upwards in this order, downwards in reverse.
struct Window {
  int start = 0;    ///< position of the first tile that is rotated
  bool up = false;  ///< the blank moves up: the first tile moves to the end

  // ---- windows that leave the slab
  bool leaves_slab = false;
  std::uint64_t below = 1;   ///< slabs with the same digits of the window
  std::uint64_t groups = 1;  ///< values of the window's digits in slab numbers
  std::uint32_t blocks = 1;  ///< blocks per slab
  std::uint32_t block_words = 0;
  std::vector<std::uint32_t> source;  ///< by block of a group: the block that moves there
  std::vector<std::vector<std::uint16_t>> target_groups;  ///< by group: where its blocks move

  // ---- windows inside a slab
  std::vector<std::uint16_t> word_target;   ///< by word of the slab; empty: words do not move
  std::vector<std::uint16_t> word_source;   ///< its inverse
  std::vector<std::uint16_t> block_target;  ///< the same for blocks of a region
  bool straddles = false;
  int first_swap = 0;  ///< swaps inside the word: elements i, i+1 for i from here
  int swaps = 0;
  int outer_swaps = 0;  ///< adjacent swaps before those inside the word, upwards
  /// All swaps inside the word combined, bit by bit, by the parity that SlabKernels calls `odd`.
  std::array<std::array<std::uint8_t, 60>, 2> bit_target{};
};

/// The memory layout of the states of a size.
///
/// A state is the blank's cell and the order of the tiles row by row; each cell has a plane, a
/// bitmap with one bit per order. The order is written as Lehmer digits:
///
///     slab number               word in the slab        bit in the word
///     digits 0 .. M-10      |   digits M-9 .. M-6   |   radix 5, 4, 3     (radix 2: parity)
///
/// M = cells - 1. In slab numbers the first digit is its position among the values 0, 8, 4, 12, 2,
/// ..., so that any range of slabs has a similar share of all levels. A word holds the 60 orders of
/// the last five tiles that parity allows; the top four bits stay 0. A slab is 3024 words (24 KB),
/// or the whole plane if that is smaller. Sizes are transposed so that width <= height, because
/// then fewer moves leave a slab.
class StateLayout {
 public:
  /// Version of the order above and of the blocks in files (block_file.hpp): stored in checkpoints,
  /// and increased whenever either changes.
  static constexpr int version = 1;
  static constexpr int least_cells = 6;  ///< smaller sizes use plain search
  static constexpr int most_cells = 16;

  static constexpr int default_slab = 9;  ///< tiles whose orders form a slab

  /// `goal`: the goal's blank cell. The size must have width <= height, both at least 2, and 6 to
  /// 16 cells. `slab_elements`: at least width + 4, at most 9; smaller slabs are for tests, so that
  /// more moves leave them.
  StateLayout(Size size, int goal, int slab_elements = default_slab);

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] int goal() const { return goal_; }
  [[nodiscard]] int cells() const { return size_.cells(); }
  /// Words per slab, rounded up to what kernels read in one step; the padding stays 0.
  [[nodiscard]] std::uint32_t stride() const { return stride_; }
  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// Whether a block is a whole slab, as kernels read it.
  [[nodiscard]] bool is_slab(std::uint32_t block_words) const { return block_words == stride_; }
  [[nodiscard]] std::uint64_t slabs() const { return slabs_; }

  /// The window between cell `above` and the one below it, for the blank moving up or down.
  [[nodiscard]] const Window& window(int above, bool up) const {
    return windows_[static_cast<std::size_t>(2 * above + (up ? 1 : 0))];
  }
  [[nodiscard]] const std::vector<Window>& windows() const { return windows_; }
  /// 1 if the digits of all orders of a plane have an odd sum.
  [[nodiscard]] int plane_parity(int cell) const {
    const int rows = size_.row(cell) - size_.row(goal_);
    return (rows * (size_.width - 1)) & 1;
  }
  [[nodiscard]] int slab_parity(std::uint64_t slab) const;
  /// Bit i of byte j: the parity of the digits of word number 8j+i of a slab.
  [[nodiscard]] const std::uint8_t* word_parity() const { return word_parity_.data(); }

  /// The block that moves to place `block` of `slab`.
  struct Block {
    std::uint64_t slab;
    std::uint32_t offset;  ///< in words, within the slab
  };
  [[nodiscard]] Block source_block(const Window& window, std::uint64_t slab,
                                   std::uint32_t block) const {
    const std::uint64_t group = slab / window.below % window.groups;
    const std::uint32_t from = window.source[group * window.blocks + block];
    return {slab + (from / window.blocks - group) * window.below,
            from % window.blocks * window.block_words};
  }

  /// The order of the tiles of a state, by label from 1.
  [[nodiscard]] std::vector<int> order(int cell, std::uint64_t slab, std::uint32_t word,
                                       int bit) const;

 private:
  Size size_;
  int goal_;
  std::uint32_t words_ = 1;
  std::uint32_t stride_ = 1;
  std::uint64_t slabs_ = 1;
  int prefix_ = 0;                          // digits in the slab number
  std::vector<std::uint8_t> first_values_;  // of the first digit, by its position in slab numbers
  std::vector<Window> windows_;
  std::vector<std::uint8_t> word_parity_;
};

}  // namespace tessera
