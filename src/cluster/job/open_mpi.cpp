// SPDX-License-Identifier: MIT
#include "cluster/job/session.hpp"

#include <mpi.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "base/machine.hpp"

namespace tessera {

// Boost.MPI reports only the version of the standard.
std::string Session::library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string version(text.data(), static_cast<std::size_t>(length));
  return version.substr(0, version.find(','));
}

std::in_place_t Session::settle_transports() {
  // Version 5 is reported to lose small messages between ranks of a host in ring buffers, "fast
  // boxes", so that ranks wait forever (docs/decisions/0023). Without these, messages use a queue.
  // Version 4 names the setting differently. User settings take precedence, here and below.
  setenv("OMPI_MCA_btl_sm_fbox_threshold", "2147483647", 0);  // sends before a box is set up

  // Version 5 asks the kernel for routes between the hosts' addresses, and prints a line for each
  // pair of ranks if a host has no route to its own IPv6 address. Ranks of one host share memory;
  // make it compare networks instead, as version 4 does.
  const std::string_view ranks = environment("OMPI_COMM_WORLD_SIZE");
  if (!ranks.empty() && ranks == environment("OMPI_COMM_WORLD_LOCAL_SIZE")) {
    setenv("OMPI_MCA_reachable", "weighted", 0);
  }
  return std::in_place;
}

bool Session::single_copy_allowed() {
  const std::string_view components = environment("OMPI_MCA_smsc");
  const bool excluded =
      components.starts_with('^') && components.find("cma") != std::string_view::npos;
  return !excluded && environment("OMPI_MCA_btl_vader_single_copy_mechanism") != "none";
}

}  // namespace tessera
