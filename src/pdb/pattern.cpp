// SPDX-License-Identifier: MIT
#include "pdb/pattern.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {
namespace {

// Known good partitions, drawn for a blank that ends at the dot.
struct NamedPartition {
  Size size;
  const char* name;
  const char* picture;
};

constexpr NamedPartition named_partitions[] = {
    {{4, 4}, "7-8", ".aaaaaaabbbbbbbb"},
    {{4, 4}, "5-5-5", ".aaaaabbbbbccccc"},
    {{4, 4}, "6-6-3", ".bbabbaabbaaccca"},
    {{5, 5}, "6-6-6-6", ".aabbaaabbccabbccdddccddd"},  // Korf and Felner 2002
};

std::vector<CellSet> patterns_of(std::string_view picture) {
  std::map<char, CellSet> by_letter;
  for (std::size_t cell = 0; cell < picture.size(); ++cell) {
    if (picture[cell] != '.') by_letter[picture[cell]] |= cell_bit(static_cast<int>(cell));
  }
  std::vector<CellSet> patterns;
  for (const auto& [letter, cells] : by_letter) patterns.push_back(cells);
  return patterns;
}

// Tiles in snake order, so that patterns are connected; along the shorter side, so that they are
// compact.
std::vector<CellSet> snake(Size size, int goal_blank, const std::vector<int>& sizes) {
  std::vector<CellSet> patterns;
  std::size_t which = 0;
  CellSet pattern = 0;
  const Size upright = size.width <= size.height ? size : size.transposed();
  for (int i = 0; i < size.cells(); ++i) {
    const int mirrored = i + upright.width - 1 - 2 * upright.column(i);
    const int place = upright.row(i) % 2 == 0 ? i : mirrored;
    const int cell = upright == size ? place : upright.transposed(place);
    if (cell == goal_blank) continue;
    pattern |= cell_bit(cell);
    if (std::popcount(pattern) == sizes[which]) {
      patterns.push_back(pattern);
      pattern = 0;
      ++which;
    }
  }
  return patterns;
}

std::vector<CellSet> by_sizes(const std::string& text, Size size, int goal_blank) {
  std::vector<int> sizes;
  int sum = 0;
  for (const std::string& part : split_list(text, '-')) {
    const auto count = parse_integer(part);
    if (!count || *count < 1 || *count >= Size::max_cells) {
      bad_input("partition " + quote(text) + " is not valid, expected sizes such as 7-8");
    }
    sizes.push_back(static_cast<int>(*count));
    sum += sizes.back();
  }
  if (sum != size.cells() - 1) {
    bad_input("partition " + text + " has " + std::to_string(sum) + " tiles, expected " +
              std::to_string(size.cells() - 1) + " on " + to_string(size));
  }
  for (const NamedPartition& named : named_partitions) {
    if (named.name != text || named.size != size) continue;
    Partition patterns = drawn_partition(named.picture, size, size, goal_blank);
    if (!patterns.empty()) return patterns;
  }
  return snake(size, goal_blank, sizes);
}

std::vector<CellSet> by_tiles(const std::string& text, const std::vector<int>& goal_tiles) {
  std::vector<CellSet> patterns;
  CellSet named = 0;  // by any of them
  const auto malformed = [&] {
    bad_input("partition " + quote(text) + " is not valid, expected sets such as {1,2,3}{4,5,6}");
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('}', at);
    if (text[at] != '{' || end == std::string::npos) malformed();
    CellSet pattern = 0;
    for (const std::string_view field :
         split_fields(std::string_view(text).substr(at + 1, end - at - 1))) {
      const std::string word(field);
      const auto tile = parse_integer(word);
      const auto found = tile ? std::ranges::find(goal_tiles, *tile) : goal_tiles.end();
      if (!tile) malformed();
      if (*tile == 0 || found == goal_tiles.end()) {
        bad_input("partition " + text + ": tile " + word + " is not on the board, expected 1 to " +
                  std::to_string(goal_tiles.size() - 1));
      }
      const CellSet home = cell_bit(static_cast<int>(found - goal_tiles.begin()));
      if ((named & home) != 0) {
        bad_input("partition " + text + ": tile " + word + " appears twice");
      }
      named |= home;
      pattern |= home;
    }
    if (pattern == 0) malformed();
    patterns.push_back(pattern);
    at = end + 1;
  }
  return patterns;
}

std::vector<CellSet> by_picture(const std::string& path, const std::vector<int>& goal_tiles) {
  constexpr std::uint64_t most_bytes = 64 << 10;
  std::istringstream file(read_file(path, most_bytes));
  std::string picture;
  for (std::string line; std::getline(file, line) && picture.size() <= goal_tiles.size();) {
    if (line.starts_with('#')) continue;
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    picture += line;
  }
  if (picture.size() != goal_tiles.size()) {
    bad_input(path + ": " + std::to_string(picture.size()) + " cells, expected a picture of " +
              std::to_string(goal_tiles.size()) + ", one letter per tile and a dot for the blank");
  }
  for (std::size_t cell = 0; cell < picture.size(); ++cell) {
    if ((picture[cell] == '.') != (goal_tiles[cell] == 0)) {
      bad_input(path + ": cell " + std::to_string(cell) +
                " is wrong, expected a dot where the goal has its blank, and only there");
    }
  }
  return patterns_of(picture);
}

}  // namespace

