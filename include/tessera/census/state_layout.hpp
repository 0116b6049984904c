// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/puzzle/size.hpp"

namespace tessera {

[[nodiscard]] constexpr std::uint64_t factorial(int n) {
  std::uint64_t product = 1;
  for (int i = 2; i <= n; ++i) product *= static_cast<std::uint64_t>(i);
  return product;
}

/// What a vertical move does to the order of the tiles: it rotates `size.width` consecutive tiles,
/// which changes the Lehmer digits of these positions alone and so permutes blocks of bits.
///
/// A window that begins among the digits that number slabs leads to other slabs
/// (`leaves_slab`); the others stay inside one and are a chain of adjacent swaps: first of digits
/// that number words (`word_target`), then of the last of these with the first digit inside the
/// word (`straddles`), then inside the word. Upwards in this order, downwards in reverse.
struct Window {
  int start = 0;    ///< position of the first tile that is rotated
  bool up = false;  ///< the blank goes up: the first tile goes to the end

  // ---- windows that leave the slab
  bool leaves_slab = false;
  std::uint64_t below = 1;   ///< slabs that share the digits of the window
  std::uint64_t groups = 1;  ///< values of the window's digits that number slabs
  std::uint32_t blocks = 1;  ///< blocks that a slab is made of
  std::uint32_t block_words = 0;
  std::vector<std::uint32_t> source;  ///< by block of a group: the block that comes there
  std::vector<std::vector<std::uint16_t>> target_groups;  ///< by group: where its blocks go

  // ---- windows inside a slab
  std::vector<std::uint16_t> word_target;   ///< by word of the slab, empty: words stay
  std::vector<std::uint16_t> word_source;   ///< its inverse
  std::vector<std::uint16_t> block_target;  ///< the same by blocks of a region
  bool straddles = false;
  int first_swap = 0;  ///< swaps inside the word: of elements i, i+1 for i from here
  int swaps = 0;
  int outer_swaps = 0;  ///< adjacent swaps before those inside the word, on the way up
  /// All swaps inside the word together, bit by bit, by the parity that SlabKernels calls `odd`.
  std::array<std::array<std::uint8_t, 60>, 2> bit_target{};
};

/// How the states of a size lie in memory.
///
/// A state is the blank's cell and the order of the tiles in reading order; each cell has a plane,
/// a map of one bit an order. The order is written as Lehmer digits:
///
///     slab number               word in the slab        bit in the word
///     digits 0 .. M-10      |   digits M-9 .. M-6   |   radix 5, 4, 3     (radix 2: parity)
///
/// M = cells - 1. In a slab's number the first digit is written as its place among the values 0, 8,
/// 4, 12, 2, ..., so that a run of slabs has a like share of all levels. A word holds the 60 orders
/// of the last five tiles that parity allows; the top four bits stay 0. A slab is 3024
/// words (24 KB), or the whole plane where that is less. Sizes are turned so that width <= height:
/// fewer slabs are left by a move.
class StateLayout {
 public:
  /// Of the order above and of the blocks in files (block_file.hpp): part of each checkpoint, and
  /// raised whenever one of them changes.
  static constexpr int version = 1;
  static constexpr int least_cells = 6;  ///< fewer go by plain search
  static constexpr int most_cells = 16;

  static constexpr int usual_slab = 9;  ///< elements whose orders make a slab

  /// `goal`: the goal's blank cell. The size must have width <= height, both at least 2, and
  /// 6 to 16 cells. `slab_elements`: at least width + 4, at most 9; smaller slabs are for tests, in
  /// which more moves leave them.
  StateLayout(Size size, int goal, int slab_elements = usual_slab);

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] int goal() const { return goal_; }
  [[nodiscard]] int cells() const { return size_.cells(); }
  /// Words of a slab, rounded up to what kernels read in one step; those beyond stay 0.
  [[nodiscard]] std::uint32_t stride() const { return stride_; }
  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// Whether a block is a whole slab as kernels read it.
  [[nodiscard]] bool is_slab(std::uint32_t block_words) const { return block_words == stride_; }
  [[nodiscard]] std::uint64_t slabs() const { return slabs_; }

  /// The window between cell `above` and the one below it, the blank going up or down.
  [[nodiscard]] const Window& window(int above, bool up) const {
    return windows_[static_cast<std::size_t>(2 * above + (up ? 1 : 0))];
  }
  [[nodiscard]] const std::vector<Window>& windows() const { return windows_; }
  /// 1 where the digits of all orders of a plane sum to an odd number.
  [[nodiscard]] int plane_parity(int cell) const {
    const int rows = size_.row(cell) - size_.row(goal_);
    return (rows * (size_.width - 1)) & 1;
  }
  [[nodiscard]] int slab_parity(std::uint64_t slab) const;
  /// Bit i of byte j: the parity of the digits that number word 8j+i of a slab.
  [[nodiscard]] const std::uint8_t* word_parity() const { return word_parity_.data(); }

  /// The block that comes to place `block` of `slab`.
  struct Block {
    std::uint64_t slab;
    std::uint32_t offset;  ///< words into the slab
  };
  [[nodiscard]] Block source_block(const Window& window, std::uint64_t slab,
                                   std::uint32_t block) const {
    const std::uint64_t group = slab / window.below % window.groups;
    const std::uint32_t from = window.source[group * window.blocks + block];
    return {slab + (from / window.blocks - group) * window.below,
            from % window.blocks * window.block_words};
  }

  /// The order of the tiles, by label 1.., of a state.
  [[nodiscard]] std::vector<int> order(int cell, std::uint64_t slab, std::uint32_t word,
                                       int bit) const;

 private:
  Size size_;
  int goal_;
  std::uint32_t words_ = 1;
  std::uint32_t stride_ = 1;
  std::uint64_t slabs_ = 1;
  int prefix_ = 0;                          // digits that number slabs
  std::vector<std::uint8_t> first_values_;  // of the first digit, by its place in slab numbers
  std::vector<Window> windows_;
  std::vector<std::uint8_t> word_parity_;
};

}  // namespace tessera
