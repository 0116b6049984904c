// SPDX-License-Identifier: MIT
// However a subtree is cut into pieces and given away, what the pieces add up to is what one kernel
// search of it counts.
#include "search/tree/subtree_walk.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <limits>

#include "base/temporary_folder.hpp"
#include "base/thinned.hpp"
#include "heuristic/registry.hpp"
#include "plain_oracle.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/random_board.hpp"
#include "search/pruning/move_order.hpp"
#include "search/tree/frontier.hpp"

namespace tessera {
namespace {

constexpr double whole = std::numeric_limits<double>::infinity();

struct WalkCase {
  Size size;
  std::string heuristic;
  int moves;  // of the board, from the goal: near enough that solutions are met
  Kernel kernel;
  Metric metric = Metric::single;
  PruneRule prune = PruneRule::parent;
};

const std::vector<WalkCase> walk_cases{
    {{4, 4}, "manhattan", 34, Kernel::bucket},
    {{4, 4}, "manhattan", 34, Kernel::plain},
    {{3, 3}, "manhattan", 60, Kernel::plain, Metric::single, PruneRule{10}},
    {{4, 4}, "linear-conflict", 34, Kernel::plain},
    {{4, 4}, "pdb:3-3-3-3-3", 40, Kernel::block},
    {{5, 3}, "pdb:4-4-3-3", 60, Kernel::block},
    {{4, 3}, "lines", 60, Kernel::automatic, Metric::multi},
    {{3, 3}, "zero", 14, Kernel::automatic, Metric::multi},
};

Problem problem_of(const WalkCase& c, const Board& start, const Board& goal) {
  static const TemporaryFolder tables;
  return {make_instance(start, goal),
          c.metric == Metric::multi ? c.heuristic : to_string(resolve_heuristic(c.heuristic, goal)),
          c.kernel,
          c.prune,
          c.metric,
          tables.text()};
}

// Looks often, gives away and has pieces cut in the middle of them.
class Restless final : public SearchControl {
 public:
  Restless(Random& random, std::uint64_t poll_interval)
      : random_(random), poll_interval_(poll_interval) {}

  bool keep_going(const Counts& since_last) override {
    told += since_last;
    if (static_cast<std::int64_t>(since_last.expanded) < 0) ++taken_back;
    if (walk != nullptr) look();
    return !cut_;
  }
  [[nodiscard]] std::uint64_t poll_interval() const override { return poll_interval_; }
  [[nodiscard]] bool cut_wanted() override { return cut_; }
  void piece_begins() { cut_ = false; }

  Counts told;
  int taken_back = 0;
  std::uint64_t given_away = 0;
  SubtreeWalk* walk = nullptr;  // that is to be looked after
  bool gives = false;
  std::deque<WorkItem> items;
  std::vector<FinishedSubtree> finished;

 private:
  void look() {
    const std::uint64_t what = random_.below(12);
    if (what == 0) walk->take_finished(finished);
    if (what == 1) cut_ = true;
    if (what > 3 || !gives) return;
    for (WorkItem& given :
         walk->give_away(1 + random_.below(5), static_cast<double>(random_.below(20)))) {
      ++given_away;
      items.push_back(std::move(given));
    }
  }

  Random& random_;
  std::uint64_t poll_interval_;
  bool cut_ = false;
};

// All bounds of a board up to its optimum, or one that is large enough to be cut in many ways.
struct Bounds {
  std::vector<int> bounds;
  std::vector<SubtreeResult> results;

  Bounds(SubtreeSearch& search, const Node& root, std::uint64_t most) {
    for (int bound = root.f(); bound < no_bound;) {
      Unlimited control;
      bounds.push_back(bound);
      results.push_back(search.search(root, bound, Mode::exhaust, control));
      if (results.back().counts.expanded > most || results.back().counts.solutions > 0) break;
      bound = results.back().next_bound;
    }
  }
};

class Walks {
 public:
  Walks(SubtreeSearch& search, int bound, Mode mode, Metric metric, Random& random,
        std::uint64_t poll_interval)
      : search_(search),
        bound_(bound),
        mode_(mode),
        metric_(metric),
        random_(random),
        control(random, poll_interval) {}

  // Searches an item and all that is given away of it, each piece by a walk of its own.
  void run(const WorkItem& first, double quantum, bool gives) {
    SubtreeCosts costs;
    control.gives = gives;
    control.items = {first};
    while (!control.items.empty()) {
      const std::size_t which = random_.below(control.items.size());
      const WorkItem item = control.items[which];
      control.items.erase(control.items.begin() + static_cast<long>(which));
      const auto growth = static_cast<double>(1 + random_.below(8));
      SubtreeWalk walk(search_, costs, item, bound_, mode_, growth);
      control.walk = quantum == whole ? nullptr : &walk;
      while (!walk.over()) {
        control.piece_begins();
        walk.step(quantum == 0 ? some_quantum() : quantum, control);
      }
      walk.take_finished(control.finished);
      counts += walk.result().counts;
      next_bound = std::min(next_bound, walk.result().next_bound);
      if (walk.result().counts.solutions > 0 &&
          (!solved || comes_before(walk.solved(), *solved, metric_))) {
        solved = walk.solved();
      }
      if (walk.result().found) {
        solution = walk.result().solution;
        return;
      }
    }
  }

