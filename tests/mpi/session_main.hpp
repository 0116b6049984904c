// SPDX-License-Identifier: MIT
#pragma once

#include "cluster/job/session.hpp"

namespace tessera {

/// The job's session, in programs whose ranks all run the tests together.
extern Session* session;

}  // namespace tessera
