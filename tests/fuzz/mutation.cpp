// SPDX-License-Identifier: MIT
#include "fuzz/mutation.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace tessera::fuzz {
namespace {

// What breaks parsers: limits of types, and what has a meaning to them.
const std::vector<std::string> pieces{"0",
                                      "-1",
                                      "1",
                                      "7",
                                      "16",
                                      "63",
                                      "64",
                                      "65",
                                      "255",
                                      "256",
                                      "2147483647",
                                      "2147483648",
                                      "-2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "1e308",
                                      "1e999",
                                      "-0",
                                      "0.5",
                                      "nan",
                                      "999999999999999999999999",
                                      "\n",
                                      "\r\n",
                                      " ",
                                      ",",
                                      ":",
                                      "#",
                                      "{",
                                      "}",
                                      "[",
                                      "]",
                                      "\"",
                                      "'",
                                      "\\",
                                      "\\u0000",
                                      "null",
                                      "true",
                                      "{}",
                                      "[]",
                                      "x",
                                      "=",
                                      ".",
                                      "-",
                                      "(",
                                      ")",
                                      "max(",
                                      "pdb:",
                                      std::string(1, '\0'),
                                      "\xff",
                                      "\xEF\xBB\xBF",
                                      std::string(300, '9'),
                                      std::string(2000, '['),
                                      std::string(8, '\xff'),
                                      std::string(8, '\0'),
                                      std::string("\1\0\0\0", 4)};

std::size_t at(const std::string& text, Random& random) {
  return random.below(text.size() + 1);
}

std::size_t length_from(const std::string& text, std::size_t first, Random& random) {
  const std::size_t rest = text.size() - first;
  const std::size_t most = random.below(4) == 0 ? rest : std::min<std::size_t>(rest, 16);
  return random.below(most + 1);
}

// The decimal number that begins at or after some place.
std::pair<std::size_t, std::size_t> some_number(const std::string& text, Random& random) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const std::size_t from = at(text, random);
  const auto first =
      std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), is_digit);
  const auto last = std::find_if_not(first, text.end(), is_digit);
  return {static_cast<std::size_t>(first - text.begin()), static_cast<std::size_t>(last - first)};
}

void change(std::string& text, const std::vector<std::string>& seeds, Random& random) {
  const std::size_t place = at(text, random);
  switch (random.below(9)) {
    case 0:
      if (place < text.size()) text[place] ^= static_cast<char>(1 << random.below(8));
      return;
    case 1:
      if (place < text.size()) text[place] = static_cast<char>(random.below(256));
      return;
    case 2:
      text.insert(place, pieces[random.below(pieces.size())]);
      return;
    case 3: {
      const auto [first, length] = some_number(text, random);
      text.replace(first, length, pieces[random.below(pieces.size())]);
      return;
    }
    case 4:
      text.erase(place, length_from(text, place, random));
      return;
    case 5:
      text.insert(at(text, random), text.substr(place, length_from(text, place, random)));
      return;
    case 6: {
      const std::string& other = seeds[random.below(seeds.size())];
      const std::size_t first = at(other, random);
      text.insert(place, other.substr(first, length_from(other, first, random)));
      return;
    }
    case 7:
      text.resize(place);
      return;
    default: {  // a little-endian number of a binary format
      const std::size_t width = std::size_t{1} << random.below(4);
      if (place + width > text.size()) return;
      const std::uint64_t value = random.next() >> random.below(64);
      for (std::size_t i = 0; i < width; ++i) text[place + i] = static_cast<char>(value >> (8 * i));
    }
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& seeds, Random& random) {
  std::string text = seeds[random.below(seeds.size())];
  for (std::uint64_t changes = 1 + random.below(8); changes > 0; --changes) {
    change(text, seeds, random);
    constexpr std::size_t longest = 1 << 20;
    if (text.size() > longest) text.resize(longest);
  }
  return text;
}

}  // namespace tessera::fuzz
