// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <span>
#include <string>
#include <vector>

#include "pdb/regions.hpp"
#include "puzzle/symmetry.hpp"

namespace tessera {

/// A set of tiles, given by their home cells, and where the blank may end: the region around its
/// home that these tiles at home leave open. An additive pattern database depends on nothing else.
struct Pattern {
  Size size;
  CellSet homes = 0;
  CellSet blank_region = 0;

  [[nodiscard]] int tiles() const { return std::popcount(homes); }
  auto operator<=>(const Pattern&) const = default;
};

/// The pattern of the tiles at home in `homes`, for goals whose blank ends in `goal_blank`.
[[nodiscard]] Pattern make_pattern(Size size, CellSet homes, int goal_blank);

/// The representative of a pattern's images under the symmetries of the grid, and the symmetry that
/// maps to it: congruent patterns share a table for every size, goal and orientation.
struct CanonicalPattern {
  Pattern pattern;
  Symmetry symmetry;
};
[[nodiscard]] CanonicalPattern canonical(const Pattern& pattern);

/// Tiles partitioned into patterns, given by their home cells.
using Partition = std::vector<CellSet>;

/// The partition drawn by a picture of the grid, one letter per tile and equal letters for a
/// pattern, for a blank that ends at the dot, by a symmetry that maps the dot to `goal_blank`;
/// empty if there is none. A picture without a dot is for any blank in its top left quarter, which
/// takes the place of a tile. `drawn` is the picture's size: `size`, or that transposed.
[[nodiscard]] Partition drawn_partition(std::string_view picture, Size drawn, Size size,
                                        int goal_blank);

/// Reads a partition of all tiles into patterns:
///     7-8, 6-6-6-6      sizes: a known good partition, else tiles in snake order
///     {1,2,5,6}{...}    tile numbers
///     FILE              a picture of the goal's grid: a letter per tile, equal ones a pattern
/// `goal_tiles` are the goal's tiles by cell. Throws Error(input) if a tile is missing or repeated,
/// and for an unknown name; `names` are the collections that this message suggests.
[[nodiscard]] Partition parse_partition(const std::string& text, Size size,
                                        const std::vector<int>& goal_tiles,
                                        std::span<const std::string> names = {});

/// Partitions and their images under the symmetries of the grid that fix the blank's home:
/// reflections about a diagonal through a corner or about an axis through the middle of a side, for
/// the center also the rotations. Patterns in ascending order; each partition is followed by its
/// images, `most` of them at most, itself included; a center of a square has eight. No duplicates.
[[nodiscard]] std::vector<Partition> with_images(const std::vector<Partition>& partitions,
                                                 Size size, int goal_blank, std::size_t most = 8);

}  // namespace tessera
