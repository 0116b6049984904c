// SPDX-License-Identifier: MIT
#include "cli/crew.hpp"

#include "tessera/base/error.hpp"
#include "tessera/threads/threads_executor.hpp"

namespace tessera {
namespace {

std::string schedule_name(Schedule schedule) {
  switch (schedule) {
    case Schedule::dealt:
      return "static";
    case Schedule::dynamic:
      return "dynamic";
    case Schedule::stealing:
      break;
  }
  return "stealing";
}

}  // namespace

Crew hire(const Config& config, Context& context) {
  Crew crew;
  std::string backend = config.backend;
  if (backend == "auto") backend = context.ranks() > 1 ? "mpi" : "threads";
  crew.places = context.places(backend == "serial" ? 1 : config.threads);
  if (backend == "mpi") {
    crew.executor = context.cluster(crew.places, config.log_dir.value_or(""));
    if (crew.executor == nullptr) {
      bad_input(
          "--backend mpi: " +
          std::string(context.mpi_library().empty()
                          ? "this build has no MPI, expected serial or threads"
                          : "not started by mpirun or srun, expected mpirun -np R tessera ..."));
    }
    crew.setup.ranks = context.ranks();
    crew.setup.hosts = context.hosts();
  } else {
    // The other ranks of a job sleep: this one may use what it may use, alone.
    crew.places.resize(1);
    if (backend == "threads" && config.threads == 0) crew.places[0].threads = crew.places[0].cpus;
    if (backend == "serial") crew.own = std::make_unique<SerialExecutor>();
    else crew.own = std::make_unique<ThreadsExecutor>(crew.places[0].threads);
    crew.executor = crew.own.get();
  }
  crew.setup.backend = backend;
  crew.setup.threads = crew.places[0].threads;
  crew.setup.workers = crew.executor->workers();
  crew.setup.schedule = schedule_name(config.schedule);
  crew.setup.bounds = config.independent ? "independent" : "shared";
  return crew;
}

}  // namespace tessera
