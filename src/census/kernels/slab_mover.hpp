// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "census/kernels/kernels.hpp"
#include "census/state_layout.hpp"

namespace tessera {

/// Words of a slab that a thread computes; 0 until something is found.
class SlabBuffer {
 public:
  explicit SlabBuffer(const StateLayout& layout)
      : words_(layout.stride() + 8), stride_(layout.stride()) {}

  [[nodiscard]] std::uint64_t* data() { return words_.data(); }
  [[nodiscard]] const std::uint64_t* data() const { return words_.data(); }
  [[nodiscard]] bool empty() const { return empty_; }
  void clear() { empty_ = true; }
  /// For a kernel that ors into the words, or overwrites all of them if this returns true: nothing
  /// was found before.
  [[nodiscard]] bool fill() { return std::exchange(empty_, false); }
  /// Zeroes the words if nothing was found yet, for a kernel that ors.
  std::uint64_t* opened();
  void unite(const SlabKernels& kernels, const std::uint64_t* words);

 private:
  std::vector<std::uint64_t> words_;
  std::size_t stride_;
  bool empty_ = true;
};

/// One thread's work on one slab: applies vertical moves that stay inside it.
class SlabMover {
 public:
  explicit SlabMover(const StateLayout& layout, const SlabKernels& kernels = slab_kernels());

  /// Ors the image of a plane's words into `to`. `count`: the approximate number of set bits in
  /// `from`; few are moved one by one. `odd`: the parity of the digits of all orders of the plane
  /// outside the slab.
  void move(const Window& window, const std::uint64_t* from, std::uint64_t count, int odd,
            SlabBuffer& to);

 private:
  void move_bits(const Window& window, const std::uint64_t* from, int odd, std::uint64_t* to);

  const StateLayout& layout_;
  const SlabKernels& kernels_;
  std::vector<std::uint64_t> between_;
  std::vector<std::uint16_t> found_;
};

}  // namespace tessera
