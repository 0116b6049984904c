// SPDX-License-Identifier: MIT
// The printed forms of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_object.hpp"
#include "base/machine.hpp"
#include "compare/verdicts.hpp"
#include "report/csv.hpp"
#include "report/tables.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}
std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} %", 100 * *value) : "-";
}

using Json = nlohmann::ordered_json;

constexpr std::string_view comparison_columns =
    "name,engine,heuristic,backend,ranks,threads,workers,schedule,split_depth,runs,"
    "median_seconds=seconds/median,min_seconds=seconds/min,max_seconds=seconds/max,"
    "expanded=nodes/expanded,generated=nodes/generated,speedup,efficiency,search_overhead,idle,"
    "imbalance,search=sections/search,split=sections/split,wait=sections/wait,"
    "communicate=sections/communicate,other=sections/other,cut,moves,answers,reference,work_ratio";

Json to_object(const Comparison& comparison, const Measured& measured) {
  const Configuration& configuration = measured.configuration;
  Json json;
  json["name"] = name_of(configuration);
  json["engine"] = configuration.engine;
  json["heuristic"] = or_null<Json>(configuration.heuristic);
  json["backend"] = configuration.backend;
  json["ranks"] = configuration.ranks;
  json["threads"] = configuration.threads;
  json["workers"] = configuration.workers();
  json["schedule"] = or_null<Json>(configuration.schedule);
  json["split_depth"] = or_null<Json>(configuration.split_depth);
  json["prune"] = or_null<Json>(configuration.prune);
  json["cut"] = or_null<Json>(measured.cut);
  json["runs"] = measured.seconds();
  json["passes"] = Json::array();
  for (const TimedRun& run : measured.runs) json["passes"].push_back(run.passes);
  json["too_short"] = measured.too_short();
  for (const char* key :
       {"seconds", "nodes", "moves", "answers", "reference", "speedup", "efficiency", "work_ratio",
        "search_overhead", "idle", "imbalance", "sections", "wall"}) {
    json[key] = nullptr;
  }
  json["boards"] = Json::array();
  if (!measured.timed()) return json;
  const Figures figures = figures_of(comparison, measured);
  const TimedRun& run = measured.median_run();
  json["seconds"] = {{"median", figures.seconds.median},
                     {"min", figures.seconds.min},
                     {"max", figures.seconds.max}};
  json["nodes"] = {{"expanded", run.counts.expanded}, {"generated", run.counts.generated}};
  json["moves"] = measured.moves();
  json["answers"] = to_string(figures.answers);
  if (figures.reference != nullptr) json["reference"] = name_of(figures.reference->configuration);
  json["speedup"] = or_null<Json>(figures.speedup);
  json["efficiency"] = or_null<Json>(figures.efficiency);
  json["work_ratio"] = or_null<Json>(figures.work_ratio);
  // The form of `work_ratio` in earlier versions.
  if (figures.work_ratio) json["search_overhead"] = *figures.work_ratio - 1;
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

constexpr std::string_view shares_format = "{:<{}} {:>8} {:>8} {:>8} {:>11} {:>8} {:>10}\n";

// Where the time of a configuration went.
std::string shares_row(const Measured& measured, const Figures& figures, std::size_t width) {
  const double all = measured.median_run().seconds * measured.configuration.workers();
  const auto share = [&](double seconds) { return percent(all > 0 ? seconds / all : 0); };
  const WorkerTimes& sums = figures.sections;
  return fmt::format(shares_format, name_of(measured.configuration), width, share(sums.search),
                     share(sums.split), share(sums.wait), share(sums.communicate),
                     share(sums.other), percent(figures.imbalance));
}

// What speedup refers to; each engine and heuristic has its own reference. Empty if none has
// another than itself, as when only heuristics are compared: then all speedups are 1.
std::string reference_line(const Comparison& comparison) {
  std::set<const Measured*> references;
  bool serial = true;
  bool has_speedups = false;
  for (const Measured& measured : comparison.configurations) {
    if (!measured.timed()) continue;
    const Measured* reference = reference_of(comparison, measured.configuration);
    if (reference == nullptr) continue;
    references.insert(reference);
    serial = serial && reference->configuration.backend == "serial";
    has_speedups = has_speedups || reference != &measured;
  }
  if (!has_speedups) return "";
  const std::string which = references.size() == 1 ? name_of((*references.begin())->configuration)
                            : serial
                                ? "the serial search with the same engine and heuristic"
                                : "serial search or one worker with the same engine and heuristic";
  return "speedup and work refer to " + which + "\n";
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
  std::size_t width = 13;
  for (const Measured& measured : comparison.configurations) {
    width = std::max(width, name_of(measured.configuration).size());
  }
  const std::string references = reference_line(comparison);
  const bool speedups = !references.empty();
  std::string text =
      fmt::format("{:<{}} {:>10} {:>10} {:>10}", "configuration", width, "median s", "min", "max");
  if (speedups) text += fmt::format(" {:>8} {:>10} {:>6}", "speedup", "efficiency", "work");
  text += fmt::format(" {:>14} {:>6}\n", "expanded", "moves");
  std::string shares;
  for (const Measured& measured : comparison.configurations) {
    const std::string name = name_of(measured.configuration);
    if (!measured.timed()) {
      text += fmt::format("{:<{}} {:>10}  {}\n", name, width, "-", measured.cut);
      continue;
    }
    const Figures figures = figures_of(comparison, measured);
    if (measured.too_short()) {
      text +=
          fmt::format("{:<{}} {:>10}  too short to compare: runs of less than {:.0f} ms\n", name,
                      width, seconds_text(figures.seconds.median), 1000 * least_run_seconds);
      continue;
    }
    const TimedRun& run = measured.median_run();
    text += fmt::format("{:<{}} {:>10} {:>10} {:>10}", name, width,
                        seconds_text(figures.seconds.median), seconds_text(figures.seconds.min),
                        seconds_text(figures.seconds.max));
    if (speedups) {
      text += fmt::format(" {:>8} {:>10} {:>6}", ratio(figures.speedup),
                          percent(figures.efficiency), ratio(figures.work_ratio));
    }
    text += fmt::format(" {:>14} {:>6}", with_commas(run.counts.expanded), measured.moves());
    if (figures.answers != Answers::optimal) text += ", " + to_string(figures.answers);
    text += "\n";
    shares += shares_row(measured, figures, width);
  }
  text += references;
  if (shares.empty()) return text;
  return text + "\n" +
         fmt::format(shares_format, "of wall x workers", width, "search", "split", "wait",
                     "communicate", "other", "imbalance") +
         shares;
}

std::string to_csv(const Comparison& comparison) {
  std::string text = csv_heading(comparison_columns);
  for (const Measured& measured : comparison.configurations) {
    Json row = to_object(comparison, measured);
    row["runs"] = measured.runs.size();
    text += csv_line(comparison_columns, row);
  }
  return text;
}

std::string to_json(const Comparison& comparison) {
  Json json;
  json["schema"] = "tessera.compare/1";
  json["version"] = version();
  json["machine"] = {{"cpu", comparison.run.cpu.value_or(unknown_cpu)},
                     {"cpus", comparison.cpus},
                     {"hosts", comparison.hosts},
                     {"date", comparison.run.date},
                     {"cpu_share", or_null<Json>(comparison.cpu_share)}};
  json["revision"] = comparison.run.revision;
  json["command"] = comparison.run.command;
  json["set"] = or_null<Json>(comparison.set);
  json["size"] = or_null<Json>(comparison.size);
  json["goal"] = or_null<Json>(comparison.goal);
  json["boards"] = comparison.boards;
  json["tiles"] = comparison.tiles;
  json["finish_iteration"] = comparison.finish_iteration;
  json["seed"] = comparison.seed;
  json["unsolvable"] = comparison.unsolvable;
  json["repeat"] = comparison.repeat;
  json["study"] = or_null<Json>(comparison.study);
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
  // An id may contain any bytes.
  return to_line(json);
}

}  // namespace tessera
