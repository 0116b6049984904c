// SPDX-License-Identifier: MIT
#include "puzzle/size.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {

std::string to_string(Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

Size parse_size(std::string_view text) {
  const std::size_t x = text.find_first_of("xX");
  if (const auto side = parse_integer(text); side && *side >= 2 && *side <= Size::max_cells) {
    const int length = static_cast<int>(*side);
    if (Size{length, length}.playable()) return {length, length};
  }
  if (x != std::string_view::npos) {
    const auto width = parse_integer(text.substr(0, x));
    const auto height = parse_integer(text.substr(x + 1));
    const auto fits = [](auto n) { return n && *n >= 2 && *n <= Size::max_cells / 2; };
    if (fits(width) && fits(height)) {
      const Size size{static_cast<int>(*width), static_cast<int>(*height)};
      if (size.playable()) return size;
    }
  }
  bad_input("size " + quote(text) +
            " is not valid, expected WxH such as 4x4, each 2 or more, with at most 64 cells");
}

std::optional<Size> square_size(int cells) {
  for (int side = 2; side * side <= Size::max_cells; ++side) {
    if (side * side == cells) return Size{side, side};
  }
  return {};
}

}  // namespace tessera
