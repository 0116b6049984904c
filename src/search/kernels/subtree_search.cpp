// SPDX-License-Identifier: MIT
#include "search/kernels/subtree_search.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "heuristic/maximum.hpp"
#include "search/kernels/bucket_search.hpp"
#include "search/kernels/kernel_factory.hpp"
#include "search/kernels/kernels.hpp"

namespace tessera {

// FAST_SIZES, from CMakeLists.txt, is FAST_SIZE(W, H) for each size with its own kernel.
#define FAST_SIZE(W, H) \
  template <>           \
  std::unique_ptr<SubtreeSearch> make_fast_search<W, H>(const Problem&);
FAST_SIZES
#undef FAST_SIZE

namespace {

// The measured break-even of node by node and blocks (bench/heuristics-table --kernels).
constexpr std::uint64_t cached_table_bytes = std::uint64_t{16} << 20;

bool has_bucket_kernel(Size size, const HeuristicSpec& heuristic) {
  return size.cells() <= NibblePosition::max_cells && to_string(heuristic) == Manhattan::info.name;
}

std::unique_ptr<SubtreeSearch> make_fast(const Problem& problem) {
  [[maybe_unused]] const Size size = problem.instance.size();
#define FAST_SIZE(W, H) \
  if (size == Size{W, H}) return make_fast_search<W, H>(problem);
  FAST_SIZES
#undef FAST_SIZE
  return nullptr;
}

std::unique_ptr<SubtreeSearch> make_real_search(const Problem& problem) {
  if (problem.metric == Metric::multi) return make_multi_search(problem);
  const HeuristicSpec spec = parse_heuristic(problem.heuristic);
  const Size size = problem.instance.size();
  expect_kernel(problem.kernel, size, spec, problem.prune);
  const auto pruning = Pruning::of(problem.prune, problem.instance, problem.table_directory);
  // Not with the mirrored moves of a symmetric board.
  const bool bucket = has_bucket_kernel(size, spec) && pruning->is_parent();
  if (is_table_heuristic(spec)) {
    // Blocks pay off if lookups miss the cache.
    std::uint64_t bytes = 0;
    for (const TableRequest& table : table_requests(spec, size, problem.instance.goal_blank)) {
      bytes += table.cost.file_bytes;
    }
    const bool cached = bytes <= cached_table_bytes && problem.kernel == Kernel::automatic;
    if (cached || problem.kernel == Kernel::plain) {
      if (auto fast = make_fast(problem)) return fast;
    }
    return make_block_search(problem);
  }
  const RuledGeometry ruled(RuntimeGeometry(size), pruning);
  using Position = BytePosition<Size::max_cells>;
  auto plain = make_fast(problem);
  if (!plain) plain = make_depth_first<RuledGeometry, Position>(problem, ruled);
  // A maximum, or a heuristic that a program brings.
  if (!plain) return std::make_unique<DepthFirst<RuledGeometry, Maximum, Position>>(problem, ruled);
  // Searches of the smallest boards end before a bucket fills.
  constexpr int least_cells = 12;
  const bool small = size.cells() < least_cells && problem.kernel == Kernel::automatic;
  if (!bucket || small || problem.kernel == Kernel::plain) return plain;
  return std::make_unique<BucketSearch>(problem, std::move(plain));
}

// Searches with another kernel, then sleeps for the rest of the time that a machine of the emulated
// speed would take. Many more ranks than cores then do the same work, messages and waiting as on
// that many such machines, as long as their combined speed is below the kernel's.
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
    // How long it sleeps before it asks the control whether to continue.
    constexpr double slice_seconds = 0.005;
    // If too many ranks share a core, more delay than this is not made up for.
    constexpr double most_late = 0.2;
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

Node SubtreeSearch::node_at(std::string_view path) const {
  const std::optional<Board> board = replayed(instance_.start, path);
  if (!board) internal_failure("a subtree's path leaves the board");
  Node node;
  node.board = *board;
  if (!path.empty()) node.last = direction_of(path.back());
  node.g = static_cast<int>(path.size());
  node.h = evaluate(*board);
  node.rule = pruning_->start(instance_.start.blank());
  for (const char letter : path) {
    node.rule = pruning_->next(node.rule, static_cast<int>(*direction_of(letter)));
    if (node.rule == Pruning::none) {
      internal_failure("a subtree's path holds a move that is pruned");
    }
  }
  return node;
}

std::vector<Successor> SubtreeSearch::successors(const Node& node) const {
  std::vector<Successor> children;
  for (const Direction d : all_directions) {
    const Pruning::State rule = pruning_->next(node.rule, static_cast<int>(d));
    if (rule == Pruning::none) continue;
    Node child{.board = node.board.moved(d), .last = d, .g = node.g + 1, .rule = rule};
    child.h = evaluate(child.board);
    children.push_back({std::string(1, letter(d)), child});
  }
  return children;
}

void expect_kernel(Kernel kernel, Size size, const HeuristicSpec& heuristic, PruneRule prune) {
  if (kernel == Kernel::bucket &&
      !(has_bucket_kernel(size, heuristic) && without_mirror(prune) == PruneRule::parent)) {
    bad_input("--kernel bucket: needs --heuristic manhattan, --prune parent and at most 16 cells");
  }
  if (kernel == Kernel::block && !is_table_heuristic(heuristic)) {
    bad_input("the block kernel has no " + to_string(heuristic) +
              ", expected pattern databases, perhaps with walking");
  }
}

std::unique_ptr<SubtreeSearch> make_subtree_search(const Problem& problem) {
  auto search = make_real_search(problem);
  if (problem.emulation.nodes_per_second <= 0) return search;
  return std::make_unique<EmulatedSearch>(problem, std::move(search));
}

}  // namespace tessera
