// SPDX-License-Identifier: MIT
#include "heuristic/batch_look_up.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

namespace tessera {
namespace {

__attribute__((target("avx2"))) inline __m128i load(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

}  // namespace

__attribute__((target("avx2"))) void BatchLookUp::locate_with_vectors(
    const Boards& boards, std::span<LookUp> look_ups) const {
  const __m128i sixteen = _mm_set1_epi8(16);
  // A shuffle gives 0 for an index with bit 7 set, as in these sums from 16 on.
  const __m128i not_low = _mm_set1_epi8(0x70);
  for (LookUp& look_up : look_ups) {
    const Slot& slot = slots_[look_up.slot];
    const Numbering& numbering = *slot.numbering;
    const std::uint8_t* const from = boards.cells + look_up.board * boards.stride;
    const __m128i own =
        _mm_or_si128(_mm_shuffle_epi8(load(from), load(slot.from_low.data())),
                     _mm_shuffle_epi8(load(from + 16), load(slot.from_high.data())));
    const __m128i cells =
        _mm_or_si128(_mm_shuffle_epi8(load(slot.image_low.data()), _mm_add_epi8(own, not_low)),
                     _mm_shuffle_epi8(load(slot.image_high.data()), _mm_sub_epi8(own, sixteen)));
    const __m128i behind = _mm_cmpgt_epi8(_mm_shuffle_epi8(cells, load(numbering.later.data())),
                                          _mm_shuffle_epi8(cells, load(numbering.earlier.data())));
    const auto outcome = static_cast<unsigned>(_mm_movemask_epi8(behind));
    const __m128i digits = _mm_madd_epi16(_mm_maddubs_epi16(cells, load(numbering.radix.data())),
                                          load(numbering.factors.data()));
    const auto sums = static_cast<std::uint64_t>(_mm_cvtsi128_si64(digits));
    look_up.index = static_cast<std::uint32_t>(sums) * numbering.last_factor +
                    static_cast<std::uint32_t>(sums >> 32) - numbering.low[outcome & 255] -
                    numbering.high[outcome >> 8];
    __builtin_prefetch(plain_[look_up.slot].codes_ + look_up.index);
  }
}

// Same as Regions::number.
__attribute__((target("avx2"))) void BatchLookUp::number_regions(Lanes& batch) const {
  const __m256i not_left = _mm256_set1_epi32(~static_cast<int>(regions_.left_column()));
  const __m256i not_right = _mm256_set1_epi32(~static_cast<int>(regions_.right_column()));
  const __m128i width = _mm_cvtsi32_si128(regions_.width());
  const __m256i zero = _mm256_setzero_si256();
  const __m256i blank = _mm256_load_si256(reinterpret_cast<const __m256i*>(batch.blank.data()));
  __m256i open = _mm256_load_si256(reinterpret_cast<const __m256i*>(batch.open.data()));
  __m256i number = zero;
  for (;;) {
    __m256i region = _mm256_and_si256(open, _mm256_sub_epi32(zero, open));
    for (__m256i before = zero;;) {
      before = region;
      const __m256i sideways =
          _mm256_or_si256(_mm256_slli_epi32(_mm256_and_si256(region, not_right), 1),
                          _mm256_srli_epi32(_mm256_and_si256(region, not_left), 1));
      const __m256i up_and_down =
          _mm256_or_si256(_mm256_sll_epi32(region, width), _mm256_srl_epi32(region, width));
      region =
          _mm256_and_si256(open, _mm256_or_si256(region, _mm256_or_si256(sideways, up_and_down)));
      const __m256i grown = _mm256_xor_si256(region, before);
      if (_mm256_testz_si256(grown, grown) != 0) break;
    }
    if (_mm256_testc_si256(region, blank) != 0) break;  // all blanks are found
    // -1 in the lanes whose blank is in this region.
    const __m256i done = _mm256_cmpeq_epi32(_mm256_andnot_si256(region, blank), zero);
    number = _mm256_add_epi32(number, _mm256_add_epi32(_mm256_set1_epi32(1), done));
    open = _mm256_andnot_si256(_mm256_andnot_si256(done, region), open);
  }
  _mm256_store_si256(reinterpret_cast<__m256i*>(batch.region.data()), number);
}

}  // namespace tessera

#else

namespace tessera {

void BatchLookUp::locate_with_vectors(const Boards& boards, std::span<LookUp> look_ups) const {
  locate_one_by_one(boards, look_ups);
}
void BatchLookUp::number_regions(Lanes&) const {}

}  // namespace tessera

#endif
