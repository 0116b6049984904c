// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "census/kernels/kernels.hpp"
#include "census/levels/layer.hpp"
#include "tessera/census/tile_layout.hpp"

namespace tessera {

/// A tile's worth of words that a thread computes; 0 until something is found.
class Scratch {
 public:
  explicit Scratch(const TileLayout& layout)
      : words_(layout.stride() + 8), stride_(layout.stride()) {}

  [[nodiscard]] std::uint64_t* data() { return words_.data(); }
  [[nodiscard]] const std::uint64_t* data() const { return words_.data(); }
  [[nodiscard]] bool empty() const { return empty_; }
  void clear() { empty_ = true; }
  /// For a kernel that overwrites all words, or none.
  void filled() { empty_ = false; }
  /// Makes the words 0 where nothing is found yet, for a kernel that ors.
  std::uint64_t* opened();
  void unite(const TileKernels& kernels, const std::uint64_t* words);
  void set(const std::uint64_t* words);

 private:
  std::vector<std::uint64_t> words_;
  std::size_t stride_;
  bool empty_ = true;
};

/// What one thread does with one tile: applies vertical moves that stay inside it.
class TileWork {
 public:
  explicit TileWork(const TileLayout& layout, const TileKernels& kernels = tile_kernels());

  /// Ors the image of a plane's words into `to`. `count`: how many bits of `from` are set, roughly;
  /// few are moved one by one. `odd`: the parity of the digits of all orders of the plane outside
  /// the tile.
  void move(const Window& window, const std::uint64_t* from, std::uint64_t count, int odd,
            Scratch& to);

 private:
  void move_bits(const Window& window, const std::uint64_t* from, int odd, std::uint64_t* to);

  const TileLayout& layout_;
  const TileKernels& kernels_;
  std::vector<std::uint64_t> between_;
  std::vector<std::uint16_t> found_;
};

}  // namespace tessera
