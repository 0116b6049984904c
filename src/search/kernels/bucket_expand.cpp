// SPDX-License-Identifier: MIT
#include "search/kernels/bucket_expand.hpp"

#include <array>
#include <bit>

#include "base/machine.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera {
namespace {

// No branch per node: each child is written to both ends, and one of the two ends advances.
std::size_t expand_portable(const std::uint64_t* words, std::size_t count, const BucketStep& step,
                            std::uint64_t* same, std::uint64_t* lower) {
  const std::uint64_t cell = std::uint64_t{15} << step.shift;
  std::uint64_t scratch = 0;
  const std::size_t lower_stride = lower != nullptr ? 1 : 0;
  if (lower == nullptr) lower = &scratch;
  std::size_t near = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t tile = words[i] & cell;
    const std::uint64_t recedes = (step.receding >> (tile >> step.shift)) & 1;
    const std::uint64_t child = words[i] ^ tile ^ std::rotl(tile, step.rotation);
    same[near] = child;
    lower[(i - near) * lower_stride] = child;
    near += 1 - recedes;
  }
  return near;
}

#if defined(__x86_64__)

// Lane indices (pairs of 32 bits) that move the 64-bit lanes in a 4-bit mask to the front.
alignas(32) constexpr std::array<std::array<int, 8>, 16> front_lanes = [] {
  std::array<std::array<int, 8>, 16> table{};
  for (std::size_t mask = 0; mask < 16; ++mask) {
    std::size_t to = 0;
    for (int lane = 0; lane < 4; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      table[mask][to++] = 2 * lane;
      table[mask][to++] = 2 * lane + 1;
    }
  }
  return table;
}();

__attribute__((target("avx2,popcnt"))) std::size_t expand_avx2(const std::uint64_t* words,
                                                               std::size_t count,
                                                               const BucketStep& step,
                                                               std::uint64_t* same,
                                                               std::uint64_t* lower) {
  const __m256i cell = _mm256_set1_epi64x(static_cast<long long>(std::uint64_t{15} << step.shift));
  const __m256i receding = _mm256_set1_epi64x(static_cast<long long>(step.receding));
  const __m128i down = _mm_cvtsi32_si128(step.shift);
  const __m128i left = _mm_cvtsi32_si128(step.rotation);
  const __m128i right = _mm_cvtsi32_si128(64 - step.rotation);
  std::uint64_t* const first = same;
  for (std::size_t i = 0; i < count; i += 4) {
    const unsigned live = count - i >= 4 ? 15U : (1U << (count - i)) - 1;
    const __m256i word = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i));
    const __m256i tile = _mm256_and_si256(word, cell);
    const __m256i bit = _mm256_srlv_epi64(receding, _mm256_srl_epi64(tile, down));
    const unsigned recedes =
        static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64(bit, 63))));
    const __m256i moved =
        _mm256_or_si256(_mm256_sll_epi64(tile, left), _mm256_srl_epi64(tile, right));
    const __m256i child = _mm256_xor_si256(_mm256_xor_si256(word, tile), moved);
    const unsigned to_same = live & ~recedes;
    const unsigned to_lower = live & recedes;
    const auto* const lanes = reinterpret_cast<const __m256i*>(front_lanes.data());
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(same),
                        _mm256_permutevar8x32_epi32(child, _mm256_load_si256(lanes + to_same)));
    same += std::popcount(to_same);
    if (lower != nullptr) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(lower),
                          _mm256_permutevar8x32_epi32(child, _mm256_load_si256(lanes + to_lower)));
      lower += std::popcount(to_lower);
    }
  }
  return static_cast<std::size_t>(same - first);
}

// GCC 12 warns that the undefined operand inside its own intrinsics is ours (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
__attribute__((target("avx512f,popcnt"))) std::size_t expand_avx512(const std::uint64_t* words,
                                                                    std::size_t count,
                                                                    const BucketStep& step,
                                                                    std::uint64_t* same,
                                                                    std::uint64_t* lower) {
  const __m512i cell = _mm512_set1_epi64(static_cast<long long>(std::uint64_t{15} << step.shift));
  const __m512i receding = _mm512_set1_epi64(static_cast<long long>(step.receding));
  const __m512i rotation = _mm512_set1_epi64(step.rotation);
  const __m512i one = _mm512_set1_epi64(1);
  const __m128i down = _mm_cvtsi32_si128(step.shift);
  std::uint64_t* const first = same;
  for (std::size_t i = 0; i < count; i += 8) {
    const auto live = static_cast<__mmask8>(count - i >= 8 ? 255U : (1U << (count - i)) - 1);
    const __m512i word = _mm512_loadu_si512(words + i);
    const __m512i tile = _mm512_and_si512(word, cell);
    const __m512i bit = _mm512_srlv_epi64(receding, _mm512_srl_epi64(tile, down));
    const __mmask8 recedes = _mm512_mask_test_epi64_mask(live, bit, one);
    const __mmask8 nears = _mm512_mask_testn_epi64_mask(live, bit, one);
    // word ^ tile ^ rotated tile
    const __m512i child =
        _mm512_ternarylogic_epi64(word, tile, _mm512_rolv_epi64(tile, rotation), 0x96);
    // Compress in a register and store whole: a compressing store is microcoded on Zen 4.
    _mm512_storeu_si512(same, _mm512_maskz_compress_epi64(nears, child));
    same += std::popcount(static_cast<unsigned>(nears));
    if (lower != nullptr) {
      _mm512_storeu_si512(lower, _mm512_maskz_compress_epi64(recedes, child));
      lower += std::popcount(static_cast<unsigned>(recedes));
    }
  }
  return static_cast<std::size_t>(same - first);
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif

}  // namespace

std::vector<NamedExpander> bucket_expanders() {
  std::vector<NamedExpander> expanders;
#if defined(__x86_64__)
  const VectorSupport cpu = vector_support();
  if (cpu.avx512) expanders.push_back({"avx512", expand_avx512});
  if (cpu.avx2) expanders.push_back({"avx2", expand_avx2});
#endif
  expanders.push_back({"portable", expand_portable});
  return expanders;
}

}  // namespace tessera
