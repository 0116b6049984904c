// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

#include "census/census.hpp"
#include "cli/options/config.hpp"
#include "cli/process/exit_code.hpp"
#include "search/backend.hpp"
#include "solver/workers.hpp"

namespace tessera {

/// The process and, under mpirun, the job around a command: what commands need of MPI without
/// depending on it. This class is a process without ranks.
class Context {
 public:
  explicit Context(std::atomic<bool>& flag) : interrupted(flag) {}
  virtual ~Context() = default;
  /// Signals set `interrupted` from now on, until the process ends (signals.hpp).
  void stop_on_signals();
  [[nodiscard]] virtual int ranks() const { return 1; }
  [[nodiscard]] int hosts() const { return hosts_of(places(0)); }
  /// By rank, with `threads` search threads each (0: a fair share of the CPUs).
  [[nodiscard]] virtual std::vector<RankPlace> places(int threads) const;
  /// The backend over all ranks; at most once. Null without MPI. If `log_folder` is set, the other
  /// ranks write logs there.
  [[nodiscard]] virtual Backend* cluster(const std::vector<RankPlace>& /*places*/,
                                         const std::string& /*log_folder*/) {
    return nullptr;
  }

  /// A backend over the first `ranks` ranks, with `threads` search threads each, while the others
  /// sleep; the previous one must have ended. Null without MPI. Not after `cluster`.
  [[nodiscard]] virtual Backend* team(int /*ranks*/, int /*threads*/) { return nullptr; }
  /// All other ranks sleep until the next team.
  virtual void end_team() {}
  /// A complete search over all ranks.
  [[nodiscard]] virtual CensusResult census(const CensusTask& task,
                                            const std::vector<RankPlace>& places,
                                            CensusObserver& observer);
  /// The MPI library's name and version, empty in a build without MPI.
  [[nodiscard]] static std::string mpi_library();

  std::atomic<bool>& interrupted;
};

/// The commands; each returns the exit code.
int command_solve(const Config& config, Context& context);
int command_stream(const Config& config, Context& context);  ///< solve --stream
int command_compare(const Config& config, Context& context);
int command_estimate(const Config& config, Context& context);
int command_generate(const Config& config, Context& context);
int command_census(const Config& config, Context& context);
int command_simulate(const Config& config, Context& context);
int command_moves(const Config& config, Context& context);
int command_analyse(const Config& config, Context& context);
int command_optimize(const Config& config, Context& context);
int command_verify(const Config& config, Context& context);
int command_report(const Config& config, Context& context);
int command_pdb(const Config& config, Context& context);
int command_serve(const Config& config, Context& context);
int command_info(const Config& config, Context& context);

}  // namespace tessera
