// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/datatype.hpp>
#include <boost/mpi/operations.hpp>
#include <span>

/// Calls that Boost.MPI lacks: non-blocking collectives, and tests of their requests. Data types
/// and operations are Boost.MPI's. Buffers belong to MPI until the request is complete.

namespace tessera::nonblocking {

using boost::mpi::communicator;
using boost::mpi::get_mpi_datatype;

template <class T>
[[nodiscard]] int count_of(std::span<T> values) {
  return static_cast<int>(values.size());
}

[[nodiscard]] inline bool test(std::span<MPI_Request> requests) {
  int done = 0;
  MPI_Testall(count_of(requests), requests.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

/// Calls MPI with these arguments and a request; returns the request.
template <class Call, class... Arguments>
[[nodiscard]] MPI_Request begun(const Call& call, const Arguments&... arguments) {
  MPI_Request request = MPI_REQUEST_NULL;
  call(arguments..., &request);
  return request;
}

/// Sends the root's values to all ranks.
template <class T>
[[nodiscard]] MPI_Request broadcast(const communicator& comm, std::span<T> values, int root) {
  return begun(MPI_Ibcast, values.data(), count_of(values), get_mpi_datatype<T>(), root, comm);
}

/// Reduces each value over ranks, in place. std::plus<T> is MPI_SUM, boost::mpi::minimum<T>
/// MPI_MIN, and so on; all of them are commutative.
template <class T, class Operation>
[[nodiscard]] MPI_Request all_reduce(const communicator& comm, std::span<T> values, Operation) {
  using Known = boost::mpi::is_mpi_op<Operation, T>;
  static_assert(Known::value, "an operation of MPI's own");
  return begun(MPI_Iallreduce, MPI_IN_PLACE, values.data(), count_of(values), get_mpi_datatype<T>(),
               Known::op(), comm);
}

}  // namespace tessera::nonblocking
