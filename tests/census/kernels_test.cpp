// SPDX-License-Identifier: MIT
#include "census/kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include "base/random.hpp"
#include "census/kernels/slab_mover.hpp"

namespace tessera {
namespace {

std::vector<std::uint64_t> random_words(const StateLayout& layout, Random& random, int rarity) {
  std::vector<std::uint64_t> words(layout.stride() + 8, 0);
  for (std::uint32_t word = 0; word < layout.words(); ++word) {
    words[word] = random.next() >> 4;
    for (int i = 0; i < rarity; ++i) words[word] &= random.next();
  }
  return words;
}

// By order of the tiles: word and bit.
using Places = std::map<std::vector<int>, std::pair<std::uint32_t, int>>;

// Of planes of even and odd parity.
std::array<Places, 2> places_of(const StateLayout& layout) {
  std::array<Places, 2> places;
  for (int cell = 0; cell < layout.cells(); ++cell) {
    Places& of_parity = places[std::size_t(layout.plane_parity(cell))];
    if (!of_parity.empty()) continue;
    for (std::uint32_t word = 0; word < layout.words(); ++word) {
      for (int bit = 0; bit < 60; ++bit) {
        of_parity[layout.order(cell, 0, word, bit)] = {word, bit};
      }
    }
  }
  return places;
}

// By the meaning of the layout: the order of the tiles, rotated, and its number looked up.
std::vector<std::uint64_t> moved_one_by_one(const StateLayout& layout, int above, bool up,
                                            const std::vector<std::uint64_t>& from,
                                            const std::array<Places, 2>& all_places) {
  const int width = layout.size().width;
  const int source = up ? above + width : above;
  const int target = up ? above : above + width;
  const Places& places = all_places[std::size_t(layout.plane_parity(target))];
  std::vector<std::uint64_t> to(from.size(), 0);
  for (std::uint32_t word = 0; word < layout.words(); ++word) {
    for (int bit = 0; bit < 60; ++bit) {
      if ((from[word] >> bit & 1) == 0) continue;
      std::vector<int> order = layout.order(source, 0, word, bit);
      const auto first = order.begin() + above;
      std::rotate(first, up ? first + 1 : first + width - 1, first + width);
      const auto place = places.at(order);
      to[place.first] |= std::uint64_t{1} << place.second;
    }
  }
  return to;
}

TEST(SlabMover, MovesEveryBitAsItsBoardMoves) {
  const auto kernels = all_slab_kernels();
  Random random(7);
  for (const auto& [size, goal] : {std::pair{Size{2, 3}, 0}, {Size{2, 4}, 3}, {Size{3, 3}, 4}}) {
    const StateLayout layout(size, goal);
    ASSERT_EQ(layout.slabs(), 1U);
    const std::array<Places, 2> places = places_of(layout);
    for (int above = 0; above + size.width < size.cells(); ++above) {
      for (const bool up : {false, true}) {
        for (const int rarity : {0, 8}) {  // all together, and bit by bit
          const auto from = random_words(layout, random, rarity);
          const auto expected = moved_one_by_one(layout, above, up, from, places);
          const int odd = layout.plane_parity(up ? above + size.width : above);
          std::uint64_t bits = 0;
          for (const std::uint64_t word : from) bits += std::uint64_t(std::popcount(word));
          for (std::size_t i = 0; i < kernels.size(); ++i) {
            SlabMover work(layout, *kernels[i]);
            SlabBuffer to(layout);
            work.move(layout.window(above, up), from.data(), bits, odd, to);
            const std::vector<std::uint64_t> found(to.data(), to.data() + layout.stride());
            ASSERT_EQ(found, std::vector(expected.begin(), expected.end() - 8))
                << to_string(size) << " cell " << above << (up ? " up " : " down ")
                << kernels[i]->name << " rarity " << rarity;
          }
        }
      }
    }
  }
}

// Slabs of the largest sizes: each kernel against the portable one, dense and bit by bit.
TEST(SlabMover, KernelsAgreeOnLargeSizes) {
  const auto kernels = all_slab_kernels();
  Random random(8);
  for (const Size size : {Size{2, 6}, Size{3, 4}, Size{3, 5}, Size{4, 4}}) {
    const StateLayout layout(size, 1);
    for (const Window& window : layout.windows()) {
      if (window.leaves_slab) continue;
      const auto from = random_words(layout, random, 5);
      std::vector<std::uint64_t> expected;
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        for (const std::uint64_t bits : {0U, 10'000U}) {
          for (const bool onto : {false, true}) {
            SlabMover work(layout, *kernels[i]);
            SlabBuffer to(layout);
            if (onto) to.unite(*kernels[i], from.data());
            work.move(window, from.data(), bits, window.start & 1, to);
            std::vector<std::uint64_t> found(to.data(), to.data() + layout.stride());
            if (expected.empty()) expected = found;
            if (onto) {
              auto both = expected;
              for (std::size_t word = 0; word < both.size(); ++word) both[word] |= from[word];
              ASSERT_EQ(found, both) << kernels[i]->name;
            } else {
              ASSERT_EQ(found, expected) << kernels[i]->name << " window " << window.start;
            }
          }
        }
      }
    }
  }
}

// Boards whose first tile is a low one lie nearer to the goal: two ranks have as many of them.
TEST(StateLayout, HalvesOfTheSlabsHaveLikeFirstTiles) {
  for (const Size size : {Size{2, 6}, Size{3, 4}, Size{2, 7}, Size{3, 5}}) {
    const StateLayout layout(size, 1);
    const std::uint64_t half = layout.slabs() / 2;
    std::array<double, 2> mean{};
    for (std::uint64_t slab = 0; slab < 2 * half; ++slab) {
      mean[slab / half] += layout.order(0, slab, 0, 0)[0] / static_cast<double>(half);
    }
    // The even and the odd values; without spreading half of all values lie between the means.
    EXPECT_NEAR(mean[0], mean[1], 1.001) << to_string(size);
  }
}

// Words of any number, sparse and dense: the same bytes from all kernels, and back from them.
TEST(SlabKernels, PackAndUnpackAlike) {
  const auto kernels = all_slab_kernels();
  Random random(9);
  for (const std::size_t size : {8U, 9U, 42U, 63U, 65U, 336U, 3024U, 3072U}) {
    for (int rarity = 0; rarity < 14; ++rarity) {
      std::vector<std::uint64_t> words(size);
      for (std::uint64_t& word : words) {
        word = random.next() >> 4;
        for (int i = 0; i < rarity; ++i) word &= random.next();
        if (random.next() % 3 == 0) word = 0;
      }
      if (rarity == 0) words[size / 2] = ~std::uint64_t{0} >> 4;
      if (rarity == 13) words.assign(size, 0);
      std::vector<std::uint8_t> expected;
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        std::vector<std::uint8_t> bytes(packing_bound(size), 0xff);
        bytes.resize(kernels[i]->pack(words.data(), size, bytes.data()));
        if (i == 0) expected = bytes;
        ASSERT_EQ(bytes, expected) << kernels[i]->name << ", " << size << " words";
        std::vector<std::uint64_t> back(size);
        ASSERT_TRUE(kernels[i]->unpack(bytes.data(), bytes.size(), back.data(), size));
        ASSERT_EQ(back, words) << kernels[i]->name << ", " << size << " words";
      }
    }
  }
}

// What is damaged is refused or gives other words; nothing beyond either end is touched (what the
// sanitizers look at).
TEST(SlabKernels, UnpackAnyBytesSafely) {
  const auto kernels = all_slab_kernels();
  Random random(10);
  constexpr std::size_t size = 333;
  std::vector<std::uint64_t> words(size);
  for (std::uint64_t& word : words) word = random.next() & random.next() & random.next() >> 4;
  std::vector<std::uint8_t> whole(packing_bound(size));
  whole.resize(kernels[0]->pack(words.data(), size, whole.data()));
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::uint8_t> bytes = whole;
    if (round % 2 == 0) bytes.resize(random.next() % bytes.size());
    for (auto flips = random.next() % 20 + 1; flips > 0 && !bytes.empty(); --flips) {
      bytes[random.next() % std::min<std::size_t>(bytes.size(), round % 3 == 0 ? 48 : 4096)] ^=
          static_cast<std::uint8_t>(1U << random.next() % 8);
    }
    std::optional<bool> first;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
      std::vector<std::uint64_t> back(size);
      const bool taken = kernels[i]->unpack(exact.data(), exact.size(), back.data(), size);
      if (!first) first = taken;
      ASSERT_EQ(taken, *first) << kernels[i]->name;
    }
    refused += *first ? 0 : 1;
  }
  EXPECT_GT(refused, 2500);
}

