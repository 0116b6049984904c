// SPDX-License-Identifier: MIT
#include "heuristic/batch_look_up.hpp"

#include <gtest/gtest.h>

#include "base/temporary_folder.hpp"
#include "heuristic/placement_steps.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/all_boards.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {
namespace {

struct SlotCase {
  Size size;
  std::string partitions;
};

// Every slot on many boards at once, among boards that are looked up for another slot in between.
void expect_same(const Collection& collection, const Board& goal, bool vectors, Random& random) {
  constexpr std::size_t boards = 40;
  struct Entry {
    std::array<std::uint8_t, Size::max_cells> cells{};
    std::array<std::uint8_t, Collection::most_slots> excess{};
  };
  const std::vector<AwareSlot>& slots = collection.slots();
  std::vector<Entry> entries(boards);
  std::vector<LookUp> look_ups;
  for (std::size_t b = 0; b < boards; ++b) {
    entries[b].cells = cells_by_label(make_instance(random_board(goal, random), goal).start);
  }
  for (std::size_t s = 0; s < slots.size(); ++s) {
    for (std::size_t b = 0; b < boards; ++b) {
      look_ups.push_back({0, static_cast<std::uint16_t>(b), static_cast<std::uint8_t>(s)});
    }
  }
  look_ups.pop_back();  // no multiple of a block
  const BatchLookUp batch(slots, goal.size().cells(), vectors);
  const BatchLookUp::Boards at{entries[0].cells.data(), entries[0].excess.data(), sizeof(Entry)};
  batch.locate(at, look_ups);
  batch.read(at, look_ups);
  for (const LookUp& look_up : look_ups) {
    const Entry& entry = entries[look_up.board];
    const AwareSlot& slot = slots[look_up.slot];
    ASSERT_EQ(entry.excess[look_up.slot], slot.excess(slot.placement(entry.cells), entry.cells[0]))
        << "slot " << int{look_up.slot} << " of " << to_string(goal.size());
  }
}

TEST(BatchLookUp, FindsWhatASingleLookUpFinds) {
  const TemporaryFolder folder;
  Random random(81);
  const std::vector<SlotCase> cases{
      {{3, 3}, "max(pdb:4-4,pdb:3-5,pdb:2-6,pdb:1-1-6)"},
      {{4, 3}, "max(pdb:5-6,pdb:4-4-3,pdb:3-3-5)"},
      {{2, 6}, "max(pdb:4-4-3,pdb:5-6,pdb:3-3-5)"},
      {{4, 4}, "max(pdb:5-5-5,pdb:4-4-4-3)"},
      {{5, 5}, "max(pdb:3-3-3-3-3-3-3-3,pdb:4-4-4-4-4-4)"},
      {{3, 3}, "max(pdb:7-1,pdb:4-4)"}};  // more tiles than vectors hold
  for (const auto& [size, text] : cases) {
    for (const Board& goal : varied_goals(size)) {
      const auto partitions = partitions_of(resolve_heuristic(text, goal));
      const Collection collection(make_instance(goal, goal), partitions, folder.text());
      for (const bool vectors : {false, true}) {
        for (int i = 0; i < 5; ++i) expect_same(collection, goal, vectors, random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace tessera
