// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "census/checkpoint/level_files.hpp"
#include "census/checkpoint/manifest.hpp"
#include "census/levels/level_engine.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/file.hpp"
#include "tessera/base/lock_file.hpp"
#include "tessera/base/text.hpp"
#include "tessera/census/census.hpp"

namespace tessera {

/// Both frontiers and the widths so far in a folder. A set is written beside the one before, its
/// manifest last; the one before that goes only then. So two whole sets stand, and what a kill
/// leaves half done is never taken for one. Files hold ranges of slabs, whoever wrote them: a
/// search resumes on any number of ranks. All calls are collective.
class CensusCheckpoint {
 public:
  /// Waits while another process has the folder's lock, as `waiting` lets rank 0. Throws
  /// Error(corrupt) where the folder holds sets of another search, Error(resource) where it cannot
  /// be written.
  CensusCheckpoint(const CensusTask& task, const RankContext& context,
                   const LockFile::Waiting& waiting)
      : exchange_(context.exchange), team_(context.team), files_(task, context.layout) {
    agree(exchange_, [&] {
      if (exchange_.rank() != 0) return;
      expect_room(files_.folder(), 0);
      lock_ = LockFile::take(files_.folder() / ".census.lock", waiting);
      const auto now = std::chrono::system_clock::now().time_since_epoch().count();
      if (lock_) run_ = hexadecimal(static_cast<std::uint64_t>(now));
    });
    run_ = exchange_.gather(run_)[0];  // the others look only once the lock is held
    if (run_.empty()) return;
    agree(exchange_, [&] {
      // Before a long search, not after it.
      for (const std::uint64_t number : files_.sets()) {
        next_ = std::max(next_, number + 1);
        try {
          const CheckpointSet set = files_.read_manifest(number);
          if (!depth_found_) depth_found_ = static_cast<int>(set.widths.size()) - 1;
        } catch (const Error& error) {
          if (error.kind() == ErrorKind::input) bad_file(error.what());
        }
      }
    });
  }

  /// False where `waiting` gave up: then nothing may be read or kept.
  [[nodiscard]] bool is_open() const { return !run_.empty(); }

  /// Fills the engine from the newest set that is whole; the widths to its depth, or only that of
  /// the goal where there is no set. `notice` hears of each that is not whole. Throws
  /// Error(corrupt) where there are sets, but none is.
  std::vector<std::uint64_t> restore(LevelEngine& engine,
                                     const std::function<void(const std::string&)>& notice) {
    // Rank 0 lists the sets: a rank may see a folder a little later than another.
    std::string list;
    if (exchange_.rank() == 0) {
      for (const std::uint64_t number : files_.sets()) list += std::to_string(number) + " ";
    }
    list = exchange_.gather(list)[0];
    if (list.empty()) return {1};
    std::istringstream sets(list);
    for (std::uint64_t number = 0; sets >> number;) {
      try {
        CheckpointSet set;
        agree(exchange_, [&] { set = files_.read_manifest(number); });
        restore_set(set, engine);
        whole_ = number;
        return set.widths;
      } catch (const CommonError& error) {
        if (exchange_.rank() == 0) notice(error.what());
      }
    }
    throw CommonError(ErrorKind::corrupt,
                      files_.folder().string() + ": no set of this checkpoint is whole");
  }

  /// Throws Error(resource) on all ranks where one could not write; older sets stand.
  void keep(LevelEngine& engine, const std::vector<std::uint64_t>& widths) {
    const CheckpointSet set{.number = next_++,
                            .cell = std::countr_zero(engine.current().planes),
                            .widths = widths,
                            .levels = {}};
    std::string lines;
    agree_on_set(set.number, [&] { lines = save(set, engine); });
    const std::vector<std::string> parts = exchange_.gather(lines);
    lines = std::accumulate(parts.begin(), parts.end(), std::string());
    agree_on_set(set.number, [&] {
      if (exchange_.rank() != 0) return;
      files_.write_manifest(set, lines);
      files_.remove([&](std::uint64_t other) { return other != set.number && other != whole_; });
    });
    whole_ = set.number;
  }

  /// To which depth the folder held a search at the start.
  [[nodiscard]] std::optional<int> depth_found() const { return depth_found_; }
  /// By this rank.
  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  void restore_set(const CheckpointSet& set, LevelEngine& engine) {
    // Single: which planes are of which level follows from the cell.
    engine.begin_fill(set.cell);
    const std::array<LevelPlanes, 2> levels{engine.current(), engine.previous()};
    std::array<std::uint64_t, 2> states{};
    agree(exchange_, [&] {
      for (std::size_t i = 0; i < levels.size(); ++i) {
        load_level(files_.folder(), team_, levels[i], set.levels[i]);
        states[i] = levels[i].count();
      }
    });
    exchange_.sum(states);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] == set.widths[set.widths.size() - 1 - i]) continue;
      throw CommonError(ErrorKind::corrupt, files_.manifest(set.number).string() +
                                                ": its files hold " + std::to_string(states[i]) +
                                                " states");
    }
    engine.finish_fill();
  }

  /// This rank's files of both levels as lines for the manifest.
  [[nodiscard]] std::string save(const CheckpointSet& set, LevelEngine& engine) {
    const std::array<LevelPlanes, 2> levels{engine.current(), engine.previous()};
    std::string lines;
    try {
      for (int i = 0; i < 2; ++i) {
        const auto name = [&](std::uint64_t slab) {
          return SetFiles::blocks_name(set.number, run_, i, slab);
        };
        const LevelFiles saved =
            save_level(files_.folder(), team_, levels[static_cast<std::size_t>(i)], name);
        bytes_written_ += saved.bytes_written;
        for (const BlockFile& file : saved.files) lines += SetFiles::file_line(i, file);
      }
    } catch (const Error&) {
      for (const LevelPlanes& level : levels) {
        SegmentStore* const segments = level.layer->segments();
        if (segments != nullptr) segments->forget_files(level.planes);
      }
      throw;
    }
    return lines;
  }

  /// Removes what there is of a set, and throws, where a rank failed.
  void agree_on_set(std::uint64_t number, const std::function<void()>& work) {
    try {
      agree(exchange_, work);
    } catch (const CommonError&) {
      // Older sets stand, those of an earlier search too.
      if (exchange_.rank() == 0) files_.remove([&](std::uint64_t set) { return set == number; });
      throw;
    }
  }

  Exchange& exchange_;
  ThreadTeam& team_;
  const SetFiles files_;
  // Ranks of a job whose mpirun was killed live on for a second and may still write: the next run
  // waits for their rank 0, and its own files have other names than those of any rank that is left.
  std::optional<LockFile> lock_;
  std::string run_;
  std::optional<int> depth_found_;
  std::uint64_t next_ = 1;
  std::uint64_t whole_ = 0;  // the newest set that is known to be whole
  std::uint64_t bytes_written_ = 0;
};

}  // namespace tessera
