// SPDX-License-Identifier: MIT
#include "census/kernels/kernels.hpp"

#include <array>

namespace tessera {

extern const SlabKernels slab_kernels_portable;
#if TESSERA_CENSUS_X86
extern const SlabKernels slab_kernels_avx2;
extern const SlabKernels slab_kernels_avx2_bmi2;
extern const SlabKernels slab_kernels_avx512;
#endif

const SlabKernels* const* all_slab_kernels(std::size_t& count) {
  struct Usable {
    std::array<const SlabKernels*, 4> list{&slab_kernels_portable};
    std::size_t count = 1;
  };
  static const Usable usable = [] {
    Usable found;
#if TESSERA_CENSUS_X86
    const bool bmi2 = __builtin_cpu_supports("bmi2") != 0;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) {
      found.list[found.count++] = &slab_kernels_avx2;
      // Before Zen 3 AMD's processors take these instructions bit by bit.
      const bool slow = __builtin_cpu_is("znver1") != 0 || __builtin_cpu_is("znver2") != 0;
      if (bmi2 && !slow) found.list[found.count++] = &slab_kernels_avx2_bmi2;
    }
    if (bmi2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vpopcntdq")) {
      found.list[found.count++] = &slab_kernels_avx512;
    }
#endif
    return found;
  }();
  count = usable.count;
  return usable.list.data();
}

const SlabKernels& slab_kernels() {
  std::size_t count = 0;
  const SlabKernels* const* const list = all_slab_kernels(count);
  return *list[count - 1];
}

}  // namespace tessera
