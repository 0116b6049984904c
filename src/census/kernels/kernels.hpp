// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

/// A word's bit (a*4 + b)*3 + c stands for digits a of radix 5, b of 4, c of 3 and d of 2, so that
/// a + b + c + d has the parity `odd`. Swapping elements `first` and `first` + 1 turns their digits
/// (x, y) into (y, x-1) if y < x, else (y+1, x). Returns where that moves the bit.
[[nodiscard]] constexpr int swapped_bit(int bit, int first, int odd) {
  int digits[5] = {bit / 12, bit / 3 % 4, bit % 3, 0, 0};  // the last is always 0
  digits[3] = (digits[0] + digits[1] + digits[2] + odd) & 1;
  const int x = digits[first];
  const int y = digits[first + 1];
  digits[first] = y < x ? y : y + 1;
  digits[first + 1] = y < x ? x - 1 : x;
  return (digits[0] * 4 + digits[1]) * 3 + digits[2];
}

constexpr std::size_t most_packed_words = 3072;
/// Upper bound on the bytes that packing writes.
[[nodiscard]] constexpr std::size_t packing_bound(std::size_t words) {
  return 10 * words + 64;
}

/// Loops over the words of one slab, compiled once per instruction set. All lengths are strides of
/// a StateLayout (multiples of 24 words); words beyond a slab's end are 0. A source may be read up
/// to two words past its end.
struct SlabKernels {
  const char* name;

  /// Packs words with few set bits into few bytes (packing_body.inc); `count` is at most
  /// most_packed_words, and `to` has room for packing_bound(count). Returns the number of bytes.
  std::size_t (*pack)(const std::uint64_t* words, std::size_t count, std::uint8_t* to);
  /// Unpacks into zeroed words. False if the bytes are not of that length and form.
  bool (*unpack)(const std::uint8_t* bytes, std::size_t length, std::uint64_t* words,
                 std::size_t count);

  /// Adjacent swaps of elements 0,1 .. 3,4 inside each word: `count` of them from `first` on,
  /// ascending if `up`, else descending. `odd`: the parity, before the first swap, of all digits of
  /// the orders in a word whose own digits have an even sum. Ors into `to`, or overwrites it.
  void (*swap_in_words)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                        const std::uint8_t* word_parity, int odd, int first, int count, bool up,
                        bool overwrite);
  /// Swaps the last digit outside the word with the first inside, followed (up) or preceded (down)
  /// by `count` swaps inside the word. Ors into `to`, or overwrites it.
  void (*straddle)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                   const std::uint8_t* word_parity, int odd, int count, bool up, bool overwrite);
  /// to[i] = from[source[i]].
  void (*permute)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                  const std::uint16_t* source);
  /// to[i] |= from[source[i]].
  void (*permute_into)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                       const std::uint16_t* source);
  /// The same in blocks of `block` words: to[target[i]] |= from[i], region by region.
  void (*permute_blocks)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                         const std::uint16_t* target, std::size_t blocks, std::size_t block);
  void (*unite)(std::uint64_t* to, const std::uint64_t* from, std::size_t words);
  /// The indices of nonzero words, ascending; returns how many there are.
  std::size_t (*find)(const std::uint64_t* from, std::size_t words, std::uint16_t* found);
  /// The number of set bits in any number of words; ~0 if one of a word's unused top four bits is
  /// set.
  std::uint64_t (*count)(const std::uint64_t* from, std::size_t words);
  /// previous = (found | a | b) & ~previous & ~current; a, b, previous and current may be null,
  /// meaning 0 (`into` receives the result, and is `previous` if that is not null). Returns the
  /// number of set bits in the result.
  std::uint64_t (*remove_duplicates)(const std::uint64_t* found, const std::uint64_t* a,
                                     const std::uint64_t* b, const std::uint64_t* current,
                                     const std::uint64_t* previous, std::uint64_t* into,
                                     std::size_t words);
};

extern const SlabKernels slab_kernels_portable;
extern const SlabKernels slab_kernels_avx2;
extern const SlabKernels slab_kernels_avx2_bmi2;
extern const SlabKernels slab_kernels_avx512;

/// The fastest one for this CPU.
[[nodiscard]] const SlabKernels& slab_kernels();
/// All that this CPU can run, for tests; the portable one first.
[[nodiscard]] std::span<const SlabKernels* const> all_slab_kernels();

}  // namespace tessera
