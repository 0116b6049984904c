// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/machine.hpp"
#include "heuristic/collection.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera {

/// Computes the moves to spare of all views together with AVX2: a shuffle looks up a slot's excess
/// for each of 16 views. Only for views of at most four slots with exact excesses.
template <int Views, int Slots>
class ViewSums {
 public:
  using Spare = std::array<std::uint8_t, Views>;
  using Excess = std::array<std::uint8_t, Slots>;

  /// The result for the requested views.
  struct Verdict {
    bool exact;           ///< false: some slot's excess is inexact, nothing was done
    bool within;          ///< no view puts the node beyond the bound
    std::uint64_t tight;  ///< views without a move to spare
  };

  /// Whether these views are supported here.
  bool arrange(std::span<const View> views) {
#if defined(__x86_64__)
    for (auto& group : places_) group.fill(no_places);
    for (std::size_t v = 0; v < views.size(); ++v) {
      if (views[v].size() > most_slots) return false;
      for (std::size_t n = 0; n < views[v].size(); ++n) {
        const std::size_t s = views[v][n];
        places_[v / 16][n][s / 16].at[v % 16] = static_cast<std::uint8_t>(s % 16);
      }
    }
    return Slots <= 64 && vector_support().avx2;
#else
    return views.size() > Views;  // never
#endif
  }

#if defined(__x86_64__)
  /// `room`: bound - g - Manhattan distance. Writes the moves to spare of `views`, a bit set.
  [[gnu::target("popcnt,bmi,bmi2,avx2")]] Verdict judge(const Excess& excess, int room,
                                                        std::uint64_t views, Spare& spare) const {
    std::array<Vector, Slots / 16> slots;
    __m128i any = _mm_setzero_si128();
    for (std::size_t t = 0; t < slots.size(); ++t) {
      slots[t].value = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&excess[16 * t]));
      any = _mm_or_si128(any, slots[t].value);
    }
    static_assert(AwareSlot::inexact == 0x80);
    if (_mm_movemask_epi8(any) != 0) return {false, false, 0};
    const __m128i each = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201));
    const __m128i byte_of_bit = _mm_set_epi64x(0x0101010101010101, 0);
    std::uint64_t beyond = 0;
    std::uint64_t tight = 0;
    for (std::size_t group = 0; group < places_.size(); ++group) {
      __m128i left = _mm_set1_epi8(static_cast<char>(std::min(room / 2, 127)));
      for (const auto& nth : places_[group]) {
        for (std::size_t t = 0; t < slots.size(); ++t) {
          const auto* const at = reinterpret_cast<const __m128i*>(nth[t].at.data());
          left = _mm_sub_epi8(left, _mm_shuffle_epi8(slots[t].value, _mm_load_si128(at)));
        }
      }
      const auto bits = static_cast<int>(views >> (16 * group) & 0xffff);
      const __m128i asked = _mm_cmpeq_epi8(
          _mm_and_si128(_mm_shuffle_epi8(_mm_cvtsi32_si128(bits), byte_of_bit), each), each);
      auto* const to = reinterpret_cast<__m128i*>(&spare[16 * group]);
      _mm_storeu_si128(to, _mm_blendv_epi8(_mm_loadu_si128(to), left, asked));
      const __m128i none = _mm_cmpeq_epi8(left, _mm_setzero_si128());
      beyond |= bits_of(_mm_and_si128(left, asked)) << (16 * group);
      tight |= bits_of(_mm_and_si128(none, asked)) << (16 * group);
    }
    return {true, beyond == 0, tight};
  }

 private:
  // A plain __m128i array would lose its alignment as a template argument.
  struct Vector {
    __m128i value;
  };
  [[gnu::target("popcnt,bmi,bmi2,avx2")]] static std::uint64_t bits_of(__m128i bytes) {
    return static_cast<unsigned>(_mm_movemask_epi8(bytes));
  }
#else
  Verdict judge(const Excess&, int, std::uint64_t, Spare&) const {
    return {false, false, 0};
  }

 private:
#endif
  static constexpr std::size_t most_slots = 4;
  struct alignas(16) Places {
    std::array<std::uint8_t, 16> at;  // by view: the index of its slot among 16, or 128
  };
  using BySlots = std::array<Places, (Slots + 15) / 16>;
  static constexpr BySlots no_places = [] {
    BySlots places{};
    for (Places& some : places) some.at.fill(0x80);
    return places;
  }();

  std::array<std::array<BySlots, most_slots>, Views / 16> places_{};
};

}  // namespace tessera
