// SPDX-License-Identifier: MIT
#include "cli/option_groups.hpp"

#include <algorithm>
#include <span>

namespace tessera {
namespace {

constexpr std::string_view board_options[] = {"file", "set", "size", "goal", "metric"};
constexpr std::string_view search_options[] = {
    "engine", "engines", "heuristic",        "heuristics", "incumbent",  "all",
    "repeat", "study",   "finish-iteration", "sample",     "last-bound", "pdb-dir"};
constexpr std::string_view parallel_options[] = {
    "backend", "backends", "threads", "threads-per-rank", "workers", "schedule", "batch"};
constexpr std::string_view limit_options[] = {"time-limit", "node-limit",       "memory",
                                              "checkpoint", "checkpoint-every", "resume"};
constexpr std::string_view output_options[] = {"json",  "csv",      "trace",  "record",
                                               "quiet", "progress", "dry-run"};

bool holds(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string_view group_of(const OptionSpec& option, const CommandSpec& command) {
  if ((command.bit & (on_solve | on_estimate | on_compare)) == 0) return "Options";
  if (holds(board_options, option.name)) return "Boards";
  if (holds(search_options, option.name)) return "Search";
  if (holds(parallel_options, option.name)) return "Parallel";
  if (holds(limit_options, option.name)) return "Limits";
  if (holds(output_options, option.name)) return "Output";
  return expert_group;
}

}  // namespace tessera
