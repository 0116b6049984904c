// SPDX-License-Identifier: MIT
#include "solver/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/effort.hpp"
#include "search/pruning/automaton_cost.hpp"
#include "search/pruning/pruning.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

// The total memory of a search that stores boards, including tables: what is allowed, or most of
// the machines'.
std::uint64_t board_memory(const SearchOptions& options, const Workers& workers) {
  const MemoryShare share = share_of_rank(workers.places);
  const auto ranks = static_cast<std::uint64_t>(workers.ranks());
  if (options.memory_bytes) return std::min(*options.memory_bytes, share.total_bytes * ranks);
  // The system would kill a search that fills all memory, without an answer.
  return std::min(share.total_bytes / 4 * 3, share.free_bytes / 10 * 9) * ranks;
}

// All tables, and the largest build of those that are missing.
std::uint64_t setup_bytes(const SearchOptions& options, const Plan& plan) {
  std::uint64_t largest = 0;
  for (const TableRequest& missing : missing_of(requests_of(plan), options.table_directory)) {
    largest = std::max(largest, missing.cost.build_bytes);
  }
  return plan.table_bytes + largest;
}

// Each host maps the tables once.
std::uint64_t on_all_hosts(std::uint64_t table_bytes, const Workers& workers) {
  return table_bytes * static_cast<std::uint64_t>(workers.hosts());
}

std::uint64_t total_memory(const SearchOptions& options) {
  return std::min(options.memory_bytes.value_or(~std::uint64_t{0}), total_memory_bytes());
}

}  // namespace

std::uint64_t search_bytes(int threads) {
  return thread_bytes * static_cast<std::uint64_t>(threads);
}

MemoryShare share_of_rank(const std::vector<RankPlace>& places) {
  std::map<std::string, int> ranks;  // by host
  for (const RankPlace& place : places) ++ranks[place.host];
  int most = 1;
  for (const auto& [host, count] : ranks) most = std::max(most, count);
  return share_of_machine(most);
}

std::uint64_t search_memory(const SearchOptions& options, const Workers& workers,
                            const Plan& plan) {
  const std::uint64_t search =
      stores_boards(options.engine)
          ? board_memory(options, workers)
          : on_all_hosts(plan.table_bytes, workers) + search_bytes(workers.count()) +
                automaton_cost(plan.heuristic.target.size(), plan.prune).bytes;
  return std::max(setup_bytes(options, plan), search);
}

bool fits_memory(const SearchOptions& options, std::uint64_t table_bytes) {
  const std::uint64_t allowed = total_memory(options);
  return table_bytes <= allowed / 2 &&
         table_bytes + search_bytes(local_threads(options)) <= allowed;
}

std::uint64_t automaton_room(const SearchOptions& options, std::uint64_t table_bytes) {
  constexpr std::uint64_t program = std::uint64_t{32} << 20;
  const std::uint64_t total = total_memory(options);
  return total - std::min(total, table_bytes + program);
}

void expect_automaton_room(const SearchOptions& options, Size size, std::uint64_t table_bytes) {
  const auto key = Pruning::stored_as(*options.prune, size);
  if (!key) return;
  const AutomatonCost cost = automaton_cost(size, *options.prune);
  const std::uint64_t room = automaton_room(options, table_bytes);
  const bool exists = is_stored(*options.prune, size, options.table_directory);
  const std::uint64_t need = exists ? cost.bytes : cost.build_bytes;
  if (need <= room) return;
  out_of_resources(fmt::format(
      "--prune {}: its automaton needs {}{}, {} are left beside the tables; choose --prune {}",
      to_string(*options.prune), bytes_text(need), exists ? "" : " while it is built",
      bytes_text(room),
      to_string(deepest_automaton(
          size, static_cast<int>(key->homes) - 2,
          [&](PruneRule, const AutomatonCost& lower) { return lower.build_bytes <= room; }))));
}

