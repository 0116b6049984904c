// SPDX-License-Identifier: MIT
#include "search/beam/beam.hpp"

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "heuristic/length_guess.hpp"
#include "search/beam/beam_run.hpp"

namespace tessera {
namespace {

// Calls use.operator()<BeamExpansion<...>>() for that size and metric.
template <class Use>
auto with_boards(Size size, Metric metric, const Use& use) {
  const int cells = size.cells();
  if (metric == Metric::multi) {
    if (cells <= 25) return use.template operator()<BeamExpansion<25, Metric::multi>>();
    return use.template operator()<BeamExpansion<Size::max_cells, Metric::multi>>();
  }
  if (cells <= 16) return use.template operator()<BeamExpansion<16, Metric::single>>();
  if (cells <= 25) return use.template operator()<BeamExpansion<25, Metric::single>>();
  if (cells <= 36) return use.template operator()<BeamExpansion<36, Metric::single>>();
  return use.template operator()<BeamExpansion<Size::max_cells, Metric::single>>();
}

// Narrow beams find solutions up to a quarter longer than the shortest.
int probable_layers(const Instance& instance, Metric metric) {
  return guess_length(instance, metric, 0).high * 5 / 4;
}

// Without a limit a beam could cycle forever. More moves than any board needs, unless the trail
// would then take several times what beam_bytes() counts for it.
int most_moves(const Problem& problem, std::uint64_t width) {
  const Size size = problem.instance.size();
  const int most = 8 * size.cells() * std::max(size.width, size.height);
  constexpr std::uint64_t little = std::uint64_t{16} << 20;
  if (width * BeamTrail::bytes(problem.metric, most) <= little) return most;
  return std::min(most, 2 * probable_layers(problem.instance, problem.metric));
}

}  // namespace

bool has_multi_beam(Size size) {
  return std::max(size.width, size.height) <= BeamMove::longest_side;
}

void expect_beam(Metric metric, Size size) {
  if (metric == Metric::single || has_multi_beam(size)) return;
  bad_input("beam search in metric multi is for sides of at most " +
            std::to_string(BeamMove::longest_side) + ", the board has " + to_string(size));
}

BeamResult beam_search(const Problem& problem, const BeamOptions& options, ThreadTeam& team,
                       Ranks& ranks, const Limits& limits, Observer& observer) {
  const Size size = problem.instance.size();
  expect_beam(problem.metric, size);
  BeamOptions bounded = options;
  bounded.shorter_than = std::min(options.shorter_than, most_moves(problem, options.width));
  const BeamShares shares(options.width, ranks.size());
  const auto boards =
      with_boards(size, problem.metric, [&]<class Boards>() -> std::unique_ptr<BeamBoards> {
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
  const BeamBoards::Sizes sizes = with_boards(problem.instance.size(), problem.metric,
                                              []<class Boards>() { return Boards::bytes(); });
  const int layers = probable_layers(problem.instance, problem.metric);
  return BeamRun::bytes(sizes, BeamTrail::bytes(problem.metric, layers), width, ranks);
}

}  // namespace tessera
