// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera {

/// "0.1.0"
[[nodiscard]] std::string version();
/// The revision of the sources, "1a2b3c4", and the compiler, "GNU 12.2.0".
[[nodiscard]] std::string revision();
[[nodiscard]] std::string compiler();
/// "tessera 0.1.0 (revision 1a2b3c4, GNU 12.2.0, MPI)"; MPI is the library's name or "no MPI".
[[nodiscard]] std::string version_line(const std::string& mpi_library);

}  // namespace tessera
