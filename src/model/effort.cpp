// SPDX-License-Identifier: MIT
#include "model/effort.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "heuristic/length_guess.hpp"
#include "model/tree_sample.hpp"
#include "search/beam/beam.hpp"

namespace tessera {
namespace {

// The standard deviation of the logarithm of one pass's estimate is about this times the square
// root of bound / population: 0.32 with 5-5-5 and 0.42 with Manhattan over Korf's 100, at
// populations from 16 to 2048.
constexpr double spread_of_one = 0.42;

constexpr double first_growth = 3.2;
// Levels among which a pass divides its nodes, as a fraction of the bound. A tree has more, but the
// first are narrow and the last contain little: populations shrink there (TreePassOptions::nodes).
constexpr double levels_of_bound = 0.3;
// This many nodes are divided among several passes, so that their spread is known; with fewer, one
// large pass is better than several small ones.
constexpr std::uint64_t shared_nodes = 20'000;
constexpr std::uint64_t shared_passes = 5;
// Fewer say too little of their spread.
constexpr double known_passes = 3;
constexpr double shared_population = 100;
// Passes also serve bounds up to this much below their own. On 5x5, those to a bound itself scatter
// by a factor of 3 from one bound to the next with Manhattan distance; with these, by 1.7.
constexpr int reach = 8;

// Even the sum of all estimates is finite.
double finite(double estimate) {
  constexpr double most = 1e300;
  return std::min(most, estimate);
}

// The tree of a bound contains that of the bound before, which other passes may overestimate.
void add_row(Effort& effort, BoundEffort row) {
  if (!effort.bounds.empty()) {
    for (auto count :
         {&BoundEffort::expanded, &BoundEffort::generated, &BoundEffort::low, &BoundEffort::high}) {
      row.*count = std::max(row.*count, effort.bounds.back().*count);
    }
  }
  effort.bounds.push_back(row);
}

// Passes to one bound, each weighted by its population.
class Passes {
 public:
  void add(const TreePass& pass, double population) {
    passes_.emplace_back(pass, population);
    populations_ += population;
  }
  // Passes to a bound this much above the one to estimate count less: docs/decisions/0015.
  void add(const Passes& others, int above) {
    for (const auto& [pass, population] : others.passes_) add(pass, population / (1 + above / 2.0));
  }
  [[nodiscard]] double populations() const { return populations_; }

  template <class Figure>
  [[nodiscard]] double mean(const Figure& figure) const {
    double sum = 0;
    for (const auto& [pass, population] : passes_) sum += population * figure(pass);
    return sum / populations_;
  }
  [[nodiscard]] double expanded(int bound) const {
    return mean([&](const TreePass& pass) { return pass.within(bound, pass.expanded); });
  }
  [[nodiscard]] BoundEffort effort(int bound) const {
    for (const auto& [pass, population] : passes_) {
      if (bound >= pass.exact_below) continue;
      const double count = pass.within(bound, pass.expanded);
      const double generated = pass.within(bound, pass.generated);
      return {bound, count, generated, count, count};
    }
    const double nodes = expanded(bound);
    const double spread = relative_spread(bound, nodes);
    // Log-normal: an unbiased estimate is more often below its mean than above it.
    return {
        .bound = bound,
        .expanded = nodes,
        .generated = mean([&](const TreePass& pass) { return pass.within(bound, pass.generated); }),
        .low = finite(nodes * std::exp(std::min(0.0, spread * spread / 2 - quantile() * spread))),
        .high = finite(nodes * std::exp(spread * spread / 2 + quantile() * spread))};
  }

 private:
  // Of the two-sided 95 % interval, in standard deviations: if those are estimated from n + 1
  // passes, Student's for n degrees of freedom (Abramowitz and Stegun 1964, 26.7.5).
  [[nodiscard]] double quantile() const {
    constexpr double normal = 1.96;
    if (number() < known_passes) return normal;
    const double n = number() - 1;
    return normal + 2.372 / n + 2.823 / (n * n) + 2.556 / (n * n * n);
  }
  // How many passes of equal population say as much (Kish 1965).
  [[nodiscard]] double number() const {
    double squares = 0;
    for (const auto& [pass, population] : passes_) squares += population * population;
    return squares > 0 ? populations_ * populations_ / squares : 0;
  }
  [[nodiscard]] double relative_spread(int bound, double expanded) const {
    const double modelled = spread_of_one * std::sqrt(bound / populations_);
    if (number() < known_passes || expanded <= 0) return modelled;
    const double variance = mean([&](const TreePass& pass) {
      const double difference = pass.within(bound, pass.expanded) / expanded - 1;
      return difference * difference;
    });
    const double seen = std::sqrt(variance / (number() - 1));
    return std::max(seen, modelled);  // a few passes may agree by chance
  }

