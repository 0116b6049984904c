// SPDX-License-Identifier: MIT
#include "tessera/census/census.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>

#include "census/census_frame.hpp"
#include "census/checkpoint.hpp"
#include "census/lehmer.hpp"
#include "census/level_engine.hpp"
#include "census/picked_numbers.hpp"
#include "census/plain_census.hpp"
#include "census/spill_folder.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

std::unique_ptr<LevelEngine> make_engine(const TileLayout& layout, Metric metric,
                                         Exchange& exchange, ThreadTeam& team,
                                         const DiskMode& disk) {
  return metric == Metric::single ? make_single_engine(layout, exchange, team, disk)
                                  : make_multi_engine(layout, exchange, team, disk);
}

// What disk mode has, or nothing.
struct DiskState {
  std::unique_ptr<SpillFolder> folder;
  std::unique_ptr<Spill> spill;
  DiskMode mode;
};

DiskState begin_disk(const CensusTask& task, Exchange& exchange) {
  DiskState disk;
  if (task.disk.empty()) return disk;
  // Batches are the same on all ranks, whatever threads each has.
  int threads = 1;
  for (const std::string& text : exchange.gather(std::to_string(task.threads))) {
    threads = std::max(threads, std::stoi(text));
  }
  const CensusDiskPlan plan = census_disk_plan(task.size, task.metric, threads, task.memory_bytes,
                                               !task.checkpoint.empty(), exchange.ranks());
  if (plan.batch_tiles == 0) {
    std::ostringstream what;
    what << "a search on disk needs " << (plan.least_memory >> 20) + 1 << " MiB of memory"
         << (exchange.ranks() > 1 ? " a rank, " : ", ") << (task.memory_bytes >> 20)
         << " are allowed";
    throw CommonError(ErrorKind::resource, what.str());
  }
  disk.folder = std::make_unique<SpillFolder>(task.disk, exchange);
  // How much its first levels take nobody knows before.
  if (!task.last_depth) disk.folder->expect(plan.disk_bytes, "");
  disk.spill = std::make_unique<Spill>(*disk.folder, plan.held_bytes, plan.behind_bytes);
  disk.mode = {disk.spill.get(), plan.batch_tiles};
  return disk;
}

std::uint64_t stored_bytes(const LevelPlanes& level) {
  const SegmentStore* const segments = level.layer->segments();
  return segments->data_bytes(segments->group_of(level.planes));
}

// While levels grow, the next takes at least what this one does; it replaces the one before, unless
// a checkpoint holds that.
void expect_disk(const DiskState& disk, LevelEngine& engine,
                 const std::vector<std::uint64_t>& widths, bool keeps) {
  if (widths.size() < 2 || widths[widths.size() - 1] <= widths[widths.size() - 2]) return;
  const std::uint64_t now = stored_bytes(engine.current());
  const std::uint64_t before = keeps ? 0 : stored_bytes(engine.previous());
  const std::uint64_t more = now - std::min(now, before + disk.spill->room_in_memory());
  disk.folder->expect(more, "depth " + std::to_string(widths.size()));
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::uint64_t{0});
}

// A search that found states twice might go on for ever: it ends as soon as there are too many.
void check_sum(Size size, const std::vector<std::uint64_t>& widths) {
  if (sum_of(widths) == census_states(size)) return;
  throw CommonError(ErrorKind::internal, "the levels hold " + std::to_string(sum_of(widths)) +
                                             " states of " + std::to_string(census_states(size)));
}

std::uint64_t level_states(const LevelPlanes& level, std::uint64_t tile) {
  std::uint64_t states = 0;
  for (int plane = 0; plane < level.layer->planes(); ++plane) {
    if (level.active(tile, plane)) states += level.layer->count(tile, plane);
  }
  return states;
}

