// SPDX-License-Identifier: MIT
/// The interface of tessera, an optimal solver of sliding-tile puzzles:
///
///     tessera::Options options;
///     options.threads = 2;
///     tessera::Solver solver(options);
///     tessera::Result r = solver.solve(tessera::Board::parse("1 2 3/4 0 6/7 5 8"));
///
/// In CMake: find_package(tessera), target tessera::tessera. For ranks: tessera/mpi.hpp.
#pragma once

#include <tessera/board.hpp>
#include <tessera/error.hpp>
#include <tessera/heuristic.hpp>
#include <tessera/options.hpp>
#include <tessera/result.hpp>
#include <tessera/solver.hpp>
#include <tessera/version.hpp>

namespace tessera {
using namespace api;
}
