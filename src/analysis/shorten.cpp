// SPDX-License-Identifier: MIT
#include "analysis/shorten.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/memory_limit.hpp"
#include "base/text.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/instance.hpp"
#include "puzzle/move_sequence.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

constexpr int first_window = 12;
constexpr int no_limit = 1 << 20;        // moves
constexpr int longest_of_windows = 150;  // moves that are first shortened by windows alone
constexpr std::uint64_t first_width = 4096;
constexpr int most_parts = 4;  // of the moves, each searched by beams
constexpr std::uint64_t children = 2;
constexpr std::uint64_t most_table_bytes = std::uint64_t{1} << 30;

// How beam searches of the same width differ, so that they find different solutions.
struct BeamKind {
  bool backward = false;  // from the end of the window to its beginning
  double exponent = 1.5;
  std::uint64_t seed = 1;
};
// The best first; the last is probably the one that the solution is from.
constexpr BeamKind beam_kinds[] = {
    {true, 1.75, 1}, {true, 2, 2}, {true, 1.5, 3}, {false, 1.75, 4}, {}};

// Bytes that a beam search may use on each of `ranks` ranks beside tables: most of what is free,
// and no more than what is allowed.
std::uint64_t memory_of_rank(int ranks, std::uint64_t table_bytes) {
  const std::uint64_t free = share_of_machine(ranks).free_bytes / 10 * 9;
  const std::uint64_t allowed = LimitedMemory::allowance().bytes;
  if (allowed == 0) return free;
  return std::min(free,
                  (allowed - std::min(allowed, table_bytes)) / static_cast<std::uint64_t>(ranks));
}

// Where the same board comes again, the moves between are left out.
std::string without_loops(const Board& start, const std::string& letters) {
  const std::vector<Board> boards = boards_along(start, moves_of(letters, Metric::single));
  std::map<std::vector<int>, std::size_t> last;  // where a board comes last, by its tiles
  for (std::size_t i = 0; i < boards.size(); ++i) last[boards[i].tiles()] = i;
  std::string kept;
  for (std::size_t i = last[start.tiles()]; i < letters.size(); i = last[boards[i + 1].tiles()]) {
    kept += letters[i];
  }
  return kept;
}

// The tile letters of the moves from `begin` up to `end`.
std::string joined(const std::vector<std::string>& moves, std::size_t begin, std::size_t end) {
  std::string letters;
  for (std::size_t i = begin; i < end; ++i) letters += moves[i];
  return letters;
}

Problem problem_of(const Board& start, const Board& goal, const ShortenOptions& options) {
  return {.instance = make_instance(start, goal),
          .heuristic = to_string(resolve_heuristic(options.heuristic, goal, options.metric)),
          .kernel = Kernel::plain,  // the same nodes within a limit on every machine
          .metric = options.metric,
          .table_directory = options.table_directory};
}

std::vector<TableRequest> tables_of(const Problem& problem) {
  return requests_of(parse_heuristic(problem.heuristic), problem.instance.goal());
}

void expect_small(const std::vector<TableRequest>& requests, const ShortenOptions& options) {
  const std::uint64_t bytes = total_cost(requests).file_bytes;
  const std::uint64_t allowed = LimitedMemory::allowance().bytes;
  const std::uint64_t most = allowed > 0 ? std::min(most_table_bytes, allowed) : most_table_bytes;
  if (bytes <= most) return;
  out_of_resources("heuristic " + options.heuristic + " takes tables of " + bytes_text(bytes) +
                   " here, for a blank in any cell; at most " + bytes_text(most) +
                   " are built, choose one with smaller tables");
}

class Shortener {
 public:
  Shortener(const Board& start, const std::string& letters, const ShortenOptions& options,
            Backend& backend, const Limits& limits, const ShortenProgress& progress)
      : start_(start),
        end_(replayed(start, letters).value()),
        options_(options),
        backend_(backend),
        limits_(limits),
        progress_(progress) {
    result_.moves = without_loops(start, letters);
    result_.is_optimal = current_length() < 2;
  }

  Shortened run() {
    // In long sequences a beam search saves more than windows in the same time.
    begins_with_beam_ = current_length() > longest_of_windows && goes_on_with(first_width);
    if (begins_with_beam_) {
      search_short_windows(first_window);
      search_parts(1, first_width, beam_kinds[0]);
    }
    search_short_windows();
    search_long_windows();
    if (replayed(start_, result_.moves) != end_) internal_failure("a shortened solution is wrong");
    return std::move(result_);
  }

