// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "puzzle/direction.hpp"
#include "search/beam/beam.hpp"

namespace tessera {

/// The moves that led to the boards of a layer. A board stores its last moves itself; every 32
/// layers they are saved here, and the board stores their index: half a byte per board and layer.
class BeamTrail {
 public:
  static constexpr int stride = 32;
  static constexpr std::uint64_t start = ~std::uint64_t{0};  ///< the ancestor of the first boards

  /// Called with each new layer: saves the moves and ancestors of its boards when due.
  template <class Node>
  void note(int layer, int rank, std::vector<Node>& nodes, std::size_t count, ThreadTeam& team) {
    if (layer % stride != 0) return;
    std::vector<Step>& steps = steps_.emplace_back(count);
    constexpr std::size_t chunk = 4096;
    team.share((count + chunk - 1) / chunk, [&](std::size_t item, int) {
      for (std::size_t i = item * chunk; i < std::min(count, (item + 1) * chunk); ++i) {
        steps[i] = {nodes[i].moves, nodes[i].ancestor};
        nodes[i].moves = 0;
        nodes[i].ancestor = static_cast<std::uint64_t>(rank) << place_bits | i;
      }
    });
  }

  /// The path from the start to a board of that layer, in tile letters, on every rank. The board's
  /// moves and ancestor must be given on its own rank, 0 elsewhere.
  [[nodiscard]] std::string way(int layer, std::uint64_t moves, std::uint64_t ancestor,
                                BeamExchange& exchange) const {
    std::string letters;
    std::array<std::uint64_t, 2> step{moves, ancestor};
    int count = layer % stride;
    for (int left = layer;; count = stride) {
      exchange.sum(step);
      for (int i = 0; i < count; ++i, step[0] >>= 2) {
        letters.insert(letters.begin(), letter(static_cast<Direction>(step[0] & 3)));
      }
      left -= count;
      if (left == 0) return letters;
      const bool here = step[1] >> place_bits == static_cast<std::uint64_t>(exchange.rank());
      const std::size_t place = step[1] & ((std::uint64_t{1} << place_bits) - 1);
      const Step& set_down =
          here ? steps_[static_cast<std::size_t>(left / stride - 1)][place] : Step{};
      step = {set_down.moves, set_down.ancestor};
    }
  }

 private:
  static constexpr int place_bits = 40;
  struct Step {
    std::uint64_t moves = 0;
    std::uint64_t ancestor = 0;
  };
  std::vector<std::vector<Step>> steps_;
};

}  // namespace tessera
