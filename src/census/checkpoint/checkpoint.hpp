// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "census/checkpoint/manifest.hpp"
#include "census/levels/level_engine.hpp"
#include "tessera/base/lock_file.hpp"
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
  CensusCheckpoint(const CensusTask& task, const StateLayout& layout, Exchange& exchange,
                   ThreadTeam& team, const LockFile::Waiting& waiting);

  /// False where `waiting` gave up: then nothing may be read or kept.
  [[nodiscard]] bool is_open() const { return !run_.empty(); }

  /// Fills the engine from the newest set that is whole; the widths to its depth, or only that of
  /// the goal where there is no set. `notice` hears of each that is not whole. Throws
  /// Error(corrupt) where there are sets, but none is.
  std::vector<std::uint64_t> restore(LevelEngine& engine,
                                     const std::function<void(const std::string&)>& notice);
  /// Throws Error(resource) on all ranks where one could not write; older sets stand.
  void keep(LevelEngine& engine, const std::vector<std::uint64_t>& widths);

  /// To which depth the folder held a search at the start.
  [[nodiscard]] std::optional<int> depth_found() const { return depth_found_; }
  /// By this rank.
  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  void restore_set(const CheckpointSet& set, LevelEngine& engine);
  /// This rank's files of both levels as lines for the manifest.
  [[nodiscard]] std::string save(const CheckpointSet& set, LevelEngine& engine);
  /// Removes what there is of a set, and throws, where a rank failed.
  void agree_on_set(std::uint64_t number, const std::function<void()>& work);

  Exchange& exchange_;
  const StateLayout& layout_;
  ThreadTeam& team_;
  const SetFiles files_;
  const Manifest manifest_;
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
