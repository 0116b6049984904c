// SPDX-License-Identifier: MIT
#include "tessera/compare/summary.hpp"

#include <fmt/format.h>

#include "tessera/base/text.hpp"
#include "tessera/compare/causes.hpp"
#include "tessera/compare/verdicts.hpp"
#include "tessera/report/tables.hpp"

namespace tessera {
namespace {

// What the fastest is compared with besides the second: the other backend, serial search or the
// last.
const Measured* second_rival(const std::vector<const Measured*>& timed) {
  if (timed.size() < 3) return nullptr;
  for (const auto related : {differ_in_backend_only, is_serial_and_other}) {
    if (related(timed[0]->configuration, timed[1]->configuration)) continue;
    for (std::size_t i = 2; i < timed.size(); ++i) {
      if (related(timed[0]->configuration, timed[i]->configuration)) return timed[i];
    }
  }
  return timed.back();
}

std::string without_time(const Comparison& comparison) {
  const Measured* first = nullptr;
  std::size_t count = 0;
  for (const Measured& measured : comparison.configurations) {
    if (measured.cut.empty()) continue;
    if (first == nullptr) first = &measured;
    ++count;
  }
  if (first == nullptr) return "";
  std::string text = fmt::format("{} has no time: {}", name_of(first->configuration), first->cut);
  if (count > 1) {
    text += fmt::format("; {} more {} cut, too", count - 1, count == 2 ? "was" : "were");
  }
  return text;
}

std::string explanation_of(const Verdict& verdict) {
  if (verdict.noise == Verdict::Noise::within || verdict.faster->too_short() ||
      verdict.slower->too_short()) {
    return "";
  }
  const auto median_run = [](const Measured& measured) {
    return measured.runs[median_index(measured.seconds())];
  };
  return explanation_of(causes_of(median_run(*verdict.faster), median_run(*verdict.slower)));
}

std::string alone(const Measured& measured) {
  const Spread spread = spread_of(measured.seconds());
  return fmt::format("{} takes {} s ({} to {})", name_of(measured.configuration),
                     seconds_text(spread.median), seconds_text(spread.min),
                     seconds_text(spread.max));
}

}  // namespace

std::vector<std::string> summary_of(const Comparison& comparison) {
  if (comparison.boards.empty()) return verdict_lines(comparison);
  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) {
    if (!line.empty()) lines.push_back(line);
  };
  const std::string cut = without_time(comparison);
  const std::vector<const Measured*> timed = by_speed(comparison);
  if (timed.size() == 1) add(alone(*timed.front()));
  bool explained = false;
  const auto compare_with = [&](const Measured& rival) {
    const Verdict verdict = judge(*timed.front(), rival);
    add(to_sentence(verdict));
    if (explained) return;
    const std::string why = explanation_of(verdict);
    explained = !why.empty();
    add(why);
  };
  if (timed.size() > 1) compare_with(*timed[1]);
  const Measured* rival = second_rival(timed);
  if (cut.empty() && rival != nullptr) compare_with(*rival);
  add(cut);
  return lines;
}

}  // namespace tessera
