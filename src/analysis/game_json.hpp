// SPDX-License-Identifier: MIT
#pragma once

#include "analysis/game_analysis.hpp"
#include "base/json_object.hpp"

namespace tessera {

/// Adds what schema tessera.analysis/1 says of distances and mistakes (`Json` is nlohmann's type).
template <class Json>
void add_analysis(Json& json, const GameAnalysis& game) {
  const auto distance = [&](std::size_t i) {
    return game.is_exact(i) ? Json(game.brackets[i].lower) : Json(nullptr);
  };
  json["length"] = game.length;
  json["optimal_length"] = distance(0);
  json["solves"] = game.solves;
  json["distances"] = Json::array();
  json["brackets"] = Json::array();
  for (std::size_t i = 0; i < game.brackets.size(); ++i) {
    json["distances"].push_back(distance(i));
    json["brackets"].push_back({game.brackets[i].lower, or_null<Json>(game.brackets[i].upper)});
  }
  json["mistakes"] = Json::array();
  for (const Mistake& mistake : game.mistakes) {
    json["mistakes"].push_back(
        {{"move", mistake.move},
         {"before", mistake.before},
         {"after", mistake.after},
         {"better", mistake.better.empty() ? Json(nullptr) : Json(mistake.better)}});
  }
}

}  // namespace tessera
