// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace tessera {

/// For tests, called where a rank begins its part of a step. With TESSERA_STEPS=FILE in the
/// environment each step's name is appended to that file once, a line each. With
/// TESSERA_INJECT=STEP:RANK:KIND that rank throws there: `error` an internal failure, `corrupt`
/// that of a damaged file, `memory` bad_alloc; `delay` has it sleep for 20 ms instead, each time.
void inject(std::string_view step, int rank);

}  // namespace tessera
