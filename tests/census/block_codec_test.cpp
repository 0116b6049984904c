// SPDX-License-Identifier: MIT
#include "census/disk/block_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace tessera {
namespace {

TEST(CodedBlock, GivesBackWhatItTook) {
  Random random(2);
  for (const std::size_t size : {1U, 6U, 42U, 3024U}) {
    for (int rarity = 0; rarity < 16; ++rarity) {
      std::vector<std::uint64_t> words(size);
      std::uint64_t count = 0;
      for (std::uint64_t& word : words) {
        word = random.next() >> 4;
        for (int i = 0; i < rarity; ++i) word &= random.next();
        count += std::uint64_t(std::popcount(word));
      }
      std::vector<std::uint8_t> bytes{7};  // encode_block appends
      const BlockForm form = encode_block(words, count, bytes);
      EXPECT_LE(bytes.size(), 1 + std::max(size * 8, 2 * count));
      const std::span<const std::uint8_t> encoded{bytes.data() + 1, bytes.size() - 1};
      std::vector<std::uint64_t> back(size);
      EXPECT_TRUE(decode_block(form, encoded, count, back));
      EXPECT_EQ(back, words);
      EXPECT_FALSE(decode_block(form, encoded, count + 1, back));
      if (!encoded.empty()) {
        EXPECT_FALSE(decode_block(form, encoded.first(encoded.size() - 1), count, back));
      }
    }
  }
  std::vector<std::uint64_t> back(1);
  const std::vector<std::uint8_t> beyond{70};  // the second word's bit
  EXPECT_FALSE(decode_block(BlockForm::distances, beyond, 1, back));
  const std::vector<std::uint8_t> unused{62};  // one of the top four
  EXPECT_FALSE(decode_block(BlockForm::distances, unused, 1, back));
}

}  // namespace
}  // namespace tessera
