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
#include "census/checkpoint/checkpoint.hpp"
#include "census/disk/spill_folder.hpp"
#include "census/layout/lehmer.hpp"
#include "census/levels/level_engine.hpp"
#include "census/picked_numbers.hpp"
#include "census/plain_census.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

std::unique_ptr<LevelEngine> make_engine(const StateLayout& layout, Metric metric,
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
  if (plan.batch_slabs == 0) {
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
  disk.mode = {disk.spill.get(), plan.batch_slabs};
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

std::uint64_t level_states(const LevelPlanes& level, std::uint64_t slab) {
  std::uint64_t states = 0;
  for (int plane = 0; plane < level.layer->planes(); ++plane) {
    if (level.active(slab, plane)) states += level.layer->count(slab, plane);
  }
  return states;
}

// The states of these numbers that lie in this rank's slabs, as text: tiles of boards as bytes.
std::string pick_own(const StateLayout& layout, const CensusFrame& frame, const LevelPlanes& level,
                     const std::vector<std::uint64_t>& numbers, std::uint64_t first) {
  std::string picked;
  BlockCodec codec;
  std::vector<std::uint64_t> room(layout.stride());
  const SlabRange& range = level.layer->part();
  auto next = std::lower_bound(numbers.begin(), numbers.end(), first);
  for (std::uint64_t slab = range.first; slab < range.first + range.count; ++slab) {
    const std::uint64_t here = level_states(level, slab);
    if (next == numbers.end()) break;
    if (*next >= first + here) {
      first += here;
      continue;
    }
    for (int cell = 0; cell < layout.cells(); ++cell) {
      if (!level.active(slab, cell)) continue;
      const std::uint64_t* const words = level.layer->look(slab, cell, codec, room);
      for (std::uint32_t word = 0; word < layout.words(); ++word) {
        for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1, ++first) {
          for (; next != numbers.end() && *next == first; ++next) {
            picked +=
                frame.board_text(cell, layout.order(cell, slab, word, std::countr_zero(bits)));
          }
        }
      }
    }
  }
  return picked;
}

std::vector<Board> pick(const StateLayout& layout, const CensusFrame& frame,
                        const LevelPlanes& level, const CensusTask& task, std::uint64_t width,
                        Exchange& exchange) {
  const std::vector<std::uint64_t> drawn = picked_numbers(task, width);
  if (drawn.empty()) return {};
  std::vector<std::uint64_t> numbers = drawn;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const SlabRange& range = level.layer->part();
  std::vector<std::uint64_t> by_rank(static_cast<std::size_t>(exchange.ranks()), 0);
  const auto rank = static_cast<std::size_t>(exchange.rank());
  for (std::uint64_t slab = range.first; slab < range.first + range.count; ++slab) {
    by_rank[rank] += level_states(level, slab);
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

// A complete search with all that it has in memory.
class Search {
 public:
  Search(const CensusTask& task, Exchange& exchange, CensusObserver& observer,
         const std::atomic<bool>& stop)
      : task_(task),
        exchange_(exchange),
        observer_(observer),
        stop_(stop),
        first_(exchange.rank() == 0),
        frame_(task.size, task.goal_blank),
        layout_(frame_.inner_size(), frame_.inner_goal()),
        team_(task.threads) {}

  void run() {
    disk_ = begin_disk(task_, exchange_);
    engine_ = make_engine(layout_, task_.metric, exchange_, team_, disk_.mode);
    engine_->take_memory([this] { return goes_on() && !stop_.load(std::memory_order_relaxed); });
    result_.widths = {1};
    if (!task_.checkpoint.empty() && !open_checkpoint()) return;
    result_.level_seconds.resize(result_.widths.size());
    result_.setup_seconds = watch_.lap();
    (void)level_watch_.lap();
    (void)since_kept_.lap();
    while (!task_.last_depth || static_cast<int>(result_.widths.size()) <= *task_.last_depth) {
      if (!next_level()) break;
    }
    sum_bytes();
    if (result_.complete) check_sum(task_.size, result_.widths);
    result_.seconds = watch_.seconds();
    if (task_.picks > 0 && (result_.complete || task_.last_depth)) {
      result_.picked =
          pick(layout_, frame_, engine_->current(), task_, result_.widths.back(), exchange_);
    }
  }

  // In the midst of it: others may still send here, files are not needed any more.
  void leave() {
    result_.complete = false;
    result_.seconds = watch_.seconds();
    checkpoint_.reset();
    if (disk_.spill) disk_.spill->stop();  // or it would write into the folder that goes
    disk_.folder.reset();
  }

  [[nodiscard]] CensusResult take_result() { return std::move(result_); }

 private:
  // What rank 0 decides at the end of a level.
  static constexpr std::uint64_t stops = 1;
  static constexpr std::uint64_t keeps = 2;

  // A level of several ranks is left by all or none: where it cannot be kept half done, `stop`
  // waits for its end.
  [[nodiscard]] bool goes_on() {
    if (exchange_.given_up()) return false;
    return exchange_.ranks() > 1 || checkpoint_ || !stop_.load(std::memory_order_relaxed);
  }

  // False where a signal came while another run had it.
  bool open_checkpoint() {
    checkpoint_.emplace(task_, layout_, exchange_, team_, lock_waiting(task_, observer_, stop_));
    if (!checkpoint_->is_open()) return false;
    if (task_.resume) {
      result_.widths = checkpoint_->restore(*engine_, [&](const std::string& text) {
        observer_.notice(text + "; the set before it is tried");
      });
      result_.resumed_depth = static_cast<int>(result_.widths.size()) - 1;
    } else if (first_ && checkpoint_->depth_found()) {
      observer_.notice(
          task_.checkpoint + ": holds a search to depth " +
          std::to_string(*checkpoint_->depth_found()) +
          ", which the first checkpoint of this one will replace; --resume goes on from it");
    }
    return true;
  }

  [[nodiscard]] std::uint64_t decision() const {
    if (!first_) return 0;
    if (stop_.load(std::memory_order_relaxed)) return stops | keeps;
    // On disk large levels are kept sooner: they lie there already, and an old set holds space.
    constexpr double soon = 20;
    const double every =
        large_ ? std::min(soon, task_.checkpoint_seconds) : task_.checkpoint_seconds;
    return since_kept_.seconds() >= every ? keeps : 0;
  }

  // False after the last.
  bool next_level() {
    const int depth = static_cast<int>(result_.widths.size());
    if (disk_.spill) expect_disk(disk_, *engine_, result_.widths, checkpoint_.has_value());
    const auto progress = [&](std::uint64_t done, std::uint64_t of) {
      if (first_)
        observer_.level_progress(depth, static_cast<double>(done) / static_cast<double>(of));
      return goes_on();
    };
    const auto level = engine_->advance(progress, [this] { return decision(); });
    if (!level && exchange_.ranks() > 1) throw GivenUp();
    if (!level) return false;
    if (level->states == 0) {
      result_.complete = true;
      return false;
    }
    result_.widths.push_back(level->states);
    if (sum_of(result_.widths) > census_states(task_.size)) check_sum(task_.size, result_.widths);
    result_.level_seconds.push_back(level_watch_.lap());
    if (first_) observer_.level_finished(depth, level->states, *result_.level_seconds.back());
    if (disk_.spill) tell_storage(depth);
    if (checkpoint_ && (level->decision & keeps) != 0) keep(depth, (level->decision & stops) != 0);
    return (level->decision & stops) == 0;
  }

  void tell_storage(int depth) {
    const std::array<std::uint64_t, 2> so_far{disk_.spill->bytes_read(),
                                              disk_.spill->bytes_written()};
    std::array<std::uint64_t, 4> disk_use{so_far[0] - stored_[0], so_far[1] - stored_[1],
                                          stored_bytes(engine_->current()),
                                          disk_.spill->held_limit()};
    stored_ = so_far;
    exchange_.sum(disk_use);
    if (first_) observer_.level_stored(depth, disk_use[0], disk_use[1], disk_use[2]);
    large_ = disk_use[2] > disk_use[3];
  }

  void keep(int depth, bool last) {
    try {
      checkpoint_->keep(*engine_, result_.widths);
      result_.kept = last;
    } catch (const CommonError& error) {
      // Without room for a checkpoint the search goes on; only one that ends here needs it.
      if (last || error.kind() != ErrorKind::resource) throw;
      if (first_) {
        observer_.notice("depth " + std::to_string(depth) +
                         " is not kept, the search goes on: " + error.what());
      }
    }
    (void)since_kept_.lap();
    (void)level_watch_.lap();
  }

  void sum_bytes() {
    std::array<std::uint64_t, 4> bytes{checkpoint_ ? checkpoint_->bytes_written() : 0, 0, 0,
                                       engine_->bytes_sent()};
    if (disk_.spill) {
      bytes[0] += disk_.spill->bytes_written();
      bytes[1] = disk_.spill->bytes_read();
      bytes[2] = disk_.spill->bytes_kept();
    }
    exchange_.sum(bytes);
    result_.bytes_written = bytes[0];
    result_.bytes_read = bytes[1];
    result_.frontier_bytes = bytes[2];
    result_.exchanged_bytes = bytes[3];
  }

  const CensusTask task_;
  Exchange& exchange_;
  CensusObserver& observer_;
  const std::atomic<bool>& stop_;
  const bool first_;  // rank 0
  Stopwatch watch_;
  const CensusFrame frame_;
  const StateLayout layout_;
  ThreadTeam team_;
  DiskState disk_;
  std::unique_ptr<LevelEngine> engine_;
  std::optional<CensusCheckpoint> checkpoint_;
  CensusResult result_;
  Stopwatch level_watch_;
  Stopwatch since_kept_;
  bool large_ = false;                     // the last level, on disk
  std::array<std::uint64_t, 2> stored_{};  // of this rank so far: read, written
};

}  // namespace

void check_census(const CensusTask& task) {
  const Size size = task.size;
  const bool line = size.width == 1 || size.height == 1;
  if (size.width < 1 || size.height < 1 || size.cells() > (line ? 64 : StateLayout::most_cells)) {
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
  if (is_plain_census(task.size)) return plain_census(task, observer);
  const auto search = std::make_shared<Search>(task, exchange, observer, stop);
  try {
    search->run();
  } catch (const CommonError&) {
    throw;  // of all ranks at the same place, so that nothing is under way between them
  } catch (const GivenUp&) {
    search->leave();
    exchange.keep(search);
  } catch (...) {
    search->leave();
    exchange.keep(search);
    throw;
  }
  return search->take_result();
}

}  // namespace tessera
