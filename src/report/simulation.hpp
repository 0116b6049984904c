// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/simulate.hpp"

namespace tessera {

[[nodiscard]] std::string simulation_heading(const WorkRecord& record, double rate);
[[nodiscard]] std::string simulation_row(const Simulation& result,
                                         const SimulationOptions& options);
/// One JSON line of schema tessera.simulation/1.
[[nodiscard]] std::string to_json(const Simulation& result, const SimulationOptions& options,
                                  const WorkRecord& record);

}  // namespace tessera
