// SPDX-License-Identifier: MIT
#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "puzzle/goal.hpp"

namespace tessera {
namespace {

struct Spread {
  double least = 0;
  double average = 0;
  double most = 0;
};

Spread spread(const std::vector<WorkerTimes>& times, double WorkerTimes::*seconds) {
  Spread spread{times.empty() ? 0 : times.front().*seconds, 0, 0};
  for (const WorkerTimes& worker : times) {
    spread.least = std::min(spread.least, worker.*seconds);
    spread.most = std::max(spread.most, worker.*seconds);
    spread.average += worker.*seconds / static_cast<double>(times.size());
  }
  return spread;
}

double millions_per_second(std::uint64_t nodes, double seconds) {
  return seconds > 0 ? static_cast<double>(nodes) / seconds / 1e6 : 0;
}

// In user terms: a node or time limit was requested, full memory was not.
std::string_view why_unsolved(const BoardResult& result) {
  return result.memory_full() ? "memory" : to_string(result.status);
}

// Names other usual goals that are reachable: many users have Korf's boards, or a school's, and the
// wrong goal.
std::string why_unsolvable(const Board& board) {
  const std::vector<std::string> names = reachable_goals(board);
  return std::string(unsolvable_text) +
         (names.empty() ? "" : "; it can be solved with --goal " + alternatives(names));
}

}  // namespace

std::string seconds_text(double seconds) {
  if (seconds >= 100) return fmt::format("{:.1f}", seconds);
  if (seconds >= 0.1) return fmt::format("{:.3f}", seconds);
  return fmt::format("{:.6f}", seconds);
}

std::string layout_text(const RunSetup& setup) {
  return fmt::format("{} x {} on {}", counted(setup.ranks, "rank"),
                     counted(setup.threads, "thread"), counted(setup.hosts, "host"));
}

std::string bound_heading() {
  return fmt::format("{:>6} {:>16} {:>16} {:>11} {:>7} {:>11}\n", "bound", "expanded", "generated",
                     "Mexpanded/s", "idle", "seconds");
}

std::string bound_row(const IterationReport& report) {
  const std::string times =
      report.timed ? fmt::format("{:>11.1f} {:>5.1f} % {:>11}",
                                 millions_per_second(report.counts.expanded, report.seconds),
                                 100 * report.idle_fraction, seconds_text(report.seconds))
                   : fmt::format("{:>11} {:>7} {:>11}", "-", "-", "-");
  return fmt::format("{:>6} {:>16} {:>16} {}{}\n", report.bound,
                     with_commas(report.counts.expanded), with_commas(report.counts.generated),
                     times, report.complete ? "" : "  (not finished)");
}

std::string board_heading(Metric metric) {
  return fmt::format("{:>8} {:>6} {:>6} {:>16} {:>16} {:>11} {:>11}\n", "board", "moves",
                     to_string(other(metric)), "expanded", "generated", "Mexpanded/s", "seconds");
}

std::string board_row(const BoardResult& result) {
  const std::string length =
      result.length ? (result.optimal ? "" : "<=") + std::to_string(*result.length) : "-";
  const std::string others =
      result.solution ? std::to_string(solution_length(*result.solution, other(result.metric)))
                      : "-";
  return fmt::format(
      "{:>8} {:>6} {:>6} {:>16} {:>16} {:>11.1f} {:>11}{}\n", result.id, length, others,
      with_commas(result.counts.expanded), with_commas(result.counts.generated),
      millions_per_second(result.counts.expanded, result.seconds + result.earlier_seconds),
      seconds_text(result.seconds + result.earlier_seconds),
      result.status == Status::solved ? "" : fmt::format("  ({})", why_unsolved(result)));
}

std::string memory_line(const BoardResult& result) {
  if (!result.stores_boards || result.states == 0) return {};
  return fmt::format("stored {} boards in {:.1f} MiB, {:.1f} bytes per board\n",
                     with_commas(result.states), mebibytes(result.bytes),
                     static_cast<double>(result.bytes) / static_cast<double>(result.states));
}

std::string answer_line(const BoardResult& result, MoveStyle style) {
  const auto moves = [&] { return format_moves(*result.solution, style.notation, style.mover); };
  if (result.status == Status::solved) {
    std::string line =
        fmt::format("{}: {}, {}, verified", result.id, counted(*result.length, "move"),
                    result.optimal ? "optimal" : "not proven optimal");
    if (result.solutions) {
      line += fmt::format(", {} optimal solution{}", with_commas(*result.solutions),
                          *result.solutions == 1 ? "" : "s");
    }
    return line + ": " + moves() + "\n";
  }
  if (result.status == Status::unsolvable) {
    return fmt::format("{}: {}\n", result.id, why_unsolvable(result.board));
  }
  if (!result.message.empty()) return fmt::format("{}: {}\n", result.id, result.message);
  if (result.solution) {
    return fmt::format("{}: at most {} moves, at least {} ({}), verified: {}\n", result.id,
                       *result.length, *result.lower_bound, why_unsolved(result), moves());
  }
  std::string line = fmt::format("{}: not solved ({})", result.id, why_unsolved(result));
  if (result.lower_bound) line += ", needs at least " + counted(*result.lower_bound, "move");
  return line + "\n";
}

std::string solution_lines(const BoardResult& result, MoveStyle style) {
  std::string text;
  if (!result.list) return text;
  const auto shown = [&](const std::string& moves) {
    return format_moves(moves, style.notation, style.mover);
  };
  if (result.lists_solutions) {
    for (const std::string& moves : result.list->solutions) text += shown(moves) + "\n";
  }
  if (!result.counts_first_moves) return text;
  text += "good moves:";
  const char* divider = " ";
  for (const FirstMove& move : result.list->first_moves) {
    text += fmt::format("{}{} ({})", std::exchange(divider, ", "), shown(move.letters),
                        with_commas(move.solutions));
  }
  return text + "\n";
}

std::string unlisted_line(const BoardResult& result) {
  if (!result.list || !result.lists_solutions) return {};
  const std::size_t listed = result.list->solutions.size();
  if (listed == result.list->count) return {};
  return fmt::format("{} of {} solutions are listed; --max-solutions lists more\n",
                     with_commas(listed), with_commas(result.list->count));
}

std::string lengths_text(std::string_view letters, Metric metric) {
  return fmt::format("{} ({} in metric {})", counted(solution_length(letters, metric), "move"),
                     solution_length(letters, other(metric)), to_string(other(metric)));
}

std::string time_table(const std::vector<WorkerTimes>& times, double wall_seconds) {
  std::string text =
      fmt::format("{:<14}{:>11} {:>11} {:>11} {:>8}\n", "seconds", "min", "avg", "max", "share");
  for (const auto& [name, seconds] : worker_sections) {
    const Spread s = spread(times, seconds);
    text += fmt::format("  {:<12}{:>11} {:>11} {:>11} {:>6.1f} %\n", name, seconds_text(s.least),
                        seconds_text(s.average), seconds_text(s.most),
                        wall_seconds > 0 ? 100 * s.average / wall_seconds : 0);
  }
  const Spread search = spread(times, &WorkerTimes::search);
  text += fmt::format("searching took {} s on {}, imbalance {:.1f} %\n", seconds_text(wall_seconds),
                      counted(times.size(), "worker"),
                      search.average > 0 ? 100 * (search.most / search.average - 1) : 0);
  return text;
}

std::string advice(const std::vector<WorkerTimes>& times, double wall_seconds,
                   const RunSetup& setup) {
  if (wall_seconds < 0.1 || times.size() < 2) return {};
  const double wait = spread(times, &WorkerTimes::wait).average / wall_seconds;
  const double communicate = spread(times, &WorkerTimes::communicate).average / wall_seconds;
  if (wait > 0.15 && setup.schedule == "static") {
    return fmt::format("advice: workers waited {:.0f} % of the time; try --schedule stealing\n",
                       100 * wait);
  }
  if (wait > 0.15) {
    return fmt::format(
        "advice: workers waited {:.0f} % of the time; try --frontier {} for smaller subtrees, or "
        "fewer workers for so small a search\n",
        100 * wait, std::min<std::size_t>(256 * times.size(), 1'000'000));
  }
  if (communicate > 0.15) {
    return fmt::format(
        "advice: {:.0f} % of the time went to communication; try fewer ranks with more --threads "
        "each\n",
        100 * communicate);
  }
  return {};
}

void add_times(std::vector<WorkerTimes>& sum, const std::vector<WorkerTimes>& times) {
  if (sum.empty()) {
    sum = times;
    return;
  }
  for (std::size_t i = 0; i < std::min(sum.size(), times.size()); ++i) {
    for (const auto& [name, seconds] : worker_sections) sum[i].*seconds += times[i].*seconds;
  }
}

}  // namespace tessera