  Counts counts;
  int next_bound = no_bound;
  std::optional<std::string> solved;
  std::optional<std::string> solution;

 private:
  double some_quantum() {
    constexpr double quanta[] = {0, 1, 3, 10, 40, 200, 1000, 5000, whole};
    return quanta[random_.below(std::size(quanta))];
  }

  SubtreeSearch& search_;
  int bound_;
  Mode mode_;
  Metric metric_;
  Random& random_;

 public:
  Restless control;
};

class EveryKernel : public testing::TestWithParam<std::size_t> {
 protected:
  EveryKernel() : random_(GetParam()) {
    const Board goal = Goal().board(case_.size);
    problem_ = problem_of(case_, scrambled(goal, case_.moves, random_), goal);
    search_ = make_subtree_search(problem_);
  }
  WorkItem item(const std::string& path, std::uint64_t expanded) {
    // What is expected may be wrong by far.
    constexpr double wrong[] = {0, 0.001, 0.1, 1, 10};
    return {path, static_cast<double>(expanded) * wrong[random_.below(std::size(wrong))]};
  }

  const WalkCase& case_ = walk_cases[GetParam()];
  Random random_;
  Problem problem_;
  std::unique_ptr<SubtreeSearch> search_;
};

TEST_P(EveryKernel, PiecesAddUpToTheWhole) {
  int taken_back = 0;
  std::uint64_t given_away = 0;
  for (const int depth : {0, 3}) {
    std::string path;
    for (int i = 0; i < depth; ++i) {
      const auto children = search_->successors(search_->node_at(path));
      path += children[random_.below(children.size())].letters;
    }
    const Node root = search_->node_at(path);
    const Bounds truth(*search_, root, 20'000);
    for (std::size_t b = 0; b < truth.bounds.size(); ++b) {
      const SubtreeResult& expected = truth.results[b];
      const int bound = truth.bounds[b];
      for (int i = 0; i < 40; i += thinned == 1 ? 1 : 7) {
        const double quantum = i == 0 ? whole : i == 1 ? 1 : 0;
        Walks walks(*search_, bound, Mode::exhaust, case_.metric, random_,
                    i % 2 == 0 ? 16 : SearchControl::default_poll_interval);
        walks.run(item(path, expected.counts.expanded), quantum, i % 3 > 0);
        ASSERT_EQ(walks.counts, expected.counts) << case_.heuristic << " " << bound;
        // Manhattan's kernels say the next bound without looking for a node there.
        if (expected.counts.expanded > 100) {
          ASSERT_EQ(walks.next_bound, expected.next_bound);
        }
        // The control hears of each node once, though pieces were dropped, but not of the branches
        // that were given away.
        ASSERT_EQ(walks.control.told.expanded, expected.counts.expanded);
        ASSERT_EQ(walks.control.told.solutions, expected.counts.solutions);
        ASSERT_LE(walks.control.told.generated, expected.counts.generated);
        ASSERT_EQ(walks.solved.has_value(), expected.counts.solutions > 0);
        if (i % 3 == 0) {
          ASSERT_EQ(walks.control.told, expected.counts);
        }
        if (walks.solved) {
          Unlimited control;
          const SubtreeResult first = search_->search(root, bound, Mode::first, control);
          const SubtreeResult found =
              search_->search(search_->node_at(*walks.solved), bound, Mode::first, control);
          ASSERT_EQ(*walks.solved + found.solution, path + first.solution);
        }
        taken_back += walks.control.taken_back;
        given_away += walks.control.given_away;
      }
    }
  }
  EXPECT_GT(taken_back, 20);
  EXPECT_GT(given_away, 100U);
}

// Each told subtree is what the kernel finds there, and together with the nodes between them they
// are the whole.
TEST_P(EveryKernel, WhatIsToldIsTrueAndComplete) {
  const Node root = search_->node_at("");
  const Bounds truth(*search_, root, 10'000);
  for (std::size_t b = 0; b < truth.bounds.size(); ++b) {
    const SubtreeResult& expected = truth.results[b];
    const int bound = truth.bounds[b];
    for (int i = 0; i < 12; ++i) {
      Walks walks(*search_, bound, Mode::exhaust, case_.metric, random_, 16);
      walks.run(item("", expected.counts.expanded), 0, i % 3 > 0);
      for (std::size_t k = 0; k < walks.control.finished.size();
           k += 1 + random_.below(1 + k / 20)) {
        const FinishedSubtree& told = walks.control.finished[k];
        Unlimited control;
        const SubtreeResult subtree =
            search_->search(search_->node_at(told.path), bound, Mode::exhaust, control);
        ASSERT_EQ(told.counts, subtree.counts) << told.path;
        ASSERT_GE(told.next_bound, subtree.next_bound);
        if (told.counts.solutions == 0) continue;
        const SubtreeResult first =
            search_->search(search_->node_at(told.path), bound, Mode::first, control);
        ASSERT_TRUE(leads_to(told.path, told.solved, case_.metric));
        ASSERT_TRUE(leads_to(told.solved, told.path + first.solution, case_.metric));
      }
      Frontier frontier(*search_);
      const FinishedSubtree done = frontier.restore(walks.control.finished, bound, case_.metric);
      ASSERT_TRUE(frontier.live(bound).empty());
      frontier.forget_done();
      ASSERT_FALSE(frontier.live(bound).empty());
      ASSERT_EQ(frontier.interior() + done.counts, expected.counts);
      if (walks.solved) {
        ASSERT_EQ(done.solved, *walks.solved);
      }
      if (walks.control.given_away == 0) {
        ASSERT_EQ(walks.control.finished.back().path, "");
      }
    }
  }
}

TEST_P(EveryKernel, TheFirstSolutionIsDepthFirstSearchsOwn) {
  const Node root = search_->node_at("");
  const Bounds truth(*search_, root, 20'000);
  bool found = false;
  for (const int bound : truth.bounds) {
    Unlimited control;
    const SubtreeResult expected = search_->search(root, bound, Mode::first, control);
    found = found || expected.found;
    for (int i = 0; i < 20; ++i) {
      Walks walks(*search_, bound, Mode::first, case_.metric, random_, i % 2 == 0 ? 16 : 100'000);
      walks.run(item("", expected.counts.expanded), i == 0 ? whole : 0, false);
      ASSERT_EQ(walks.counts, expected.counts) << case_.heuristic << " " << bound;
      // The bucket kernel tells of what it meets in its own order.
      if (case_.kernel != Kernel::bucket) {
        ASSERT_EQ(walks.control.told.expanded, expected.counts.expanded);
      }
      ASSERT_EQ(walks.solution.has_value(), expected.found);
      if (expected.found) {
        ASSERT_EQ(*walks.solution, expected.solution);
      }

      Walks any(*search_, bound, Mode::any, case_.metric, random_, 16);
      any.run(item("", expected.counts.expanded), 0, true);
      ASSERT_EQ(any.solution.has_value(), expected.found);
      if (expected.found) {
        ASSERT_EQ(replayed(root.board, *any.solution), search_->goal());
        ASSERT_EQ(solution_length(*any.solution, case_.metric),
                  solution_length(expected.solution, case_.metric));
      }
    }
  }
  EXPECT_TRUE(found);
}

INSTANTIATE_TEST_SUITE_P(All, EveryKernel, testing::Range(std::size_t{0}, walk_cases.size()));

// Stopped anywhere, the counts are of what was searched, and what was told stands.
TEST(SubtreeWalk, StopsWhenTheControlSaysSo) {
  class StopAfterCalls final : public SearchControl {
   public:
    explicit StopAfterCalls(int calls) : calls_left_(calls) {}
    bool keep_going(const Counts&) override { return --calls_left_ > 0; }
    [[nodiscard]] std::uint64_t poll_interval() const override { return 50; }

   private:
    int calls_left_;
  };
  Random random(77);
  const Board goal = Goal().board({4, 4});
  const auto search =
      make_subtree_search(problem_of(walk_cases[1], scrambled(goal, 70, random), goal));
  const Bounds truth(*search, search->node_at(""), 50'000);
  const int bound = truth.bounds.back();
  const Counts all = truth.results.back().counts;
  int stopped = 0;
  for (int calls = 1; calls < 3000; calls += 97) {
    StopAfterCalls control(calls);
    SubtreeCosts costs;
    SubtreeWalk walk(*search, costs, {"", static_cast<double>(all.expanded)}, bound, Mode::exhaust,
                     6);
    while (!walk.over()) walk.step(300, control);
    std::vector<FinishedSubtree> told;
    walk.take_finished(told);
    if (!walk.result().stopped) continue;
    ++stopped;
    EXPECT_LT(walk.result().counts.expanded, all.expanded);
    Counts sum;
    for (const FinishedSubtree& subtree : told) sum += subtree.counts;
    EXPECT_LE(sum.expanded, walk.result().counts.expanded);
    // The rest is what is left.
    Frontier frontier(*search);
    const FinishedSubtree done = frontier.restore(told, bound, Metric::single);
    const std::vector<Frontier::Leaf*> left = frontier.live(bound);
    Counts rest = frontier.interior() + done.counts;
    for (const Frontier::Leaf* leaf : left) {
      Unlimited unlimited;
      rest += search->search(leaf->node, bound, Mode::exhaust, unlimited).counts;
    }
    EXPECT_EQ(rest, all) << calls;
  }
  EXPECT_GT(stopped, 10);
}

}  // namespace
}  // namespace tessera
