// SPDX-License-Identifier: MIT
#include "heuristic/maximum.hpp"

#include "base/error.hpp"
#include "heuristic/own_heuristic.hpp"
#include "heuristic/registry.hpp"

namespace tessera {

void Maximum::require(const HeuristicSpec& spec) {
  if (spec.parts.size() > most_parts) {
    bad_input("heuristic max(...) of " + std::to_string(spec.parts.size()) +
              " heuristics, expected at most " + std::to_string(most_parts));
  }
  std::size_t bytes = 0;
  for (const auto& [name, partition] : spec.parts) {
    const bool named = with_heuristic<Heuristics>(
        name, [&]<class H>(std::type_identity<H>) { bytes += bytes_of<H>; });
    if (!named) bytes += partition.empty() ? bytes_of<OwnHeuristic> : bytes_of<Additive>;
  }
  if (bytes > state_bytes) {
    bad_input("heuristic max(...) keeps " + std::to_string(bytes) +
              " bytes with a board, expected heuristics that keep at most " +
              std::to_string(state_bytes) + ", of which a partition takes " +
              std::to_string(bytes_of<Additive>));
  }
}

Maximum::Maximum(const Instance& instance, const HeuristicSpec& spec,
                 const std::string& table_directory) {
  require(spec);
  std::size_t offset = 0;
  for (const HeuristicSpec::Part& part : spec.parts) {
    const auto add = [&]<class H>(H&& heuristic) {
      parts_.push_back(std::make_shared<PartOf<H>>(std::forward<H>(heuristic)));
    };
    const bool named = with_heuristic<Heuristics>(part.name, [&]<class H>(std::type_identity<H>) {
      add(make_heuristic<H>(instance, {}, table_directory));
    });
    if (part.is_partition()) add(Additive(instance, {part.partition}, table_directory));
    else if (auto own = own_heuristic(part.name)) add(OwnHeuristic(instance, std::move(own)));
    else if (!named)
      bad_input("heuristic " + part.name + ": every rank must add it (add_heuristic)");
    offsets_.push_back(offset);
    offset += parts_.back()->bytes();
  }
}

int Maximum::evaluate(const Board& labels) const {
  int most = 0;
  for (const auto& part : parts_) most = std::max(most, part->evaluate(labels));
  return most;
}

Maximum::State Maximum::start(const Board& labels) const {
  State state{};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i]->start(labels, state.bytes.data() + offsets_[i]);
    state.h[i] = static_cast<std::int16_t>(parts_[i]->evaluate(labels));
  }
  return state;
}

}  // namespace tessera
