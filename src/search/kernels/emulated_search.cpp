// SPDX-License-Identifier: MIT
#include "search/kernels/kernels.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.hpp"

namespace tessera {
namespace {

// How long it sleeps before it asks the control whether to continue.
constexpr double slice_seconds = 0.005;
// If too many ranks share a core, more delay than this is not made up for.
constexpr double most_late = 0.2;

class EmulatedSearch final : public SubtreeSearch {
 public:
  EmulatedSearch(const Problem& problem, std::unique_ptr<SubtreeSearch> search)
      : SubtreeSearch(problem),
        search_(std::move(search)),
        rate_(problem.emulation.of_rank(problem.rank)) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return search_->evaluate(labels);
  }
  [[nodiscard]] std::vector<Successor> successors(const Node& node) const override {
    return search_->successors(node);
  }
  [[nodiscard]] Node node_at(std::string_view path) const override {
    return search_->node_at(path);
  }

  SubtreeResult search(const Node& root, int bound, Mode mode, SearchControl& control) override {
    const Stopwatch watch;
    SubtreeResult result = search_->search(root, bound, mode, control);
    const double due = static_cast<double>(result.counts.expanded) / rate_ - late_;
    while (!result.stopped && watch.seconds() < due) {
      const double left = due - watch.seconds();
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, slice_seconds)));
      result.stopped = !result.found && !control.keep_going({});
    }
    late_ = std::min(watch.seconds() - due, most_late);
    return result;
  }

 private:
  std::unique_ptr<SubtreeSearch> search_;
  double rate_;
  // Delay of the last searches, which the next ones make up for. Negative if they were stopped
  // while they slept: the next ones sleep the rest.
  double late_ = 0;
};

}  // namespace

std::unique_ptr<SubtreeSearch> make_emulated_search(const Problem& problem,
                                                    std::unique_ptr<SubtreeSearch> search) {
  return std::make_unique<EmulatedSearch>(problem, std::move(search));
}

}  // namespace tessera
