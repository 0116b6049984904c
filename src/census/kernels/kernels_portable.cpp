// SPDX-License-Identifier: MIT
#include "census/kernels/kernels.hpp"
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "census/kernels/kernels_body.inc"
#include "census/kernels/packing_body.inc"

namespace tessera {

extern const SlabKernels slab_kernels_portable;
const SlabKernels slab_kernels_portable{"portable", pack<false>, unpack<false>, swap_in_words,
                                        straddle,   permute,     permute_into,  permute_blocks,
                                        unite,      find,        count_bits,    remove_duplicates};

}  // namespace tessera
