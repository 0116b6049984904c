// SPDX-License-Identifier: MIT
#include "tessera/model/proof.hpp"

#include <limits>

#include "tessera/model/effort.hpp"
#include "tessera/search/beam.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t width = 4096;
constexpr std::uint64_t sample_nodes = 50'000;

}  // namespace

double estimate_proof(const Problem& problem) {
  const auto search = make_subtree_search(problem);
  const int least = search->node_at("").f();
  Observer nobody;
  const BeamResult beam = beam_search(problem, {.width = width}, 1, {}, nobody);
  if (!beam.moves) return std::numeric_limits<double>::infinity();
  const int last_bound = static_cast<int>(beam.moves->size()) - 2;
  if (last_bound < least) return 0;
  EffortOptions options;
  options.last_bound = last_bound;
  options.nodes = sample_nodes;
  return estimate_effort(*search, options).expanded_to(last_bound);
}

}  // namespace tessera
