// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "heuristic/heuristic.hpp"
#include "heuristic/heuristic_spec.hpp"

namespace tessera {

/// The maximum of any heuristics, chosen at run time; admissible because each of them is. Each part
/// is behind a virtual call, so the block kernel's own maximum of tables is faster.
class Maximum {
 public:
  static constexpr HeuristicInfo info{.name = "max(A,B,...)",
                                      .summary = "the largest of several",
                                      .consistent = false,
                                      .limits = "its parts'",
                                      .memory = "its parts'",
                                      .set_up = "its parts'"};
  static constexpr int f_step = 0;
  static constexpr int unrolled_cells = 0;
  static constexpr std::size_t most_parts = 8;
  static constexpr std::size_t state_bytes = 264;

  /// The parts' states, one after another, and the value of each part.
  struct State {
    alignas(8) std::array<std::byte, state_bytes> bytes;
    std::array<std::int16_t, most_parts> h;
  };

  /// Throws Error(input) if there are too many parts, or their states take too many bytes.
  static void require(const HeuristicSpec& spec);

  /// Throws like `require`, and whatever the parts throw.
  Maximum(const Instance& instance, const HeuristicSpec& spec, const std::string& table_directory);

  [[nodiscard]] int evaluate(const Board& labels) const;
  [[nodiscard]] State start(const Board& labels) const;

  template <class Position, class StepT>
  [[nodiscard]] int rise(const Position& position, unsigned label, StepT step, State& state) const {
    const Step<int, int, int> plain{step.blank, step.next, step.direction};
    int before = 0;
    int after = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      before = std::max<int>(before, state.h[i]);
      state.h[i] = static_cast<std::int16_t>(
          state.h[i] - 1 +
          parts_[i]->rise(position, label, plain, state.bytes.data() + offsets_[i]));
      after = std::max<int>(after, state.h[i]);
    }
    return 1 + after - before;
  }

 private:
  template <class H>
  static constexpr std::size_t bytes_of = (sizeof(typename H::State) + 7) / 8 * 8;

  using Bytes = BytePosition<Size::max_cells>::Handle;

  struct Part {
    virtual ~Part() = default;
    [[nodiscard]] virtual int evaluate(const Board& labels) const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    virtual void start(const Board& labels, std::byte* state) const = 0;
    [[nodiscard]] virtual int rise(const NibblePosition& position, unsigned label,
                                   Step<int, int, int> step, std::byte* state) const = 0;
    [[nodiscard]] virtual int rise(const Bytes& position, unsigned label, Step<int, int, int> step,
                                   std::byte* state) const = 0;
  };

  template <class H>
  struct PartOf final : Part {
    explicit PartOf(H&& h) : heuristic(std::move(h)) {}

    [[nodiscard]] int evaluate(const Board& labels) const override {
      return heuristic.evaluate(labels);
    }
    [[nodiscard]] std::size_t bytes() const override { return bytes_of<H>; }
    void start(const Board& labels, std::byte* state) const override {
      const State value = heuristic.start(labels);
      std::memcpy(state, &value, sizeof value);
    }
    [[nodiscard]] int rise(const NibblePosition& position, unsigned label, Step<int, int, int> step,
                           std::byte* state) const override {
      return rise_at(position, label, step, state);
    }
    [[nodiscard]] int rise(const Bytes& position, unsigned label, Step<int, int, int> step,
                           std::byte* state) const override {
      return rise_at(position, label, step, state);
    }

    using State = typename H::State;
    static_assert(std::is_trivially_copyable_v<State>);

    template <class Position>
    [[nodiscard]] int rise_at(const Position& position, unsigned label, Step<int, int, int> step,
                              std::byte* state) const {
      State value;
      std::memcpy(&value, state, sizeof value);
      const int rise = heuristic.rise(position, label, step, value);
      std::memcpy(state, &value, sizeof value);
      return rise;
    }

    H heuristic;
  };

  std::vector<std::shared_ptr<const Part>> parts_;
  std::vector<std::size_t> offsets_;  // of their states
};

}  // namespace tessera
