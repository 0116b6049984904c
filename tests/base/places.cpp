// SPDX-License-Identifier: MIT
#include "base/places.hpp"

namespace tessera {

const char* const tessera_program = TESSERA_PROGRAM;
const char* const failing_rank_program = TESSERA_FAILING_RANK;
const char* const injecting_program = TESSERA_INJECTING;
const char* const json_folder = TESSERA_JSON_FOLDER;

std::string test_data(const std::string& name) {
  return TESSERA_TEST_DATA "/" + name;
}

}  // namespace tessera
