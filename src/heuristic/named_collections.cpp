// SPDX-License-Identifier: MIT
#include "heuristic/named_collections.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace tessera {
namespace {

// Partitions of the 24 tiles into connected patterns of six, for a blank in the top left corner.
// Each adds the most to those before it on sampled search trees (docs/decisions/0019).
constexpr std::array partitions_5x5{
    ".aaabaaccbadccbddccbdddbb", ".aaabaaabbcccbbccddbcdddd", ".aaaaaabbbccbbbccdddccddd",
    ".aabbaaabbaccbbccdddccddd", ".aabbaaaabccddbccddbccddb", ".aaabaaabbccccbdddcbdddcb",
    ".aaaaaabbbccbddccbddccbdd", ".aaaaaabbbbbbccdccccddddd", ".aabbaaabbaccbdcccbdcdddd",
    ".aaaaabbbacbbbdccdddcccdd", ".aabbaaaabcccbbcccdbddddd", ".aaaaabaccbbbccbbddcddddc",
    ".aaabaabbbacbdbcccddccddd", ".aaabaaabbccdbbccdbdccddd", ".aaabaaccbaccbbdccdbddddb",
    ".aaabaaabbccddbcdddbcccdb", ".aaaaabcacbbcccbbcddbdddd", ".aabbaaabbcadbbccdddcccdd",
    ".aaabaabbbaccbbccccdddddd", ".aabbaaaabcccbbcddbdccddd"};

constexpr std::array collections{
    NamedCollection{"small", {5, 5}, 4, 0.134}, NamedCollection{"medium", {5, 5}, 7, 0.100},
    NamedCollection{"large", {5, 5}, 14, 0.067}, NamedCollection{"huge", {5, 5}, 20, 0.057}};

}  // namespace

std::span<const NamedCollection> named_collections() {
  return collections;
}

std::vector<Partition> partitions_of(const NamedCollection& collection, int goal_blank) {
  std::vector<Partition> partitions;
  for (std::size_t i = 0; i < collection.partitions; ++i) {
    partitions.push_back(drawn_partition(partitions_5x5[i], collection.size, goal_blank));
  }
  if (!partitions.front().empty()) return partitions;
  bad_input("pdb:" + std::string(collection.name) +
            " is for goals whose blank is in a corner, expected such a goal or a partition");
}

const NamedCollection* find_collection(std::string_view name, Size size) {
  const auto* const found = std::ranges::find(collections, name, &NamedCollection::name);
  if (found == collections.end()) return nullptr;
  if (found->size != size) {
    bad_input("pdb:" + std::string(name) + " is for " + to_string(found->size) +
              ", expected a partition such as 7-8 for " + to_string(size));
  }
  return found;
}

}  // namespace tessera
