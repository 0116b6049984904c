// SPDX-License-Identifier: MIT
#include "census/kernels/kernels.hpp"

#include <vector>

#include "base/machine.hpp"

namespace tessera {

std::span<const SlabKernels* const> all_slab_kernels() {
  static const std::vector<const SlabKernels*> usable = [] {
    std::vector<const SlabKernels*> found{&slab_kernels_portable};
#if TESSERA_CENSUS_X86
    if (!vector_support().avx2) return found;
    found.push_back(&slab_kernels_avx2);
    // Before Zen 3, AMD's processors execute BMI2's pext and pdep bit by bit.
    const bool slow = __builtin_cpu_is("znver1") != 0 || __builtin_cpu_is("znver2") != 0;
    if (!slow) found.push_back(&slab_kernels_avx2_bmi2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vpopcntdq")) {
      found.push_back(&slab_kernels_avx512);
    }
#endif
    return found;
  }();
  return usable;
}

const SlabKernels& slab_kernels() {
  return *all_slab_kernels().back();
}

}  // namespace tessera
