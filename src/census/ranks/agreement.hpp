// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tessera/base/error.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// What an error is as text that travels; empty is none.
[[nodiscard]] std::string failure_text(const Error& error);
/// Throws the first failure of those of the ranks as a CommonError, if there is any.
void throw_first_failure(const std::vector<std::string>& failures);

/// Has every rank do its part, and throws on all of them what the first that failed threw. A
/// collective call; `work` must not be one.
void agree(Exchange& exchange, const std::function<void()>& work);

}  // namespace tessera
