// SPDX-License-Identifier: MIT
#include "report/simulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_object.hpp"
#include "base/text.hpp"
#include "report/tables.hpp"
#include "report/version.hpp"

namespace tessera {

namespace {

std::string speedup_text(double speedup) {
  return fmt::format("{:.{}f}", speedup, speedup < 100 ? 2 : 0);
}

}  // namespace

std::string simulation_heading(const WorkRecord& record, double rate) {
  const auto speed = [](double nodes) {
    return nodes < 1e5 ? fmt::format("{:.0f}", nodes) : fmt::format("{:.1f} M", nodes / 1e6);
  };
  return fmt::format(
      "record of board {}, {}, goal {}, heuristic {}: {}, {} expanded/s per thread{}\n"
      "{:>8} {:>8} {:>6} {:>10} {:>11} {:>9} {:>10} {:>9} {:>10}  {}\n",
      record.id, record.size, record.goal, record.heuristic,
      counted(record.iterations.size(), "iteration"), speed(record.rate),
      rate > 0 ? ", simulated with " + speed(rate) : "", "ranks", "schedule", "bound", "expanded",
      "makespan", "speedup", "efficiency", "subtrees", "msgs/rank", "what limits");
}

std::string simulation_row(const Simulation& result, const SimulationOptions& options) {
  return fmt::format("{:>8} {:>8} {:>6} {:>10.3g} {:>9} s {:>9} {:>8.1f} % {:>9} {:>10.0f}  {}\n",
                     options.machine.ranks, to_string(options.schedule), result.bound,
                     result.expanded, seconds_text(result.makespan_seconds),
                     speedup_text(result.speedup), 100 * result.efficiency, result.subtrees,
                     result.messages_per_rank, result.limit());
}

std::string to_json(const Simulation& result, const SimulationOptions& options,
                    const WorkRecord& record) {
  const Machine& machine = options.machine;
  nlohmann::ordered_json json;
  json["schema"] = "tessera.simulation/1";
  json["id"] = record.id;
  json["size"] = record.size;
  json["heuristic"] = record.heuristic;
  json["bound"] = result.bound;
  json["ranks"] = machine.ranks;
  json["threads"] = machine.threads;
  json["slow_ranks"] = machine.slow_ranks;
  json["schedule"] = to_string(options.schedule);
  json["latency_seconds"] = machine.latency_seconds;
  json["expanded_per_second"] = machine.rate > 0 ? machine.rate : record.rate;
  json["scale"] = result.scale;
  json["expanded"] = std::round(result.expanded);
  json["makespan_seconds"] = result.makespan_seconds;
  json["speedup"] = result.speedup;
  json["efficiency"] = result.efficiency;
  json["subtrees"] = result.subtrees;
  json["cut"] = result.cut;
  json["steals"] = result.steals;
  json["refusals"] = result.refusals;
  json["messages_per_rank"] = result.messages_per_rank;
  json["most_messages"] = result.most_messages;
  json["busiest_main_thread"] = result.busiest_main_thread;
  json["lost"] = {{"start", result.lost_start},
                  {"starved", result.lost_starved},
                  {"tail", result.lost_tail},
                  {"end", result.lost_end},
                  {"polls", result.lost_polls}};
  json["limit"] = result.limit();
  json["version"] = version();
  return to_line(json);
}

}  // namespace tessera
