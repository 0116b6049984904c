// SPDX-License-Identifier: MIT
#include "search/beam/beam.hpp"

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "heuristic/collection_steps.hpp"
#include "heuristic/maximum.hpp"
#include "heuristic/registry.hpp"
#include "heuristic/table_steps.hpp"
#include "search/beam/beam_run.hpp"

namespace tessera {
namespace {

// Calls use.operator()<BeamExpansion<...>>() for the problem's size and heuristic.
template <class Position, class Use>
auto with_registered(const Problem& problem, const Use& use) {
  std::optional<decltype(use.template operator()<BeamExpansion<Position, Maximum>>())> result;
  (void)with_heuristic<Heuristics>(problem.heuristic, [&]<class H>(std::type_identity<H>) {
    if constexpr (H::info.max_cells >= 17 || std::is_same_v<Position, NibblePosition>) {
      result = use.template operator()<BeamExpansion<Position, H>>();
    }
  });
  return result ? *std::move(result) : use.template operator()<BeamExpansion<Position, Maximum>>();
}

template <class Position, int Passed, bool Walks, class Use>
auto with_tables(const TableHeuristic& tables, const Use& use) {
  using Few = TableSteps<8, Passed, Walks>;
  using Many = TableSteps<Additive::max_slots, Passed, Walks>;
  if (tables.collection() != nullptr) {
    constexpr std::size_t cells = Position::max_cells <= 32 ? 32 : Size::max_cells;
    return use.template operator()<BeamExpansion<NoPosition, CollectionSteps<cells, 32>>>();
  }
  if (Few::holds(tables)) return use.template operator()<BeamExpansion<Position, Few>>();
  return use.template operator()<BeamExpansion<Position, Many>>();
}

template <class Use>
auto with_boards(const Problem& problem, const Use& use) {
  const Size size = problem.instance.size();
  const bool small = size.cells() <= NibblePosition::max_cells;
  const HeuristicSpec spec = parse_heuristic(problem.heuristic);
  using Wide = BytePosition<Size::max_cells>;
  if (problem.metric == Metric::multi) {
    return use.template operator()<BeamExpansion<Wide, LinearConflict, Metric::multi>>();
  }
  constexpr int most = PatternSlot::most_passed;
  if (is_table_heuristic(spec)) {
    const TableHeuristic tables(problem.instance, spec, problem.table_directory);
    if (small && tables.walks()) return with_tables<NibblePosition, most, true>(tables, use);
    if (small) return with_tables<NibblePosition, most, false>(tables, use);
    if (tables.walks()) return with_tables<Wide, most, true>(tables, use);
    if (size.cells() <= 25 && std::max(size.width, size.height) <= 5) {
      return with_tables<BytePosition<25>, 4, false>(tables, use);
    }
    return with_tables<Wide, most, false>(tables, use);
  }
  if (small) return with_registered<NibblePosition>(problem, use);
  return with_registered<Wide>(problem, use);
}

// More moves than any board needs; without a limit a narrow beam could cycle forever.
int most_moves(Size size) {
  return 8 * size.cells() * std::max(size.width, size.height);
}

}  // namespace

bool has_multi_beam(Size size) {
  return std::max(size.width, size.height) <= BeamMove::longest_side;
}

BeamResult beam_search(const Problem& problem, const BeamOptions& options, ThreadTeam& team,
                       Ranks& ranks, const Limits& limits, Observer& observer) {
  const Size size = problem.instance.size();
  if (problem.metric == Metric::multi && !has_multi_beam(size)) {
    bad_input("beam search in metric multi is for sides of at most " +
              std::to_string(BeamMove::longest_side) + ", the board has " + to_string(size));
  }
  BeamOptions bounded = options;
  bounded.shorter_than = std::min(options.shorter_than, most_moves(size));
  const BeamShares shares(options.width, ranks.size());
  const auto boards = with_boards(problem, [&]<class Boards>() -> std::unique_ptr<BeamBoards> {
    return std::make_unique<Boards>(problem, bounded, shares);
  });
  return BeamRun(problem, bounded, *boards, shares, team, ranks, limits).run(observer);
}

BeamResult beam_search(const Problem& problem, const BeamOptions& options, int threads,
                       const Limits& limits, Observer& observer) {
  ThreadTeam team(threads);
  Ranks alone;
  return beam_search(problem, options, team, alone, limits, observer);
}

std::uint64_t beam_bytes(const Problem& problem, std::uint64_t width, int ranks) {
  const BeamBoards::Sizes sizes =
      with_boards(problem, []<class Boards>() { return Boards::bytes(); });
  return BeamRun::bytes(sizes, width, ranks);
}

}  // namespace tessera
