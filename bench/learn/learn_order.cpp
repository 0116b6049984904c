// SPDX-License-Identifier: MIT
// Learns the weights of BeamOrder and prints them: see bench/learn-order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/thread_team.hpp"
#include "heuristic/linear_conflict.hpp"
#include "heuristic/manhattan.hpp"
#include "puzzle/board_hash.hpp"
#include "puzzle/geometry.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/position.hpp"
#include "puzzle/random_board.hpp"
#include "search/beam/beam_order.hpp"
#include "search/problem.hpp"

namespace tessera {
namespace {

constexpr Size sizes[] = {{5, 5}, {6, 6}, {7, 7}, {6, 5}, {7, 7}, {8, 8}};  // in turn
constexpr int units = BeamOrder::units_per_move;

/// What the order weighs of a board.
struct Sample {
  std::vector<std::uint16_t> features;
  std::int16_t base = 0;    ///< sum of distance * sqrt(distance), in units
  std::int16_t excess = 0;  ///< h beyond the sum of distances
};

/// A board of a beam on the way to the solution, and others of the same layer.
struct Layer {
  Sample right;
  std::vector<Sample> wrong;
};

/// A simple beam search of a board, that remembers some boards of each layer.
class SampledBeam {
 public:
  SampledBeam(const Board& start, const Board& goal, Metric metric, BeamOrder::Weights weights,
              std::uint64_t seed)
      : problem_{.instance = make_instance(start, goal),
                 .heuristic = "linear-conflict",
                 .metric = metric},
        linear_conflict_(problem_.instance),
        manhattan_(problem_.instance),
        features_(problem_.instance),
        geometry_(start.size()),
        order_(problem_, 1.5, weights),
        hash_(seed),
        random_(seed) {}

  /// Adds layers; returns the length of the solution, or 0.
  int run(std::size_t width, std::vector<Layer>& layers) {
    const Board& start = problem_.instance.start;
    const std::uint64_t goal = hash_.of(problem_.instance.goal());
    std::vector<Node> layer{{BytePosition<Size::max_cells>(start), hash_.of(start),
                             linear_conflict_.evaluate(start), order_.spread(start), start.blank(),
                             no_way, 0, 0}};
    // A board may be forgotten, if another takes its place.
    std::vector<std::uint64_t> visited(std::bit_ceil(32 * width));
    std::vector<Node> next;
    for (int depth = 1; depth < most_layers; ++depth) {
      next.clear();
      for (std::size_t parent = 0; parent < layer.size(); ++parent) {
        for (const Node& child : children(layer[parent], parent)) {
          if (child.hash == goal) {
            collect(parent, layers);
            return depth;
          }
          if (std::exchange(visited[child.hash & (visited.size() - 1)], child.hash) != child.hash)
            next.push_back(child);
        }
      }
      if (next.empty()) return 0;
      if (next.size() > width) {
        std::ranges::nth_element(
            next, next.begin() + static_cast<std::ptrdiff_t>(width), {}, [&](const Node& node) {
              return std::pair(order_.estimate(node.h, node.spread), node.hash);
            });
        next.resize(width);
      }
      Kept kept;
      for (const Node& node : next) kept.origins.push_back({node.parent, node.way, node.steps});
      if (depth % every == 0) {
        for (int i = 0; i < samples; ++i)
          kept.some.push_back(next[random_.below(next.size())].position);
      }
      trail_.push_back(std::move(kept));
      std::swap(layer, next);
    }
    return 0;
  }

 private:
  static constexpr int most_layers = 1500;
  static constexpr int every = 4;  // layers
  static constexpr int samples = 8;

  using Position = BytePosition<Size::max_cells>;
  struct Node {
    Position position;
    std::uint64_t hash;
    int h;
    int spread;
    int blank;
    int way;
    int steps;
    std::size_t parent;
  };
  struct Origin {
    std::size_t parent;
    int direction;  // of the blank
    int steps;
  };
  struct Kept {
    std::vector<Origin> origins;
    std::vector<Position> some;
  };

