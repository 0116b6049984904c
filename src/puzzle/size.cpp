// SPDX-License-Identifier: MIT
#include "puzzle/size.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {

std::string to_string(Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

Size parse_size(std::string_view text) {
  const std::size_t x = text.find_first_of("xX");
  const auto width = parse_integer(text.substr(0, x));
  const auto height = x == text.npos ? width : parse_integer(text.substr(x + 1));
  const auto fits = [](auto n) { return n && *n >= 2 && *n <= Size::max_cells / 2; };
  if (fits(width) && fits(height)) {
    const Size size{static_cast<int>(*width), static_cast<int>(*height)};
    if (size.playable()) return size;
  }
  bad_input("size " + quote(text) +
            " is not valid, expected WxH such as 4x4, each 2 or more, with at most 64 cells");
}

Size parse_census_size(std::string_view text) {
  const std::size_t x = text.find_first_of("xX");
  const std::int64_t width = parse_integer(text.substr(0, x)).value_or(0);
  const std::int64_t height = x == text.npos ? 0 : parse_integer(text.substr(x + 1)).value_or(0);
  constexpr std::int64_t most = Size::max_cells;
  if (std::min(width, height) < 1 || std::max(width, height) > most || width * height < 2 ||
      width * height > most) {
    bad_input("size " + quote(text) +
              " is not valid, expected WxH with 2 to 16 cells, or one row or column of 2 to 64");
  }
  return {static_cast<int>(width), static_cast<int>(height)};
}

void expect_size(Size size, Size expected) {
  if (size == expected) return;
  bad_input("board is " + to_string(size) + ", expected " + to_string(expected));
}

std::optional<Size> square_size(int cells) {
  for (int side = 2; side * side <= Size::max_cells; ++side) {
    if (side * side == cells) return Size{side, side};
  }
  return {};
}

}  // namespace tessera
