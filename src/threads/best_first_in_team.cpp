// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <thread>

#include "tessera/search/best_first_run.hpp"
#include "tessera/threads/threads_executor.hpp"

namespace tessera {
namespace {

constexpr int ways = 4;

/// Threads that do parts of something that takes less than waking a thread would: they spin until
/// the next comes, and give their CPU away when nothing came for a while.
class SpinTeam {
 public:
  /// The caller is member 0, the others are threads of the team's own.
  explicit SpinTeam(int members) {
    for (int member = 1; member < members; ++member) {
      threads_.emplace_back([this, member] { serve(member); });
    }
  }
  ~SpinTeam() {
    ending_ = true;
    round_.fetch_add(1, std::memory_order_release);
  }
  SpinTeam(const SpinTeam&) = delete;
  SpinTeam& operator=(const SpinTeam&) = delete;

  [[nodiscard]] int members() const { return static_cast<int>(threads_.size()) + 1; }

  /// Calls `work` once with each member's number and returns when all are through. It must not
  /// throw.
  void run(const std::function<void(int)>& work) {
    work_ = &work;
    left_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    work(0);
    for (int turn = 0; left_.load(std::memory_order_acquire) > 0; ++turn) rest(turn);
  }

 private:
  static void rest(int turn) {
    constexpr int spins = 200;
    if (turn > spins) std::this_thread::yield();
  }

  void serve(int member) {
    for (unsigned seen = 0;; ++seen) {
      for (int turn = 0; round_.load(std::memory_order_acquire) == seen; ++turn) rest(turn);
      if (ending_) return;
      (*work_)(member);
      left_.fetch_sub(1, std::memory_order_release);
    }
  }

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_{0};
  std::atomic<int> left_{0};
  std::atomic<bool> ending_{false};
  std::vector<std::jthread> threads_;
};

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
  return run_best_first(problem, options, limits, observer, [&]<class State>() {
    return make_team_expander<State>(problem, options.parallel, threads);
  });
}

}  // namespace tessera
