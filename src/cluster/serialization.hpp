// SPDX-License-Identifier: MIT
#pragma once

#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <optional>

#include "tessera/puzzle/size.hpp"

/// Structs of fixed size are copied whole, vectors of them too: Debian's Boost.MPI assumes that all
/// hosts represent numbers alike (BOOST_MPI_HOMOGENEOUS).

BOOST_IS_BITWISE_SERIALIZABLE(tessera::Size)

namespace boost::serialization {

/// Boost.Serialization knows boost::optional alone.
template <class Archive, class Value>
void serialize_optional(Archive& archive, std::optional<Value>& optional) {
  bool present = optional.has_value();
  archive& present;
  if (!present) optional.reset();
  else if (!optional) optional.emplace();
  if (present) archive&(*optional);
}

}  // namespace boost::serialization
