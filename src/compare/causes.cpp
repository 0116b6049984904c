// SPDX-License-Identifier: MIT
// Why one configuration is faster than another.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "compare/verdicts.hpp"

namespace tessera {
namespace {

// Shares of all worker time. Cutting the tree counts as `other`.
WorkerTimes shares_of(const TimedRun& run) {
  WorkerTimes shares = run.sections();
  const double all = shares.sum();
  shares.other += shares.split;
  for (const auto& [name, share] : worker_sections) shares.*share /= all > 0 ? all : 1;
  return shares;
}

// Converts a difference of shares to its part of ln(a / b): 1 / the logarithmic mean of both.
double per_share(double a, double b) {
  return std::abs(a - b) < 1e-9 * a ? 1 / a : std::log(a / b) / (a - b);
}

constexpr double least_weight = 0.005;  // half a percent of the time

// Whether a cause is worth a sentence: not if it is at most a twentieth of the largest. The number
// of workers is always named and does not count as the largest.
bool is_large(const Cause& cause, const std::vector<Cause>& causes) {
  if (cause.is_workers) return cause.weight != 0;
  double largest = 0;
  for (const Cause& other : causes) {
    if (!other.is_workers) largest = std::max(largest, std::abs(other.weight));
  }
  return std::abs(cause.weight) >= std::max(least_weight, largest / 20);
}

// Up to `most` causes, the largest first: "a, b and c".
std::string enumerated(std::vector<Cause> causes, std::size_t most) {
  std::ranges::sort(causes, std::greater(),
                    [](const Cause& cause) { return std::abs(cause.weight); });
  causes.resize(std::min(causes.size(), most));
  std::string text;
  for (const Cause& cause : causes) {
    if (!text.empty()) text += &cause == &causes.back() ? " and " : ", ";
    text += cause.text;
  }
  return text;
}

std::string millions_text(double per_second) {
  const double millions = 1e-6 * per_second;
  return millions < 1000 ? fmt::format("{:.3g}", millions)
                         : with_commas(static_cast<std::uint64_t>(millions));
}

}  // namespace

std::vector<Cause> causes_of(const TimedRun& faster, const TimedRun& slower) {
  const WorkerTimes a = shares_of(faster);
  const WorkerTimes b = shares_of(slower);
  const auto workers_a = static_cast<double>(faster.times.size());
  const auto workers_b = static_cast<double>(slower.times.size());
  const auto nodes_a = static_cast<double>(faster.counts.expanded);
  const auto nodes_b = static_cast<double>(slower.counts.expanded);
  if (a.search <= 0 || b.search <= 0 || nodes_a <= 0 || nodes_b <= 0) return {};
  const double rate_a = nodes_a / faster.sections().search;
  const double rate_b = nodes_b / slower.sections().search;
  const double factor = per_share(a.search, b.search);
  const auto share = [&](const char* verb, double of_a, double of_b, const char* rest = "") {
    return Cause{fmt::format("{} {:.1f} % of its time{} instead of {:.1f} %", verb, 100 * of_a,
                             rest, 100 * of_b),
                 factor * (of_b - of_a)};
  };
  return {
      {fmt::format("has {} instead of {:.0f}", counted(faster.times.size(), "worker"), workers_b),
       std::log(workers_a / workers_b), true},
      {fmt::format("expands {} nodes instead of {}", with_commas(faster.counts.expanded),
                   with_commas(slower.counts.expanded)),
       std::log(nodes_b / nodes_a)},
      {fmt::format("searches {} million nodes per second and worker instead of {}",
                   millions_text(rate_a), millions_text(rate_b)),
       std::log(rate_a / rate_b)},
      share("waits", a.wait, b.wait),
      share("communicates", a.communicate, b.communicate),
      share("spends", a.other, b.other, " on start-up and replay")};
}

std::string explanation_of(const std::vector<Cause>& causes) {
  std::vector<Cause> reasons;
  std::vector<Cause> against;
  for (const Cause& cause : causes) {
    if (is_large(cause, causes)) (cause.weight > 0 ? reasons : against).push_back(cause);
  }
  if (reasons.empty()) return "";
  std::string text = "Why: it " + enumerated(reasons, 3);
  if (!against.empty()) text += ", although it " + enumerated(against, 2);
  return text;
}

}  // namespace tessera
