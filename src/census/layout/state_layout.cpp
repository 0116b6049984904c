// SPDX-License-Identifier: MIT
#include "census/state_layout.hpp"

#include <algorithm>
#include <numeric>

#include "census/kernels/kernels.hpp"

namespace tessera {
namespace {

constexpr int word_elements = 5;       // their orders are the bits of a word
constexpr std::uint32_t granule = 24;  // words that kernels process in one step

// How a rotation of `count` elements maps the first `count` Lehmer digits (radices radix, radix-1,
// ...), as a number, most significant digit first. Up: the first element moves to the end.
std::vector<std::uint32_t> rotation_of_digits(int radix, int count, bool up) {
  std::vector<std::uint32_t> map;
  std::vector<std::uint32_t> elements(static_cast<std::size_t>(radix));
  std::iota(elements.begin(), elements.end(), 0U);
  const auto end = elements.begin() + count;
  do {
    std::vector<std::uint32_t> rotated(elements.begin(), end);
    std::rotate(rotated.begin(), up ? rotated.begin() + 1 : rotated.end() - 1, rotated.end());
    std::uint32_t image = 0;
    for (auto element = rotated.begin(); element != rotated.end(); ++element) {
      const auto smaller = std::count_if(rotated.begin(), element,
                                         [&](std::uint32_t earlier) { return earlier < *element; });
      image = image * static_cast<std::uint32_t>(radix - (element - rotated.begin())) + *element -
              static_cast<std::uint32_t>(smaller);
    }
    map.push_back(image);
    // Put the others in descending order, so that the next permutation changes the first `count`.
    std::reverse(end, elements.end());
  } while (std::ranges::next_permutation(elements).found);
  return map;
}

template <class T>
std::vector<T> inverse(const std::vector<T>& map) {
  std::vector<T> inverted(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) inverted[map[i]] = static_cast<T>(i);
  return inverted;
}

// The values of the first digit in the order of slab numbers: 0, 8, 4, 12, 2, ..., by their
// reversed bits. Any range of them is spread over all values, so that ranks, which hold ranges,
// have about the same share of each level: boards with a small first digit are closer to the goal.
std::vector<std::uint8_t> spread_values(int radix) {
  std::vector<std::uint8_t> values;
  for (unsigned place = 0; place < 16; ++place) {
    const unsigned value = (place & 1) << 3 | (place & 2) << 1 | (place & 4) >> 1 | place >> 3;
    if (static_cast<int>(value) < radix) values.push_back(static_cast<std::uint8_t>(value));
  }
  return values;
}

// The same map with the highest digit, one of `values`, replaced by its position in `values`.
template <class T>
std::vector<T> by_places(const std::vector<T>& map, const std::vector<std::uint8_t>& values) {
  const std::vector<std::uint8_t> places = inverse(values);
  const std::size_t below = map.size() / values.size();
  std::vector<T> placed(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    placed[places[i / below] * below + i % below] =
        static_cast<T>(places[map[i] / below] * below + map[i] % below);
  }
  return placed;
}

void leave_slab(Window& window, int width, int tiles_count, int prefix,
                const std::vector<std::uint8_t>& first_values) {
  window.leaves_slab = true;
  auto forward = rotation_of_digits(tiles_count - window.start, width, window.up);
  if (window.start == 0) forward = by_places(forward, first_values);
  window.source = inverse(forward);
  const int end = std::min(window.start + width, prefix);  // of its digits in the slab number
  window.below = factorial(tiles_count - end) / factorial(tiles_count - prefix);
  window.groups = factorial(tiles_count - window.start) / factorial(tiles_count - end);
  window.blocks = static_cast<std::uint32_t>(forward.size() / window.groups);
  const auto slab_words = static_cast<std::uint32_t>(factorial(tiles_count - prefix) / 120);
  window.block_words = slab_words / window.blocks;
  window.target_groups.resize(window.groups);
  for (std::size_t block = 0; block < forward.size(); ++block) {
    auto& targets = window.target_groups[block / window.blocks];
    const auto target = static_cast<std::uint16_t>(forward[block] / window.blocks);
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  }
}

void fill_bit_targets(Window& window) {
  for (int odd = 0; odd < 2; ++odd) {
    for (int bit = 0; bit < 60; ++bit) {
      int image = bit;
      for (int i = 0; i < window.swaps; ++i) {
        const int which = window.first_swap + (window.up ? i : window.swaps - 1 - i);
        image = swapped_bit(image, which, odd ^ (i & 1));
      }
      window.bit_target[static_cast<std::size_t>(odd)][static_cast<std::size_t>(bit)] =
          static_cast<std::uint8_t>(image);
    }
  }
}

void stay_in_slab(Window& window, int width, int tiles_count, std::uint32_t slab_words) {
  const int radix = tiles_count - window.start;              // of the first digit that changes
  const int outer = std::min(width, radix - word_elements);  // elements outside the word
  window.straddles = outer >= 1 && outer < width;
  window.outer_swaps = std::max(0, window.straddles ? outer : outer - 1);
  window.swaps = width - 1 - window.outer_swaps;
  window.first_swap = std::max(0, word_elements - radix);
  fill_bit_targets(window);
  if (outer < 2) return;
  const auto blocks = rotation_of_digits(radix, outer, window.up);
  // Words move the same way in each region of words that share the digits before the window.
  const auto region_words = static_cast<std::uint32_t>(factorial(radix) / 120);
  const auto block_words = static_cast<std::uint32_t>(region_words / blocks.size());
  window.block_words = block_words;
  window.block_target.assign(blocks.begin(), blocks.end());
  window.word_target.resize(slab_words);
  for (std::uint32_t word = 0; word < slab_words; ++word) {
    const std::uint32_t inside = word % region_words;
    window.word_target[word] = static_cast<std::uint16_t>(
        word - inside + blocks[inside / block_words] * block_words + inside % block_words);
  }
  window.word_source = inverse(window.word_target);
}

}  // namespace

StateLayout::StateLayout(Size size, int goal, int slab_elements) : size_(size), goal_(goal) {
  const int count = size.cells() - 1;
  const int inside = std::min(count, slab_elements);
  prefix_ = count - inside;
  words_ = static_cast<std::uint32_t>(factorial(inside) / 120);
  stride_ = (words_ + granule - 1) / granule * granule;
  slabs_ = factorial(count) / factorial(inside);
  first_values_ = spread_values(count);
  windows_.resize(static_cast<std::size_t>(2 * (size.cells() - size.width)));
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    Window& window = windows_[i];
    window.start = static_cast<int>(i / 2);
    window.up = i % 2 == 1;
    if (window.start < prefix_) leave_slab(window, size.width, count, prefix_, first_values_);
    else stay_in_slab(window, size.width, count, words_);
  }
  word_parity_.assign(stride_ / 8, 0);
  for (std::uint32_t word = 0; word < words_; ++word) {
    std::uint32_t rest = word;
    std::uint32_t sum = 0;
    for (int radix = word_elements + 1; radix <= inside; ++radix) {
      sum += rest % static_cast<std::uint32_t>(radix);
      rest /= static_cast<std::uint32_t>(radix);
    }
    word_parity_[word / 8] |= static_cast<std::uint8_t>((sum & 1) << (word % 8));
  }
}

