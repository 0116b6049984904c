// SPDX-License-Identifier: MIT
#include "tessera/compare/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tessera/report/tables.hpp"

namespace tessera {
namespace {

struct Shares {
  double seconds = 0;  // of all workers
  double workers = 0;
  double search = 0;
  double wait = 0;
  double communicate = 0;
  double start_up = 0;
};

Shares shares_of(const TimedRun& run) {
  Shares shares;
  for (const WorkerTimes& worker : run.times) {
    shares.workers += 1;
    shares.search += worker.search;
    shares.wait += worker.wait;
    shares.communicate += worker.communicate;
    shares.start_up += worker.split + worker.other;
  }
  shares.seconds = shares.search + shares.wait + shares.communicate + shares.start_up;
  if (shares.seconds > 0) {
    for (double* share : {&shares.search, &shares.wait, &shares.communicate, &shares.start_up}) {
      *share /= shares.seconds;
    }
  }
  return shares;
}

// What a difference of shares is of ln(a / b): 1 / the logarithmic mean of both.
double per_share(double a, double b) {
  return std::abs(a - b) < 1e-9 * a ? 1 / a : std::log(a / b) / (a - b);
}

constexpr double least_weight = 0.005;  // half a percent of the time

// Whether a cause is worth a sentence: not if it is a twentieth of the largest besides the number
// of workers, which is always named.
bool is_large(const Cause& cause, const std::vector<Cause>& causes) {
  if (cause.kind == Cause::Kind::workers) return cause.weight != 0;
  double largest = 0;
  for (const Cause& other : causes) {
    if (other.kind != Cause::Kind::workers) largest = std::max(largest, std::abs(other.weight));
  }
  return std::abs(cause.weight) >= std::max(least_weight, largest / 20);
}

std::string text_of(const Cause& cause) {
  const auto of_time = [&](const char* verb, const char* rest) {
    return fmt::format("{} {:.1f} % of its time{} instead of {:.1f} %", verb, 100 * cause.faster,
                       rest, 100 * cause.slower);
  };
  switch (cause.kind) {
    case Cause::Kind::workers:
      return fmt::format("has {:.0f} worker{} instead of {:.0f}", cause.faster,
                         cause.faster == 1 ? "" : "s", cause.slower);
    case Cause::Kind::nodes:
      return fmt::format("expands {} nodes instead of {}",
                         with_commas(static_cast<std::uint64_t>(cause.faster)),
                         with_commas(static_cast<std::uint64_t>(cause.slower)));
    case Cause::Kind::rate:
      return fmt::format("searches {:.3g} million nodes per second and worker instead of {:.3g}",
                         1e-6 * cause.faster, 1e-6 * cause.slower);
    case Cause::Kind::wait:
      return of_time("waits", "");
    case Cause::Kind::communicate:
      return of_time("communicates", "");
    case Cause::Kind::start_up:
      break;
  }
  return of_time("spends", " on start-up and replay");
}

// Up to `most` causes, the largest first: "a, b and c".
std::string enumerated(std::vector<Cause> causes, std::size_t most) {
  std::sort(causes.begin(), causes.end(),
            [](const Cause& a, const Cause& b) { return std::abs(a.weight) > std::abs(b.weight); });
  std::vector<std::string> texts;
  for (const Cause& cause : causes) {
    if (texts.size() < most) texts.push_back(text_of(cause));
  }
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) text += i + 1 == texts.size() ? " and " : ", ";
    text += texts[i];
  }
  return text;
}

}  // namespace

std::vector<Cause> causes_of(const TimedRun& faster, const TimedRun& slower) {
  const Shares a = shares_of(faster);
  const Shares b = shares_of(slower);
  const auto nodes_a = static_cast<double>(faster.counts.expanded);
  const auto nodes_b = static_cast<double>(slower.counts.expanded);
  if (a.search <= 0 || b.search <= 0 || nodes_a <= 0 || nodes_b <= 0) return {};
  const double rate_a = nodes_a / (a.search * a.seconds);
  const double rate_b = nodes_b / (b.search * b.seconds);
  const double factor = per_share(a.search, b.search);
  using Kind = Cause::Kind;
  return {
      {Kind::workers, a.workers, b.workers, std::log(a.workers / b.workers)},
      {Kind::nodes, nodes_a, nodes_b, std::log(nodes_b / nodes_a)},
      {Kind::rate, rate_a, rate_b, std::log(rate_a / rate_b)},
      {Kind::wait, a.wait, b.wait, factor * (b.wait - a.wait)},
      {Kind::communicate, a.communicate, b.communicate, factor * (b.communicate - a.communicate)},
      {Kind::start_up, a.start_up, b.start_up, factor * (b.start_up - a.start_up)},
  };
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
