// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "tessera/base/json_object.hpp"
#include "tessera/compare/output.hpp"
#include "tessera/compare/summary.hpp"
#include "tessera/compare/verdicts.hpp"
#include "tessera/report/version.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json to_object(const Comparison& comparison, const Measured& measured) {
  const Configuration& configuration = measured.configuration;
  Json json;
  json["name"] = name_of(configuration);
  json["engine"] = configuration.engine;
  json["heuristic"] = or_null(configuration.heuristic);
  json["backend"] = configuration.backend;
  json["ranks"] = configuration.ranks;
  json["threads"] = configuration.threads;
  json["workers"] = configuration.workers();
  json["schedule"] = or_null(configuration.schedule);
  json["split_depth"] = or_null(configuration.split_depth);
  json["cut"] = or_null(measured.cut);
  json["runs"] = measured.seconds();
  json["passes"] = Json::array();
  for (const TimedRun& run : measured.runs) json["passes"].push_back(run.passes);
  json["too_short"] = measured.too_short();
  for (const char* key : {"seconds", "nodes", "speedup", "efficiency", "search_overhead", "idle",
                          "imbalance", "sections", "wall"}) {
    json[key] = nullptr;
  }
  json["boards"] = Json::array();
  if (!measured.timed()) return json;
  const Figures figures = figures_of(comparison, measured);
  const TimedRun& run = measured.runs[figures.median_run];
  json["seconds"] = {{"median", figures.seconds.median},
                     {"min", figures.seconds.min},
                     {"max", figures.seconds.max}};
  json["nodes"] = {{"expanded", run.counts.expanded}, {"generated", run.counts.generated}};
  json["speedup"] = or_null(figures.speedup);
  json["efficiency"] = or_null(figures.efficiency);
  json["search_overhead"] = or_null(figures.search_overhead);
  json["idle"] = figures.idle;
  json["imbalance"] = figures.imbalance;
  json["sections"] = Json::object();
  for (const auto& [name, seconds] : worker_sections) {
    json["sections"][name] = figures.sections.*seconds;
  }
  json["wall"] = run.seconds;
  for (const BoardTime& board : run.boards) {
    json["boards"].push_back({{"id", board.id},
                              {"length", board.length},
                              {"optimal", board.optimal},
                              {"seconds", board.seconds}});
  }
  return json;
}

Json to_object(const Verdict& verdict) {
  return {{"faster", name_of(verdict.faster->configuration)},
          {"slower", name_of(verdict.slower->configuration)},
          {"factor", verdict.factor},
          {"chance", verdict.chance},
          {"beyond_noise", verdict.noise == Verdict::Noise::unknown
                               ? Json(nullptr)
                               : Json(verdict.noise == Verdict::Noise::beyond)}};
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Json json;
  json["schema"] = "tessera.compare/1";
  json["version"] = version();
  json["machine"] = {{"cpu", comparison.cpu},
                     {"cpus", comparison.cpus},
                     {"hosts", comparison.hosts},
                     {"date", comparison.date}};
  json["boards"] = comparison.boards;
  json["unsolvable"] = comparison.unsolvable;
  json["repeat"] = comparison.repeat;
  json["study"] = or_null(comparison.study);
  json["interrupted"] = comparison.interrupted;
  json["configurations"] = Json::array();
  for (const Measured& measured : comparison.configurations) {
    json["configurations"].push_back(to_object(comparison, measured));
  }
  json["ranking"] = Json::array();
  for (const Measured* measured : by_speed(comparison)) {
    json["ranking"].push_back(name_of(measured->configuration));
  }
  json["pairs"] = Json::array();
  for (const Verdict& verdict : verdicts_of(comparison))
    json["pairs"].push_back(to_object(verdict));
  json["verdicts"] = verdict_lines(comparison);
  json["summary"] = summary_of(comparison);
  // An id may hold any bytes.
  return to_line(json);
}

}  // namespace tessera
