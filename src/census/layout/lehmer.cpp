// SPDX-License-Identifier: MIT
#include "census/layout/lehmer.hpp"

#include <algorithm>

namespace tessera {

std::vector<std::uint32_t> rotation_of_digits(int radix, int count, bool up) {
  std::uint32_t values = 1;
  for (int i = 0; i < count; ++i) values *= static_cast<std::uint32_t>(radix - i);
  std::vector<std::uint32_t> map(values);
  std::vector<int> elements(static_cast<std::size_t>(count));
  for (std::uint32_t value = 0; value < values; ++value) {
    std::vector<int> left(static_cast<std::size_t>(radix));
    for (int i = 0; i < radix; ++i) left[static_cast<std::size_t>(i)] = i;
    std::uint32_t weight = values;
    std::uint32_t rest = value;
    for (int i = 0; i < count; ++i) {
      weight /= static_cast<std::uint32_t>(radix - i);
      const auto pick = left.begin() + static_cast<std::ptrdiff_t>(rest / weight);
      rest %= weight;
      elements[static_cast<std::size_t>(i)] = *pick;
      left.erase(pick);
    }
    if (up) std::rotate(elements.begin(), elements.begin() + 1, elements.end());
    else std::rotate(elements.begin(), elements.end() - 1, elements.end());
    std::uint32_t image = 0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      int digit = elements[i];
      for (std::size_t j = 0; j < i; ++j) digit -= elements[j] < elements[i] ? 1 : 0;
      image = image * static_cast<std::uint32_t>(radix - static_cast<int>(i)) +
              static_cast<std::uint32_t>(digit);
    }
    map[value] = image;
  }
  return map;
}

}  // namespace tessera
