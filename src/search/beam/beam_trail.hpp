// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "search/beam/beam.hpp"
#include "search/beam/beam_board.hpp"

namespace tessera {

/// The moves that led to the boards of a layer. A board stores its last moves itself; whenever they
/// fill a word, every 32 layers (8 in metric multi), they are saved here, and the board stores
/// their index: half a byte per board and layer (two bytes).
class BeamTrail {
 public:
  static constexpr std::uint64_t start = ~std::uint64_t{0};  ///< the ancestor of the first boards

  explicit BeamTrail(Metric metric) : bits_(BeamMove::bits(metric)), stride_(stride(metric)) {}

  /// For each board of a layer, after that many layers.
  static std::uint64_t bytes(Metric metric, int layers) {
    return sizeof(Step) * static_cast<std::uint64_t>(layers / stride(metric) + 1);
  }

  /// Called with each new layer of `count` boards, of which `node(i)` is one: saves their moves and
  /// ancestors when due.
  template <class NodeOf>
  void note(int layer, int rank, const NodeOf& node, std::size_t count, ThreadTeam& team) {
    if (layer % stride_ != 0) return;
    std::vector<Step>& steps = steps_.emplace_back(count);
    constexpr std::size_t chunk = 4096;
    team.share((count + chunk - 1) / chunk, [&](std::size_t item, int) {
      for (std::size_t i = item * chunk; i < std::min(count, (item + 1) * chunk); ++i) {
        BeamHead& head = node(i);
        steps[i] = {head.moves, head.ancestor};
        head.moves = 0;
        head.ancestor = static_cast<std::uint64_t>(rank) << place_bits | i;
      }
    });
  }

  /// The path from the start to a board of that layer, in tile letters, on every rank. The board's
  /// moves and ancestor must be given on its own rank, 0 elsewhere.
  [[nodiscard]] std::string path(int layer, std::uint64_t moves, std::uint64_t ancestor,
                                 Ranks& ranks) const {
    std::string letters;
    std::array<std::uint64_t, 2> step{moves, ancestor};
    int count = layer % stride_;
    for (int left = layer;; count = stride_) {
      ranks.sum(step);
      for (int i = 0; i < count; ++i, step[0] >>= bits_) {
        letters.insert(0, BeamMove::letters(step[0] & ((std::uint64_t{1} << bits_) - 1)));
      }
      left -= count;
      if (left == 0) return letters;
      const bool here = step[1] >> place_bits == static_cast<std::uint64_t>(ranks.rank());
      const std::size_t place = step[1] & ((std::uint64_t{1} << place_bits) - 1);
      const Step& saved =
          here ? steps_[static_cast<std::size_t>(left / stride_ - 1)][place] : Step{};
      step = {saved.moves, saved.ancestor};
    }
  }

 private:
  static constexpr int place_bits = 40;
  static int stride(Metric metric) { return 64 / BeamMove::bits(metric); }
  struct Step {
    std::uint64_t moves = 0;
    std::uint64_t ancestor = 0;
  };
  int bits_;    // of a move
  int stride_;  // layers
  std::vector<std::vector<Step>> steps_;
};

}  // namespace tessera
