// SPDX-License-Identifier: MIT
#include "model/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "model/replay.hpp"
#include "model/simulated_tree.hpp"
#include "protocol/deal.hpp"
#include "protocol/rank_tree.hpp"
#include "search/tree/balance_policy.hpp"

namespace tessera {
namespace {

// Stages of the rank tree, with messages one after another.
double tree_stages(int ranks) {
  return std::ceil(std::log2(ranks));
}

using SubtreesByRank = std::vector<std::vector<SimulatedNode>>;

// When each rank has its first subtrees and has passed on those for the ranks below it in the tree
// (protocol/rank_tree); rank 0 has them at `begin`, in seconds.
std::vector<double> scatter_ends(const Machine& machine, const SubtreesByRank& subtrees,
                                 double begin) {
  std::vector<std::size_t> before{0};  // subtrees of all lower ranks
  for (const auto& of_rank : subtrees) before.push_back(before.back() + of_rank.size());
  std::vector<double> time(subtrees.size(), begin);
  for (int rank = 0; rank < machine.ranks; ++rank) {
    double& now = time[static_cast<std::size_t>(rank)];
    for (const RankBlock& below : blocks_below(rank, machine.ranks)) {
      const auto first = static_cast<std::size_t>(below.first);
      const auto items =
          static_cast<double>(before[static_cast<std::size_t>(below.end)] - before[first]);
      const double bytes =
          items * machine.item_bytes + static_cast<double>(below.size() * sizeof(std::uint64_t));
      now += 2 * machine.message_seconds + bytes / machine.bytes_per_second;
      // A waiting rank polls at intervals.
      time[first] = now + machine.latency_seconds + balance.busy_wait_seconds / 2;
    }
  }
  return time;
}

// The duration of the collectives at the end, once all ranks are there: the costs of `subtrees` are
// summed and the results of ranks merged, both along a tree.
double gather_seconds(const Machine& machine, std::size_t subtrees) {
  const double look = balance.idle_wait_seconds / 2;
  const double sum = machine.latency_seconds +
                     static_cast<double>(subtrees) * machine.sum_bytes / machine.bytes_per_second;
  const double merge =
      look + machine.latency_seconds + 2 * machine.message_seconds + machine.result_seconds;
  // The block doubles with each stage.
  const double bytes = machine.ranks * (machine.result_bytes +
                                        machine.threads * static_cast<double>(sizeof(double)));
  return tree_stages(machine.ranks) * (sum + merge) + bytes / machine.bytes_per_second;
}

}  // namespace

// Measured: 2 to 4 KiB per rank of one thread, up to 1 KiB for each further thread.
std::uint64_t simulation_bytes(const Machine& machine) {
  constexpr std::uint64_t kib = 1024;
  return static_cast<std::uint64_t>(machine.ranks) *
         (3 + static_cast<std::uint64_t>(machine.threads)) * kib;
}

Simulation simulate(const WorkRecord& record, const SimulationOptions& options) {
  const Machine& machine = options.machine;
  const double rate = machine.rate > 0 ? machine.rate : record.rate;
  const double workers = static_cast<double>(machine.ranks) * machine.threads;
  const double slow = machine.slow_ranks * (1 - 1 / machine.slowness) * machine.threads;
  const double together = (workers - slow) * rate;  // nodes per second of all threads

  Simulation result;
  // Scaled by the last iteration, so that the others stay in proportion to it.
  const auto last = static_cast<double>(record.iterations.back().nodes.front().expanded);
  if (options.work_seconds > 0) {
    result.scale = options.work_seconds * rate * machine.ranks * machine.threads / last;
  }
  result.bound = record.iterations[options.iteration].bound;
  const SimulatedTree tree(record, options.iteration, result.scale, options.seed);
  const bool running_cut = options.schedule == Schedule::stealing;
  const std::vector<SimulatedNode> leaves =
      simulated_cut(tree, static_cast<std::size_t>(workers), running_cut);
  result.subtrees = leaves.size();
  // The sum over the scaled tree, so that efficiency refers to the replayed work.
  for (const SimulatedNode& leaf : leaves) result.expanded += leaf.cost;

  // Rank 0 lists and deals, then an announcement and the subtrees go down a tree.
  const double stages = tree_stages(machine.ranks);
  const double busy_stage =
      balance.busy_wait_seconds / 2 + machine.latency_seconds + machine.message_seconds;
  const double listed = static_cast<double>(leaves.size()) * machine.item_seconds;
  const std::vector<int> threads(static_cast<std::size_t>(machine.ranks), machine.threads);
  SubtreesByRank by_rank = dealt(leaves, &SimulatedNode::expected, threads, options.schedule);
  const std::vector<double> starts = scatter_ends(machine, by_rank, listed + stages * busy_stage);
  const Replayed replayed = replay(options, tree, rate, std::move(by_rank), starts, result);

  // All ranks synchronize, counts and bound are reduced, and rank 0 gathers.
  result.makespan_seconds = replayed.end;
  if (machine.ranks > 1) {
    result.makespan_seconds += 2 * round_seconds(machine) + gather_seconds(machine, leaves.size());
  }
  const double end = result.makespan_seconds - replayed.completed_at;
  const double rounds =
      machine.ranks > 1 ? replayed.end / std::max(balance.round_seconds, stages * busy_stage) : 0;
  result.messages_per_rank += rounds * 2 * stages;
  result.most_messages += rounds * 2 * stages;

  const double makespan = result.makespan_seconds;
  result.speedup = result.expanded / (makespan * rate);
  result.efficiency = result.expanded / (makespan * together);
  double start = 0;
  for (const double time : starts) {
    start += std::min(time, replayed.completed_at) / static_cast<double>(starts.size());
  }
  result.lost_start = start / makespan;
  result.lost_starved =
      std::max(0.0, replayed.starved_seconds / (makespan * workers) - result.lost_start);
  result.lost_tail = std::max(
      0.0, replayed.idle_seconds / (makespan * workers) - result.lost_start - result.lost_starved);
  result.lost_end = end / makespan;
  result.lost_polls = replayed.lost_to_polls * (1 - result.lost_start - result.lost_end);
  result.busiest_main_thread =
      (result.busiest_main_thread + rounds * 2 * stages * machine.message_seconds) / makespan;
  return result;
}

std::string Simulation::limit() const {
  const std::pair<double, const char*> losses[] = {
      {lost_start, "start-up: rank 0 deals and scatters"},
      {lost_starved, "threads without work in the middle"},
      {lost_tail, "the tail: too little is left to share"},
      {lost_end, "the end: rounds and the gather on rank 0"},
      {lost_polls, "main threads that poll for messages"}};
  if (busiest_main_thread > 0.5) return "a main thread that is busy with messages";
  return std::ranges::max(losses, {}, &std::pair<double, const char*>::first).second;
}

}  // namespace tessera
