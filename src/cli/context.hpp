// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

#include "cli/config.hpp"
#include "tessera/census/census.hpp"
#include "tessera/search/backend.hpp"

namespace tessera {

/// How a rank is placed, for the banner and its check.
struct RankPlace {
  std::string host;
  int cpus = 1;     ///< that it may use
  int threads = 1;  ///< search threads that it gets
};

/// The process and, under mpirun, the job around a command: what the commands need of MPI without
/// naming it. One for a build or run without MPI, one over a Session.
class Context {
 public:
  /// SIGINT, SIGTERM and SIGUSR1 set the flag, to the end of the process.
  explicit Context(std::atomic<bool>& flag) : interrupted(flag) {}
  virtual ~Context() = default;
  [[nodiscard]] virtual int ranks() const = 0;
  [[nodiscard]] virtual int hosts() const = 0;
  /// By rank, with `threads` as the option says (0: a fair share of the CPUs).
  [[nodiscard]] virtual std::vector<RankPlace> places(int threads) const = 0;
  /// The backend over all ranks; at most once. Null where the build has none. With a `log_folder`
  /// the other ranks keep logs there.
  [[nodiscard]] virtual Backend* cluster(const std::vector<RankPlace>& places,
                                         const std::string& log_folder) = 0;
  /// A backend over the first `ranks` ranks, `threads` search threads each, while the others
  /// sleep; the one before has ended. Null where the build has none. Not after `cluster`.
  [[nodiscard]] virtual Backend* team(int ranks, int threads) = 0;
  /// Hosts of the team.
  [[nodiscard]] virtual int team_hosts() const = 0;
  /// All ranks but this one sleep until the next team.
  virtual void end_team() = 0;
  /// A complete search over all ranks.
  [[nodiscard]] virtual CensusResult census(const CensusTask& task,
                                            const std::vector<RankPlace>& places,
                                            CensusObserver& observer) = 0;
  /// The MPI library's name and version, empty in a build without.
  [[nodiscard]] virtual std::string mpi_library() const = 0;

  std::atomic<bool>& interrupted;
};

/// One process without ranks.
class SingleContext : public Context {
 public:
  using Context::Context;
  [[nodiscard]] int ranks() const override { return 1; }
  [[nodiscard]] int hosts() const override { return 1; }
  [[nodiscard]] std::vector<RankPlace> places(int threads) const override;
  [[nodiscard]] Backend* cluster(const std::vector<RankPlace>&, const std::string&) override {
    return nullptr;
  }
  [[nodiscard]] Backend* team(int, int) override { return nullptr; }
  [[nodiscard]] int team_hosts() const override { return 1; }
  void end_team() override {}
  [[nodiscard]] CensusResult census(const CensusTask& task, const std::vector<RankPlace>& places,
                                    CensusObserver& observer) override;
  [[nodiscard]] std::string mpi_library() const override;
};

/// The commands; each returns the exit code.
int command_solve(const Config& config, Context& context);
int command_compare(const Config& config, Context& context);
int command_estimate(const Config& config, Context& context);
int command_generate(const Config& config, Context& context);
int command_census(const Config& config, Context& context);
int command_simulate(const Config& config);
int command_verify(const Config& config);
int command_report(const Config& config);
int command_pdb(const Config& config, Context& context);
int command_serve(const Config& config, Context& context);
int command_info(const Config& config, Context& context);

}  // namespace tessera
