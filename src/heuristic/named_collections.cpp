// SPDX-License-Identifier: MIT
#include "heuristic/named_collections.hpp"

#include <algorithm>
#include <array>

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

// The two partitions into blocks of 2x3, which share three large tables.
constexpr std::array<std::string_view, 2> partitions_6x5{".eddcceeddcceeddccbbbaaabbbaaa",
                                                         ".eedddeeedddccbbaaccbbaaccbbaa"};

constexpr std::span<const std::string_view> first_5x5(std::size_t count) {
  return std::span(partitions_5x5).first(count);
}

constexpr std::array collections{NamedCollection{"small", {5, 5}, first_5x5(4), 0.134},
                                 NamedCollection{"medium", {5, 5}, first_5x5(7), 0.100},
                                 NamedCollection{"large", {5, 5}, first_5x5(14), 0.067},
                                 NamedCollection{"huge", {5, 5}, first_5x5(20), 0.057},
                                 NamedCollection{"small", {6, 5}, partitions_6x5, 0.043}};

}  // namespace

std::span<const NamedCollection> named_collections() {
  return collections;
}

bool is_for(const NamedCollection& collection, Size size) {
  const Size own = collection.size;
  return size == own || size == Size{own.height, own.width};
}

std::vector<Partition> partitions_of(const NamedCollection& collection, Size size, int goal_blank) {
  std::vector<Partition> partitions;
  for (const std::string_view picture : collection.pictures) {
    partitions.push_back(drawn_partition(picture, collection.size, size, goal_blank));
  }
  if (!partitions.front().empty()) return partitions;
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