TEST(SlabKernels, RemoveDuplicatesAsTheirFormulaSays) {
  const auto kernels = all_slab_kernels();
  const StateLayout layout({3, 3}, 0);
  Random random(9);
  const auto found = random_words(layout, random, 1);
  const auto a = random_words(layout, random, 1);
  const auto b = random_words(layout, random, 1);
  const auto current = random_words(layout, random, 1);
  const auto previous = random_words(layout, random, 1);
  for (unsigned which = 0; which < 16; ++which) {
    const auto given = [&](unsigned bit, const std::vector<std::uint64_t>& words) {
      return (which >> bit & 1) != 0 ? words.data() : nullptr;
    };
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if ((which & 3) == 2) continue;  // the second without the first is never asked
      std::vector<std::uint64_t> into(layout.stride());
      const std::uint64_t bits =
          kernels[i]->remove_duplicates(found.data(), given(0, a), given(1, b), given(2, current),
                                        given(3, previous), into.data(), layout.stride());
      std::uint64_t expected_bits = 0;
      for (std::uint32_t word = 0; word < layout.stride(); ++word) {
        std::uint64_t expected = found[word];
        if ((which & 1) != 0) expected |= a[word];
        if ((which & 2) != 0) expected |= b[word];
        if ((which & 4) != 0) expected &= ~current[word];
        if ((which & 8) != 0) expected &= ~previous[word];
        ASSERT_EQ(into[word], expected);
        expected_bits += std::uint64_t(std::popcount(expected));
      }
      EXPECT_EQ(bits, expected_bits);
      EXPECT_EQ(kernels[i]->count(into.data(), layout.stride()), expected_bits);
    }
  }
}

}  // namespace
}  // namespace tessera
