// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cluster/job/polling.hpp"
#include "cluster/job/session.hpp"
#include "cluster/messages/mail.hpp"
#include "cluster/messages/nonblocking.hpp"
#include "protocol/deal.hpp"
#include "protocol/rank_tree.hpp"

/// The collectives of ranks, from and to rank 0. Boost.MPI serializes the data; its own collectives
/// would occupy a core and react to nothing while they wait, so these use non-blocking MPI calls
/// with `wait_until`: with back-off, and aborted by JobFailed if a rank has failed.

namespace tessera {

/// Waits until MPI is done with `buffers`; if an exception ends the wait, they stay alive until the
/// process ends.
void finish(const Session& session, const std::shared_ptr<void>& buffers, MPI_Request request,
            const Waiting& waiting = {});
/// The same ranks on a communicator of its own.
[[nodiscard]] boost::mpi::communicator duplicate(const Session& session);
/// Returns once all ranks have called it.
void barrier(const Session& session, const Waiting& waiting = {});
/// Returns the root's bytes on every rank; others pass none.
Bytes broadcast(const Session& session, Bytes bytes, int root = master_rank,
                const Waiting& waiting = {});
/// Reduces each value over ranks, on all ranks. std::plus<T> is MPI_SUM (nonblocking.hpp).
template <class T, class Operation>
void all_reduce(const Session& session, std::span<T> values, Operation operation,
                const Waiting& waiting = {}) {
  const auto buffer = std::make_shared<std::vector<T>>(values.begin(), values.end());
  finish(session, buffer, nonblocking::all_reduce(session.world(), std::span(*buffer), operation),
         waiting);
  std::copy(buffer->begin(), buffer->end(), values.begin());
}

/// Sends one of the master's parts to each rank, along the rank tree.
template <class Part>
[[nodiscard]] Part scatter(const Session& session, std::vector<Part> by_rank) {
  const int self = session.rank();
  Mail mail(session.state(), session.world());
  if (self != master_rank) by_rank = mail.await<std::vector<Part>>(parent_of(self), tag_tree);
  for (const RankBlock& below : blocks_below(self, session.size())) {
    const auto begin = std::make_move_iterator(by_rank.begin() + (below.first - self));
    mail.send(below.first, tag_tree, std::vector<Part>(begin, begin + (below.end - below.first)));
  }
  mail.wait_until_left();
  return std::move(by_rank.front());
}
/// Merges the parts of all ranks on the master, along the rank tree: `merge(part, next)` adds those
/// of the following ranks. Other ranks get what they have passed on.
template <class Part, class Merge>
[[nodiscard]] Part gather_merged(const Session& session, Part mine, const Merge& merge) {
  Mail mail(session.state(), session.world());
  const std::vector<RankBlock> below = blocks_below(session.rank(), session.size());
  for (auto block = below.rbegin(); block != below.rend(); ++block) {
    merge(mine, mail.await<Part>(block->first, tag_tree));
  }
  if (session.rank() != master_rank) mail.send(parent_of(session.rank()), tag_tree, mine);
  mail.wait_until_left();
  return mine;
}
/// Each rank's part, by rank, on the master.
template <class Part>
[[nodiscard]] std::vector<Part> gather(const Session& session, const Part& mine) {
  using Parts = std::vector<Part>;
  return gather_merged(session, Parts{mine}, [](Parts& parts, Parts next) {
    std::move(next.begin(), next.end(), std::back_inserter(parts));
  });
}

}  // namespace tessera
