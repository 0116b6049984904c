// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/journal.hpp"
#include "search/tree/ida_star.hpp"

namespace tessera {

/// What a checkpoint keeps of a run over one or many boards: per board started, its complete
/// iterations and the finished subtrees of the current one; per board done, its answer. None of it
/// depends on ranks, threads or schedule, so they can change on resumption.
///
/// The file is a Journal of these records:
///
///     board INDEX SIZE TILES GOAL-TILES METRIC PRUNE HEURISTIC
///     bound INDEX BOUND EXPANDED GENERATED SOLUTIONS SECONDS IDLE NEXT-BOUND
///     beam INDEX WIDTH EVALUATED SECONDS MOVES
///     done INDEX BOUND EXPANDED GENERATED SOLUTIONS NEXT-BOUND PATH SOLVED BOUND-SECONDS
///     answer INDEX WHOLE OPTIMAL SOLUTIONS SECONDS MOVES [ORIGIN]
///
/// A `done` subtree replaces all earlier ones below its path. An answer is WHOLE if the last bound
/// was searched to its end. Records after an answer that is not WHOLE belong to that bound, which
/// was searched again; the last bound has no record if an incumbent was proven optimal without it.
/// ORIGIN is any text of the caller's, to the end of the line.
///
/// Only the most recently started board is in memory; for the other boards of an earlier run, only
/// the positions of their records, 24 bytes per board. Boards start in ascending order. A write
/// error does not throw in the middle of a search: `failure` stores it, and the search should be
/// stopped.
class Checkpoint final : public SearchJournal {
 public:
  /// Opens the file. If `resume`, an earlier run's records are read; otherwise that file is kept as
  /// PATH~ once this run begins its first board. Finished work is written at least every `every`
  /// seconds. Throws as Journal does.
  Checkpoint(const std::filesystem::path& path, bool resume, double every);

  /// Whether the file's last record was incomplete and was dropped.
  [[nodiscard]] bool dropped() const { return journal_->dropped(); }
  /// Whether an unfinished search was found and not resumed; it is kept in PATH~.
  [[nodiscard]] bool replaced_unfinished() const { return replaced_unfinished_; }
  /// Whether neither this run nor one that it resumed has recorded anything.
  [[nodiscard]] bool is_empty() const { return is_empty_; }
  [[nodiscard]] std::string path() const { return journal_->path().string(); }

  /// The heuristic that an earlier run used for a board, as resolved text, and its pruning rule.
  [[nodiscard]] std::optional<std::string> heuristic(std::size_t index);
  [[nodiscard]] std::optional<PruneRule> prune(std::size_t index);

  /// Whether an earlier run searched that instance.
  [[nodiscard]] bool is_of(std::size_t index, const Instance& instance);

  /// Throws Error(corrupt) if the file has another board at this index, or an invalid solution.
  /// Returns the record that describes the board.
  std::string expect(std::size_t index, const Problem& problem);
  /// Starts a board. Throws as `expect` does.
  void begin(std::size_t index, const Problem& problem);
  /// What an earlier run recorded of it.
  [[nodiscard]] SavedSearch saved() const;
  /// Whether an earlier run recorded a board's answer; `whole`: one that visited all nodes of the
  /// last bound.
  [[nodiscard]] bool has_answer(std::size_t index, bool whole);
  /// The answer of the current board, if it has one; without worker times.
  [[nodiscard]] SearchResult answer() const;
  /// What `answered` was given with it; empty in files of earlier revisions.
  [[nodiscard]] std::string origin() const { return board_.value().origin; }

  void iteration_finished(const IterationReport& report, int next_bound) override;
  void beam_finished(const FinishedBeam& beam) override;
  void subtrees_finished(int bound, const std::vector<FinishedSubtree>& finished,
                         double seconds) override;
  /// Records the answer; `whole`: all nodes of the last bound were visited; `origin`: one line.
  void answered(const SearchResult& result, bool whole, const std::string& origin = {});
  /// Ends the run: everything recorded is flushed to disk.
  void close();
  /// Throws Error(resource) if another program has removed, replaced or cut the
  /// file.
  void expect_in_place() const;

  /// The first write error, to be rethrown once the search has ended.
  [[nodiscard]] std::exception_ptr failure() const { return failure_; }
  /// Set to true on the first write error; must outlive this object.
  void stop_on_failure(std::atomic<bool>& stop) { stop_ = &stop; }

 private:
  struct Saved {
    std::string identity;
    SavedSearch search;
    std::optional<SearchResult> answer;  // from its record
    bool whole = false;
    std::string origin;
  };
  // A board's records: consecutive in this byte range of the file.
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
  void compact();

  std::optional<Journal> journal_;
  bool holds_earlier_ = false;  // an earlier run's records, until this one writes
  bool replaced_unfinished_ = false;
  bool is_empty_ = true;
  double every_;
  std::set<std::size_t> stopped_;  // boards with subtrees and no answer behind them
  std::vector<Part> parts_;        // from an earlier run, by board and in file order
  std::size_t index_ = 0;          // of the board read last
  std::optional<Saved> board_;
  Metric metric_ = Metric::single;  // of the board begun last
  std::uint64_t compacted_ = 0;     // bytes after the file was last compacted
  Stopwatch since_sync_;
  std::exception_ptr failure_;
  std::atomic<bool>* stop_ = nullptr;
};

}  // namespace tessera