// The states of these numbers that lie in this rank's tiles, as text: tiles of boards as bytes.
std::string pick_own(const TileLayout& layout, const CensusFrame& frame, const LevelPlanes& level,
                     const std::vector<std::uint64_t>& numbers, std::uint64_t first) {
  std::string picked;
  BlockCodec codec;
  std::vector<std::uint64_t> room(layout.stride());
  const TileRange& range = level.layer->part();
  auto next = std::lower_bound(numbers.begin(), numbers.end(), first);
  for (std::uint64_t tile = range.first; tile < range.first + range.count; ++tile) {
    const std::uint64_t here = level_states(level, tile);
    if (next == numbers.end()) break;
    if (*next >= first + here) {
      first += here;
      continue;
    }
    for (int cell = 0; cell < layout.cells(); ++cell) {
      if (!level.active(tile, cell)) continue;
      const std::uint64_t* const words = level.layer->look(tile, cell, codec, room);
      for (std::uint32_t word = 0; word < layout.words(); ++word) {
        for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1, ++first) {
          for (; next != numbers.end() && *next == first; ++next) {
            picked +=
                frame.board_text(cell, layout.order(cell, tile, word, std::countr_zero(bits)));
          }
        }
      }
    }
  }
  return picked;
}

std::vector<Board> pick(const TileLayout& layout, const CensusFrame& frame,
                        const LevelPlanes& level, const CensusTask& task, std::uint64_t width,
                        Exchange& exchange) {
  const std::vector<std::uint64_t> drawn = picked_numbers(task, width);
  if (drawn.empty()) return {};
  std::vector<std::uint64_t> numbers = drawn;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const TileRange& range = level.layer->part();
  std::vector<std::uint64_t> by_rank(static_cast<std::size_t>(exchange.ranks()), 0);
  const auto rank = static_cast<std::size_t>(exchange.rank());
  for (std::uint64_t tile = range.first; tile < range.first + range.count; ++tile) {
    by_rank[rank] += level_states(level, tile);
  }
  exchange.sum(by_rank);
  const std::uint64_t before = std::accumulate(
      by_rank.begin(), by_rank.begin() + static_cast<std::ptrdiff_t>(rank), std::uint64_t{0});
  std::string all;
  for (const std::string& part : exchange.gather(pick_own(layout, frame, level, numbers, before))) {
    all += part;
  }
  const std::vector<Board> boards = frame.boards(all);
  std::vector<Board> picked;
  for (const std::uint64_t number : drawn) {
    const auto place = std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin();
    picked.push_back(boards.at(static_cast<std::size_t>(place)));
  }
  return picked;
}

// Says once who has the checkpoint, and waits until a signal comes.
LockFile::Waiting lock_waiting(const CensusTask& task, CensusObserver& observer,
                               const std::atomic<bool>& stop) {
  return [&, said = false](const std::string& holder) mutable {
    if (!std::exchange(said, true)) {
      observer.notice("waiting for the checkpoint in " + task.checkpoint + ", held by " + holder);
    }
    return !stop.load(std::memory_order_relaxed);
  };
}

}  // namespace

void check_census(const CensusTask& task) {
  const Size size = task.size;
  const bool line = size.width == 1 || size.height == 1;
  if (size.width < 1 || size.height < 1 || size.cells() > (line ? 64 : TileLayout::most_cells)) {
    bad_input("a complete search of " + to_string(size) +
              " is not possible, expected at most 16 cells, or one row of at most 64");
  }
  if (task.goal_blank < 0 || task.goal_blank >= size.cells()) {
    bad_input("cell " + std::to_string(task.goal_blank) + " is not on the board, expected 0 to " +
              std::to_string(size.cells() - 1));
  }
}

std::uint64_t census_states(Size size) {
  if (size.width == 1 || size.height == 1) return static_cast<std::uint64_t>(size.cells());
  return factorial(size.cells()) / 2;
}

