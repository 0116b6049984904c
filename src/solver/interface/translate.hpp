// SPDX-License-Identifier: MIT
// Between the public types, in api, and those of the sources. Do not include tessera/tessera.hpp
// here: it gives the names of api to users.
#pragma once

#include <new>
#include <string_view>
#include <tessera/board.hpp>
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

/// What `work` returns; std::bad_alloc and JobFailed become an Error.
template <class Work>
auto translated(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    out_of_resources("out of memory");
  } catch (const JobFailed& failed) {
    throw Error(failed.failure().kind, failed.failure().message);
  }
}

}  // namespace tessera
