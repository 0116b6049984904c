// SPDX-License-Identifier: MIT
#include "heuristic/named_collections.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"

namespace tessera {
namespace {

// Partitions of the 24 tiles into connected patterns of six, for a blank in the top left corner.
// Each adds the most to those before it on sampled search trees (docs/decisions/0019).
constexpr std::array<std::string_view, 20> partitions_5x5{
    ".aaabaaccbadccbddccbdddbb", ".aaabaaabbcccbbccddbcdddd", ".aaaaaabbbccbbbccdddccddd",
    ".aabbaaabbaccbbccdddccddd", ".aabbaaaabccddbccddbccddb", ".aaabaaabbccccbdddcbdddcb",
    ".aaaaaabbbccbddccbddccbdd", ".aaaaaabbbbbbccdccccddddd", ".aabbaaabbaccbdcccbdcdddd",
    ".aaaaabbbacbbbdccdddcccdd", ".aabbaaaabcccbbcccdbddddd", ".aaaaabaccbbbccbbddcddddc",
    ".aaabaabbbacbdbcccddccddd", ".aaabaaabbccdbbccdbdccddd", ".aaabaaccbaccbbdccdbddddb",
    ".aaabaaabbccddbcdddbcccdb", ".aaaaabcacbbcccbbcddbdddd", ".aabbaaabbcadbbccdddcccdd",
    ".aaabaabbbaccbbccccdddddd", ".aabbaaaabcccbbcddbdccddd"};

// The same for a blank elsewhere, from tables that as many of them as possible share
// (docs/decisions/0035).
constexpr std::array<std::string_view, 35> elsewhere_5x5{
    // beside a corner
    "a.aabaaabbccbbbccdddccddd", "b.aaabbaaabbbddcccddcccdd", "a.aadaaaddccccdbbbcdbbbcd",
    "a.aacaaaccbbbccbbbdcddddd", "a.abbaaabbaccbbccdddccddd", "a.aadaaaddbbccdbbccdbbccd",
    "a.abbaaabbcabbdcccddccddd", "b.aaabbaaabccccbcdddbcddd", "a.addaaacdbbacdbbccdbbccd",
    "b.aaabbaadbccadbccddbccdd", "a.abbaaabbaccbbcccddcdddd", "b.aacbaaacbbaccbbdccddddd",
    // in the middle of a side
    "aa.bbaabbbaabddcccddcccdd", "cc.aacbbaacbbaacbbddcdddd", "aa.adbaaadbbcddbcccdbbccd",
    "aa.ccaaaacbbbccbbbdcddddd", "bb.aabbaadbcaadbccddcccdd", "aa.bbaaabbcadbbccdddcccdd",
    "aa.ddaaaadccccdbbbcdbbbcd",
    // diagonally next to a corner
    "aaaaaa.bbbccbbbccdddccddd", "aaaada.addccccdbbbcdbbbcd", "aaadda.aadbbccdbbccdbbccd",
    "aaaaaa.bbbbbbddcccddcccdd", "aaaaca.accbbbccbbbdcddddd", "aaaaab.addbbcddbcccdbbccd",
    "aaaaab.badbbbddccbddccccd",
    // next to the middle, in line with it
    "aaaabaa.bbccbbbccdddccddd", "bbaaabc.aabccadbccddbcddd", "aaaaaab.ddbbbddbbccdccccd",
    "aabbbaa.bdaabbdcccddcccdd", "aaabbaa.bbacddbcccdbccddd", "aaaadab.adbbcddbcccdbbccd",
    "aaabbaa.bbacbbdcccddccddd",
    // in the middle
    "aaaaaabbbbcc.bbccdddccddd", "aaaabaabbbcc.bbcddddcccdd"};

// The two partitions into blocks of 2x3, which share three large tables; the blank takes the place
// of a tile.
constexpr std::array<std::string_view, 2> partitions_6x5{"eeddcceeddcceeddccbbbaaabbbaaa",
                                                         "eeedddeeedddccbbaaccbbaaccbbaa"};

constexpr std::span<const std::string_view> first_5x5(std::size_t count) {
  return std::span(partitions_5x5).first(count);
}

constexpr std::array collections{
    NamedCollection{"small", {5, 5}, first_5x5(4), 0.134},
    NamedCollection{"medium", {5, 5}, first_5x5(7), 0.100, elsewhere_5x5},
    NamedCollection{"large", {5, 5}, first_5x5(14), 0.067},
    NamedCollection{"huge", {5, 5}, first_5x5(20), 0.057},
    NamedCollection{"small", {6, 5}, partitions_6x5, 0.043}};

}  // namespace

std::span<const NamedCollection> named_collections() {
  return collections;
}

bool is_for(const NamedCollection& collection, Size size) {
  return size == collection.size || size == collection.size.transposed();
}

std::vector<Partition> partitions_of(const NamedCollection& collection, Size size, int goal_blank) {
  std::vector<Partition> partitions;
  for (const auto& pictures : {collection.pictures, collection.elsewhere}) {
    for (const std::string_view picture : pictures) {
      Partition drawn = drawn_partition(picture, collection.size, size, goal_blank);
      if (!drawn.empty()) partitions.push_back(std::move(drawn));
    }
  }
  if (!partitions.empty()) return partitions;
  bad_input("pdb:" + std::string(collection.name) +
            " is for goals whose blank is in a corner, expected such a goal or a partition");
}

const NamedCollection* find_collection(std::string_view name, Size size) {
  std::string sizes;
  for (const NamedCollection& collection : collections) {
    if (collection.name != name) continue;
    if (is_for(collection, size)) return &collection;
    sizes += (sizes.empty() ? "" : " and ") + to_string(collection.size);
  }
  if (sizes.empty()) return nullptr;
  bad_input("pdb:" + std::string(name) + " is for " + sizes +
            ", expected a partition such as 7-8 for " + to_string(size));
}

}  // namespace tessera