 private:
  void search_short_windows(int most = no_limit) {
    for (int window = first_window; window <= most; window += std::max(2, window / 4)) {
      const int length = current_length();
      const int size = std::min({window, length, longest()});
      if (size < 2) break;
      result_.longest_window = std::max(result_.longest_window, size);
      bool are_searched = true;
      for (bool is_shorter = true; is_shorter && !result_.stop;) {
        const int before = current_length();
        are_searched = search_windows(size, 0);
        if (size < length) are_searched = search_windows(size, size / 2) || are_searched;
        is_shorter = current_length() < before;
        if (progress_) progress_(result_.moves, size);
      }
      if (result_.stop || result_.is_optimal || !are_searched || size < window) break;
    }
  }

  // By beam searches, ever wider: windows that are too long to be solved optimally.
  void search_long_windows() {
    for (std::uint64_t width = first_width; goes_on_with(width); width *= 2) {
      const int before = current_length();
      const bool is_begun = begins_with_beam_ && width == first_width;
      for (const BeamKind& kind : std::span(beam_kinds).subspan(is_begun ? 1 : 0)) {
        search_parts(1, width, kind);
      }
      for (int parts = 2; parts <= most_parts; parts *= 2) search_parts(parts, width, {});
      if (current_length() < before) search_short_windows();
    }
  }
  [[nodiscard]] bool goes_on_with(std::uint64_t width) const {
    const auto length = static_cast<std::uint64_t>(current_length());
    const bool has_beam = options_.metric == Metric::single || has_multi_beam(start_.size());
    if (!has_beam || result_.stop || result_.is_optimal || length == 0) return false;
    const std::uint64_t most = options_.beam_evaluations / (children * length);
    if (width > std::min(most, most_beam_width)) return false;
    const int ranks = backend_.beam_ranks(width);
    const Problem problem = problem_of(start_, end_, options_);
    std::vector<TableRequest> tables = tables_;
    for (TableRequest& request : tables_of(problem)) add_once(tables, std::move(request));
    return beam_bytes(problem, width, ranks) <=
           memory_of_rank(ranks, total_cost(tables).file_bytes);
  }

  // Windows that are a part of all moves, from the end on, where the most is to be gained; each
  // overlaps half of the next.
  void search_parts(int parts, std::uint64_t width, const BeamKind& kind) {
    if (!goes_on_with(width)) return;
    const int size = std::min(current_length() / parts, longest());
    int end = size < first_window ? 0 : current_length();
    // If a window became much shorter, there may be nothing before it.
    for (; end > 0 && !result_.stop; end -= size / 2) {
      const int begin = std::max(0, end - size);
      end = std::min(begin + length_by_beam(begin, end, width, kind), current_length());
      if (begin == 0) break;
    }
    if (progress_) progress_(result_.moves, size);
  }

  // Searches the moves from `begin` to `end` again; returns how many there are now.
  int length_by_beam(int begin, int end, std::uint64_t width, const BeamKind& kind) {
    const std::vector<std::string> moves = moves_of(result_.moves, options_.metric);
    const std::vector<Board> boards = boards_along(start_, moves);
    const auto first = static_cast<std::size_t>(begin);
    const auto last = static_cast<std::size_t>(end);
    Observer nobody;
    const Board& from = boards[kind.backward ? last : first];
    const Board& to = boards[kind.backward ? first : last];
    const BeamResult found = backend_.beam(
        problem_of(from, to, options_),
        {.width = width, .seed = kind.seed, .exponent = kind.exponent, .shorter_than = end - begin},
        limits_, nobody);
    result_.stop = found.stop;
    if (!found.moves) return end - begin;
    const std::string between = kind.backward ? undone(*found.moves) : *found.moves;
    result_.moves = without_loops(
        start_, joined(moves, 0, first) + between + joined(moves, last, moves.size()));
    return solution_length(*found.moves, options_.metric);
  }

  [[nodiscard]] int current_length() const {
    return solution_length(result_.moves, options_.metric);
  }
  [[nodiscard]] int longest() const {
    return options_.longest_window > 0 ? options_.longest_window : no_limit;
  }

