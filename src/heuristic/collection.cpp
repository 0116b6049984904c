// SPDX-License-Identifier: MIT
#include "heuristic/collection.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "heuristic/placement_steps.hpp"
#include "pdb/placement_index.hpp"

namespace tessera {
namespace {

std::set<CellSet> patterns_of(const std::vector<Partition>& partitions) {
  std::set<CellSet> patterns;
  for (const Partition& partition : partitions) patterns.insert(partition.begin(), partition.end());
  return patterns;
}

bool fits(const std::vector<Partition>& partitions) {
  return partitions.size() <= Collection::most_views &&
         patterns_of(partitions).size() <= Collection::most_slots;
}

// The partitions with all of their images; with one image if there are too many for a collection,
// or a pattern is too large for one.
std::vector<Partition> partition_views(const std::vector<Partition>& partitions, Size size,
                                       int goal_blank) {
  std::vector<Partition> all = with_images(partitions, size, goal_blank);
  const std::set<CellSet> patterns = patterns_of(all);
  const bool tabled = std::ranges::all_of(
      patterns, [](CellSet homes) { return std::popcount(homes) <= AwareTable::most_tiles; });
  return tabled && fits(all) ? all
                             : with_images(partitions, size, goal_blank, Additive::most_images);
}

// The same. Throws Error(input) if there are too many.
std::vector<Partition> fitting_views(const std::vector<Partition>& partitions, Size size,
                                     int goal_blank) {
  std::vector<Partition> all = partition_views(partitions, size, goal_blank);
  if (fits(all)) return all;
  bad_input("a collection of " + std::to_string(all.size()) + " partitions with " +
            std::to_string(patterns_of(all).size()) +
            " patterns, mirror images counted, expected at most " +
            std::to_string(Collection::most_views) + " with " +
            std::to_string(Collection::most_slots));
}

}  // namespace

AwareSlot::AwareSlot(const Instance& instance, const CanonicalPattern& own,
                     const std::string& table_directory)
    : regions_(own.pattern.size),
      tiles_(own.pattern.tiles()),
      image_(own.symmetry.image),
      table_(in_huge_pages(open_table(table_directory, aware_request(own.pattern)))) {
  codes_ = table_->data() + AwareTable::codes_offset;
  tuples_ = reinterpret_cast<const std::uint32_t*>(table_->data());
  const Symmetry original = own.symmetry.inverse();
  const PlacementIndex index(instance.size().cells(), tiles_);
  std::size_t tile = 0;
  for (const int home : cells_of(own.pattern.homes)) {
    // `home` is an involution: it also gives the label of the tile at home in a cell.
    labels_[tile] = static_cast<std::uint8_t>(instance.home(original(home)));
    weights_[tile] = static_cast<std::uint32_t>(index.weight(static_cast<int>(tile)));
    ++tile;
  }
}

Collection::Collection(const Instance& instance, const std::vector<Partition>& partitions,
                       const std::string& table_directory)
    : manhattan_(instance) {
  const Size size = instance.size();
  std::map<CellSet, std::uint8_t> known;
  for (const auto& partition : fitting_views(partitions, size, instance.goal_blank)) {
    View& view = views_.emplace_back();
    for (const CellSet homes : partition) {
      if (std::popcount(homes) < 2) continue;  // a single tile has no excess
      const auto [slot, is_new] =
          known.try_emplace(homes, static_cast<std::uint8_t>(slots_.size()));
      view.push_back(slot->second);
      if (!is_new) continue;
      const CanonicalPattern own = canonical(make_pattern(size, homes, instance.goal_blank));
      slots_.emplace_back(instance, own, table_directory);
    }
  }
}

int Collection::evaluate(const Board& labels) const {
  const auto cell_of = cells_by_label(labels);
  std::vector<unsigned> excess;
  for (const AwareSlot& slot : slots_) {
    excess.push_back(slot.excess(slot.placement(cell_of), labels.blank()) & ~AwareSlot::inexact);
  }
  return manhattan_.evaluate(labels) + 2 * static_cast<int>(largest_sum(views_, excess));
}

bool is_collection(const std::vector<Partition>& partitions, Size size, int goal_blank) {
  return partition_views(partitions, size, goal_blank).size() > Additive::most_images;
}

std::vector<TableRequest> collection_requests(const std::vector<Partition>& partitions, Size size,
                                              int goal_blank) {
  return pattern_requests(fitting_views(partitions, size, goal_blank), size, goal_blank,
                          aware_request);
}

}  // namespace tessera
