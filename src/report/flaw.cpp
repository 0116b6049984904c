// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/text.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_sequence.hpp"
#include "report/claimed_result.hpp"

namespace tessera {
namespace {

// For a claim whose length is that of its moves, or which has neither.
std::string flaw_of_bounds(const ClaimedResult& claim) {
  const auto upper = claim.upper_bound;
  const auto lower = claim.lower_bound;
  const bool optimal = claim.optimal.value_or(false);
  if (!claim.length) {
    if (optimal) return "has no moves, the file says optimal";
    if (claim.verified.value_or(false)) return "has no moves, the file says verified";
    return upper ? fmt::format("has no moves, the file says at most {}", *upper) : "";
  }
  const std::string has = "has " + counted(*claim.length, "move");
  if (claim.no_upper_bound) return has + ", the file has no upper bound";
  if (optimal && claim.no_lower_bound) return has + ", optimal, the file has no lower bound";
  if (claim.verified == false) return has + ", the file says not verified";
  if (upper && *upper != *claim.length) {
    return fmt::format("{}, the file says at most {}", has, *upper);
  }
  if (lower && (*lower < 0 || *lower > *claim.length)) {
    return fmt::format("{}, the file says at least {}", has, *lower);
  }
  if (optimal && claim.status != "solved") {
    return fmt::format("{}, the file says optimal and {}", has, claim.status);
  }
  // A stopped search for all solutions does not know whether the bound of its length is complete.
  const bool is_closed = lower && *lower == *claim.length;
  if (claim.optimal && lower && optimal != is_closed && (optimal || claim.status == "solved")) {
    return fmt::format("{}, the file says {}optimal and at least {}", has, optimal ? "" : "not ",
                       *lower);
  }
  return "";
}

// For a list of solutions.
std::string flaw_of_list(const ClaimedResult& claim, const Board& goal) {
  for (std::size_t i = 0; i < claim.all_moves.size(); ++i) {
    const std::string& moves = claim.all_moves[i];
    if (replayed_length(claim.board, goal, moves, claim.metric) == claim.length) continue;
    return fmt::format("has a solution {} in its list that is none of {}", i + 1,
                       counted(claim.length.value_or(0), "move"));
  }
  const std::set<std::string> different(claim.all_moves.begin(), claim.all_moves.end());
  if (different.size() < claim.all_moves.size()) return "has a solution twice in its list";
  if (claim.solutions) {
    const std::uint64_t sum = *claim.solutions;
    std::uint64_t begun = 0;
    if (claim.good_moves) {
      for (const auto& [move, solutions] : *claim.good_moves) begun += solutions;
    }
    // The only solution of a solved board begins with no move.
    const std::uint64_t to_begin = claim.length.value_or(0) > 0 ? sum : 0;
    if (sum == 0 || different.size() > sum || (claim.good_moves && begun != to_begin)) {
      return fmt::format("has other numbers of solutions in its lists, the file says {}", sum);
    }
  }
  if (claim.good_moves && claim.length > 0) {
    for (const auto& [move, solutions] : *claim.good_moves) {
      if (moves_of(move, claim.metric).size() == 1 && replayed(claim.board, move)) continue;
      return "has a good move " + quote(move) + " that is none of its board";
    }
    if (!claim.good_moves->contains(moves_of(*claim.moves, claim.metric)[0])) {
      return "begins with none of its good moves";
    }
  }
  // Without their number, it is not known whether the list is complete.
  if (!claim.solutions || different.size() < *claim.solutions) return "";
  if (!different.contains(*claim.moves)) return "has moves that are not in its list";
  if (!claim.good_moves) return "";
  std::map<std::string, std::uint64_t> good_moves;
  for (const std::string& moves : different) {
    if (!moves.empty()) ++good_moves[moves_of(moves, claim.metric).front()];
  }
  return good_moves == claim.good_moves ? "" : "has other good moves than its solutions begin with";
}

// For bounds that were searched one after the other.
std::string flaw_of_deepening(const ClaimedResult& claim) {
  for (std::size_t i = 1; i < claim.iterations.size(); ++i) {
    const ClaimedBound& before = claim.iterations[i - 1];
    const std::int64_t bound = claim.iterations[i].bound;
    if (!before.complete) {
      return fmt::format("has bounds after {}, which is not complete", before.bound);
    }
    if (bound <= before.bound) return fmt::format("has bound {} after {}", bound, before.bound);
  }
  const ClaimedBound& last = claim.iterations.back();
  if (claim.length && last.bound > *claim.length) {
    return fmt::format("has {}, the file has a bound of {}", counted(*claim.length, "move"),
                       last.bound);
  }
  if (claim.status == "solved") {
    return last.complete ? "" : fmt::format("is solved, but bound {} is not complete", last.bound);
  }
  if (claim.no_lower_bound) return "has searched bounds, the file has no lower bound";
  if (!claim.lower_bound) return "";
  const std::int64_t lower = *claim.lower_bound;
  const std::size_t complete = claim.iterations.size() - (last.complete ? 0 : 1);
  if (complete > 0 && lower <= claim.iterations[complete - 1].bound) {
    return fmt::format("has no solution within {}, the file says at least {}",
                       claim.iterations[complete - 1].bound, lower);
  }
  if (lower < 0 || (!last.complete && lower > last.bound)) {
    return fmt::format("has not completed bound {}, the file says at least {}", last.bound, lower);
  }
  return "";
}

}  // namespace

std::string flaw(const ClaimedResult& claim) {
  if (!claim.malformed.empty()) return claim.malformed;
  if (!claim.has_board()) return {};
  const Board goal = parse_goal(claim.goal, claim.board.size()).board(claim.board.size());
  const bool solves = claim.solves.value_or(true);
  const bool has_solution = !solves || solvable(claim.board, goal);
  const bool says_unsolvable = claim.status == "unsolvable";
  const bool replays_wrongly = !has_solution && !says_unsolvable && claim.moves;
  const bool says_either = claim.status != "error";
  if (!replays_wrongly && ((says_either && says_unsolvable == has_solution) ||
                           claim.solvable.value_or(has_solution) != has_solution)) {
    return has_solution ? "is solvable, the file says unsolvable"
                        : "is unsolvable, the file says solvable";
  }
  if (says_unsolvable) {
    if (claim.moves || claim.length) return "is unsolvable, the file has moves";
    if (claim.lower_bound || claim.upper_bound) return "is unsolvable, the file has bounds";
    if (claim.optimal.value_or(false)) return "is unsolvable, the file says optimal";
    return claim.verified.value_or(false) ? "is unsolvable, the file says verified" : "";
  }
  if (!claim.moves) {
    if (claim.status == "solved") return "has no moves, the file says solved";
    if (claim.length) return fmt::format("has no moves, the file says {}", *claim.length);
    return flaw_of_bounds(claim);
  }
  const std::optional<Board> end = replayed(claim.board, *claim.moves);
  if (!end) return std::string(malformed_moves);
  if (solves && *end != goal) return "does not end at its goal";
  if (!solves && *end == goal) return "ends at its goal, the file says that it does not";
  for (const auto& [metric, said] :
       {std::pair(Metric::single, claim.single), std::pair(Metric::multi, claim.multi)}) {
    const int has = solution_length(*claim.moves, metric);
    if (said.value_or(has) != has) {
      return fmt::format("has {} moves in metric {}, the file says {}", has, to_string(metric),
                         *said);
    }
  }
  const int length = solution_length(*claim.moves, claim.metric);
  if (claim.length_before && length > *claim.length_before) {
    return fmt::format("has {} moves, more than the {} before", length, *claim.length_before);
  }
  if (!claim.length && !claim.no_length) {
    ClaimedResult full = claim;
    full.length = length;
    return flaw(full);
  }
  if (claim.length == length) {
    const std::string wrong = flaw_of_list(claim, goal);
    return wrong.empty() ? flaw_of_bounds(claim) : wrong;
  }
  return fmt::format("has {} moves, the file says {}", length,
                     claim.length ? std::to_string(*claim.length) : "nothing");
}

std::string flaw_of_iterations(const ClaimedResult& claim) {
  std::uint64_t expanded = 0;
  std::uint64_t generated = 1;  // the board itself, once
  for (const ClaimedBound& iteration : claim.iterations) {
    if (iteration.expanded < 0 || iteration.generated < 0) return "has a negative number of nodes";
    expanded += static_cast<std::uint64_t>(iteration.expanded);
    generated += static_cast<std::uint64_t>(iteration.generated);
  }
  const auto wrong_sum = [](const char* what, std::uint64_t sum, std::optional<std::int64_t> said) {
    if (!said || static_cast<std::uint64_t>(*said) == sum) return std::string();
    return fmt::format("has {} nodes {} in its bounds, the file says {} in all", sum, what, *said);
  };
  std::string wrong = wrong_sum("expanded", expanded, claim.expanded);
  if (claim.iterations.empty()) return claim.deepens ? wrong : "";
  if (wrong.empty()) wrong = wrong_sum("generated", generated, claim.generated);
  if (!wrong.empty()) return wrong;
  // Larger bounds may have ended before smaller ones.
  return claim.deepens && !claim.independent ? flaw_of_deepening(claim) : "";
}

}  // namespace tessera
