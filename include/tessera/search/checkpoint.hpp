// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tessera/base/clock.hpp"
#include "tessera/base/journal.hpp"
#include "tessera/search/ida_star.hpp"

namespace tessera {

/// What a checkpoint keeps of a run over one or many boards: of each board begun its complete
/// iterations and, of the current one, the subtrees finished so far; of each board done its answer.
/// None of it depends on ranks, threads or schedule, so another number of them can go on.
///
/// The file is a Journal of these records:
///
///     board INDEX SIZE TILES GOAL-TILES METRIC PRUNE HEURISTIC
///     bound INDEX BOUND EXPANDED GENERATED SOLUTIONS SECONDS IDLE NEXT-BOUND
///     beam INDEX WIDTH EVALUATED SECONDS MOVES
///     done INDEX BOUND EXPANDED GENERATED SOLUTIONS NEXT-BOUND PATH SOLVED BOUND-SECONDS
///     answer INDEX WHOLE OPTIMAL SOLUTIONS SECONDS MOVES
///
/// A `done` subtree stands for all below its path that were reported before. An answer is WHOLE
/// where the last bound was searched to its end; records after one that is not are of that bound,
/// which was searched again; there is no record of a last bound where an incumbent was proven
/// optimal without it.
///
/// Only the board begun last is in memory; of the others that an earlier run left, where their
/// records stand, which takes 24 bytes per board. Boards are begun in ascending order. Failing to
/// write does not throw in the middle of a search: `failure` keeps what happened, and the search is
/// to be stopped.
class Checkpoint final : public SearchJournal {
 public:
  /// Opens the file; what an earlier run left is read where `resume`, else it is kept beside it
  /// under the name PATH~. `every` seconds finished work is written at the least. Throws as Journal
  /// does.
  Checkpoint(const std::filesystem::path& path, bool resume, double every);

  /// Whether the file's last record was incomplete and was dropped.
  [[nodiscard]] bool dropped() const { return journal_->dropped(); }
  /// Whether an unfinished search was there and is begun anew; it stands in PATH~.
  [[nodiscard]] bool replaced_unfinished() const { return replaced_unfinished_; }
  [[nodiscard]] double every() const { return every_; }
  [[nodiscard]] std::string path() const { return journal_->path().string(); }

  /// The heuristic that an earlier run used for a board, as resolved text.
  [[nodiscard]] std::optional<std::string> heuristic(std::size_t index);

  /// Throws Error(corrupt) where the file has another board there, or a solution that is none.
  /// Returns the record that names the board.
  std::string expect(std::size_t index, const Problem& problem);
  /// Says which board comes next. Throws as `expect` does.
  void begin(std::size_t index, const Problem& problem);
  /// What is known of it.
  [[nodiscard]] SavedSearch saved() const;
  /// Whether an earlier run found a board's answer; `whole`: and visited all nodes of its last
  /// bound.
  [[nodiscard]] bool has_answer(std::size_t index, bool whole);
  /// The begun board's answer, where it has one; without worker times.
  [[nodiscard]] SearchResult answer() const;

  void iteration_finished(const IterationReport& report, int next_bound) override;
  void beam_finished(const FinishedBeam& beam) override;
  void subtrees_finished(int bound, const std::vector<FinishedSubtree>& finished,
                         double seconds) override;
  /// The board is solved; `whole`: all nodes of the last bound were visited.
  void answered(const SearchResult& result, bool whole);
  /// The run ends here: all that was recorded is forced to disk.
  void close();

  /// The first failure to write, to be thrown on once the search has ended.
  [[nodiscard]] std::exception_ptr failure() const { return failure_; }
  /// Set to true at the first failure to write; outlives this.
  void stop_on_failure(std::atomic<bool>& stop) { stop_ = &stop; }

 private:
  struct Saved {
    std::string identity;
    SavedSearch search;
    std::optional<SearchResult> answer;  // what its record says
    bool whole = false;
  };
  // Records of a board, one after another in these bytes of the file.
  struct Part {
    std::size_t index = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  static void add(std::vector<Part>& parts, std::size_t index, const Journal::Record& record);
  static void read(const Journal::Record& record, Saved& saved);
  void resume(const std::filesystem::path& path);
  const Saved& board(std::size_t index);
  template <class Work>
  void unless_failed(const Work& work);
  void write(const std::vector<std::string>& records, bool sync);
  void drop_old_subtrees();

  std::optional<Journal> journal_;
  bool replaced_unfinished_ = false;
  double every_;
  std::vector<Part> parts_;  // what an earlier run left, by board and in the file's order
  std::size_t index_ = 0;    // of the board read last
  std::optional<Saved> board_;
  std::uint64_t shortest_ = 0;  // bytes after the file was last made short
  Stopwatch since_sync_;
  std::exception_ptr failure_;
  std::atomic<bool>* stop_ = nullptr;
};

}  // namespace tessera
