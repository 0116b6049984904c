// SPDX-License-Identifier: MIT
#include "search/kernels/bucket_search.hpp"

#include <algorithm>
#include <bit>

#include "puzzle/position.hpp"
#include "search/kernels/kernels.hpp"

namespace tessera {
namespace {

// A level's storage stays with the thread across searches: fresh pages for each of many easy boards
// would cost more than the boards. Not touched here: the kernel allocates pages only for buckets
// that fill.
std::uint64_t* level_words(std::size_t level) {
  constexpr std::size_t words = static_cast<std::size_t>(NibblePosition::max_cells) * 4 *
                                (BucketSearch::capacity + bucket_padding);
  static thread_local std::vector<std::unique_ptr<std::uint64_t[]>> levels;
  while (levels.size() <= level) {
    levels.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(words));
  }
  return levels[level].get();
}

}  // namespace

BucketSearch::BucketSearch(const Problem& problem, std::unique_ptr<SubtreeSearch> plain)
    : SubtreeSearch(problem),
      manhattan_(problem.instance),
      plain_(std::move(plain)),
      expand_(bucket_expanders().front().expand),
      goal_word_(NibblePosition(goal()).word()) {
  const Size size = problem.instance.size();
  for (int cell = 0; cell < size.cells(); ++cell) {
    for (int back = 0; back < ways; ++back) {
      if (!size.has_neighbor(cell, back)) continue;  // off the board: no such node
      for (int direction = 0; direction < ways; ++direction) {
        if (direction == back || !size.has_neighbor(cell, direction)) continue;
        const int next = cell + size.offset(direction);
        ways_[static_cast<std::size_t>(bucket_of(cell, back))].push_back(
            {{4 * next, (4 * (cell - next)) & 63, manhattan_.receding(cell, direction)},
             bucket_of(next, 3 - direction)});
      }
    }
  }
}

void BucketSearch::Level::set_count(int bucket, std::size_t count) {
  const std::uint64_t bit = std::uint64_t{1} << bucket;
  counts[static_cast<std::size_t>(bucket)] = static_cast<std::uint32_t>(count);
  waiting = count > 0 ? waiting | bit : waiting & ~bit;
  full = count >= chunk / 2 ? full | bit : full & ~bit;
}

void BucketSearch::push(const Board& board, Direction last, std::size_t level) {
  const int bucket = bucket_of(board.blank(), static_cast<int>(opposite(last)));
  Level& target = levels_[level];
  const std::size_t count = target.count(bucket);
  target.words_of(bucket)[count] = NibblePosition(board).word();
  target.set_count(bucket, count + 1);
}

std::optional<BucketSearch::Place> BucketSearch::choose() const {
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if (levels_[level].full != 0) return Place{level, std::countr_zero(levels_[level].full)};
  }
  for (std::size_t level = levels_.size(); level-- > 0;) {
    if (levels_[level].waiting != 0) return Place{level, std::countr_zero(levels_[level].waiting)};
  }
  return {};
}

std::size_t BucketSearch::room_for_children(Place place) const {
  std::size_t fullest = 0;
  for (const Way& way : ways_from(place)) {
    fullest = std::max(fullest, levels_[place.level].count(way.target));
    if (place.level > 0) fullest = std::max(fullest, levels_[place.level - 1].count(way.target));
  }
  return room_ > fullest ? room_ - fullest : 0;
}

std::size_t BucketSearch::without_goals(std::uint64_t* words, std::size_t count) {
  const auto end = std::remove(words, words + count, goal_word_);
  const auto left = static_cast<std::size_t>(end - words);
  counts_.solutions += count - left;
  return left;
}

