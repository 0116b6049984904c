// SPDX-License-Identifier: MIT
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/job/job_state.hpp"

namespace tessera {

/// What a rank reports about itself.
struct RankInfo {
  std::string host;
  std::vector<int> cpus;        ///< that it may use, ascending
  std::uint64_t arguments = 0;  ///< hash of the program's
};

/// What the launcher says about this process, before MPI is started.
struct Launched {
  int rank = 0;
  int ranks = 0;  ///< 0: the launcher does not say
};

/// MPI from start to end. Only a rank's main thread makes MPI calls (threading::funneled).
class Session {
 public:
  /// Empty if neither mpirun nor srun started this process.
  [[nodiscard]] static std::optional<Launched> launched();
  /// False if an earlier program has already started MPI as this rank of the job: it cannot be
  /// started twice. Call it once, before the constructor.
  [[nodiscard]] static bool is_first_program();

  /// Collective. If state() has failed, the session can only be used to end the job.
  Session(int& argc, char**& argv, ReportSilence report = {});
  /// On the ranks of a program that has started MPI and ends it; collective. Its messages on
  /// `world` are kept apart.
  explicit Session(const boost::mpi::communicator& world);
  /// A session of the first `ranks` ranks of another; collective over all of its ranks. The other
  /// ranks get a session of those other ranks, which is not used and may be destroyed.
  Session(const Session& whole, int ranks);
  /// Collective in a debug build, which fails if a message was not received.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const boost::mpi::communicator& world() const { return world_; }
  /// The same ranks on a separate communicator: an execution's rounds proceed there alongside other
  /// collectives in the world (collectives on one communicator must be called in the same order
  /// everywhere).
  [[nodiscard]] const boost::mpi::communicator& round_channel() const { return round_channel_; }
  [[nodiscard]] int rank() const { return world_.rank(); }
  [[nodiscard]] int size() const { return world_.size(); }

  /// Indexed by rank.
  [[nodiscard]] const std::vector<RankInfo>& ranks() const { return ranks_; }
  /// The ranks of each host, ascending, in order of their first ranks, so rank 0's host is first.
  [[nodiscard]] const std::vector<std::vector<int>>& hosts() const { return hosts_; }
  /// The ranks of that rank's host.
  [[nodiscard]] const std::vector<int>& host_of(int rank) const {
    return hosts_[host_of_rank_[static_cast<std::size_t>(rank)]];
  }
  /// A rank's fair share of its CPUs: those it may use, divided among the ranks of its host that
  /// may also use them; at least 1.
  [[nodiscard]] int fair_threads(int rank) const;

  /// The state that all ranks of the job share, including those of a part.
  [[nodiscard]] JobState& state() const { return *state_; }

  /// Ends the whole job immediately; for a failure on one rank that the others cannot detect.
  [[noreturn]] void abort(int code) const;

  // ---- specific to Open MPI (open_mpi.cpp)

  /// "Open MPI v4.1.4"
  [[nodiscard]] static std::string library_version();
  /// Whether ranks of a host may read each other's memory: Open MPI's own option, which versions 4
  /// and 5 name differently.
  [[nodiscard]] static bool single_copy_allowed();

 private:
  // Avoids the transport in which Open MPI 5 is reported to lose messages, and its needless
  // warnings if all ranks run on one host. Constructor argument of `environment_`: MPI reads its
  // settings during construction.
  static std::in_place_t settle_transports();
  // Without blocking.
  void gather_rank_infos(std::uint64_t arguments);
  void group_by_host();

  std::optional<boost::mpi::environment> environment_;  // empty for a part, or another's MPI
  boost::mpi::communicator world_;
  std::shared_ptr<JobState> state_;
  boost::mpi::communicator round_channel_;
  std::vector<RankInfo> ranks_;
  std::vector<std::vector<int>> hosts_;
  std::vector<std::size_t> host_of_rank_;
};

}  // namespace tessera
