// SPDX-License-Identifier: MIT
#include "census/disk/block_codec.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/descriptor.hpp"
#include "census/kernels/kernels.hpp"

namespace tessera {
namespace {

// Seven bits per byte, the lowest first; the top bit means that more bytes follow.
void put_number(std::uint64_t number, std::vector<std::uint8_t>& bytes) {
  for (; number >= 128; number >>= 7) bytes.push_back(static_cast<std::uint8_t>(number | 128));
  bytes.push_back(static_cast<std::uint8_t>(number));
}

std::uint32_t check_of(std::span<const std::uint8_t> bytes) {
  return bytes.empty() ? 0 : static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

bool place_distances(std::span<const std::uint8_t> bytes, std::span<std::uint64_t> words) {
  std::uint64_t next = 0;  // the lowest possible position of the next bit
  for (std::size_t i = 0; i < bytes.size();) {
    std::uint64_t distance = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (i == bytes.size() || shift > 28) return false;
      const std::uint8_t byte = bytes[i++];
      distance |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) break;
    }
    const std::uint64_t position = next + distance;
    if (position >= words.size() * 64) return false;
    words[position / 64] |= std::uint64_t{1} << (position % 64);
    next = position + 1;
  }
  return true;
}

}  // namespace

bool is_whole(const BlockEntry& entry, std::span<const std::uint8_t> bytes) {
  return check_of(bytes) == entry.check;
}

BlockEntry append_block(std::span<const std::uint64_t> words, std::uint64_t count,
                        std::vector<std::uint8_t>& bytes) {
  const std::size_t before = bytes.size();
  const BlockForm form = encode_block(words, count, bytes);
  const std::size_t length = bytes.size() - before;
  return {static_cast<std::uint32_t>(count),
          static_cast<std::uint32_t>(form) << BlockEntry::form_shift |
              static_cast<std::uint32_t>(length),
          check_of({bytes.data() + before, length})};
}

bool decode_block(const BlockEntry& entry, std::span<const std::uint8_t> bytes,
                  std::span<std::uint64_t> words) {
  return is_whole(entry, bytes) && decode_block(entry.form(), bytes, entry.count, words);
}

BlockForm encode_block(std::span<const std::uint64_t> words, std::uint64_t count,
                       std::vector<std::uint8_t>& bytes) {
  if (count == 0) return BlockForm::empty;
  // Distances take one or two bytes each; with so few bits, listing nonempty words would cost more.
  if (count * 16 <= words.size() || words.size() < 8) {
    std::uint64_t next = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
        const std::uint64_t position =
            word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
        put_number(position - next, bytes);
        next = position + 1;
      }
    }
    return BlockForm::distances;
  }
  std::array<std::uint8_t, packing_bound(most_packed_words)> packed;
  const std::size_t length = slab_kernels().pack(words.data(), words.size(), packed.data());
  if (length < words.size_bytes()) {
    bytes.insert(bytes.end(), packed.data(), packed.data() + length);
    return BlockForm::packed;
  }
  const auto plain = raw_bytes(words);
  bytes.insert(bytes.end(), plain.begin(), plain.end());
  return BlockForm::plain;
}

bool decode_block(BlockForm form, std::span<const std::uint8_t> bytes, std::uint64_t count,
                  std::span<std::uint64_t> words) {
  std::ranges::fill(words, 0);
  switch (form) {
    case BlockForm::empty:
      if (!bytes.empty()) return false;
      break;
    case BlockForm::distances:
      if (!place_distances(bytes, words)) return false;
      break;
    case BlockForm::packed:
      if (!slab_kernels().unpack(bytes.data(), bytes.size(), words.data(), words.size())) {
        return false;
      }
      break;
    case BlockForm::plain:
      if (bytes.size() != words.size_bytes()) return false;
      std::memcpy(words.data(), bytes.data(), bytes.size());
      break;
    default:
      return false;
  }
  return slab_kernels().count(words.data(), words.size()) == count;
}

}  // namespace tessera
