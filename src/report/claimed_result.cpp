// SPDX-License-Identifier: MIT
#include "report/claimed_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "puzzle/board_json.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_text.hpp"
#include "report/board_result.hpp"

namespace tessera {
namespace {

std::string text(const nlohmann::json& row, const char* key) {
  const nlohmann::json& value = field_of(row, key);
  if (!value.is_string()) bad_input(std::string("no string \"") + key + "\" in this result");
  return value.get<std::string>();
}

template <class T>
void read(const nlohmann::json& row, const char* key, std::optional<T>& into,
          std::string& malformed) {
  constexpr bool is_bool = std::is_same_v<T, bool>;
  constexpr bool is_count = !is_bool && std::is_unsigned_v<T>;
  const nlohmann::json& value = field_of(row, key);
  const bool fits = is_bool    ? value.is_boolean()
                    : is_count ? value.is_number_unsigned()
                               : value.is_number_integer();
  if (fits) {
    into = value.get<T>();
  } else if (!value.is_null()) {
    malformed = fmt::format("has \"{}\" {}, expected {} or null", key, shown(value),
                            is_bool    ? "true, false"
                            : is_count ? "a whole number from 0 on"
                                       : "a whole number");
  }
}

void read_board(const nlohmann::json& row, ClaimedResult& claim) {
  const nlohmann::json& size = field_of(row, "size");
  claim.board =
      parse_board(board_text(field_of(row, "board")),
                  size.is_null() ? std::nullopt : std::optional(parse_size(text(row, "size"))));
}

void read_moves(const nlohmann::json& row, ClaimedResult& claim) {
  if (field_of(row, "moves").is_string()) {
    try {
      claim.moves = parse_moves(text(row, "moves"), Mover::tile);
    } catch (const Error& error) {
      claim.malformed = std::string(malformed_moves) + ": " + error.what();
    }
  }
  const nlohmann::json& lengths = field_of(row, "lengths");
  read(lengths, "single", claim.single, claim.malformed);
  read(lengths, "multi", claim.multi, claim.malformed);
  if (const nlohmann::json& all = field_of(row, "all_moves"); all.is_array()) {
    for (const auto& listed : all) {
      claim.all_moves.push_back(listed.is_string() ? listed.get<std::string>() : "?");
    }
  }
  if (const nlohmann::json& good = field_of(row, "good_moves"); good.is_object()) {
    claim.good_moves.emplace();
    for (const auto& [move, begun] : good.items()) {
      if (begun.is_number_unsigned() && begun != 0)
        claim.good_moves->emplace(move, begun.get<std::uint64_t>());
    }
  }
}

void read_bounds(const nlohmann::json& row, ClaimedResult& claim) {
  read(row, "length", claim.length, claim.malformed);
  read(row, "lower_bound", claim.lower_bound, claim.malformed);
  read(row, "upper_bound", claim.upper_bound, claim.malformed);
  read(row, "solvable", claim.solvable, claim.malformed);
  read(row, "optimal", claim.optimal, claim.malformed);
  read(row, "verified", claim.verified, claim.malformed);
  read(row, "solutions", claim.solutions, claim.malformed);
  const auto is_null = [&](const char* key) {
    return row.contains(key) && field_of(row, key).is_null();
  };
  claim.no_length = is_null("length");
  claim.no_lower_bound = is_null("lower_bound");
  claim.no_upper_bound = is_null("upper_bound");
}

// Of optimize.
void read_optimization(const nlohmann::json& row, ClaimedResult& claim) {
  read(row, "solves", claim.solves, claim.malformed);
  read(row, "length_before", claim.length_before, claim.malformed);
  if (!claim.solves && claim.moves && claim.has_board()) {
    // In older files.
    const Board goal = parse_goal(claim.goal, claim.board.size()).board(claim.board.size());
    claim.solves = replayed(claim.board, *claim.moves) == goal;
  }
}

void read_times(const nlohmann::json& row, ClaimedResult& claim) {
  const nlohmann::json& begin = field_of(row, "begin_seconds");
  const nlohmann::json& end = field_of(row, "end_seconds");
  if (begin.is_number() && end.is_number() &&
      (begin.get<double>() < 0 || end.get<double>() < begin.get<double>())) {
    claim.malformed = "ends before it begins, or begins before its run";
  }
  if (const auto& share = field_of(row, "cpu_share");
      share.is_number() && (share.get<double>() < 0 || share.get<double>() > 1)) {
    claim.malformed = "has a \"cpu_share\" outside of 0 to 1";
  }
}

void read_iterations(const nlohmann::json& row, ClaimedResult& claim) {
  claim.independent = field_of(row, "bounds") == "independent";
  // The levels of the others overlap on several ranks.
  const auto engine = field_of(row, "engine").is_string() ? text(row, "engine") : "ida";
  claim.deepens = engine == "ida" || engine == "iddfs" || engine == "iddfs-pruned";
  if (const nlohmann::json& nodes = field_of(row, "nodes"); nodes.is_object()) {
    read(nodes, "expanded", claim.expanded, claim.malformed);
    read(nodes, "generated", claim.generated, claim.malformed);
  }
  const nlohmann::json& iterations = field_of(row, "iterations");
  if (!iterations.is_array()) {
    claim.deepens = false;  // for all that this row says
    return;
  }
  for (const nlohmann::json& iteration : iterations) {
    if (!iteration.is_object()) continue;
    const auto amount = [&](const char* key) {
      std::optional<std::int64_t> value;
      read(iteration, key, value, claim.malformed);
      return value.value_or(0);
    };
    claim.iterations.push_back({.bound = amount("bound"),
                                .expanded = amount("expanded"),
                                .generated = amount("generated"),
                                .complete = field_of(iteration, "complete") != false});
  }
}

}  // namespace

ClaimedResult parse_result(std::string_view json_line) {
  const auto row = parse_json_object<nlohmann::json>(json_line);
  if (row.is_discarded() && json_line.starts_with('{')) {
    bad_input("is not JSON, expected an object on each line");
  }
  return claim_of(row);
}

ClaimedResult claim_of(const nlohmann::json& row) {
  const nlohmann::json& schema = field_of(row, "schema");
  const bool shortened = schema == "tessera.optimization/1";
  if (!shortened && schema != "tessera.result/1") {
    bad_input(
        "not a result of solve --json or optimize --json, expected "
        "\"schema\":\"tessera.result/1\", or a CSV whose "
        "first line names the columns, such as id,board,moves");
  }
  ClaimedResult claim;
  claim.id = text(row, "id");
  claim.metric = parse_metric(text(row, "metric"));
  claim.status = text(row, "status");
  if (shortened && claim.status == "finished") claim.status = "solved";
  if (claim.status == "error" && field_of(row, "board").is_null()) return claim;
  claim.goal = text(row, "goal");
  if (std::ranges::find(statuses, claim.status) == std::end(statuses)) {
    bad_input("status " + quote(claim.status) +
              " is unknown, expected one that solve --json writes");
  }
  read_board(row, claim);
  read_moves(row, claim);
  read_bounds(row, claim);
  if (shortened) read_optimization(row, claim);
  read_times(row, claim);
  read_iterations(row, claim);
  return claim;
}

}  // namespace tessera
