// SPDX-License-Identifier: MIT
#include "tessera/search/pruning.hpp"

#include <map>
#include <mutex>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/puzzle/geometry.hpp"

namespace tessera {

int Pruning::count_ways(State state, int first) const {
  int count = 0;
  for (int d = first; d < 4; ++d) count += next(state, d) != none ? 1 : 0;
  return count;
}

// State `cell` knows no last move; state cells x (1 + way back) + cell knows it.
Pruning Pruning::parent(Size size) {
  const RuntimeGeometry geometry(size);
  const int cells = size.cells();
  Pruning rule;
  for (int back = -1; back < 4; ++back) {
    for (int cell = 0; cell < cells; ++cell) {
      Row row{};
      for (int d = 0; d < 4; ++d) {
        row[static_cast<std::size_t>(d)] =
            geometry.allowed(cell, back, d)
                ? static_cast<State>(cells * (4 - d) + cell + geometry.offset(d))
                : none;
      }
      rule.next_.push_back(row);
    }
  }
  return rule;
}

std::shared_ptr<const Pruning> Pruning::named(std::string_view name, Size size) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Pruning>> known;
  const std::string key = std::string(name) + " " + to_string(size);
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Pruning>& rule = known[key];
  if (rule) return rule;
  if (name == "parent") return rule = std::make_shared<const Pruning>(parent(size));
  bad_input("prune " + quote(name) + " is unknown, expected parent");
}

}  // namespace tessera
