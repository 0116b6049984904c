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
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/lock_file.hpp"
#include "census/census.hpp"
#include "census/checkpoint/level_files.hpp"
#include "census/checkpoint/manifest.hpp"
#include "census/levels/level_engine.hpp"

namespace tessera {

/// Checkpoints of both frontiers and the widths so far in a folder. A new set is written beside the
/// previous one, its manifest last; only then is the one before that removed. So there are two
/// intact sets, and an unfinished one is never mistaken for one. Files hold ranges of slabs from
/// any rank, so a search resumes on any number of ranks. All calls are collective.
class CensusCheckpoint {
 public:
  /// Waits while another process holds the folder's lock, as long as `waiting` allows on rank 0.
  /// Throws Error(corrupt) if the folder holds sets of another search, Error(resource) if it cannot
  /// be written, Error(input) if the ranks have different folders of that name.
  CensusCheckpoint(const CensusTask& task, const RankContext& context,
                   const LockFile::Waiting& waiting)
      : ranks_(context.ranks), team_(context.team), files_(task, context.layout) {
    ranks_.agree("checkpoint", [&] {
      if (ranks_.rank() != 0) return;
      expect_room(files_.folder(), 0);
      lock_ = LockFile::take(files_.folder() / ".census.lock", waiting);
      if (!lock_) return;
      const auto now = std::chrono::system_clock::now().time_since_epoch().count();
      run_ = static_cast<std::uint64_t>(now);
      sets_ = files_.sets();
      // Fails before a long search, not after it.
      for (const std::uint64_t number : sets_) {
        try {
          const CheckpointSet set = files_.read_manifest(number);
          if (!depth_found_) depth_found_ = static_cast<int>(set.widths.size()) - 1;
        } catch (const Error& error) {
          if (error.kind() == ErrorKind::input) bad_file(error.what());
        }
      }
    });
    // Rank 0's: other ranks may see changes in the folder a little later.
    run_ = by_rank(ranks_, run_)[0];
    sets_.resize(by_rank(ranks_, sets_.size())[0]);
    if (!sets_.empty()) {
      ranks_.sum(sets_);
      next_ = sets_.front() + 1;
    }
    if (is_open()) expect_shared();
  }

  /// False if `waiting` gave up: then nothing may be read or written.
  [[nodiscard]] bool is_open() const { return run_ != 0; }

  /// Fills the engine from the newest intact set; returns the widths up to its depth, or only the
  /// goal's if there is no set. Calls `notice` for each set that is not intact. Throws
  /// Error(corrupt) if there are sets but none is intact.
  std::vector<std::uint64_t> restore(LevelEngine& engine,
                                     const std::function<void(const std::string&)>& notice) {
    if (sets_.empty()) return {1};
    for (const std::uint64_t number : sets_) {
      try {
        CheckpointSet set;
        ranks_.agree("checkpoint-manifest", [&] { set = files_.read_manifest(number); });
        restore_set(set, engine);
        whole_ = number;
        return set.widths;
      } catch (const CommonError& error) {
        if (error.kind() == ErrorKind::resource) throw;  // the set may be intact
        notice(error.what() +
               std::string(number == sets_.back() ? "" : "; the set before it is tried"));
      }
    }
    throw CommonError(ErrorKind::corrupt, files_.folder().string() +
                                              ": no part of this checkpoint is intact; without "
                                              "--resume the search starts over");
  }

  /// Throws Error(resource) on all ranks if one could not write; older sets remain.
  void keep(LevelEngine& engine, const std::vector<std::uint64_t>& widths) {
    const CheckpointSet set{.number = next_++,
                            .cell = std::countr_zero(engine.current().planes),
                            .widths = widths,
                            .levels = {}};
    std::string lines;
    agree_on_set(set.number, [&] { lines = save(set, engine); });
    const std::vector<std::string> parts = gather(ranks_, lines);
    lines = std::accumulate(parts.begin(), parts.end(), std::string());
    agree_on_set(set.number, [&] {
      if (ranks_.rank() != 0) return;
      files_.write_manifest(set, lines);
      files_.remove([&](std::uint64_t other) { return other != set.number && other != whole_; });
    });
    whole_ = set.number;
  }