BestFirstOptions best_first_options(const SearchOptions& options, const Workers& workers,
                                    std::uint64_t table_bytes) {
  table_bytes = on_all_hosts(table_bytes, workers);
  const std::uint64_t allowed = board_memory(options, workers);
  constexpr std::uint64_t least = std::uint64_t{1} << 20;
  const std::uint64_t ranks = static_cast<std::uint64_t>(workers.ranks());
  if (allowed < table_bytes + ranks * least) {
    out_of_resources(
        fmt::format("--memory: --engine {} and tables of {} need {} at least, {} are allowed",
                    to_string(options.engine), bytes_text(table_bytes),
                    bytes_text(table_bytes + ranks * least), bytes_text(allowed)));
  }
  const bool boards = options.batch == Batch::boards;
  const auto searches = boards ? static_cast<std::uint64_t>(workers.count()) : ranks;
  return {.order = options.engine == Engine::astar    ? BestFirstOrder::astar
                   : options.engine == Engine::greedy ? BestFirstOrder::greedy
                                                      : BestFirstOrder::breadth,
          .parallel = options.parallel,
          .queues = options.queues,
          .memory_bytes = (allowed - table_bytes) / searches};
}

void expect_memory(const SearchOptions& options, const Workers& workers,
                   std::uint64_t table_bytes) {
  if (stores_boards(options.engine)) {
    (void)best_first_options(options, workers, table_bytes);
    return;
  }
  table_bytes = on_all_hosts(table_bytes, workers);
  const std::uint64_t need = search_bytes(workers.count()) + table_bytes;
  if (options.memory_bytes && *options.memory_bytes < need) {
    out_of_resources(
        fmt::format("--memory: {} and tables of {} may need {}, {} are allowed; "
                    "give more, or {}",
                    counted(workers.count(), "search thread"), bytes_text(table_bytes),
                    bytes_text(need), bytes_text(*options.memory_bytes),
                    table_bytes > *options.memory_bytes || workers.count() == 1
                        ? "choose a heuristic with smaller tables"
                        : "use fewer threads"));
  }
}

IncumbentOptions incumbent_options(const SearchOptions& options, const Workers& workers, Size size,
                                   std::uint64_t table_bytes) {
  IncumbentOptions incumbent = options.incumbent;
  incumbent.seed = options.seed;
  incumbent.prove = options.engine != Engine::beam;
  if (incumbent.prove && !incumbent.automatic && incumbent.width == 0) return incumbent;
  table_bytes = on_all_hosts(table_bytes, workers);
  const std::uint64_t allowed = board_memory(options, workers);
  incumbent.memory_bytes =
      (allowed - std::min(allowed, table_bytes)) / static_cast<std::uint64_t>(workers.ranks());
  constexpr std::uint64_t default_width = 65'536;  // of --engine beam without a width
  if (!incumbent.prove && incumbent.width == 0) incumbent.width = default_width;
  constexpr int most_cells_without = 16;  // up to here, IDA* finds a solution sooner
  incumbent.automatic = incumbent.automatic && options.engine == Engine::ida &&
                        size.cells() > most_cells_without && why_no_incumbent(options) == nullptr &&
                        (options.metric == Metric::single || has_multi_beam(size));
  return incumbent;
}

std::string beam_memory_line(const Problem& problem, const IncumbentOptions& options,
                             const SubtreeExecutor& executor) {
  if (options.width == 0 || problem.instance.start == problem.instance.goal()) return {};
  const int ranks = executor.beam_ranks(options.width);
  const std::uint64_t need = beam_bytes(problem, options.width, ranks);
  if (need <= options.memory_bytes) {
    return fmt::format("a beam of {} boards takes {}{}\n", with_commas(options.width),
                       bytes_text(need), ranks > 1 ? " on each rank" : "");
  }
  out_of_resources(
      fmt::format("a beam search of width {} needs {} on each rank, {} are allowed "
                  "beside the tables",
                  options.width, bytes_text(need), bytes_text(options.memory_bytes)));
}

}  // namespace tessera
