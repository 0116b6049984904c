// SPDX-License-Identifier: MIT
#include "report/estimate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "report/tables.hpp"

namespace tessera {
namespace {

std::string slurm_time(double seconds) {
  const auto minutes = static_cast<std::int64_t>(std::ceil(seconds / 60));
  const auto days = minutes / (24 * 60);
  const std::string clock = fmt::format("{:02}:{:02}:00", minutes / 60 % 24, minutes % 60);
  return days > 0 ? fmt::format("{}-{}", days, clock) : clock;
}

}  // namespace

std::string rough_count(double count) {
  if (count < 1e15) {
    const double unit = count < 1000 ? 1 : std::pow(10, std::floor(std::log10(count)) - 2);
    return with_commas(static_cast<std::uint64_t>(std::round(count / unit) * unit));
  }
  return fmt::format("{:.2e}", count);
}

std::string rough_time(double seconds) {
  constexpr std::pair<double, const char*> units[] = {
      {365.25 * 86400, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}, {1e-3, "ms"}};
  for (const auto& [unit, name] : units) {
    const double count = seconds / unit;
    if (count >= 1e6) return fmt::format("{:.1e} {}", count, name);
    if (count >= 9.95) return fmt::format("{:.0f} {}", count, name);
    if (count >= 1) return fmt::format("{:.1f} {}", count, name);
  }
  return "< 1 ms";
}

double BoardEstimate::seconds_to(int bound) const {
  return rate > 0 ? effort.expanded_to(bound) / rate : 0;
}

std::string estimate_table(const BoardEstimate& estimate, const RunSetup& setup) {
  std::string text = fmt::format("board {}: {}{}, {} nodes sampled\n", estimate.id,
                                 estimate.heuristic, estimate.from_goal ? ", from the goal" : "",
                                 with_commas(estimate.effort.sampled));
  if (!estimate.solvable) return text + "unsolvable (proven by parity): no search needed\n";
  if (estimate.is_solved) return text + "already solved: 0 moves, no search needed\n";
  text += fmt::format("{:>6} {:>19} {:>39} {:>19} {:>10} {:>10}\n", "bound", "expanded",
                      "95 % interval", "generated", "time", "in all");
  const bool timed = estimate.rate > 0;
  const auto time = [&](double seconds) { return timed ? rough_time(seconds) : "?"; };
  for (const BoundEffort& row : estimate.effort.bounds) {
    const char* mark = row.bound != estimate.probable_bound || estimate.bound_given ? ""
                       : estimate.upper_bound ? "  a solution is known"
                                              : "  probably the last";
    text += fmt::format("{:>6} {:>19} {:>19} {:>19} {:>19} {:>10} {:>10}{}\n", row.bound,
                        rough_count(row.expanded), rough_count(row.low), rough_count(row.high),
                        rough_count(row.generated), time(row.expanded / estimate.rate),
                        time(estimate.seconds_to(row.bound)), mark);
  }
  if (!timed)
    text += "no time estimate: nothing could be measured here, other programs use the machine\n";
  else
    text +=
        fmt::format("time at {:.1f} M expanded/s, measured here with {}; each iteration finished\n",
                    estimate.rate / 1e6, layout_text(setup));
  if (estimate.upper_bound) {
    const int upper = *estimate.upper_bound;
    return text +
           fmt::format("beam search found a solution of {} moves: {}\n", upper,
                       timed ? fmt::format("a proof, or a shorter solution, should take at most {}",
                                           rough_time(estimate.seconds_to(upper - 1)))
                             : "only the bounds below are left");
  }
  if (estimate.bound_given) return text;
  if (timed) {
    text += fmt::format(
        "{} if a solution of {} moves is found first (--incumbent): then the last bound "
        "need not be searched\n",
        rough_time(estimate.seconds_to(estimate.probable_bound - 1)), estimate.probable_bound);
  }
  return text +
         "the last bound is not known in advance: it is assumed to be that of a random board of "
         "this size and Manhattan distance\n";
}

std::string suggestion(const JobRequest& request, std::string_view what) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  constexpr double most_seconds = 366.0 * 24 * 3600;
  if (!(request.seconds <= most_seconds)) {
    return fmt::format(
        "no job is suggested{}: {} nodes like this one would need more than a year\n", what,
        with_commas(static_cast<std::uint64_t>(request.nodes)));
  }
  return fmt::format(
      "suggested{}, with twice the estimated time:\n"
      "#SBATCH --nodes={} --ntasks={} --cpus-per-task={} --mem={}M --time={}\n",
      what, request.nodes, request.nodes, request.cpus_per_task,
      (request.memory_bytes + mebibyte - 1) / mebibyte, slurm_time(request.seconds));
}

}  // namespace tessera