Pattern make_pattern(Size size, CellSet homes, int goal_blank) {
  const Regions regions(size);
  const CellSet open = regions.all() & ~homes;
  return {size, homes, regions.spread(cell_bit(goal_blank) & open, open)};
}

CanonicalPattern canonical(const Pattern& pattern) {
  std::optional<CanonicalPattern> best;
  for (const Symmetry& symmetry : symmetries(pattern.size)) {
    const Pattern image{symmetry.to, symmetry.of(pattern.homes), symmetry.of(pattern.blank_region)};
    // The wider of the two orientations, then the lowest cells.
    const auto before = [](const Pattern& a, const Pattern& b) {
      if (a.size != b.size) return a.size.width > b.size.width;
      return a < b;
    };
    if (!best || before(image, best->pattern)) best = CanonicalPattern{image, symmetry};
  }
  return *best;
}

Partition drawn_partition(std::string_view picture, Size drawn, Size size, int goal_blank) {
  const std::size_t dot = picture.find('.');
  const auto suits = [&](int cell) {
    if (dot != picture.npos) return cell == static_cast<int>(dot);
    return 2 * drawn.column(cell) < drawn.width && 2 * drawn.row(cell) < drawn.height;
  };
  for (const Symmetry& symmetry : symmetries(drawn)) {
    if (symmetry.to != size || !suits(symmetry.inverse()(goal_blank))) continue;
    Partition patterns = patterns_of(picture);
    for (CellSet& pattern : patterns) pattern = symmetry.of(pattern) & ~cell_bit(goal_blank);
    return patterns;
  }
  return {};
}

Partition parse_partition(const std::string& text, Size size, const std::vector<int>& goal_tiles,
                          std::span<const std::string> names) {
  const auto blank = std::ranges::find(goal_tiles, 0);
  const int goal_blank = static_cast<int>(blank - goal_tiles.begin());
  std::vector<CellSet> patterns;
  std::error_code no_path;
  if (text.starts_with('{')) {
    patterns = by_tiles(text, goal_tiles);
  } else if (!text.empty() && text.find_first_not_of("0123456789-") == std::string::npos) {
    patterns = by_sizes(text, size, goal_blank);
  } else if (std::filesystem::exists(text, no_path)) {
    patterns = by_picture(text, goal_tiles);
  } else {
    if (!nearest_name(text, names).empty()) bad_input("partition " + unknown_name(text, names));
    std::string listed;
    for (const std::string& name : names) listed += name + ", ";
    bad_input("partition " + quote(text) + " is unknown, expected " + listed +
              "sizes such as 7-8, sets such as {1,2,3}{4,5,6}, or a file");
  }
  CellSet covered = 0;
  for (const CellSet pattern : patterns) covered |= pattern;
  const CellSet missing = Regions(size).all() & ~cell_bit(goal_blank) & ~covered;
  if (missing != 0) {
    bad_input("partition " + text + " misses tile " +
              std::to_string(goal_tiles[static_cast<std::size_t>(std::countr_zero(missing))]));
  }
  return patterns;
}

std::vector<Partition> with_images(const std::vector<Partition>& partitions, Size size,
                                   int goal_blank, std::size_t most) {
  std::vector<Partition> all;
  for (const Partition& partition : partitions) {
    std::vector<Partition> images;
    for (const Symmetry& symmetry : symmetries(size)) {
      if (symmetry.to != size || symmetry(goal_blank) != goal_blank) continue;
      Partition image;
      for (const CellSet homes : partition) image.push_back(symmetry.of(homes));
      std::ranges::sort(image);
      if (images.size() < most && std::ranges::find(images, image) == images.end()) {
        images.push_back(std::move(image));
      }
    }
    for (Partition& image : images) {
      if (std::ranges::find(all, image) == all.end()) all.push_back(std::move(image));
    }
  }
  return all;
}

}  // namespace tessera
