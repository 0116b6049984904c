// SPDX-License-Identifier: MIT
#include "report/census_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/json_object.hpp"
#include "base/text.hpp"
#include "report/version.hpp"

namespace tessera {

std::string to_json(const CensusReport& report) {
  using Json = nlohmann::ordered_json;
  const CensusResult& result = report.result;
  Json deepest = Json::array();
  for (const DeepBoard& deep : report.deepest) {
    deepest.push_back({{"board", deep.board.tiles()},
                       {"length", deep.length},
                       {"moves", deep.moves},
                       {"verified", true}});
  }
  Json levels = Json::array();
  for (const auto& seconds : result.level_seconds) levels.push_back(or_null<Json>(seconds));
  const Json json = {
      {"schema", "tessera.census/1"},
      {"size", to_string(report.size)},
      {"goal", report.goal},
      {"metric", to_string(report.metric)},
      {"complete", result.complete},
      {"radius", result.complete ? Json(result.widths.size() - 1) : Json(nullptr)},
      {"states", std::accumulate(result.widths.begin(), result.widths.end(), std::uint64_t{0})},
      {"widths", result.widths},
      {"deepest", std::move(deepest)},
      {"seconds", result.seconds},
      {"setup_seconds", result.setup_seconds},
      {"level_seconds", std::move(levels)},
      {"ranks", report.ranks},
      {"threads", report.threads},
      {"bytes_written", result.bytes_written},
      {"bytes_read", result.bytes_read},
      {"frontier_bytes", result.frontier_bytes},
      {"bytes_exchanged", result.exchanged_bytes},
      {"bytes_peer_read", 0},  // ranks never read each other's; format /1 keeps its fields
      {"resumed_depth", result.resumed_depth},
      {"version", version()},
      {"date", report.run.date},
      {"revision", report.run.revision},
      {"cpu", or_null<Json>(report.run.cpu)}};
  return json.dump();
}

std::string to_csv(const CensusReport& report) {
  std::string text = "depth,states,seconds\n";
  for (std::size_t depth = 0; depth < report.result.widths.size(); ++depth) {
    const auto& seconds = report.result.level_seconds[depth];
    text += fmt::format("{},{},{}\n", depth, report.result.widths[depth],
                        seconds ? fmt::format("{:.6f}", *seconds) : "");
  }
  return text;
}

std::string census_table(const CensusReport& report) {
  const std::vector<std::uint64_t>& widths = report.result.widths;
  if (widths.empty()) return {};  // stopped before the first level
  constexpr std::size_t bar_length = 40;
  const std::uint64_t most = *std::ranges::max_element(widths);
  const auto all = static_cast<double>(census_states(report.size));
  std::string text =
      fmt::format("{:>5} {:>22} {:>10} {:>11}\n", "depth", "states", "share %", "seconds");
  for (std::size_t depth = 0; depth < widths.size(); ++depth) {
    const auto bar = static_cast<std::size_t>(static_cast<double>(widths[depth]) /
                                              static_cast<double>(most) * bar_length);
    const auto& seconds = report.result.level_seconds[depth];
    text += fmt::format("{:>5} {:>22} {:>10.6f} {:>11} {}\n", depth, with_commas(widths[depth]),
                        100 * static_cast<double>(widths[depth]) / all,
                        seconds ? fmt::format("{:.6f}", *seconds) : "-", std::string(bar, '#'));
  }
  return text;
}

std::string census_answer(const CensusReport& report) {
  const std::vector<std::uint64_t>& widths = report.result.widths;
  if (widths.empty()) {
    return fmt::format("{} {}: stopped before the first level\n", to_string(report.size),
                       to_string(report.metric));
  }
  const std::uint64_t states = std::accumulate(widths.begin(), widths.end(), std::uint64_t{0});
  return fmt::format("{} {}: {} {}, {} states{}\n", to_string(report.size),
                     to_string(report.metric), report.result.complete ? "radius" : "to depth",
                     widths.size() - 1, with_commas(states),
                     report.result.complete ? "" : " so far");
}

CensusProgress::CensusProgress(Output& output, ProgressStyle style, std::uint64_t states,
                               std::uint64_t memory_bytes)
    : output_(output), line_(output, style), states_(states), memory_bytes_(memory_bytes) {}

void CensusProgress::resumed(std::uint64_t states, std::uint64_t last) {
  earlier_ = found_ = states;
  last_ = last;
}

void CensusProgress::level_finished(int depth, std::uint64_t states) {
  found_ += states;
  last_ = 0;
  level_progress(depth, 1);
  last_ = states;
}

void CensusProgress::notice(const std::string& text) {
  clear();
  output_.write("tessera: " + text + "\n");
}

void CensusProgress::level_progress(int depth, double done) {
  const double now = watch_.seconds();
  if (!line_.due(now)) return;
  // Estimates the current level's states so far, as if it were as wide as the one before.
  const double found = std::min(static_cast<double>(found_) + done * static_cast<double>(last_),
                                static_cast<double>(states_));
  const double share = found / static_cast<double>(states_);
  const double rate = (found - static_cast<double>(earlier_)) / now;
  // Levels grow and shrink: the start does not predict the end.
  const std::string left =
      share > 0.02 && rate > 0
          ? fmt::format(", about {:.0f} s left", (static_cast<double>(states_) - found) / rate)
          : "";
  line_.show(fmt::format(
      "depth {}, {:.0f} % of it: {} states, {:.1f} % of all, {:.1f} M/s, {:.0f} s{}, {:.1f} GiB",
      depth, 100 * done, with_commas(found_), 100 * share, rate / 1e6, now, left,
      static_cast<double>(memory_bytes_) / (1 << 30)));
}

}  // namespace tessera
