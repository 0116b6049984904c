// SPDX-License-Identifier: MIT
#pragma once

namespace tessera {

/// Where a worker's time went since its board began; the parts add up to the board's wall time.
struct WorkerTimes {
  int rank = 0;
  int thread = 0;
  double search = 0;
  double split = 0;
  double wait = 0;
  double communicate = 0;
  double other = 0;
};

}  // namespace tessera
