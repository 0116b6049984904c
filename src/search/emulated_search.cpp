// SPDX-License-Identifier: MIT
#include "search/kernels.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "tessera/base/clock.hpp"

namespace tessera {
namespace {

// How long a sleep goes on before the control is asked whether to.
constexpr double slice_seconds = 0.005;
// Where too many ranks share a core, a search that is later than that is not made good.
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
  double late_ = 0;  // by how much the last searches took too long, which the next make good
};

}  // namespace

std::unique_ptr<SubtreeSearch> make_emulated_search(const Problem& problem,
                                                    std::unique_ptr<SubtreeSearch> search) {
  return std::make_unique<EmulatedSearch>(problem, std::move(search));
}

}  // namespace tessera
