// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "tessera/census/exchange.hpp"

namespace tessera {

/// Has every rank do its part, and throws on all of them, as a CommonError, what the first that
/// failed threw. A collective call; `work` must not be one.
void agree(Exchange& exchange, const std::function<void()>& work);

}  // namespace tessera
