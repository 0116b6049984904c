// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "tessera/search/best_first_run.hpp"
#include "tessera/threads/inner_parallel.hpp"
#include "threads/spin_team.hpp"

namespace tessera {
namespace {

constexpr int ways = 4;

// The children in each direction by another member.
template <class State>
class NeighborsExpander final : public EvaluatingExpander<State> {
 public:
  NeighborsExpander(const Problem& problem, int threads)
      : EvaluatingExpander<State>(problem), team_(std::min(threads, ways)) {}

  void expand(const State& state, int, std::vector<Child<State>>& children) override {
    const auto position = state.position(this->cells());
    const Board board = this->board_of(position);
    team_.run([&](int member) {
      for (int d = member; d < ways; d += team_.members()) {
        by_way_[static_cast<std::size_t>(d)].clear();
        this->expand_way(state, position, board, d, by_way_[static_cast<std::size_t>(d)]);
      }
    });
    for (const auto& some : by_way_) children.insert(children.end(), some.begin(), some.end());
  }

 private:
  SpinTeam team_;
  std::array<std::vector<Child<State>>, ways> by_way_;
};

// The rows of a board's Manhattan distance by different members, from scratch for each child.
template <class State>
class DistanceExpander final : public EvaluatingExpander<State> {
 public:
  DistanceExpander(const Problem& problem, int threads)
      : EvaluatingExpander<State>(problem),
        team_(std::min(threads, problem.instance.size().height)),
        sums_(static_cast<std::size_t>(team_.members())) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    const Instance& instance = this->instance();
    const Size size = labels.size();
    team_.run([&](int member) {
      int sum = 0;
      for (int row = member; row < size.height; row += team_.members()) {
        for (int column = 0; column < size.width; ++column) {
          const int label = labels.tile(row * size.width + column);
          if (label == 0) continue;
          const int home = instance.home(label);
          sum += std::abs(size.row(home) - row) + std::abs(size.column(home) - column);
        }
      }
      sums_[static_cast<std::size_t>(member)].value = sum;
    });
    int sum = 0;
    for (const Sum& part : sums_) sum += part.value;
    return sum;
  }

 private:
  struct alignas(64) Sum {  // no two in one line of the cache
    int value = 0;
  };
  mutable SpinTeam team_;
  mutable std::vector<Sum> sums_;
};

template <class State>
std::unique_ptr<Expander<State>> make_team_expander(const Problem& problem, InnerParallel parallel,
                                                    int threads) {
  if (parallel == InnerParallel::neighbors) {
    return std::make_unique<NeighborsExpander<State>>(problem, threads);
  }
  return std::make_unique<DistanceExpander<State>>(problem, threads);
}

}  // namespace

SearchResult best_first_in_team(const Problem& problem, const BestFirstOptions& options,
                                int threads, const Limits& limits, Observer& observer) {
  return with_state_of(problem.instance.size(), [&]<class State>() {
    const Stopwatch watch;
    const auto expander = make_team_expander<State>(problem, options.parallel, threads);
    const double setup_seconds = watch.seconds();
    SearchResult result = run_best_first<State>(*expander, problem, options, limits, observer);
    result.setup_seconds = setup_seconds;
    return result;
  });
}

}  // namespace tessera
