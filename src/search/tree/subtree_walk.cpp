// SPDX-License-Identifier: MIT
#include "search/tree/subtree_walk.hpp"

#include <iterator>

namespace tessera {
namespace {

// Expected cost of an abandoned subtree, relative to what it had expanded.
constexpr double surprise = 4;

// Forwards everything and remembers what it reported, so that it can be undone.
class Relay final : public SearchControl {
 public:
  explicit Relay(SearchControl& control) : control_(control) {}

  bool keep_going(const Counts& since_last) override {
    reported_ += since_last;
    return control_.keep_going(since_last);
  }
  [[nodiscard]] std::uint64_t poll_interval() const override { return control_.poll_interval(); }
  void solution_seen() override { control_.solution_seen(); }

  [[nodiscard]] const Counts& reported() const { return reported_; }
  // Counts are modular: adding the negative undoes them.
  void take_back() { (void)control_.keep_going(Counts() - reported_); }

 private:
  SearchControl& control_;
  Counts reported_;
};

}  // namespace

void SubtreeCosts::note(int slack, int h, double expanded) {
  constexpr float longest_memory = 200;
  Kind& kind = kinds_[{slack, h}];
  kind.count = std::min(kind.count + 1, longest_memory);
  kind.mean += (static_cast<float>(expanded) - kind.mean) / kind.count;
}

std::optional<double> SubtreeCosts::expected(int slack, int h) const {
  const auto kind = kinds_.find({slack, h});
  if (kind == kinds_.end()) return {};
  return kind->second.mean;
}

SubtreeWalk::SubtreeWalk(SubtreeSearch& search, SubtreeCosts& costs, const WorkItem& item,
                         int bound, Mode mode, double growth)
    : search_(search), costs_(costs), bound_(bound), mode_(mode), growth_(growth) {
  frames_.emplace_back();
  frames_.back().branches.push_back({search.node_at(item.path), item.path, item.cost});
}

void SubtreeWalk::step(double quantum, SearchControl& control) {
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.next == frame.branches.size()) {
      close_frame();
      continue;
    }
    Branch& branch = frame.branches[frame.next++];
    if (frames_.size() > 1) {
      (void)control.keep_going({0, 1, 0});
      if (!generate(frame, branch)) continue;
    }
    const bool too_large = branch.cost > quantum && branch.node.board != search_.goal();
    if (too_large || !search_whole(branch, control)) {
      frames_.push_back(expanded(branch));
      ++result_.counts.expanded;
      (void)control.keep_going({1, 0, 0});
    }
    if (!too_large) break;
  }
  // If the search ended early, its last branch and the frames that contain it are not finished.
  while (!over() && frames_.back().next == frames_.back().branches.size()) close_frame();
}

// Counts a branch; false if it is beyond the bound.
bool SubtreeWalk::generate(Frame& frame, const Branch& branch) {
  ++frame.total.counts.generated;
  ++result_.counts.generated;
  const int f = branch.node.f();
  if (f <= bound_) return true;
  frame.total.next_bound = std::min(frame.total.next_bound, f);
  result_.next_bound = std::min(result_.next_bound, f);
  return false;
}

// False if the control wants it cut: then nothing of it counts.
bool SubtreeWalk::search_whole(Branch& branch, SearchControl& control) {
  Relay relay(control);
  SubtreeResult result = search_.search(branch.node, bound_, mode_, relay);
  const int slack = bound_ - branch.node.f();
  if (result.stopped && !result.found && control.cut_wanted()) {
    branch.cost = surprise * static_cast<double>(relay.reported().expanded);
    costs_.note(slack, branch.node.h, branch.cost);
    relay.take_back();
    return false;
  }
  if (!result.stopped && !result.found) {
    costs_.note(slack, branch.node.h, static_cast<double>(result.counts.expanded));
  }
  if (result_.counts.solutions == 0) solved_ = branch.path;
  result_.counts += result.counts;
  result_.next_bound = std::min(result_.next_bound, result.next_bound);
  result_.stopped = result.stopped;
  result_.found = result.found;
  if (result.found) result_.solution = branch.path + result.solution;
  if (!over()) note({branch.path, result.counts, result.next_bound, branch.path});
  return true;
}

SubtreeWalk::Frame SubtreeWalk::expanded(const Branch& branch) const {
  Frame frame;
  frame.slack = bound_ - branch.node.f();
  frame.h = branch.node.h;
  frame.total.path = branch.path;
  frame.total.counts.expanded = 1;
  double weights = 0;
  for (Successor& child : search_.successors(branch.node)) {
    const double weight = expected_share(growth_, child.node.f() - branch.node.f());
    if (child.node.f() <= bound_) weights += weight;
    frame.branches.push_back({child.node, branch.path + child.letters, weight});
  }
  for (Branch& child : frame.branches) {
    const int slack = bound_ - child.node.f();
    child.cost = costs_.expected(slack, child.node.h).value_or(child.cost * branch.cost / weights);
  }
  return frame;
}

// Adds a finished child to the top frame.
void SubtreeWalk::note(FinishedSubtree finished) {
  frames_.back().total.add(finished);
  frames_.back().finished.push_back(std::move(finished));
}

void SubtreeWalk::close_frame() {
  Frame done = std::move(frames_.back());
  frames_.pop_back();
  if (frames_.empty()) {
    last_finished_ = std::move(done.finished);
  } else if (done.whole) {
    costs_.note(done.slack, done.h, static_cast<double>(done.total.counts.expanded));
    note(std::move(done.total));
  } else {
    frames_.back().whole = false;
    std::move(done.finished.begin(), done.finished.end(),
              std::back_inserter(frames_.back().finished));
  }
}

std::vector<WorkItem> SubtreeWalk::give_away(std::size_t most, double least_cost) {
  std::vector<WorkItem> given;
  for (std::size_t depth = 1; depth < frames_.size() && given.size() < most; ++depth) {
    Frame& frame = frames_[depth];
    // From the end, so that the rest stays in move order.
    while (frame.next < frame.branches.size() && given.size() < most) {
      Branch& branch = frame.branches.back();
      if (branch.node.f() <= bound_ && branch.cost < least_cost) break;
      if (generate(frame, branch)) {
        frame.whole = false;
        given.push_back({std::move(branch.path), branch.cost, branch.node.h});
      }
      frame.branches.pop_back();
    }
  }
  return given;
}

void SubtreeWalk::take_finished(std::vector<FinishedSubtree>& finished) {
  const auto move_out = [&](std::vector<FinishedSubtree>& from) {
    std::move(from.begin(), from.end(), std::back_inserter(finished));
    from.clear();
  };
  for (Frame& frame : frames_) move_out(frame.finished);
  move_out(last_finished_);
}

}  // namespace tessera
