// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tessera/pdb/regions.hpp"
#include "tessera/puzzle/symmetry.hpp"

namespace tessera {

/// A set of tiles, named by their home cells, and where the blank ends: the region around its home
/// that the tiles at home leave it. All that an additive pattern database depends on.
struct Pattern {
  Size size;
  CellSet homes = 0;
  CellSet blank_region = 0;

  [[nodiscard]] int tiles() const;
  auto operator<=>(const Pattern&) const = default;
};

/// The pattern of tiles at home in `homes` for goals whose blank ends in `goal_blank`.
[[nodiscard]] Pattern make_pattern(Size size, CellSet homes, int goal_blank);

/// Of a pattern's images under the symmetries of the grid the one that stands for all of them, and
/// the symmetry that leads to it: equal shapes share a table, on every size, goal and orientation.
struct CanonicalPattern {
  Pattern pattern;
  Symmetry symmetry;
};
[[nodiscard]] CanonicalPattern canonical(const Pattern& pattern);

/// Tiles dealt out to patterns, by their home cells.
using Partition = std::vector<CellSet>;

/// The partition that a picture of the grid draws, a letter a tile and equal letters a pattern, for
/// a blank that ends in the top left corner ('.'), turned to one that ends elsewhere; empty where
/// that is no corner.
[[nodiscard]] Partition drawn_partition(const std::string& picture, Size size, int goal_blank);

/// Reads a partition of all tiles into patterns:
///     7-8, 6-6-6-6      sizes: a known good partition, else tiles in snake order
///     {1,2,5,6}{...}    tile numbers
///     FILE              a picture of the goal's grid: a letter a tile, equal letters a pattern
/// `goal_tiles` are the goal's tiles by cell. Throws Error(input) where a tile is missed or twice,
/// and for an unknown name; `names` are those of collections, which that message suggests.
[[nodiscard]] Partition parse_partition(const std::string& text, Size size,
                                        const std::vector<int>& goal_tiles,
                                        std::span<const std::string> names = {});

/// The most images that a partition has: those of all symmetries, for a blank in the center of a
/// square.
inline constexpr std::size_t all_images = 8;

/// Partitions and their images under the symmetries of the grid that leave the blank's home where
/// it is: reflections about a diagonal through a corner or about an axis through the middle of a
/// side, in the center the rotations too. Patterns in ascending order; each partition is followed
/// by its images, of which at most `most` are taken, itself included. None is there twice.
[[nodiscard]] std::vector<Partition> with_images(const std::vector<Partition>& partitions,
                                                 Size size, int goal_blank,
                                                 std::size_t most = all_images);

}  // namespace tessera
