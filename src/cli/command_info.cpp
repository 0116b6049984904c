// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>

#include "cli/context.hpp"
#include "cli/exit_code.hpp"
#include "cli/heuristics.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/base/memory_limit.hpp"
#include "tessera/heuristic/maximum.hpp"
#include "tessera/heuristic/registry.hpp"
#include "tessera/report/output.hpp"
#include "tessera/report/version.hpp"
#include "tessera/search/bucket_expand.hpp"

namespace tessera {
namespace {

std::string heuristic_table() {
  constexpr std::string_view row = "{:<16} {:<18} {:<16} {:<13} {:<11} {}\n";
  std::string text =
      fmt::format(row, "heuristic", "sizes", "memory", "set-up", "consistent", "what it is");
  for (const HeuristicInfo& info : heuristic_infos()) {
    text += fmt::format(row, info.name, info.limits, info.memory, info.set_up,
                        info.consistent ? "yes" : "no", info.summary);
  }
  text += fmt::format(row, "pdb:PARTITION", "sides to 8", "half a byte an entry", "0.2 us an entry",
                      "no", "additive pattern databases, with their mirror image");
  const HeuristicInfo& lines = Lines::info;
  text +=
      fmt::format(row, lines.name, lines.limits, lines.memory, lines.set_up, "yes", lines.summary);
  const HeuristicInfo& max = Maximum::info;
  text += fmt::format(row, max.name, max.limits, max.memory, max.set_up, "no", max.summary);
  return text;
}

std::string cache_text(const Config& config) {
  try {
    const std::string folder =
        config.table_directory.empty() ? default_table_directory() : config.table_directory;
    std::uint64_t bytes = 0;
    int count = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (entry.path().extension() != ".pdb") continue;
      bytes += entry.file_size(none);
      ++count;
    }
    return fmt::format("{}: {} table{}, {:.1f} MiB", folder, count, count == 1 ? "" : "s",
                       static_cast<double>(bytes) / (1 << 20));
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

int command_info(const Config& config, Context& context) {
  Output output = Output::standard_output();
  if (config.heuristics) {
    output.write(heuristic_table());
    return exit_answered;
  }
  std::string text = version_line(context.mpi_library()) + "\n";
  text += fmt::format("CPU           {}\n", cpu_name());
  std::string expanders;
  for (const NamedExpander& expander : bucket_expanders()) {
    expanders += (expanders.empty() ? "" : ", ") + std::string(expander.name);
  }
  text += fmt::format("bucket kernel {}\n", expanders);
  const MemoryShare memory = memory_share(memory_limits(), 1);
  text += fmt::format("memory        {:.1f} GiB, {:.1f} GiB free; the limit is {}\n",
                      static_cast<double>(memory.total_bytes) / (1 << 30),
                      static_cast<double>(memory.free_bytes) / (1 << 30), memory.bound_by);
  text += fmt::format("layout        {} rank{} on {} host{}\n", context.ranks(),
                      context.ranks() == 1 ? "" : "s", context.hosts(),
                      context.hosts() == 1 ? "" : "s");
  const std::vector<RankPlace> places = context.places(config.threads);
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    text += fmt::format("rank {:<8} {}: may use {} CPU{}, --threads 0 gives {}\n", rank,
                        places[rank].host, places[rank].cpus, places[rank].cpus == 1 ? "" : "s",
                        places[rank].threads);
  }
  text += fmt::format("table cache   {}\n", cache_text(config));
  text += fmt::format("auto          backend {}, heuristic {} on 4x4 and {} on 5x5\n",
                      context.ranks() > 1 ? "mpi" : "threads",
                      choose_heuristic(config, Goal().board({4, 4}), 1).name,
                      choose_heuristic(config, Goal().board({5, 5}), 1).name);
  output.write(text);
  return exit_answered;
}

}  // namespace tessera