  // In metric multi, runs across the line of the last one.
  [[nodiscard]] std::vector<Node> children(const Node& parent, std::size_t index) const {
    std::vector<Node> children;
    const bool multi = problem_.metric == Metric::multi;
    for (int d = 0; d < 4; ++d) {
      if (d == 3 - parent.way || (multi && d == parent.way)) continue;
      Node child = parent;
      child.way = d;
      child.parent = index;
      for (child.steps = 1; geometry_.allowed(child.blank, no_way, d); ++child.steps) {
        slide(child);
        children.push_back(child);
        if (!multi) break;
      }
    }
    return children;
  }
  void slide(Node& node) const {
    auto position = node.position.handle();
    const Step<int, int, int> step{node.blank, node.blank + geometry_.offset(node.way), node.way};
    const unsigned label = position.tile(step.next);
    node.h += linear_conflict_.rise(position, label, step) - 1;
    node.spread += order_.change(position, step, order_.around(position, step.blank));
    node.hash ^= hash_.change(label, step.next, step.blank);
    (void)position.slid(step.next, step.blank);
    node.blank = step.next;
  }

  void collect(std::size_t last, std::vector<Layer>& layers) const {
    std::vector<Origin> origins;
    for (std::size_t i = trail_.size(); i-- > 0;) {
      origins.push_back(trail_[i].origins[last]);
      last = origins.back().parent;
    }
    std::ranges::reverse(origins);
    Board board = problem_.instance.start;
    for (std::size_t i = 0; i < origins.size(); ++i) {
      for (int step = 0; step < origins[i].steps; ++step)
        board.move(static_cast<Direction>(origins[i].direction));
      if (trail_[i].some.empty()) continue;
      Layer layer{sample_of(board), {}};
      for (const Position& position : trail_[i].some) {
        if (const Board other = Board::of(position, board.size()); other != board)
          layer.wrong.push_back(sample_of(other));
      }
      layers.push_back(std::move(layer));
    }
  }

  [[nodiscard]] Sample sample_of(const Board& board) const {
    Sample sample;
    const auto add = [&](int feature) {
      sample.features.push_back(static_cast<std::uint16_t>(feature));
    };
    const Size size = board.size();
    double base = 0;
    for (int cell = 0; cell < size.cells(); ++cell) {
      if (board.tile(cell) == 0) continue;
      const int home = problem_.instance.home(board.tile(cell));
      add(BeamFeatures::of_distance(std::abs(size.row(home) - size.row(cell)),
                                    std::abs(size.column(home) - size.column(cell))));
      const int distance = size.distance(cell, home);
      base += distance * std::sqrt(distance);
    }
    features_.visit_places(board, add);
    sample.base = static_cast<std::int16_t>(std::lround(units * base));
    sample.excess =
        static_cast<std::int16_t>(linear_conflict_.evaluate(board) - manhattan_.evaluate(board));
    return sample;
  }

  Problem problem_;
  LinearConflict linear_conflict_;
  Manhattan manhattan_;
  BeamFeatures features_;
  RuntimeGeometry geometry_;
  BeamOrder order_;
  BoardHash hash_;
  Random random_;
  std::vector<Kept> trail_;
};

/// Weights that put the board on the way to the solution before the others of its layer: logistic
/// regression of pairs by AdaGrad (Duchi, Hazan, Singer 2011).
class Ranking {
 public:
  Ranking()
      : weights_(BeamOrder::weights()), squares_(weights_.size(), 0.01), changes_(weights_.size()) {
    weights_.front() = 2;
  }