  /// Whether the folder held sets at the start.
  [[nodiscard]] bool has_sets() const { return !sets_.empty(); }
  /// The depth of the search in them, on rank 0; empty if no manifest is intact.
  [[nodiscard]] std::optional<int> depth_found() const { return depth_found_; }
  /// Whether the first set of this search would replace a set of an earlier one at least as deep;
  /// on rank 0.
  [[nodiscard]] bool would_lose_depth(int depth) const {
    return whole_ == 0 && depth_found_ >= depth;
  }
  /// By this rank.
  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  // A set is whole only if the files of all ranks are in one folder.
  void expect_shared() {
    // Removed at the end, and after a kill with the drafts of manifests.
    std::optional<DraftFile> draft;
    std::string name;
    ranks_.agree("checkpoint-folder", [&] {
      if (ranks_.rank() == 0) name = draft.emplace(files_.manifest(next_)).path.filename();
    });
    name = gather(ranks_, name)[0];
    ranks_.agree("checkpoint-folder", [&] {
      constexpr double longest = 3;  // until a network file system shows it
      std::error_code none;
      const Stopwatch watch;
      while (!std::filesystem::exists(files_.folder() / name, none)) {
        if (watch.seconds() > longest) {
          bad_input(files_.folder().string() + ": is not the folder that rank 0 has there, " +
                    "expected one for all ranks");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
  }

  void restore_set(const CheckpointSet& set, LevelEngine& engine) {
    // Single: the blank's cell determines which planes belong to which level.
    engine.begin_fill(set.cell);
    const std::array<LevelPlanes, 2> levels{engine.current(), engine.previous()};
    std::array<std::uint64_t, 2> states{};
    ranks_.agree("checkpoint-restore", [&] {
      for (std::size_t i = 0; i < levels.size(); ++i) {
        load_level(files_.folder(), team_, levels[i], set.levels[i]);
        states[i] = levels[i].count();
      }
    });
    ranks_.sum(states);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] == set.widths[set.widths.size() - 1 - i]) continue;
      throw CommonError(ErrorKind::corrupt, files_.manifest(set.number).string() +
                                                ": its files hold " + std::to_string(states[i]) +
                                                " states");
    }
    engine.finish_fill();
  }

  /// Writes this rank's files of both levels; returns their lines of the manifest.
  [[nodiscard]] std::string save(const CheckpointSet& set, LevelEngine& engine) {
    const std::array<LevelPlanes, 2> levels{engine.current(), engine.previous()};
    std::string lines;
    for (int i = 0; i < 2; ++i) {
      const LevelFiles saved =
          save_level(files_.folder(), team_, levels[static_cast<std::size_t>(i)],
                     SetFiles::blocks_prefix(set.number, run_, i));
      bytes_written_ += saved.bytes_written;
      for (const BlockFile& file : saved.files) lines += SetFiles::file_line(i, file);
    }
    return lines;
  }

  /// If a rank failed, removes the files of the set and throws.
  void agree_on_set(std::uint64_t number, const std::function<void()>& work) {
    try {
      ranks_.agree("checkpoint-keep", work);
    } catch (const CommonError&) {
      // Older sets remain, including those of an earlier search.
      if (ranks_.rank() == 0) files_.remove([&](std::uint64_t set) { return set == number; });
      throw;
    }
  }

  Ranks& ranks_;
  ThreadTeam& team_;
  const SetFiles files_;
  // Ranks whose mpirun was killed run on for a second and may still write: the next run waits for
  // their rank 0, and its own files have other names than those of any remaining rank.
  std::optional<LockFile> lock_;
  std::uint64_t run_ = 0;
  std::vector<std::uint64_t> sets_;  // in the folder at the start, newest first
  std::optional<int> depth_found_;
  std::uint64_t next_ = 1;
  std::uint64_t whole_ = 0;  // the newest set known to be intact
  std::uint64_t bytes_written_ = 0;
};

}  // namespace tessera
