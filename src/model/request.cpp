// SPDX-License-Identifier: MIT
#include "tessera/model/request.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {

JobRequest suggest_request(const JobNeeds& needs) {
  constexpr double efficiency = 0.85;
  constexpr double wanted_seconds = 2 * 3600;
  constexpr double least_seconds = 600;
  constexpr double most_nodes = 10'000;
  constexpr std::uint64_t thread_bytes = std::uint64_t{48} << 20;
  constexpr std::uint64_t process_bytes = std::uint64_t{512} << 20;
  JobRequest request;
  request.cpus_per_task = std::max(1, needs.cpus_of_node);
  const double node_rate = std::max(1.0, needs.rate_of_worker) * request.cpus_per_task * efficiency;
  const double node_seconds = request.safety * needs.nodes / node_rate;
  request.nodes = request.tasks =
      static_cast<int>(std::clamp(std::ceil(node_seconds / wanted_seconds), 1.0, most_nodes));
  request.seconds = std::max(least_seconds, std::ceil(node_seconds / request.nodes / 60) * 60);
  request.memory_bytes = needs.table_bytes + process_bytes +
                         thread_bytes * static_cast<std::uint64_t>(request.cpus_per_task);
  return request;
}

}  // namespace tessera
