// SPDX-License-Identifier: MIT
#include "tessera/cluster/session.hpp"

#include <algorithm>
#include <array>
#include <boost/mpi/collectives.hpp>
#include <cassert>
#include <exception>
#include <set>

#include "cluster/messages.hpp"
#include "cluster/open_mpi.hpp"
#include "tessera/base/machine.hpp"

namespace tessera {
namespace {

// Set by Open MPI's mpirun, by PMIx (srun --mpi=pmix) and by PMI-2.
constexpr std::array rank_variables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

// What `environment_` starts with: MPI reads its settings as it is constructed.
std::in_place_t with_settled_transports() {
  open_mpi::settle_transports();
  return std::in_place;
}

}  // namespace

bool Session::launched() {
  return std::any_of(rank_variables.begin(), rank_variables.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

Session::Session(int& argc, char**& argv)
    : environment_(with_settled_transports(), argc, argv, boost::mpi::threading::funneled,
                   /*abort_on_exception=*/false),
      state_(std::make_shared<JobState>(world_)),
      round_channel_(world_, boost::mpi::comm_duplicate) {
  boost::mpi::all_gather(world_, RankInfo{host_name(), allowed_cpus()}, ranks_);
}

Session::Session(const Session& whole, int ranks)
    : world_(whole.world_.split(whole.rank() < ranks ? 0 : 1)),
      state_(whole.state_),
      round_channel_(world_, boost::mpi::comm_duplicate) {
  const auto all = whole.ranks_.begin();
  if (whole.rank() < ranks) ranks_.assign(all, all + ranks);
  else ranks_.assign(all + ranks, whole.ranks_.end());
}

Session::~Session() {
#ifndef NDEBUG
  if (std::uncaught_exceptions() > 0 || state_->failed() || state_->left_something()) return;
  for (const boost::mpi::communicator& channel : {world_, round_channel_}) {
    channel.barrier();  // what was sent before it has arrived
    assert(!channel.iprobe(boost::mpi::any_source, boost::mpi::any_tag) && "a message is left");
  }
#endif
}

int Session::hosts() const {
  std::set<std::string> names;
  for (const RankInfo& rank : ranks_) names.insert(rank.host);
  return static_cast<int>(names.size());
}

int Session::fair_threads(int rank) const {
  const RankInfo& self = ranks_[static_cast<std::size_t>(rank)];
  int sharing = 0;
  for (const RankInfo& other : ranks_) {
    if (other.host != self.host) continue;
    std::vector<int> common;  // both lists ascend
    std::set_intersection(self.cpus.begin(), self.cpus.end(), other.cpus.begin(), other.cpus.end(),
                          std::back_inserter(common));
    if (!common.empty()) ++sharing;
  }
  return std::max(1, static_cast<int>(self.cpus.size()) / std::max(1, sharing));
}

void Session::abort(int code) const {
  boost::mpi::environment::abort(code);
  std::_Exit(code);  // that does not return; the compiler cannot know
}

std::string Session::library_version() {
  return open_mpi::library_version();
}

}  // namespace tessera
