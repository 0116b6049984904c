// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/context.hpp"
#include "cli/crew.hpp"
#include "cli/exit_code.hpp"
#include "cli/heuristics.hpp"
#include "cli/signals.hpp"
#include "cli/table_list.hpp"
#include "tessera/base/clock.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/heuristic/registry.hpp"
#include "tessera/pdb/table_file.hpp"
#include "tessera/pdb/table_store.hpp"
#include "tessera/report/output.hpp"
#include "tessera/report/progress.hpp"

namespace tessera {
namespace {

int build(const Config& config, Context& context) {
  // In metric multi there are no patterns: the tables are those of lines.
  const bool multi = config.metric == Metric::multi;
  if (!config.partition && !multi) {
    bad_input("pdb build: --partition is missing, expected such as 7-8");
  }
  if (config.partition && multi) {
    bad_input("pdb build: --partition: additive databases are for --metric single");
  }
  if (!config.size) bad_input("pdb build: --size is missing, expected such as 4x4");
  const Goal goal = config.goal ? parse_goal(*config.goal, *config.size) : Goal();
  const Board goal_board = goal.board(*config.size);
  const std::string name = multi ? std::string(Lines::info.name) : "pdb:" + *config.partition;
  const HeuristicSpec spec = resolve_heuristic(name, goal_board, config.metric);
  const std::vector<TableRequest> requests = table_requests(spec, *config.size, goal_board.blank());

  stop_on_signals(context.interrupted);
  Crew crew = hire(config, context);
  Output errors = Output::standard_error();
  Output answers = Output::standard_output();
  const std::string folder = table_folder(config);
  std::vector<bool> was_there;
  for (const TableRequest& request : requests) was_there.push_back(is_cached(folder, request));

  ProgressObserver observer(errors, config.shown_progress(), false);
  observer.board_started("pdb build " + name);
  const Stopwatch watch;
  Problem problem{make_instance(goal_board, goal_board), to_string(spec)};
  problem.table_directory = folder;
  const bool made = crew.backend->prepare(problem, [&](double done) {
    observer.table_progress(done);
    return !context.interrupted.load(std::memory_order_relaxed);
  });
  observer.clear();
  if (!made) {
    errors.write("tessera: stopped by a signal; no unfinished table is kept\n");
    return exit_stopped;
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    answers.write(fmt::format("{} {}: {} entries, {:.1f} MiB\n", was_there[i] ? "there" : "built",
                              (std::filesystem::path(folder) / file_name(requests[i].key)).string(),
                              requests[i].cost.entries, mebibytes(requests[i].cost.file_bytes)));
  }
  if (!config.quiet) {
    errors.write(
        fmt::format("{} in {:.2f} s\n", counted(requests.size(), "table"), watch.seconds()));
  }
  return exit_answered;
}

int verify(const Config& config) {
  if (config.words.size() < 2) bad_input("pdb verify: no file, expected FILE...");
  Output answers = Output::standard_output();
  int code = exit_answered;
  for (std::size_t i = 1; i < config.words.size(); ++i) {
    const std::filesystem::path path = config.words[i];
    try {
      const TableFile table(path);
      if (path.filename().string() != file_name(table.key())) {
        throw Error(ErrorKind::corrupt,
                    path.string() + ": holds the table " + file_name(table.key()));
      }
      answers.write(path.string() + ": good\n");
    } catch (const Error& error) {
      Output::standard_error().write(std::string("tessera: ") + error.what() + "\n");
      code = std::max<int>(code, exit_code(error.kind()));
    }
  }
  return code;
}

}  // namespace

int command_pdb(const Config& config, Context& context) {
  const std::string action = config.words.empty() ? "" : config.words[0];
  if ((action == "build" || action == "list") && config.words.size() > 1) {
    bad_input("pdb " + action + ": " + quote(config.words[1]) + " is not expected");
  }
  if (config.json && action != "list") bad_input("--json is for pdb list");
  if (action == "build") return build(config, context);
  if (config.collections && action != "list") {
    bad_input("--collections is for pdb list");
  }
  if (action == "list") return config.collections ? list_collections(config) : list_tables(config);
  if (action == "verify") return verify(config);
  const std::vector<std::string> actions{"build", "list", "verify"};
  bad_input("pdb: " + unknown_name(action, actions));
}

}  // namespace tessera
