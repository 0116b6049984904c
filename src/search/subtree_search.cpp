// SPDX-License-Identifier: MIT
#include "tessera/search/subtree_search.hpp"

#include "search/kernel_factory.hpp"
#include "tessera/base/error.hpp"
#include "tessera/search/bucket_search.hpp"

namespace tessera {

#define TESSERA_FAST_SIZE(W, H) \
  template <>                   \
  std::unique_ptr<SubtreeSearch> make_fast_search<W, H>(const Instance&, std::string_view);
#include "search/fast_sizes.inc"
#undef TESSERA_FAST_SIZE

namespace {

std::unique_ptr<SubtreeSearch> make_plain(const Instance& instance, std::string_view heuristic) {
#define TESSERA_FAST_SIZE(W, H) \
  if (instance.size() == Size{W, H}) return make_fast_search<W, H>(instance, heuristic);
#include "search/fast_sizes.inc"
#undef TESSERA_FAST_SIZE
  return make_depth_first<RuntimeGeometry, BytePosition<Size::max_cells>>(
      instance, heuristic, RuntimeGeometry(instance.size()));
}

}  // namespace

Node SubtreeSearch::node_at(std::string_view path) const {
  const std::optional<Board> board = replayed(instance_.start, path);
  if (!board) throw Error(ErrorKind::internal, "a subtree's path leaves the board");
  Node node;
  node.board = *board;
  if (!path.empty()) node.last = direction_of(path.back());
  node.g = static_cast<int>(path.size());
  node.h = evaluate(*board);
  return node;
}

bool has_bucket_kernel(Size size, std::string_view heuristic) {
  return size.cells() <= NibblePosition::max_cells && heuristic == Manhattan::info.name;
}

std::unique_ptr<SubtreeSearch> make_subtree_search(const Instance& instance,
                                                   std::string_view heuristic, Kernel kernel) {
  auto plain = make_plain(instance, heuristic);
  if (!plain) {
    throw Error(ErrorKind::internal, "no kernel for heuristic " + std::string(heuristic));
  }
  const bool bucket = has_bucket_kernel(instance.size(), heuristic);
  if (kernel == Kernel::bucket && !bucket) {
    bad_input("the bucket kernel has no " + std::string(heuristic) + " on " +
              to_string(instance.size()) + ", expected manhattan on at most 16 cells");
  }
  // Searches of the smallest boards end before a bucket is full.
  constexpr int least_cells = 12;
  const bool small = instance.size().cells() < least_cells && kernel == Kernel::automatic;
  if (!bucket || small || kernel == Kernel::plain) return plain;
  return std::make_unique<BucketSearch>(instance, std::move(plain));
}

}  // namespace tessera
