// SPDX-License-Identifier: MIT
#include "census/kernels/packing_body.inc"

namespace tessera {

constinit const SlabKernels slab_kernels_avx2 = kernels_named<false>("avx2");
constinit const SlabKernels slab_kernels_avx2_bmi2 = kernels_named<true>("avx2-bmi2");

}  // namespace tessera
