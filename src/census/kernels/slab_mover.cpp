// SPDX-License-Identifier: MIT
#include "census/kernels/slab_mover.hpp"

#include <algorithm>
#include <bit>

namespace tessera {

std::uint64_t* SlabBuffer::opened() {
  if (fill()) std::fill_n(words_.begin(), stride_, 0);
  return words_.data();
}

void SlabBuffer::unite(const SlabKernels& kernels, const std::uint64_t* words) {
  if (fill()) std::copy_n(words, stride_, words_.data());
  else kernels.unite(words_.data(), words, stride_);
}

SlabMover::SlabMover(const StateLayout& layout, const SlabKernels& kernels)
    : layout_(layout),
      kernels_(kernels),
      between_(layout.stride() + 8),
      found_(layout.stride() + 1) {}

void SlabMover::move(const Window& window, const std::uint64_t* from, std::uint64_t count, int odd,
                     SlabBuffer& to) {
  const std::size_t stride = layout_.stride();
  const std::size_t words = layout_.words();
  // Moving all words costs about as much as moving this many bits.
  if (count < words / 16) {
    move_bits(window, from, odd, to.opened());
    return;
  }
  const std::uint8_t* const parity = layout_.word_parity();
  if (window.straddles) {
    // Upwards, words move first; downwards, last.
    const bool moves_words = !window.word_source.empty();
    if (window.up && moves_words) {
      kernels_.permute(from, between_.data(), words, window.word_source.data());
      from = between_.data();
    }
    if (window.up) odd ^= window.outer_swaps & 1;
    if (window.up || !moves_words) {
      const bool overwrite = to.fill();
      kernels_.straddle(from, to.data(), stride, parity, odd, window.swaps, window.up, overwrite);
    } else {
      kernels_.straddle(from, between_.data(), stride, parity, odd, window.swaps, false, true);
      kernels_.permute_into(between_.data(), to.opened(), words, window.word_source.data());
    }
  } else if (window.swaps > 0) {
    const bool overwrite = to.fill();
    kernels_.swap_in_words(from, to.data(), stride, parity, odd, window.first_swap, window.swaps,
                           window.up, overwrite);
  } else if (window.block_words == 1) {
    kernels_.permute_into(from, to.opened(), words, window.word_source.data());
  } else {
    kernels_.permute_blocks(from, to.opened(), words, window.block_target.data(),
                            window.block_target.size(), window.block_words);
  }
}

void SlabMover::move_bits(const Window& window, const std::uint64_t* from, int odd,
                          std::uint64_t* to) {
  const std::size_t found = kernels_.find(from, layout_.stride(), found_.data());
  const std::uint8_t* const parity = layout_.word_parity();
  const auto odd_at = [&](std::size_t word, int before) {
    return static_cast<std::size_t>((odd ^ before ^ (parity[word / 8] >> (word % 8))) & 1);
  };
  for (std::size_t i = 0; i < found; ++i) {
    const std::size_t word = found_[i];
    if (window.swaps == 0 && !window.straddles) {
      to[window.word_target[word]] |= from[word];
      continue;
    }
    for (std::uint64_t bits = from[word]; bits != 0; bits &= bits - 1) {
      auto bit = static_cast<unsigned>(std::countr_zero(bits));
      std::size_t target = word;
      if (window.straddles && window.up && !window.word_target.empty()) {
        target = window.word_target[target];
      }
      if (!window.up && window.swaps > 0) bit = window.bit_target[odd_at(target, 0)][bit];
      if (window.straddles) {
        // Digits (x, y): the last one outside and the first one inside the word.
        const std::size_t x = target % 6;
        const std::size_t y = bit / 12;
        const bool falls = y < x;
        target = target - x + (falls ? y : y + 1);
        bit = static_cast<unsigned>((falls ? x - 1 : x) * 12) + bit % 12;
      }
      if (window.up && window.swaps > 0) {
        bit = window.bit_target[odd_at(target, window.outer_swaps & 1)][bit];
      }
      if (window.straddles && !window.up && !window.word_target.empty()) {
        target = window.word_target[target];
      }
      to[target] |= std::uint64_t{1} << bit;
    }
  }
}

}  // namespace tessera
