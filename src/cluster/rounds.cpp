// SPDX-License-Identifier: MIT
#include "cluster/rounds.hpp"

namespace tessera {

Rounds::Rounds(const Session& session) : state_(session.state()), comm_(session.round_channel()) {}

Rounds::~Rounds() {
  if (pending_) state_.keep(figures_);
}

void Rounds::begin(const Round& mine, int least, bool minimum) {
  constexpr int count = sizeof(Round) / sizeof(std::uint64_t);
  static_assert(sizeof(Round) == count * sizeof(std::uint64_t));
  Figures& figures = *figures_;
  figures.mine = mine;
  figures.my_least = least;
  MPI_Iallreduce(&figures.mine, &figures.sum, count, MPI_UINT64_T, MPI_SUM, comm_, &requests_[0]);
  if (minimum) {
    MPI_Iallreduce(&figures.my_least, &figures.least, 1, MPI_INT, MPI_MIN, comm_, &requests_[1]);
  }
  pending_ = true;
}

bool Rounds::complete() {
  if (!pending_) return false;
  int done = 0;
  MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
  pending_ = done == 0;
  return !pending_;
}

}  // namespace tessera
