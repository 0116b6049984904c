// SPDX-License-Identifier: MIT
// Between the public types, in api, and those of the sources. Do not include tessera/tessera.hpp
// here: it gives the names of api to users.
#pragma once

#include <string_view>
#include <tessera/board.hpp>
#include <tessera/error.hpp>
#include <tessera/options.hpp>

#include "base/failure.hpp"
#include "puzzle/board.hpp"
#include "solver/options.hpp"

namespace tessera {

[[nodiscard]] Board internal(const api::Board& board);
[[nodiscard]] api::Board external(const Board& board);
/// Throws Error(input) if the goal is not one of that size.
[[nodiscard]] Board goal_board(std::string_view name, Size size);
/// Adapted to the engine. Throws Error(input).
[[nodiscard]] SearchOptions search_options(const api::Options& options, int ranks);

/// Throws the exception being handled as an api::Error.
[[noreturn]] inline void throw_translated() {
  const Failure failure = current_failure();
  throw api::Error(static_cast<api::ErrorKind>(failure.kind), failure.message);
}

/// What `work` returns; what it throws as an api::Error. JobFailed passes unchanged.
template <class Work>
auto translated(const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw_translated();
  } catch (const std::bad_alloc&) {
    throw_translated();
  }
}

}  // namespace tessera
