// SPDX-License-Identifier: MIT
#pragma once

#include "tessera/search/batch.hpp"
#include "tessera/search/best_first.hpp"
#include "tessera/search/ida_star.hpp"
#include "tessera/search/problem.hpp"

namespace tessera {

/// All that a set of workers does: the calling thread, the threads of a process, or the ranks of a
/// job. For those who choose the workers; algorithms take the interface that they use.
class Backend : public IdaStarExecutor,
                public BestFirstExecutor,
                public BatchExecutor,
                public TableBuilder {};

}  // namespace tessera
