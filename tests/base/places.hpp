// SPDX-License-Identifier: MIT
// Where the build and the sources lie. Only places.cpp names these folders: all other objects are
// the same in every folder, so builds share them through a compiler cache.
#pragma once

#include <string>

namespace tessera {

/// The program under test.
extern const char* const tessera_program;
/// The program in which one rank fails; empty in a build without MPI.
extern const char* const failing_rank_program;
/// The program under test with injected failures (tests/mpi/injected_failures.cpp); empty in a
/// build without MPI.
extern const char* const injecting_program;
/// Where the command-line tests keep the JSON that the program wrote.
extern const char* const json_folder;

/// The path of a file in tests/data.
std::string test_data(const std::string& name);

}  // namespace tessera
