// SPDX-License-Identifier: MIT
#include "report/version.hpp"

namespace tessera {

std::string version() {
  return TESSERA_VERSION;
}

std::string revision() {
  return TESSERA_REVISION;
}

std::string compiler() {
  return TESSERA_COMPILER;
}

std::string version_line(const std::string& mpi_library) {
  return "tessera " TESSERA_VERSION " (revision " TESSERA_REVISION ", " TESSERA_COMPILER ", " +
         (mpi_library.empty() ? "no MPI" : mpi_library) + ")";
}

}  // namespace tessera
