// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "census/disk/block_file.hpp"
#include "tessera/base/lock_file.hpp"
#include "tessera/census/census.hpp"

namespace tessera {

/// Both frontiers and the widths so far in a folder. A set is written beside the one before, its
/// manifest last; the one before that goes only then, so two whole sets stand, and what a kill
/// leaves half done is never taken for one. Files hold ranges of slabs, whoever wrote them: a run
/// goes on with any number of ranks. All calls are collective.
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
  struct Set {
    std::uint64_t number = 0;
    int cell = 0;  ///< of the blank in some state of the newer level
    std::vector<std::uint64_t> widths;
    std::vector<BlockFile> levels[2];  ///< newer, older
  };
  [[nodiscard]] std::filesystem::path manifest(std::uint64_t number) const;
  [[nodiscard]] Set read_manifest(std::uint64_t number) const;
  [[nodiscard]] std::optional<Set> parse_set(std::uint64_t number, std::istream& lines) const;
  /// Whether a block file of a manifest can be one of this search.
  [[nodiscard]] bool is_possible(const BlockFile& file) const;
  void write_manifest(const Set& set) const;
  [[nodiscard]] std::vector<std::uint64_t> numbers() const;
  /// States of this rank's slabs in both levels.
  [[nodiscard]] std::array<std::uint64_t, 2> load(const Set& set, LevelEngine& engine);
  void expect_states(const Set& set, const std::array<std::uint64_t, 2>& states) const;
  void load_segments(const std::vector<BlockFile>& files, const LevelPlanes& level);
  [[nodiscard]] std::vector<BlockFile> write_level(const LevelPlanes& level, int which,
                                                   std::uint64_t set);
  [[nodiscard]] std::vector<BlockFile> link_level(const LevelPlanes& level, int which,
                                                  std::uint64_t set);
  [[nodiscard]] std::string file_name(std::uint64_t set, int which, std::uint64_t slab) const;
  /// Removes files of the sets with such numbers, and drafts.
  void remove_sets(const std::function<bool(std::uint64_t)>& unwanted) const;
  [[nodiscard]] std::string identity() const;

  const CensusTask& task_;
  const StateLayout& layout_;
  Exchange& exchange_;
  ThreadTeam& team_;
  std::filesystem::path folder_;
  // Ranks of a job whose mpirun was killed live on for a second and may still write: the next run
  // waits for their rank 0, and its own files have other names than those of any rank that is left.
  std::optional<LockFile> lock_;
  std::string run_;
  std::optional<int> depth_found_;
  std::uint64_t next_ = 1;
  std::uint64_t whole_ = 0;  // the newest set that is known to be whole
  std::uint64_t older_ = 0;  // the one before it
  std::uint64_t bytes_written_ = 0;
};

}  // namespace tessera
