// SPDX-License-Identifier: MIT
#include "cluster/job/session.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <exception>
#include <functional>
#include <map>
#include <utility>

#include "base/descriptor.hpp"
#include "base/machine.hpp"
#include "base/text.hpp"
#include "cluster/job/step.hpp"
#include "cluster/messages/collectives.hpp"
#include "cluster/messages/messages.hpp"

namespace tessera {
namespace {

// Set by Open MPI's mpirun, by PMIx (srun --mpi=pmix), and by PMI-2 and MPICH's mpiexec.
constexpr std::pair<const char*, const char*> rank_and_ranks[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
    {"PMI_RANK", "PMI_SIZE"}};

int number_in(const char* variable) {
  return static_cast<int>(parse_integer(environment(variable)).value_or(0));
}

// Without the name of the program, which may have other paths on other hosts.
std::uint64_t hash_of(int argc, char** argv) {
  std::string all;
  for (int i = 1; i < argc; ++i) all.append(argv[i]).push_back('\0');
  return std::hash<std::string>()(all);
}

}  // namespace

std::optional<Launched> Session::launched() {
  for (const auto& [rank, ranks] : rank_and_ranks) {
    if (std::getenv(rank) != nullptr) return Launched{number_in(rank), number_in(ranks)};
  }
  return {};
}

bool Session::is_first_program() {
  // The launcher's own folder for this job, which it removes.
  const std::string folder(environment("PMIX_SERVER_TMPDIR"));
  if (folder.empty()) return true;
  const std::string file = folder + "/tessera-" + std::string(environment("PMIX_NAMESPACE")) + "-" +
                           std::to_string(launched().value_or(Launched{}).rank);
  const Descriptor mark(::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  return mark.is_open() || errno != EEXIST;
}

Session::Session(int& argc, char**& argv, ReportSilence report)
    : environment_(settle_transports(), argc, argv, boost::mpi::threading::funneled,
                   /*abort_on_exception=*/false),
      state_(std::make_shared<JobState>(world_, std::move(report))) {
  try {
    take_part(*this, "set-up", [&] { gather_rank_infos(hash_of(argc, argv)); });
  } catch (const JobFailed&) {
    // On record.
  }
}

Session::Session(const boost::mpi::communicator& world)
    : world_(world, boost::mpi::comm_duplicate), state_(std::make_shared<JobState>(world_)) {
  gather_rank_infos(0);
}

// MPI splits a communicator only with a call that blocks: all ranks are here.
Session::Session(const Session& whole, int ranks)
    : world_((barrier(whole), whole.world_.split(whole.rank() < ranks ? 0 : 1))),
      state_(whole.state_) {
  const auto all = whole.ranks_.begin();
  if (whole.rank() < ranks) ranks_.assign(all, all + ranks);
  else ranks_.assign(all + ranks, whole.ranks_.end());
  group_by_host();
  round_channel_ = duplicate(*this);
}

Session::~Session() {
#ifndef NDEBUG
  if (std::uncaught_exceptions() > 0 || state_->failed() || state_->has_retained()) return;
  for (const boost::mpi::communicator& channel : {world_, round_channel_}) {
    channel.barrier();  // everything sent before it has arrived
    assert(!channel.iprobe(boost::mpi::any_source, boost::mpi::any_tag) && "a message is left");
  }
#endif
}

void Session::gather_rank_infos(std::uint64_t arguments) {
  const auto all = gather(*this, RankInfo{host_name(), allowed_cpus(), arguments});
  Bytes bytes;
  if (rank() == master_rank) bytes = packed(world_, all);
  ranks_ = unpacked<std::vector<RankInfo>>(world_, broadcast(*this, std::move(bytes)));
  group_by_host();
  round_channel_ = duplicate(*this);
}

void Session::group_by_host() {
  std::map<std::string, std::size_t> by_name;
  for (const RankInfo& info : ranks_) {
    const auto [found, is_new] = by_name.try_emplace(info.host, hosts_.size());
    if (is_new) hosts_.emplace_back();
    hosts_[found->second].push_back(static_cast<int>(host_of_rank_.size()));
    host_of_rank_.push_back(found->second);
  }
}

int Session::fair_threads(int rank) const {
  const RankInfo& self = ranks_[static_cast<std::size_t>(rank)];
  const std::vector<int>& peers = host_of(rank);
  const auto sharing = std::ranges::count_if(peers, [&](int peer) {
    return std::ranges::any_of(ranks_[static_cast<std::size_t>(peer)].cpus,
                               [&](int cpu) { return std::ranges::binary_search(self.cpus, cpu); });
  });
  return std::max(1, static_cast<int>(self.cpus.size()) / std::max(1, static_cast<int>(sharing)));
}

void Session::abort(int code) const {
  boost::mpi::environment::abort(code);
  std::_Exit(code);  // MPI_Abort does not return, which the compiler does not know
}

}  // namespace tessera
