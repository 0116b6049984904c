// SPDX-License-Identifier: MIT
#include <atomic>
#include <string>
#include <vector>

#include "cli/run.hpp"
#include "cli/signals.hpp"
#if TESSERA_WITH_MPI
#include "tessera/cluster/session.hpp"
#endif

int main(int argc, char** argv) {
  tessera::settle_streams();
  tessera::explain_truncated_files();
#if TESSERA_WITH_MPI
  if (tessera::Session::launched()) {
    tessera::remember_user_signals();
    return tessera::cluster_main(argc, argv);
  }
#endif
  static std::atomic<bool> interrupted{false};
  tessera::Context context(interrupted);
  return tessera::run_command({argv + 1, argv + argc}, context);
}