  // Searches windows of `size` moves, the first after `offset` moves. False if almost none was
  // searched to its end.
  bool search_windows(int size, int offset) {
    if (result_.stop || result_.is_optimal) return false;
    const std::vector<std::string> moves = moves_of(result_.moves, options_.metric);
    const std::vector<Board> boards = boards_along(start_, moves);
    std::vector<std::string> windows;  // their moves
    std::vector<BoardJob> jobs;
    for (std::size_t begin = 0; begin < moves.size();) {
      const int length = begin == 0 && offset > 0 ? offset : size;
      const std::size_t end = std::min(begin + static_cast<std::size_t>(length), moves.size());
      windows.push_back(joined(moves, begin, end));
      jobs.push_back({.index = static_cast<std::uint32_t>(jobs.size()),
                      .problem = problem_of(boards[begin], boards[end], options_),
                      .known = options_.metric == Metric::single ? windows.back() : ""});
      if (!open_tables_of(jobs.back().problem)) return false;
      begin = end;
    }
    BatchOptions batch;
    batch.node_limit = options_.window_nodes;
    std::size_t searched = 0;
    std::vector<std::string> found(windows.size());
    (void)backend_.solve_boards(std::move(jobs), batch, limits_, [&](const BoardOutcome& outcome) {
      if (outcome.result.optimal) ++searched;
      found[outcome.index] = outcome.result.solution.value_or("");
    });
    std::string letters;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const bool is_shorter = !found[i].empty() && solution_length(found[i], options_.metric) <
                                                       solution_length(windows[i], options_.metric);
      letters += is_shorter ? found[i] : windows[i];
    }
    letters = without_loops(start_, letters);
    if (solution_length(letters, options_.metric) < current_length()) result_.moves = letters;
    result_.is_optimal = windows.size() == 1 && searched == 1;
    if (!result_.is_optimal) result_.stop = limits_.reached(0);
    return searched * 8 >= windows.size();
  }

  // False if a limit stopped it.
  [[nodiscard]] bool open_tables_of(const Problem& problem) {
    const std::size_t known = tables_.size();
    for (TableRequest& request : tables_of(problem)) add_once(tables_, std::move(request));
    if (tables_.size() == known) return true;
    expect_small(tables_, options_);  // named tiles have other homes on each board
    if (backend_.prepare(problem, {[&](double) { return !limits_.reached(0); }})) return true;
    result_.stop = limits_.reached(0).value_or(Stop::interrupted);
    return false;
  }

  const Board start_;
  const Board end_;
  const ShortenOptions options_;
  Backend& backend_;
  const Limits& limits_;
  const ShortenProgress& progress_;
  bool begins_with_beam_ = false;
  std::vector<TableRequest> tables_;  // of windows so far
  Shortened result_;
};

}  // namespace

ShortenOptions shorten_options(const SearchOptions& options, int longest_window) {
  const bool is_multi = options.metric == Metric::multi;
  ShortenOptions result{.metric = options.metric,
                        .heuristic = options.heuristic,
                        .table_directory = options.table_directory,
                        .longest_window = longest_window};
  // Without tables: windows end with the blank in any cell, each of which would need others.
  if (options.heuristic == "auto") {
    result.heuristic = is_multi ? Runs::info.name : LinearConflict::info.name;
  }
  if (options.node_limit > 0) {
    const std::uint64_t ratio = result.beam_evaluations / result.window_nodes;
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / ratio;
    result.beam_evaluations = ratio * std::min(options.node_limit, most);
    result.window_nodes = options.node_limit;
  } else if (options.time_limit || options.board_time_limit.count() > 0) {
    result.beam_evaluations = std::numeric_limits<std::uint64_t>::max();  // until the time is up
  }
  return result;
}

void expect_shortenable(const Board& end, const ShortenOptions& options) {
  std::vector<TableRequest> requests;
  // Windows may end with the blank in any cell.
  for (int cell = 0; cell < end.size().cells(); ++cell) {
    std::vector<int> names(static_cast<std::size_t>(end.size().cells()));
    std::iota(names.begin(), names.end(), 0);
    std::swap(names[0], names[static_cast<std::size_t>(end.tile(cell))]);
    const Board goal = end.renamed(names);
    for (TableRequest& request : tables_of(problem_of(goal, goal, options))) {
      add_once(requests, std::move(request));
    }
  }
  expect_small(requests, options);
}

Shortened shorten(const Board& start, const std::string& letters, const ShortenOptions& options,
                  Backend& backend, const Limits& limits, const ShortenProgress& progress) {
  expect_shortenable(replayed(start, letters).value(), options);
  return Shortener(start, letters, options, backend, limits, progress).run();
}

}  // namespace tessera
