// SPDX-License-Identifier: MIT
#include "search/incumbent_search.hpp"

#include <algorithm>

#include "tessera/heuristic/heuristic_spec.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t first_width = 1024;
constexpr std::uint64_t widening = 4;
// Of the nodes that the proof is estimated to expand, evaluations may be one in so many. An
// evaluation costs some three nodes; with a collection one and a half, and there a beam that is
// too narrow costs the most: the last bound of a hard board (decision 18).
constexpr double usual_proof_share = 25;
constexpr double collection_proof_share = 8;
// Of those of the bound that comes next, where the proof is far away or out of reach.
constexpr double bound_share = 2;
// Children of a board in the middle of a search, the move back left out.
constexpr double children = 2.2;

}  // namespace

std::optional<Incumbent> best_of(std::span<const FinishedBeam> beams) {
  std::optional<Incumbent> best;
  std::uint64_t evaluated = 0;
  double seconds = 0;
  for (const FinishedBeam& beam : beams) {
    evaluated += beam.evaluated;
    seconds += beam.seconds;
    if (beam.moves.empty()) continue;
    best = {
        .moves = beam.moves, .length = static_cast<int>(beam.moves.size()), .width = beam.width};
  }
  if (best) {
    best->evaluated = evaluated;
    best->seconds = seconds;
  }
  return best;
}

IncumbentSearch::IncumbentSearch(const Problem& problem, const IdaStarOptions& options,
                                 BeamExecutor& executor, const Limits& limits, Observer& observer)
    : problem_(problem),
      options_(options.incumbent),
      journal_(options.journal),
      executor_(executor),
      limits_(limits),
      observer_(observer) {
  for (const FinishedBeam& beam : options.saved.beams) note(beam);
}

void IncumbentSearch::run_first(int lower) {
  show(lower);  // what an earlier run found
  if (options_.width == 0) return;
  std::uint64_t width = std::max(last_width(), options_.width);
  if (last_width() < width) run(width, lower);
  while (!options_.prove && !best_ && !stop_ && fits(widening * width)) {
    run(width *= widening, lower);
  }
}

void IncumbentSearch::run_before(int bound, double nodes, double growth) {
  if (!options_.automatic) return;
  while (!stop_ && length() > bound) {
    const std::uint64_t width = beams_.empty() ? first_width : widening * last_width();
    const double layers = best_ ? best_->length : 1.3 * bound;
    const double cost = children * layers * static_cast<double>(width);
    const double all = static_cast<double>(evaluated_) + cost;
    if (all > worth(bound, nodes, growth) || !fits(width)) break;
    run(width, bound);
  }
}

double IncumbentSearch::worth(int bound, double nodes, double growth) const {
  const double most = nodes / bound_share;
  const double proof_share = partitions_of(parse_heuristic(problem_.heuristic)).size() > 1
                                 ? collection_proof_share
                                 : usual_proof_share;
  double proof = 0;
  // Bounds of the incumbent's parity, up to the last one that can hold a shorter solution.
  for (int next = bound; next < length() && proof / proof_share < most; next += 2) {
    proof += nodes;
    nodes *= growth;
  }
  return std::min(most, proof / proof_share);
}

std::uint64_t IncumbentSearch::last_width() const {
  return beams_.empty() ? 0 : beams_.back().width;
}

void IncumbentSearch::run(std::uint64_t width, int lower) {
  BeamResult found =
      executor_.beam(problem_, {.width = width, .seed = options_.seed, .shorter_than = length()},
                     limits_, observer_);
  stop_ = found.stop;
  if (stop_) {
    seconds_ += found.seconds;
    return;
  }
  const FinishedBeam beam{.width = width,
                          .evaluated = found.evaluated,
                          .seconds = found.seconds,
                          .moves = found.moves.value_or("")};
  if (journal_ != nullptr) journal_->beam_finished(beam);
  note(beam);
  if (!beam.moves.empty()) show(lower);
}

void IncumbentSearch::note(const FinishedBeam& beam) {
  beams_.push_back(beam);
  best_ = best_of(beams_);
  evaluated_ += beam.evaluated;
  seconds_ += beam.seconds;
}

void IncumbentSearch::show(int lower) const {
  if (best_) observer_.bracket({lower, length()});
}

bool IncumbentSearch::fits(std::uint64_t width) const {
  return beam_bytes(problem_, width, executor_.beam_ranks(width)) <= options_.memory_bytes;
}

}  // namespace tessera
