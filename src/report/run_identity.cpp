// SPDX-License-Identifier: MIT
#include "report/run_identity.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "base/json_object.hpp"
#include "base/machine.hpp"
#include "report/version.hpp"

namespace tessera {

RunIdentity begin_run(std::string command) {
  const std::tm now = fmt::gmtime(std::time(nullptr));
  std::random_device random;
  const std::string cpu = cpu_name();
  return {.id = fmt::format("{:%Y%m%dT%H%M%SZ}-{:08x}", now, random()),
          .date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now),
          .revision = revision(),
          .cpu = cpu == unknown_cpu ? std::nullopt : std::optional(cpu),
          .command = std::move(command),
          .watch = {}};
}

Origin origin_of(const RunIdentity& run, int workers, Stopwatch::Clock::time_point begin,
                 Stopwatch::Clock::time_point end) {
  const auto since_start = [&](Stopwatch::Clock::time_point time) {
    return std::max(0.0, std::chrono::duration<double>(time - run.watch.start()).count());
  };
  return {.run = run,
          .workers = workers,
          .begin_seconds = since_start(begin),
          .end_seconds = since_start(end),
          .cpu_share = {},
          .layout = {}};
}

void add_workers(nlohmann::ordered_json& json, const WorkerLayout& layout) {
  json["backend"] = layout.backend;
  json["ranks"] = layout.ranks;
  json["threads"] = layout.threads;
  json["hosts"] = layout.hosts;
}

void add_origin(nlohmann::ordered_json& json, const Origin& origin) {
  json["run"] = origin.run.id;
  json["workers"] = origin.workers;
  json["begin_seconds"] = origin.begin_seconds;
  json["end_seconds"] = origin.end_seconds;
  json["cpu_share"] = or_null<nlohmann::ordered_json>(origin.cpu_share);
  json["date"] = origin.run.date;
  json["revision"] = origin.run.revision;
  json["cpu"] = or_null<nlohmann::ordered_json>(origin.run.cpu);
}

std::string to_text(const Origin& origin) {
  nlohmann::ordered_json json;
  add_origin(json, origin);
  if (origin.layout) add_workers(json, *origin.layout);
  return to_line(json);
}

std::optional<Origin> parse_origin(std::string_view text) {
  try {
    const auto json = nlohmann::json::parse(text);
    const auto or_empty = [&](const char* key, auto& field) {
      if (!json.at(key).is_null()) json.at(key).get_to(field.emplace());
    };
    Origin origin;
    json.at("run").get_to(origin.run.id);
    json.at("date").get_to(origin.run.date);
    json.at("revision").get_to(origin.run.revision);
    or_empty("cpu", origin.run.cpu);
    json.at("workers").get_to(origin.workers);
    json.at("begin_seconds").get_to(origin.begin_seconds);
    json.at("end_seconds").get_to(origin.end_seconds);
    or_empty("cpu_share", origin.cpu_share);
    if (json.contains("ranks")) {  // absent in checkpoints of earlier revisions
      WorkerLayout& layout = origin.layout.emplace();
      json.at("backend").get_to(layout.backend);
      json.at("ranks").get_to(layout.ranks);
      json.at("threads").get_to(layout.threads);
      json.at("hosts").get_to(layout.hosts);
    }
    return origin;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace tessera
