// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera {

/// A plane's words in one slab, encoded in whichever form is shortest: nothing, the distances
/// between bits, packed (packing_body.inc), or unencoded. On frontiers of 0.5 to 18 % of all states
/// that is 4 to 8 bits per state.
enum class BlockForm : std::uint8_t { empty = 0, distances = 1, packed = 2, plain = 3 };

/// A block's metadata.
struct BlockEntry {
  std::uint32_t count = 0;  ///< bits set
  std::uint32_t form_and_length = 0;
  std::uint32_t check = 0;  ///< lower half of the XXH3 of the bytes

  static constexpr unsigned form_shift = 28;
  [[nodiscard]] BlockForm form() const {
    return static_cast<BlockForm>(form_and_length >> form_shift);
  }
  [[nodiscard]] std::uint32_t length() const {
    return form_and_length & ((std::uint32_t{1} << form_shift) - 1);
  }
};

/// Whether the bytes match the entry's checksum.
[[nodiscard]] bool is_whole(const BlockEntry& entry, std::span<const std::uint8_t> bytes);

/// Appends the encoded words, at most most_packed_words, to `bytes`. `count`: the number of set
/// bits.
BlockForm encode_block(std::span<const std::uint64_t> words, std::uint64_t count,
                       std::vector<std::uint8_t>& bytes);
BlockEntry append_block(std::span<const std::uint64_t> words, std::uint64_t count,
                        std::vector<std::uint8_t>& bytes);
/// False if the bytes are not of that form or do not decode to words with `count` set bits, none of
/// them in the top four bits of a word.
[[nodiscard]] bool decode_block(BlockForm form, std::span<const std::uint8_t> bytes,
                                std::uint64_t count, std::span<std::uint64_t> words);
[[nodiscard]] bool decode_block(const BlockEntry& entry, std::span<const std::uint8_t> bytes,
                                std::span<std::uint64_t> words);

}  // namespace tessera
