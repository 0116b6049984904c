// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/machine.hpp"
#include "base/memory_limit.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/context.hpp"
#include "heuristic/maximum.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"
#include "report/version.hpp"
#include "search/kernels/bucket_expand.hpp"
#include "solver/heuristic_choice.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

// Of both metrics, and composed ones.
std::vector<HeuristicInfo> all_heuristics() {
  std::vector<HeuristicInfo> infos = heuristic_infos();
  infos.push_back({.name = "pdb:PARTITION",
                   .summary = "additive pattern databases, with their mirror image",
                   .consistent = false,
                   .limits = "sides up to 8",
                   .memory = "half a byte per entry",
                   .set_up = "0.05 us per entry"});
  for (const HeuristicInfo& info : heuristic_infos(Metric::multi)) {
    if (info.name != Zero::info.name) infos.push_back(info);
  }
  infos.push_back(Maximum::info);
  return infos;
}

std::string heuristic_table() {
  constexpr std::string_view row = "{:<16} {:<26} {:<22} {:<17} {:<11} {}\n";
  std::string text =
      fmt::format(row, "heuristic", "sizes", "memory", "set-up", "consistent", "what it is");
  for (const HeuristicInfo& info : all_heuristics()) {
    text += fmt::format(row, info.name, info.limits, info.memory, info.set_up,
                        info.consistent ? "yes" : "no", info.summary);
  }
  return text;
}

// The contents of the table folder, as JSON and as text, or why there is none.
std::pair<Json, std::string> table_cache(const Config& config) {
  try {
    const std::string folder = table_folder(config.table_directory);
    const std::vector<std::filesystem::path> files = table_files(folder);
    std::uint64_t bytes = 0;
    for (const std::filesystem::path& file : files) {
      std::error_code unknown;
      const std::uintmax_t size = file_size(file, unknown);
      if (!unknown) bytes += size;
    }
    return {Json{{"folder", folder}, {"count", files.size()}, {"bytes", bytes}},
            fmt::format("{}: {}, {:.1f} MiB", folder, counted(files.size(), "table"),
                        mebibytes(bytes))};
  } catch (const Error& error) {
    return {nullptr, error.what()};
  }
}

Json heuristics_json() {
  Json list = Json::array();
  for (const HeuristicInfo& info : all_heuristics()) {
    list.push_back({{"name", info.name},
                    {"sizes", info.limits},
                    {"memory", info.memory},
                    {"set_up", info.set_up},
                    {"consistent", info.consistent},
                    {"summary", info.summary}});
  }
  return list;
}

}  // namespace

int command_info(const Config& config, Context& context) {
  CommandOutput output(config);
  const MemoryShare memory = memory_share(memory_limits(), 1);
  const std::vector<RankPlace> places = context.places(config.threads);
  auto [tables, cache] = table_cache(config);
  const std::string backend = to_string(choose_workers(config, places).backend);
  const std::string on_4x4 = choose_heuristic(config, Goal().board({4, 4}), 1).name;
  const std::string on_5x5 = choose_heuristic(config, Goal().board({5, 5}), 1).name;

  std::string text = version_line(Context::mpi_library()) + "\n";
  text += fmt::format("CPU           {}\n", cpu_name());
  Json kernels = Json::array();
  for (const NamedExpander& expander : bucket_expanders()) kernels.push_back(expander.name);
  text +=
      fmt::format("bucket kernel {}\n", fmt::join(kernels.get<std::vector<std::string>>(), ", "));
  text += fmt::format("memory        {:.1f} GiB, {:.1f} GiB free; the limit is {}\n",
                      static_cast<double>(memory.total_bytes) / (1 << 30),
                      static_cast<double>(memory.free_bytes) / (1 << 30), memory.bound_by);
  const auto quota = cpu_quota();
  if (quota) {
    text += fmt::format("CPU quota     {:.2f} CPUs of cgroup {}\n", quota->cpus, quota->group);
  }
  text += fmt::format("layout        {} on {}\n", counted(context.ranks(), "rank"),
                      counted(context.hosts(), "host"));
  Json ranks = Json::array();
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const RankPlace& place = places[rank];
    text += fmt::format("rank {:<8} {}: may use {}, --threads {} gives {}\n", rank, place.host,
                        counted(place.cpus, "CPU"), config.threads, place.threads);
    ranks.push_back({{"host", place.host}, {"cpus", place.cpus}, {"threads", place.threads}});
  }
  text += fmt::format("table cache   {}\n", cache);
  text += fmt::format("auto          backend {}, heuristic {} on 4x4 and {} on 5x5\n", backend,
                      on_4x4, on_5x5);
  const Json json{{"schema", "tessera.info/1"},
                  {"version", version()},
                  {"revision", revision()},
                  {"compiler", compiler()},
                  {"mpi", or_null<Json>(Context::mpi_library())},
                  {"cpu", cpu_name()},
                  {"cpu_quota", quota ? Json(quota->cpus) : Json(nullptr)},
                  {"kernels", std::move(kernels)},
                  {"memory",
                   {{"total_bytes", memory.total_bytes},
                    {"free_bytes", memory.free_bytes},
                    {"limit", memory.bound_by}}},
                  {"hosts", context.hosts()},
                  {"ranks", std::move(ranks)},
                  {"tables", std::move(tables)},
                  {"auto", {{"backend", backend}, {"4x4", on_4x4}, {"5x5", on_5x5}}},
                  {"heuristics", heuristics_json()}};
  // A path or host name may contain any bytes.
  output.answer(config.heuristics ? heuristic_table() : text);
  output.write_json(to_line(json));
  return exit_answered;
}

}  // namespace tessera
