// SPDX-License-Identifier: MIT
#include "census/kernels/packing_body.inc"

namespace tessera {

constinit const SlabKernels slab_kernels_portable = kernels_named<false>("portable");

}  // namespace tessera
