// SPDX-License-Identifier: MIT
#include "census/kernels/packing_body.inc"

namespace tessera {

constinit const SlabKernels slab_kernels_avx512 = kernels_named<true>("avx512");

}  // namespace tessera
