// SPDX-License-Identifier: MIT
#include "heuristic/additive.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/error.hpp"
#include "pdb/pattern_table.hpp"

namespace tessera {
namespace {

// The partitions, each with an image if there are slots for both. Throws Error(input) if there are
// not even slots for one of each.
std::vector<Partition> looked_up(const std::vector<Partition>& partitions, Size size,
                                 int goal_blank) {
  std::vector<Partition> all;
  std::size_t all_slots = 0;
  for (const Partition& partition : partitions) {
    const auto tabled =
        std::ranges::count_if(partition, [](CellSet homes) { return std::popcount(homes) > 1; });
    const auto slots = std::min<std::size_t>(static_cast<std::size_t>(tabled) + 1,
                                             partition.size());  // single tiles share one
    const bool fits = Additive::most_images * slots <= Additive::max_slots;
    for (Partition& image :
         with_images({partition}, size, goal_blank, fits ? Additive::most_images : 1)) {
      if (std::ranges::find(all, image) != all.end()) continue;
      all.push_back(std::move(image));
      all_slots += slots;
    }
  }
  if (all_slots > Additive::max_slots) {
    bad_input("pattern databases with " + std::to_string(all_slots) +
              " patterns, mirror images counted, expected at most " +
              std::to_string(Additive::max_slots));
  }
  return all;
}

void expect_short_sides(Size size) {
  if (std::max(size.width, size.height) <= PatternSlot::most_passed + 1) return;
  bad_input("pattern databases on " + to_string(size) + ", expected at most " +
            std::to_string(PatternSlot::most_passed + 1) + " columns and rows");
}

}  // namespace

PatternSlot::PatternSlot(const Instance& instance, const CanonicalPattern& own,
                         const std::string& table_directory)
    : PlacementSteps(instance, own.symmetry, own.pattern.homes,
                     {instance.size().cells(), own.pattern.tiles()}),
      owner_(open_table(table_directory, additive_request(own.pattern))),
      table_(owner_->data()) {}

std::vector<TableRequest> pattern_requests(const std::vector<Partition>& partitions, Size size,
                                           int goal_blank, PatternRequest request_of) {
  std::vector<TableRequest> requests;
  for (const Partition& partition : partitions) {
    for (const CellSet homes : partition) {
      if (std::popcount(homes) < 2) continue;
      add_once(requests, request_of(canonical(make_pattern(size, homes, goal_blank)).pattern));
    }
  }
  return requests;
}

std::vector<TableRequest> additive_requests(const std::vector<Partition>& partitions, Size size,
                                            int goal_blank) {
  if (!partitions.empty()) expect_short_sides(size);
  return pattern_requests(looked_up(partitions, size, goal_blank), size, goal_blank,
                          additive_request);
}

Additive::Additive(const Instance& instance, const std::vector<Partition>& partitions,
                   const std::string& table_directory)
    : manhattan_(instance) {
  const Size size = instance.size();
  expect_short_sides(size);
  for (const Partition& partition : looked_up(partitions, size, instance.goal_blank)) {
    View& view = views_.emplace_back();
    SlotOf& slot_of = slot_of_.emplace_back();
    std::optional<std::size_t> shared;  // by single tiles
    for (const CellSet homes : partition) {
      const std::size_t next = slots_.size();
      const CanonicalPattern own = canonical(make_pattern(size, homes, instance.goal_blank));
      const bool single = own.pattern.tiles() < 2;
      const std::size_t slot = single ? shared.value_or(next) : next;
      if (!single) slots_.emplace_back(instance, own, table_directory);
      else if (!shared) slots_.emplace_back();
      if (single) shared = slot;
      if (slot == next) view.push_back(static_cast<std::uint8_t>(slot));
      for (const int home : cells_of(homes)) {
        const int label = instance.home(home);  // an involution
        slot_of[static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(slot);
      }
    }
  }
}

int Additive::evaluate(const Board& labels) const {
  return manhattan_.evaluate(labels) +
         2 * static_cast<int>(largest_sum(views_, start(labels).excess));
}

}  // namespace tessera
