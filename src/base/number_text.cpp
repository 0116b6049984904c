// SPDX-License-Identifier: MIT
#include "base/number_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace tessera {

std::string with_commas(std::uint64_t number) {
  return fmt::format("{}", fmt::group_digits(number));
}

std::string bytes_text(std::uint64_t bytes) {
  int shift = 10;
  std::size_t unit = 0;
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
  for (; unit + 1 < std::size(units) && bytes >> shift >= 1024; ++unit) shift += 10;
  const double amount = std::ldexp(static_cast<double>(bytes), -shift);
  const int digits = amount == std::floor(amount) ? 0 : unit == 3 ? 2 : 1;
  return fmt::format("{:.{}f} {}", amount, digits, units[unit]);
}

}  // namespace tessera
