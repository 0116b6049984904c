// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

constexpr std::size_t most_packed_words = 3072;
/// Bytes that packing may take before it is known how many it takes.
[[nodiscard]] constexpr std::size_t packing_bound(std::size_t words) {
  return 10 * words + 64;
}

/// The loops over the words of one slab, compiled once for each instruction set. All lengths are
/// strides of a StateLayout (multiples of 24 words); words beyond a slab's end are 0. A source may
/// be read up to two words beyond its end.
struct SlabKernels {
  const char* name;

  /// Any words with few bits set in few bytes (packing_body.inc), `count` at most
  /// most_packed_words; `to` has room for packing_bound(count). Returns how many bytes.
  std::size_t (*pack)(const std::uint64_t* words, std::size_t count, std::uint8_t* to);
  /// Back into words that are 0 before. False where the bytes are not of that length and form.
  bool (*unpack)(const std::uint8_t* bytes, std::size_t length, std::uint64_t* words,
                 std::size_t count);

  /// An adjacent swap of elements 0,1 .. 3,4 inside each word: `count` of them from `first` on,
  /// ascending if `up`, else descending. `odd`: the parity, at the first of them, of all digits of
  /// the orders in a word whose own digits sum to an even number. Ors into `to`, or overwrites it.
  void (*swap_in_words)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                        const std::uint8_t* word_parity, int odd, int first, int count, bool up,
                        bool overwrite);
  /// The last digit outside the word swapped with the first inside, and on the way up `count`
  /// swaps inside the word after it, on the way down before it. Overwrites `to`.
  void (*straddle)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                   const std::uint8_t* word_parity, int odd, int count, bool up, bool overwrite);
  /// to = from, word by word: to[i] = from[source[i]].
  void (*permute)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                  const std::uint16_t* source);
  /// to[i] |= from[source[i]].
  void (*permute_into)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                       const std::uint16_t* source);
  /// The same in blocks of `block` words: to[target[i]] |= from[i], region by region.
  void (*permute_blocks)(const std::uint64_t* from, std::uint64_t* to, std::size_t words,
                         const std::uint16_t* target, std::size_t blocks, std::size_t block);
  void (*unite)(std::uint64_t* to, const std::uint64_t* from, std::size_t words);
  /// The words that are not 0, ascending; returns how many.
  std::size_t (*find)(const std::uint64_t* from, std::size_t words, std::uint16_t* found);
  /// How many bits are set, of any number of words; ~0 where one of a word's top four is, which
  /// stand for nothing.
  std::uint64_t (*count)(const std::uint64_t* from, std::size_t words);
  /// previous = (found | a | b) & ~previous & ~current, where a, b, previous and current may be
  /// null, which is 0 (`into` takes the result, and is `previous` where that is not null). Returns
  /// how many bits stand.
  std::uint64_t (*remove_duplicates)(const std::uint64_t* found, const std::uint64_t* a,
                                     const std::uint64_t* b, const std::uint64_t* current,
                                     const std::uint64_t* previous, std::uint64_t* into,
                                     std::size_t words);
};

extern const SlabKernels slab_kernels_portable;
extern const SlabKernels slab_kernels_avx2;
extern const SlabKernels slab_kernels_avx2_bmi2;
extern const SlabKernels slab_kernels_avx512;

/// The best for this CPU.
[[nodiscard]] const SlabKernels& slab_kernels();
/// Each that this CPU can run, for tests; the portable one first.
[[nodiscard]] std::span<const SlabKernels* const> all_slab_kernels();

}  // namespace tessera
