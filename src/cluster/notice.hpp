// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <boost/mpi/datatype.hpp>
#include <boost/serialization/array.hpp>
#include <cstdint>

#include "tessera/base/error.hpp"

namespace tessera {

/// What JobState sends from rank to rank.
struct Notice {
  enum class Kind : std::int32_t { interrupted, stop, failure, finished, closed };
  Kind kind = Kind::interrupted;
  std::int32_t rank = 0;                  ///< stop, failure: the one that began it
  ErrorKind error = ErrorKind::internal;  ///< failure
  std::uint64_t command = 0;              ///< stop: its number
  std::array<char, 1000> text = {};       ///< failure: its message, ended by a zero
};

}  // namespace tessera

BOOST_IS_MPI_DATATYPE(tessera::Notice)

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, tessera::Notice& notice, unsigned) {
  archive& notice.kind& notice.rank& notice.error& notice.command& notice.text;
}

}  // namespace boost::serialization
