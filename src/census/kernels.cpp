// SPDX-License-Identifier: MIT
#include "census/kernels.hpp"

#include <array>

namespace tessera {

extern const TileKernels tile_kernels_portable;
#if TESSERA_CENSUS_X86
extern const TileKernels tile_kernels_avx2;
extern const TileKernels tile_kernels_avx512;
#endif

const TileKernels* const* all_tile_kernels(std::size_t& count) {
  struct Usable {
    std::array<const TileKernels*, 3> list{&tile_kernels_portable};
    std::size_t count = 1;
  };
  static const Usable usable = [] {
    Usable found;
#if TESSERA_CENSUS_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) {
      found.list[found.count++] = &tile_kernels_avx2;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vpopcntdq")) {
      found.list[found.count++] = &tile_kernels_avx512;
    }
#endif
    return found;
  }();
  count = usable.count;
  return usable.list.data();
}

const TileKernels& tile_kernels() {
  std::size_t count = 0;
  const TileKernels* const* const list = all_tile_kernels(count);
  return *list[count - 1];
}

}  // namespace tessera