bool BucketSearch::search_plainly(Place place, std::uint64_t word, int bound,
                                  SearchControl& control) {
  const int back = place.bucket % ways;
  const int before = cell_of(place.bucket) + instance().size().offset(back);  // the blank's cell
  Node node;
  node.board = Board::of(std::bit_cast<NibblePosition>(word), instance().size());
  node.last = opposite(static_cast<Direction>(back));
  node.rule = pruning().next(pruning().start(before), static_cast<int>(*node.last));
  node.h = manhattan_.evaluate(node.board);
  node.g = bound - 2 * static_cast<int>(place.level) - node.h;
  const SubtreeResult result = plain_->search(node, bound, Mode::exhaust, control);
  counts_ += result.counts;
  reported_ += result.counts;  // the plain kernel has reported to the control itself
  ++overflows_;
  return !result.stopped;
}

// The root may have no previous move, hence no bucket: the search starts with its children.
void BucketSearch::begin(const Node& root, std::size_t slack_levels) {
  levels_.assign(slack_levels + 1, {});
  for (std::size_t i = 0; i <= slack_levels; ++i) levels_[i].words = level_words(i);
  reported_ = {};
  counts_ = {.expanded = 1};
  for (const auto& [letters, child] : successors(root)) {
    ++counts_.generated;
    const int rise = child.f() - root.f();
    if (2 * static_cast<int>(slack_levels) >= rise) {
      push(child.board, *child.last, slack_levels - static_cast<std::size_t>(rise / 2));
    }
  }
}

// Puts the children of the nodes of a place into its own level and the one below.
void BucketSearch::expand(Place place, const std::uint64_t* words, std::size_t count) {
  Level& level = levels_[place.level];
  Level* const below = place.level > 0 ? &levels_[place.level - 1] : nullptr;
  const std::vector<Way>& open = ways_from(place);
  counts_.expanded += count;
  counts_.generated += count * open.size();
  for (const auto& [step, target] : open) {
    const std::size_t same = level.count(target);
    const std::size_t lower = below ? below->count(target) : 0;
    const std::size_t near = expand_(words, count, step, level.words_of(target) + same,
                                     below ? below->words_of(target) + lower : nullptr);
    level.set_count(target, same + near);
    if (below) below->set_count(target, lower + count - near);
  }
}

SubtreeResult BucketSearch::search(const Node& root, int bound, Mode mode, SearchControl& control) {
  if (root.board == goal()) return plain_->search(root, bound, mode, control);
  begin(root, static_cast<std::size_t>((bound - root.f()) / 2));
  SubtreeResult result;
  result.next_bound = bound + Manhattan::f_step;
  std::uint64_t next_poll = control.poll_interval();
  while (const std::optional<Place> place = choose()) {
    Level& level = levels_[place->level];
    std::size_t waiting = level.count(place->bucket);
    // Near a node limit, take less than a chunk: a whole one would exceed it.
    const std::size_t until_poll = std::max<std::uint64_t>(1, next_poll - unreported());
    std::size_t count = std::min({waiting, chunk, room_for_children(*place), until_poll});
    if (count == 0) {
      level.set_count(place->bucket, waiting - 1);
      const std::uint64_t word = level.words_of(place->bucket)[waiting - 1];
      result.stopped = !search_plainly(*place, word, bound, control);
      if (result.stopped) break;
      continue;
    }
    // Taken from the end and expanded in place: no child goes into its parent's own bucket.
    waiting -= count;
    std::uint64_t* const words = level.words_of(place->bucket) + waiting;
    level.set_count(place->bucket, waiting);
    if (cell_of(place->bucket) == instance().goal_blank) count = without_goals(words, count);
    if (counts_.solutions > 0 && mode != Mode::exhaust) {
      control.solution_seen();
      // Ignores the limits; the control has counted these nodes already.
      NeverStops recount;
      return plain_->search(root, bound, mode, recount);
    }
    expand(*place, words, count);
    if (unreported() >= next_poll) {
      result.stopped = !control.keep_going(counts_ - reported_);
      reported_ = counts_;
      next_poll = control.poll_interval();
      if (result.stopped) break;
    }
  }
  if (!result.stopped) control.keep_going(counts_ - reported_);
  result.counts = counts_;
  return result;
}

}  // namespace tessera