CensusResult run_census(const CensusTask& task, Exchange& exchange, CensusObserver& observer,
                        const std::atomic<bool>& stop) {
  check_census(task);
  Stopwatch watch;
  if (is_plain_census(task.size)) return plain_census(task, observer);

  const CensusFrame frame(task.size, task.goal_blank);
  const TileLayout layout(frame.inner_size(), frame.inner_goal());
  ThreadTeam team(task.threads);
  const DiskState disk = begin_disk(task, exchange);
  Spill* const spill = disk.spill.get();
  const std::unique_ptr<LevelEngine> engine =
      make_engine(layout, task.metric, exchange, team, disk.mode);
  engine->take_memory(stop);
  CensusResult result;
  result.widths = {1};
  const bool first = exchange.rank() == 0;
  std::optional<CensusCheckpoint> checkpoint;
  if (!task.checkpoint.empty()) {
    checkpoint.emplace(task, layout, exchange, team, lock_waiting(task, observer, stop));
    if (!checkpoint->is_open()) return result;
    if (task.resume) {
      result.widths = checkpoint->restore(*engine, [&](const std::string& text) {
        observer.notice(text + "; the set before it is tried");
      });
      result.resumed_depth = static_cast<int>(result.widths.size()) - 1;
    } else if (first && checkpoint->depth_found()) {
      observer.notice(
          task.checkpoint + ": holds a search to depth " +
          std::to_string(*checkpoint->depth_found()) +
          ", which goes with the first checkpoint of this one; --resume goes on from it");
    }
  }
  result.level_seconds.resize(result.widths.size());
  result.setup_seconds = watch.lap();
  Stopwatch level_watch;
  Stopwatch since_kept;
  bool large = false;  // the last level, on disk
  // Rank 0's word to all.
  constexpr std::uint64_t stops = 1;
  constexpr std::uint64_t keeps = 2;
  const auto word = [&]() -> std::uint64_t {
    if (!first) return 0;
    if (stop.load(std::memory_order_relaxed)) return stops | keeps;
    // On disk large levels are kept sooner: they lie there already, and an old set holds space.
    constexpr double soon = 20;
    const double every = large ? std::min(soon, task.checkpoint_seconds) : task.checkpoint_seconds;
    return since_kept.seconds() >= every ? keeps : 0;
  };
  std::array<std::uint64_t, 2> stored{};  // of this rank so far: read, written
  while (!task.last_depth || static_cast<int>(result.widths.size()) <= *task.last_depth) {
    const int depth = static_cast<int>(result.widths.size());
    if (spill) expect_disk(disk, *engine, result.widths, checkpoint.has_value());
    const auto progress = [&](std::uint64_t done, std::uint64_t of) {
      if (!first) return true;
      observer.level_progress(depth, static_cast<double>(done) / static_cast<double>(of));
      // A level must be left by all ranks or none, and cannot be kept half done.
      return exchange.ranks() > 1 || checkpoint || !stop.load(std::memory_order_relaxed);
    };
    const std::optional<LevelEngine::Level> level = engine->advance(progress, word);
    if (!level) break;
    if (level->states == 0) {
      result.complete = true;
      break;
    }
    result.widths.push_back(level->states);
    if (sum_of(result.widths) > census_states(task.size)) check_sum(task.size, result.widths);
    result.level_seconds.push_back(level_watch.lap());
    if (first) observer.level_finished(depth, level->states, *result.level_seconds.back());
    if (spill) {
      const std::array<std::uint64_t, 2> so_far{spill->bytes_read(), spill->bytes_written()};
      std::array<std::uint64_t, 4> disk_use{so_far[0] - stored[0], so_far[1] - stored[1],
                                            stored_bytes(engine->current()), spill->held_limit()};
      stored = so_far;
      exchange.sum(disk_use);
      if (first) observer.level_stored(depth, disk_use[0], disk_use[1], disk_use[2]);
      large = disk_use[2] > disk_use[3];
    }
    if (checkpoint && (level->word & keeps) != 0) {
      try {
        checkpoint->keep(*engine, result.widths);
        result.kept = (level->word & stops) != 0;
      } catch (const CommonError& error) {
        // Without room for a checkpoint the search goes on; only one that ends here needs it.
        if ((level->word & stops) != 0 || error.kind() != ErrorKind::resource) throw;
        if (first) {
          observer.notice("depth " + std::to_string(depth) +
                          " is not kept, the search goes on: " + error.what());
        }
      }
      since_kept.lap();
      (void)level_watch.lap();
    }
    if ((level->word & stops) != 0) break;
  }
  std::array<std::uint64_t, 5> bytes{checkpoint ? checkpoint->bytes_written() : 0, 0, 0,
                                     engine->bytes_sent(), engine->halo().words_seen() * 8};
  if (spill) {
    bytes[0] += spill->bytes_written();
    bytes[1] = spill->bytes_read();
    bytes[2] = spill->bytes_kept();
  }
  exchange.sum(bytes);
  result.bytes_written = bytes[0];
  result.bytes_read = bytes[1];
  result.frontier_bytes = bytes[2];
  result.exchanged_bytes = bytes[3];
  result.peer_bytes = bytes[4];
  if (result.complete) check_sum(task.size, result.widths);
  result.seconds = watch.seconds();
  if (task.picks > 0 && (result.complete || task.last_depth)) {
    result.picked = pick(layout, frame, engine->current(), task, result.widths.back(), exchange);
  }
  return result;
}

}  // namespace tessera