  /// The share of pairs that are in the right order.
  double learn(const std::vector<Layer>& layers, double rate, Random& random) {
    std::vector<std::size_t> order(layers.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    double pairs = 0;
    double right = 0;
    for (const std::size_t i : order) {
      const double best = value(layers[i].right);
      for (const Sample& wrong : layers[i].wrong) {
        const double margin = steepness * (value(wrong) - best);
        pairs += 1;
        right += margin > 0 ? 1 : 0;
        step(layers[i].right, wrong, steepness / (1 + std::exp(margin)), rate);
      }
    }
    return right / pairs;
  }

  /// In units. The least weight of a pair or block is 0: all boards of a size have as many of them.
  [[nodiscard]] std::vector<std::int16_t> rounded() const {
    const auto first_pair = static_cast<std::size_t>(1 + BeamFeatures::distances);
    const double least = *std::min_element(
        weights_.begin() + static_cast<std::ptrdiff_t>(first_pair), weights_.end());
    std::vector<std::int16_t> rounded;
    for (std::size_t i = 0; i < weights_.size(); ++i)
      rounded.push_back(static_cast<std::int16_t>(
          std::lround(units * (weights_[i] - (i < first_pair ? 0 : least)))));
    return rounded;
  }

 private:
  static constexpr double steepness = 0.25;  // per move

  [[nodiscard]] double value(const Sample& sample) const {
    double value = sample.base / double{units} + weights_.front() * sample.excess;
    for (const std::uint16_t feature : sample.features) value += weights_[1U + feature];
    return value;
  }

  void step(const Sample& right, const Sample& wrong, double slope, double rate) {
    changed_.assign(1, 0);
    changes_[0] = wrong.excess - right.excess;
    const auto change = [&](std::uint16_t feature, int by) {
      changed_.push_back(1U + feature);
      changes_[changed_.back()] += by;
    };
    for (const std::uint16_t feature : wrong.features) change(feature, 1);
    for (const std::uint16_t feature : right.features) change(feature, -1);
    for (const std::size_t i : changed_) {
      const int by = std::exchange(changes_[i], 0);
      if (by == 0) continue;
      const double slide = slope * by;
      squares_[i] += slide * slide;
      weights_[i] += rate * slide / std::sqrt(squares_[i]);
    }
  }

  std::vector<double> weights_;
  std::vector<double> squares_;
  std::vector<int> changes_;  // between two samples, by feature
  std::vector<std::size_t> changed_;
};

void print(const std::vector<std::int16_t>& weights) {
  std::string line = "   ";
  for (const std::int16_t weight : weights) {
    const std::string next = ' ' + std::to_string(weight) + ',';
    if (line.size() + next.size() > 100) {
      std::puts(line.c_str());
      line = "   ";
    }
    line += next;
  }
  std::puts(line.c_str());
}

void learn(Metric metric, int rounds, std::size_t boards, std::size_t width, int threads) {
  ThreadTeam team(threads);
  Ranking ranking;
  Random random(1);
  std::vector<Layer> layers;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<std::int16_t> weights = ranking.rounded();
    std::vector<std::vector<Layer>> found(boards);
    std::vector<int> lengths(boards);
    const std::uint64_t seed = random.next();
    team.share(boards, [&](std::size_t i, int) {
      Random own(seed + i);
      const Board goal = Goal().board(sizes[i % std::size(sizes)]);
      SampledBeam beam(random_board(goal, own), goal, metric, weights, own.next());
      lengths[i] = beam.run(width, found[i]);
    });
    for (std::vector<Layer>& some : found) std::ranges::move(some, std::back_inserter(layers));
    double right = 0;
    for (int pass = 0; pass < 3; ++pass)
      right = ranking.learn(layers, 0.05 / (1 + 0.4 * round), random);
    const double mean =
        std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(boards);
    std::fprintf(
        stderr, "round %d: %.1f moves, %zu failed, %zu layers, %.3f of the pairs in order\n", round,
        mean, static_cast<std::size_t>(std::ranges::count(lengths, 0)), layers.size(), right);
  }
  print(ranking.rounded());
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto number = [&](std::size_t i) { return std::strtoul(words[i].c_str(), nullptr, 10); };
  if (words.size() != 5 || (words[0] != "single" && words[0] != "multi") || number(1) == 0 ||
      number(2) == 0 || number(3) == 0 || number(4) == 0) {
    std::fputs("learn-order: expected METRIC (single or multi) ROUNDS BOARDS WIDTH THREADS\n",
               stderr);
    return 2;
  }
  const auto metric = words[0] == "multi" ? tessera::Metric::multi : tessera::Metric::single;
  tessera::learn(metric, static_cast<int>(number(1)), number(2), number(3),
                 static_cast<int>(number(4)));
}