  std::vector<std::pair<TreePass, double>> passes_;  // with their populations
  double populations_ = 0;
};

class Estimator {
 public:
  Estimator(const SubtreeSearch& search, const EffortOptions& options)
      : search_(search), options_(options), random_(options.seed) {}

  Effort run() {
    const int first = search_.node_at("").f();
    const int last_bound = std::max(first, options_.last_bound);
    // The bounds are the values of f that occur.
    bounds_ = {first};
    // Passes are less reliable for bounds farther below their own: if there are enough nodes for
    // all, smaller bounds get their own passes.
    const bool plenty = options_.nodes >= enough_for_all;
    std::map<int, Passes> passes;  // by their bound
    const Passes& last = passes[last_bound] =
        passes_to(last_bound, plenty ? options_.nodes / 2 : options_.nodes);
    // A few nodes may show none of the last bound, but some of its parity if it occurs.
    const auto is_alike = [&](int bound) { return (last_bound - bound) % 2 == 0; };
    if (std::ranges::any_of(bounds_, is_alike)) bounds_.insert(last_bound);
    const std::set<int> bounds(bounds_.lower_bound(options_.first_bound), bounds_.end());
    if (bounds.empty()) return std::move(effort_);
    const std::uint64_t share = options_.nodes / 2 / bounds.size();
    for (const int bound : bounds) {
      const bool own = plenty && bound != last_bound && !stopped() &&
                       last.expanded(bound) > static_cast<double>(share);
      if (own) passes[bound] = passes_to(bound, share);
    }
    for (const int bound : bounds) {
      Passes near;
      for (auto i = passes.lower_bound(bound); i != passes.end(); ++i) {
        if (i->first <= bound + reach || near.populations() == 0)
          near.add(i->second, i->first - bound);
      }
      add_row(effort_, near.effort(bound));
    }
    return std::move(effort_);
  }

 private:
  static constexpr std::uint64_t enough_for_all = 50'000;
  static constexpr int most_passes = 40;

  [[nodiscard]] bool stopped() const { return options_.stopped && options_.stopped(); }

  Passes passes_to(int bound, std::uint64_t nodes) {
    Passes passes;
    std::uint64_t left = nodes;
    const auto pass = [&](std::uint64_t share) {
      const double population = static_cast<double>(share) / (levels_of_bound * (bound + 1));
      // A level takes at least one node, even if none is left.
      const TreePassOptions one{.bound = bound,
                                .population = static_cast<std::size_t>(std::max(1.0, population)),
                                .growth = growth_,
                                .nodes = share - share / 32,
                                .stopped = options_.stopped};
      const TreePass sampled = sample_tree(search_, one, random_);
      effort_.sampled += sampled.cost;
      if (sampled.stopped && passes.populations() > 0) return;
      left -= std::min(left, sampled.cost);
      passes.add(sampled, static_cast<double>(
                              sampled.stopped ? std::min(one.population, TreePass::kept_if_stopped)
                                              : one.population));
      for (std::size_t i = 0; i < sampled.expanded.size(); ++i) {
        if (sampled.expanded[i] > 0) bounds_.insert(sampled.least_f + static_cast<int>(i));
      }
      // Too few nodes give a wild guess, and a wrong one costs more than the usual value.
      if (passes.populations() >= shared_population) growth_ = growth_seen(passes, bound);
    };
    const std::uint64_t part = nodes < shared_nodes ? nodes : nodes / shared_passes;
    // One or two passes cover a tree that is smaller than its share.
    int count = 0;
    do pass(std::min(left, part));
    while (++count < most_passes && left >= part / 2 && left > 0 && !stopped());
    return passes;
  }

  // For a bound that grows by one, from the last sampled bounds.
  [[nodiscard]] double growth_seen(const Passes& passes, int bound) const {
    const auto before = bounds_.lower_bound(bound);
    if (before == bounds_.begin()) return first_growth;
    const int smaller = *std::prev(before);
    const double ratio = passes.expanded(bound) / std::max(1.0, passes.expanded(smaller));
    return std::clamp(std::pow(std::max(ratio, 1.0), 1.0 / (bound - smaller)), 1.5, 6.0);
  }

