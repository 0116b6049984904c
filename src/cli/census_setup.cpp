// SPDX-License-Identifier: MIT
#include "cli/census_setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tessera/base/error.hpp"
#include "tessera/base/file.hpp"
#include "tessera/base/memory_limit.hpp"
#include "tessera/base/text.hpp"
#include "tessera/report/tables.hpp"

namespace tessera {

Size parse_census_size(std::string_view text) {
  const std::size_t x = text.find('x');
  if (x != std::string_view::npos) {
    const auto width = parse_integer(text.substr(0, x));
    const auto height = parse_integer(text.substr(x + 1));
    const auto fits = [](auto n) { return n && *n >= 1 && *n <= Size::max_cells; };
    if (fits(width) && fits(height) && *width * *height >= 2) {
      const Size size{static_cast<int>(*width), static_cast<int>(*height)};
      const bool line = size.width == 1 || size.height == 1;
      if (line ? size.cells() <= Size::max_cells : size.cells() <= 16) return size;
      if (size.cells() <= Size::max_cells) {
        throw Error(ErrorKind::resource,
                    fmt::format("census {}: more states than any machine can hold, expected "
                                "at most 16 cells, or one row",
                                to_string(size)));
      }
    }
  }
  bad_input("size " + quote(text) + " is not WxH with W,H >= 1 and at most 16 cells, or one row");
}

int parse_census_goal(const std::string& text, Size size) {
  if (text == "last") return size.cells() - 1;
  if (text == "first") return 0;
  if (text.starts_with("cell:")) {
    const auto cell = parse_integer(std::string_view(text).substr(5));
    if (cell && *cell >= 0 && *cell < size.cells()) return static_cast<int>(*cell);
  }
  bad_input("--goal: " + quote(text) +
            " is unknown, expected last, first or cell:K with K from 0 to " +
            std::to_string(size.cells() - 1));
}

static MemoryShare share_of_rank(const Context& context) {
  return memory_share(memory_limits(), std::max(1, context.ranks() / std::max(1, context.hosts())));
}

std::uint64_t memory_for_rank(const Config& config, const Context& context) {
  if (config.memory_bytes) return *config.memory_bytes;
  return share_of_rank(context).free_bytes / 10 * 9;
}

CensusDiskPlan disk_plan(const CensusTask& task, const Config& config, const Context& context,
                         int ranks, std::uint64_t memory_bytes) {
  int threads = 1;
  for (const RankPlace& place : context.places(config.threads)) {
    threads = std::max(threads, place.threads);
  }
  return census_disk_plan(task.size, task.metric, threads, memory_bytes, !task.checkpoint.empty(),
                          ranks);
}

void choose_storage(CensusTask& task, const Config& config, const Context& context) {
  const int ranks = context.ranks();
  const std::uint64_t need = census_memory_bytes(task.size, task.metric, ranks);
  const std::uint64_t there =
      std::min(memory_for_rank(config, context), share_of_rank(context).total_bytes);
  if (need <= there) return;
  if (config.disk) {
    task.disk = *config.disk;
    task.memory_bytes = there;
    const CensusDiskPlan plan = disk_plan(task, config, context, ranks, there);
    if (plan.batch_slabs == 0) {
      throw Error(
          ErrorKind::resource,
          fmt::format("census {} {}: a search on disk needs {} of memory{}, {} are {}",
                      to_string(task.size), to_string(task.metric), bytes_text(plan.least_memory),
                      ranks == 1 ? "" : fmt::format(" on each of {} ranks", ranks),
                      bytes_text(there), config.memory_bytes ? "allowed" : "free"));
    }
    // Of one rank's folder; what ranks share, and other hosts have, the search itself looks at.
    expect_room(task.disk, plan.disk_bytes);
    return;
  }
  const auto enough = census_ranks_for(task.size, task.metric, there);
  throw Error(
      ErrorKind::resource,
      fmt::format(
          "census {} {}: {} states need {} on each of {} rank{}, {} are {}{}", to_string(task.size),
          to_string(task.metric), census_states(task.size), bytes_text(need), ranks,
          ranks == 1 ? "" : "s", bytes_text(there), config.memory_bytes ? "allowed" : "free",
          enough ? fmt::format("; {} ranks with as much each suffice, or --disk FOLDER", *enough)
                 : "; no number of ranks with as much each suffices; try --disk "
                   "FOLDER"));
}

}  // namespace tessera
