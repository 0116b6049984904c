// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "cli/context.hpp"
#include "tessera/report/board_result.hpp"

namespace tessera {

/// The workers that the options ask for, and how a result names them.
struct Crew {
  RunSetup setup;
  std::vector<RankPlace> places;
  std::unique_ptr<Executor> own;
  Executor* executor = nullptr;
};

/// Throws Error(input) where the backend cannot be had.
[[nodiscard]] Crew hire(const Config& config, Context& context);

}  // namespace tessera
