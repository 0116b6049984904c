// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "tessera/report/board_result.hpp"

namespace tessera {

/// The workers that the options ask for, and how a result names them.
struct Crew {
  RunSetup setup;
  std::vector<RankPlace> places;
  std::unique_ptr<Backend> own;
  Backend* backend = nullptr;
};

/// Throws Error(input) where the backend cannot be had.
[[nodiscard]] Crew hire(const Config& config, Context& context);

/// Hires workers of this process: `serial` or `threads`.
void use_own(Crew& crew, const std::string& backend, int threads);

/// What search threads may take beside tables: a bucket kernel's levels, touched as far as they
/// fill.
[[nodiscard]] std::uint64_t search_bytes(const RunSetup& setup);

/// Throws Error(resource) where --memory does not do for the search threads and tables of that
/// size.
void expect_memory(const Config& config, const RunSetup& setup, std::uint64_t table_bytes);

/// A line of warning where a bound CPU set holds fewer CPUs than threads; else empty.
[[nodiscard]] std::string binding_warning(const Crew& crew, std::string_view option);

}  // namespace tessera
