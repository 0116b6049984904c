// SPDX-License-Identifier: MIT
#include "tessera/search/expander.hpp"

#include "tessera/heuristic/manhattan.hpp"
#include "tessera/heuristic/zero.hpp"

namespace tessera {
namespace {

// A heuristic that a step changes by a look-up.
template <class State, class H>
class SteppedExpander final : public Expander<State> {
 public:
  explicit SteppedExpander(const Problem& problem)
      : Expander<State>(problem.instance), heuristic_(problem.instance) {}

  [[nodiscard]] int evaluate(const Board& labels) const override {
    return heuristic_.evaluate(labels);
  }

  void expand(const State& state, int h, std::vector<Child<State>>& children) override {
    const auto position = state.position(this->cells());
    const int blank = State::blank(position);
    const int back = this->back_of(state);
    for (int d = 0; d < 4; ++d) {
      if (!this->geometry().allowed(blank, back, d)) continue;
      const int next = blank + this->geometry().offset(d);
      const Step<int, int, int> step{blank, next, d};
      const int rise = heuristic_.rise(position, position.tile(next), step, {});
      children.push_back({State(position.slid(next, blank), d), h + rise - 1, 1});
    }
  }

 private:
  H heuristic_;
};

}  // namespace

template <class State>
std::unique_ptr<Expander<State>> make_expander(const Problem& problem) {
  if (problem.metric == Metric::single && problem.heuristic == Manhattan::info.name) {
    return std::make_unique<SteppedExpander<State, Manhattan>>(problem);
  }
  if (problem.metric == Metric::single && problem.heuristic == Zero::info.name) {
    return std::make_unique<SteppedExpander<State, Zero>>(problem);
  }
  return std::make_unique<EvaluatingExpander<State>>(problem);
}

template std::unique_ptr<Expander<NibbleState>> make_expander(const Problem&);
template std::unique_ptr<Expander<WideState<3>>> make_expander(const Problem&);
template std::unique_ptr<Expander<WideState<7>>> make_expander(const Problem&);

}  // namespace tessera
