// SPDX-License-Identifier: MIT
#include "compare/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/tables.hpp"

namespace tessera {
namespace {

// Searches whose numbers of nodes differ by less than this factor do the same work.
constexpr double least_same_work = 0.99;

bool is_same_search(const Configuration& a, const Configuration& b) {
  return a.engine == b.engine && a.heuristic == b.heuristic;
}

// Threads and ranks with the same search and as many workers.
bool differ_in_backend_only(const Configuration& a, const Configuration& b) {
  return is_same_search(a, b) && a.workers() == b.workers() && a.schedule == b.schedule &&
         a.split_depth == b.split_depth && a.more == b.more && a.backend != b.backend &&
         a.backend != "serial" && b.backend != "serial";
}

// One serial and the other not, with the same engine and heuristic.
bool is_serial_and_other(const Configuration& a, const Configuration& b) {
  return is_same_search(a, b) && (a.backend == "serial") != (b.backend == "serial");
}

// "1.93 times as fast as", "3.1 % faster than"
std::string how_much(double factor) {
  return factor < 1.5 ? fmt::format("{:.1f} % faster than", 100 * (factor - 1))
                      : fmt::format("{:.2f} times as fast as", factor);
}

// Whether some solution of `a` is longer than that of `b`.
bool is_longer(const Measured& a, const Measured& b) {
  const auto& boards = a.median_run().boards;
  const auto& others = b.median_run().boards;
  return !std::ranges::equal(boards, others, [](const BoardTime& board, const BoardTime& other) {
    return board.length <= other.length;
  });
}

bool is_proven(const Measured& measured) {
  return std::ranges::all_of(measured.median_run().boards, &BoardTime::optimal);
}

// An engine whose last bound ends with the first solution.
bool deepens(const Configuration& configuration) {
  return configuration.engine.starts_with("ida") || configuration.engine.starts_with("iddfs");
}

double work_of(const Measured& a, const Measured& b) {
  const auto nodes = static_cast<double>(b.median_run().counts.expanded);
  return nodes > 0 ? static_cast<double>(a.median_run().counts.expanded) / nodes : 1;
}

// What the faster one did not do as well, or did not have to do: fewer nodes, longer solutions.
std::string beside_speed(const Measured& faster, const Measured& slower) {
  std::string text;
  const double work = work_of(faster, slower);
  if (is_same_search(faster.configuration, slower.configuration) && work < least_same_work) {
    text += fmt::format(", with {:.3g} times the nodes", work);
  }
  if (is_longer(slower, faster)) {
    text += fmt::format(", with {} moves instead of {}", faster.moves(), slower.moves());
  } else if (is_proven(slower) && !is_proven(faster)) {
    text += ", without a proof that its solutions are optimal";
  }
  return text;
}

// More than 100 % efficiency: a search is not that much faster only by having more workers.
bool exceeds_workers(const Verdict& verdict) {
  const Configuration& faster = verdict.faster->configuration;
  const Configuration& slower = verdict.slower->configuration;
  if (!is_same_search(faster, slower)) return false;
  if (faster.workers() <= slower.workers() && slower.backend != "serial") return false;
  constexpr double tolerance = 1.05;
  return verdict.factor * work_of(*verdict.faster, *verdict.slower) * slower.workers() >
         tolerance * faster.workers();
}

std::string why_no_time(const Measured& measured) {
  return fmt::format("{} has no time: {}", name_of(measured.configuration), measured.cut);
}

// What the fastest is compared with, at most two: the fastest with another engine (the same
// heuristic, if possible) and the fastest with another heuristic; without these the second in the
// ranking; then the other backend, serial search or the last.
std::vector<const Measured*> rivals_of(const std::vector<const Measured*>& timed) {
  std::vector<const Measured*> rivals;
  if (timed.size() < 2) return rivals;
  const Configuration& fastest = timed.front()->configuration;
  const auto first = [&](const auto& related) {
    for (const Measured* measured : timed) {
      if (related(fastest, measured->configuration)) return measured;
    }
    return static_cast<const Measured*>(nullptr);
  };
  const auto other_engine = [](const Configuration& a, const Configuration& b) {
    return a.engine != b.engine;
  };
  const auto same_heuristic = [&](const Configuration& a, const Configuration& b) {
    return other_engine(a, b) && a.heuristic == b.heuristic;
  };
  const auto other_heuristic = [](const Configuration& a, const Configuration& b) {
    return a.engine == b.engine && a.heuristic != b.heuristic;
  };
  const Measured* engine = first(same_heuristic);
  if (engine == nullptr) engine = first(other_engine);
  if (engine != nullptr) rivals.push_back(engine);
  if (const Measured* heuristic = first(other_heuristic)) rivals.push_back(heuristic);
  if (rivals.empty()) rivals.push_back(timed[1]);
  for (const auto related : {differ_in_backend_only, is_serial_and_other}) {
    const Measured* rival = first(related);
    if (rivals.size() == 1 && rival != nullptr && rival != rivals[0]) rivals.push_back(rival);
  }
  if (rivals.size() == 1 && rivals[0] != timed.back()) rivals.push_back(timed.back());
  return rivals;
}

std::string without_time(const Comparison& comparison) {
  std::string text;
  int more = 0;
  for (const Measured& measured : comparison.configurations) {
    if (measured.cut.empty()) continue;
    if (text.empty()) text = why_no_time(measured);
    else ++more;
  }
  if (more > 0) text += fmt::format("; {} more {} also cut", more, more == 1 ? "was" : "were");
  return text;
}

// A warning if the last bound ended by chance, on the configuration that it changed most.
std::string luck_of(const Comparison& comparison) {
  if (comparison.finish_iteration) return "";
  const Measured* luckiest = nullptr;
  double largest = -std::log(least_same_work);
  for (const Measured& measured : comparison.configurations) {
    if (!measured.timed() || measured.too_short() || !deepens(measured.configuration)) continue;
    const double work = figures_of(comparison, measured).work_ratio.value_or(1);
    if (work <= 0 || std::abs(std::log(work)) < largest) continue;
    largest = std::abs(std::log(work));
    luckiest = &measured;
  }
  if (luckiest == nullptr) return "";
  const Figures figures = figures_of(comparison, *luckiest);
  return fmt::format(
      "The first solution ends the last bound, so times depend on luck: {} expands {:.3g} times "
      "the nodes of {}, and is {:.2f} times as fast per node; compare with --finish-iteration",
      name_of(luckiest->configuration), *figures.work_ratio,
      name_of(figures.reference->configuration), *figures.speedup * *figures.work_ratio);
}

std::string explanation_of(const Verdict& verdict) {
  if (verdict.noise != Verdict::Noise::beyond) return "";
  if (is_longer(*verdict.faster, *verdict.slower)) return "";
  return explanation_of(causes_of(verdict.faster->median_run(), verdict.slower->median_run()));
}

std::string alone(const Measured& measured) {
  const Spread spread = spread_of(measured.seconds());
  return fmt::format("{} takes {} s ({} to {})", name_of(measured.configuration),
                     seconds_text(spread.median), seconds_text(spread.min),
                     seconds_text(spread.max));
}

}  // namespace

Verdict judge(const Measured& a, const Measured& b) {
  const std::vector<double> of_a = a.seconds();
  const std::vector<double> of_b = b.seconds();
  const double median_a = spread_of(of_a).median;
  const double median_b = spread_of(of_b).median;
  if (median_b < median_a) return judge(b, a);
  Verdict verdict{.faster = &a, .slower = &b, .chance = chance_of_difference(of_a, of_b)};
  if (median_a > 0) verdict.factor = median_b / median_a;
  if (std::min(of_a.size(), of_b.size()) >= least_runs && !verdict.too_short()) {
    verdict.noise = verdict.chance < noise_chance ? Verdict::Noise::beyond : Verdict::Noise::within;
  }
  return verdict;
}

std::string to_sentence(const Verdict& verdict) {
  const Spread faster = spread_of(verdict.faster->seconds());
  const Spread slower = spread_of(verdict.slower->seconds());
  const std::string name = name_of(verdict.faster->configuration);
  const std::string other = name_of(verdict.slower->configuration);
  const std::string times =
      fmt::format("{} s against {} s", seconds_text(faster.median), seconds_text(slower.median));
  if (verdict.too_short()) {
    const bool first = verdict.faster->too_short();
    const bool both = first && verdict.slower->too_short();
    return fmt::format("{} {}: {}, in runs of less than {:.0f} ms; choose harder boards",
                       both    ? name + " and " + other
                       : first ? name
                               : other,
                       both ? "are too short to compare"
                            : "is too short to compare with " + (first ? other : name),
                       times, 1000 * least_run_seconds);
  }
  if (is_longer(*verdict.faster, *verdict.slower)) {
    return fmt::format("{} takes {} s and {} {} s, but it is not optimal: {} moves instead of {}",
                       name, seconds_text(faster.median), other, seconds_text(slower.median),
                       verdict.faster->moves(), verdict.slower->moves());
  }
  if (verdict.noise == Verdict::Noise::beyond) {
    return fmt::format("{} is {} {}: {}, beyond the noise (p = {:.2g}){}{}", name,
                       how_much(verdict.factor), other, times, verdict.chance,
                       exceeds_workers(verdict)
                           ? ", but more than its workers explain: other programs may have used "
                             "the CPUs"
                           : "",
                       beside_speed(*verdict.faster, *verdict.slower));
  }
  if (verdict.noise == Verdict::Noise::within) {
    return fmt::format("{} and {} do not differ beyond the noise: {} (p = {:.2g})", name, other,
                       times, verdict.chance);
  }
  const std::size_t runs = std::min(verdict.faster->runs.size(), verdict.slower->runs.size());
  return fmt::format("{} was {} {}: {}, perhaps by chance after {} (--repeat {} or more is better)",
                     name, how_much(verdict.factor), other, times, counted(runs, "run"),
                     least_runs + 1);
}

std::vector<Verdict> verdicts_of(const Comparison& comparison) {
  std::vector<Verdict> verdicts;
  const auto add = [&](const Measured& a, const Measured& b) {
    const bool known = std::ranges::any_of(verdicts, [&](const Verdict& verdict) {
      return (verdict.faster == &a && verdict.slower == &b) ||
             (verdict.faster == &b && verdict.slower == &a);
    });
    if (!known) verdicts.push_back(judge(a, b));
  };
  const std::vector<const Measured*> timed = by_speed(comparison);
  for (std::size_t i = 1; i < timed.size(); ++i) add(*timed[i - 1], *timed[i]);
  for (const auto related : {differ_in_backend_only, is_serial_and_other}) {
    for (std::size_t i = 0; i < timed.size(); ++i) {
      for (std::size_t j = i + 1; j < timed.size(); ++j) {
        if (related(timed[i]->configuration, timed[j]->configuration)) add(*timed[i], *timed[j]);
      }
    }
  }
  for (const Measured* measured : timed) {
    const Measured* reference = reference_of(comparison, measured->configuration);
    if (reference != nullptr && reference != measured) add(*measured, *reference);
  }
  return verdicts;
}

std::vector<std::string> verdict_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  if (comparison.boards.empty()) {
    for (const std::string& id : comparison.unsolvable) {
      lines.push_back(fmt::format("{}: {}", id, unsolvable_text));
    }
    if (!lines.empty()) lines.emplace_back("nothing to time: no board is left");
  }
  for (const Verdict& verdict : verdicts_of(comparison)) lines.push_back(to_sentence(verdict));
  for (const Measured& measured : comparison.configurations) {
    if (!measured.cut.empty()) lines.push_back(why_no_time(measured));
  }
  return lines;
}

std::vector<std::string> summary_of(const Comparison& comparison) {
  if (comparison.boards.empty()) return verdict_lines(comparison);
  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) {
    if (!line.empty()) lines.push_back(line);
  };
  const std::string cut = without_time(comparison);
  std::vector<const Measured*> timed = by_speed(comparison);
  // The fastest with the shortest solutions comes first.
  std::stable_partition(timed.begin(), timed.end(), [&](const Measured* measured) {
    return figures_of(comparison, *measured).answers != Answers::longer;
  });
  if (timed.size() == 1) add(alone(*timed.front()));
  std::vector<const Measured*> rivals = rivals_of(timed);
  if (!cut.empty() && rivals.size() > 1) rivals.pop_back();
  std::string why;  // of the first one that has an explanation
  for (const Measured* rival : rivals) {
    const Verdict verdict = judge(*timed.front(), *rival);
    add(to_sentence(verdict));
    if (!why.empty()) continue;
    why = explanation_of(verdict);
    add(why);
  }
  add(luck_of(comparison));
  add(cut);
  return lines;
}

}  // namespace tessera