int StateLayout::slab_parity(std::uint64_t slab) const {
  std::uint64_t sum = 0;
  const int count = cells() - 1;
  for (int radix = count - prefix_ + 1; radix <= count; ++radix) {
    const std::uint64_t digit = slab % static_cast<std::uint64_t>(radix);
    sum += radix == count ? first_values_[digit] : digit;
    slab /= static_cast<std::uint64_t>(radix);
  }
  return static_cast<int>(sum & 1);
}

std::vector<int> StateLayout::order(int cell, std::uint64_t slab, std::uint32_t word,
                                    int bit) const {
  const int count = cells() - 1;
  std::vector<int> digits(static_cast<std::size_t>(count), 0);
  std::uint64_t rest = (slab * words_ + word) * 60 + static_cast<std::uint64_t>(bit);
  int sum = 0;
  for (int i = count - 3; i >= 0; --i) {
    const auto radix = static_cast<std::uint64_t>(count - i);
    digits[static_cast<std::size_t>(i)] = static_cast<int>(rest % radix);
    if (i == 0 && prefix_ > 0) digits[0] = first_values_[rest % radix];
    rest /= radix;
    sum += digits[static_cast<std::size_t>(i)];
  }
  digits[static_cast<std::size_t>(count - 2)] = (sum + plane_parity(cell)) & 1;
  std::vector<int> left;
  for (int label = 1; label <= count; ++label) left.push_back(label);
  std::vector<int> order;
  for (const int digit : digits) {
    order.push_back(left[static_cast<std::size_t>(digit)]);
    left.erase(left.begin() + digit);
  }
  return order;
}

}  // namespace tessera