  const SubtreeSearch& search_;
  const EffortOptions& options_;
  Random random_;
  std::set<int> bounds_;
  double growth_ = first_growth;
  Effort effort_;
};

}  // namespace

Effort estimate_effort(const SubtreeSearch& search, const EffortOptions& options) {
  return Estimator(search, options).run();
}

void sample_above(Effort& effort, const SubtreeSearch& search, EffortOptions options) {
  options.first_bound = effort.bounds.back().bound + 1;
  const Effort above = estimate_effort(search, options);
  effort.sampled += above.sampled;
  for (const BoundEffort& row : above.bounds) add_row(effort, row);
}

double Effort::expanded_to(int bound) const {
  double nodes = 0;
  for (const BoundEffort& row : bounds) {
    if (row.bound <= bound) nodes += row.expanded;
  }
  return nodes;
}

double estimate_proof(const Problem& problem) {
  constexpr std::uint64_t width = 4096;
  constexpr std::uint64_t sample_nodes = 50'000;
  const auto search = make_subtree_search(problem);
  const int least = search->node_at("").f();
  Observer nobody;
  const BeamResult beam = beam_search(problem, {.width = width}, 1, {}, nobody);
  if (!beam.moves) return std::numeric_limits<double>::infinity();
  const int last_bound = solution_length(*beam.moves, problem.metric) - length_step(problem.metric);
  if (last_bound < least) return 0;
  return estimate_effort(*search, {.last_bound = last_bound, .nodes = sample_nodes})
      .expanded_to(last_bound);
}

double size_from_other_end(const SubtreeSearch& search, const SubtreeSearch& other, Metric metric,
                           double nodes) {
  constexpr std::uint64_t first_sample = 20'000;
  constexpr std::uint64_t sample = 40'000;
  const int least = search.node_at("").f();
  const LengthGuess guess = guess_length(search.instance(), metric, least);
  const Effort rough = estimate_effort(search, {.last_bound = guess.high, .nodes = first_sample});
  const auto at = std::ranges::find_if(
      rough.bounds, [&](const BoundEffort& bound) { return bound.expanded >= nodes; });
  if (at == rough.bounds.end()) return 1;
  const auto size_of = [&](const SubtreeSearch& one) {
    if (one.node_at("").f() > at->bound) return 0.0;
    return estimate_effort(one, {.last_bound = at->bound, .nodes = sample}).bounds.back().expanded;
  };
  return size_of(other) / size_of(search);
}

std::optional<Forecast> forecast(const std::vector<IterationReport>& finished, double expanded,
                                 double seconds) {
  constexpr double least_seconds = 0.1;
  if (finished.size() < 2 || expanded <= 0 || seconds < least_seconds) return {};
  const auto last = static_cast<double>(finished.back().counts.expanded);
  const auto before = static_cast<double>(finished[finished.size() - 2].counts.expanded);
  if (before <= 0) return {};
  const double part_done = expanded / (last * (last / before));
  if (part_done >= 1) return {};
  return Forecast{.part_done = part_done, .seconds_left = seconds / part_done - seconds};
}

JobRequest suggest_request(const JobNeeds& needs) {
  constexpr double efficiency = 0.85;
  constexpr double wanted_seconds = 2 * 3600;
  constexpr double least_seconds = 600;
  constexpr double most_nodes = 10'000;
  constexpr std::uint64_t process_bytes = std::uint64_t{512} << 20;
  JobRequest request;
  request.cpus_per_task = std::max(1, needs.cpus_of_node);
  const double node_rate = std::max(1.0, needs.rate_of_worker) * request.cpus_per_task * efficiency;
  const double node_seconds = request.safety * needs.nodes / node_rate;
  request.nodes =
      static_cast<int>(std::clamp(std::ceil(node_seconds / wanted_seconds), 1.0, most_nodes));
  request.seconds = std::max(least_seconds, std::ceil(node_seconds / request.nodes / 60) * 60);
  request.memory_bytes = needs.table_bytes + process_bytes +
                         thread_bytes * static_cast<std::uint64_t>(request.cpus_per_task);
  return request;
}

}  // namespace tessera
