// SPDX-License-Identifier: MIT
#include "cli/process/crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/text.hpp"

namespace tessera {
namespace {

struct HostLoad {
  int ranks = 0;
  int threads = 0;
  int cpus = 0;
};

std::map<std::string, HostLoad> loads_of(const Workers& workers) {
  std::map<std::string, HostLoad> loads;
  for (const RankPlace& place : workers.places) {
    HostLoad& load = loads[place.host];
    ++load.ranks;
    load.threads += place.threads;
    load.cpus = place.host_cpus;
  }
  return loads;
}

// Ranks that are not bound may have too many threads together.
std::string sharing_warning(const Workers& workers, std::string_view option) {
  const auto loads = loads_of(workers);
  int all_cpus = 0;
  for (const auto& [host, load] : loads) all_cpus += load.cpus;
  for (const auto& [host, load] : loads) {
    if (load.threads <= load.cpus) continue;
    std::string remedy = "fewer ranks";
    if (option == "--workers") remedy = fmt::format("--workers {}", all_cpus);
    else if (const int fair = load.cpus / load.ranks; fair > 0) {
      remedy = fmt::format("{} {}", option, fair);
    }
    return fmt::format("warning: {} on {}: {} search threads for {}; try {}\n",
                       counted(load.ranks, "rank"), host, load.threads, counted(load.cpus, "CPU"),
                       remedy);
  }
  return {};
}

// A quota leaves every CPU in the set. Ranks of a host are usually in one group.
std::string quota_warning(const Workers& workers, std::string_view option) {
  const auto quota = cpu_quota();
  const HostLoad here = loads_of(workers).at(workers.places[0].host);
  if (!quota || here.threads <= quota->cpus) return {};
  const int sharing = option == "--workers" ? 1 : here.ranks;
  return fmt::format(
      "warning: {} share the time of {:.2f} CPUs, the quota of cgroup {}; try {} {}\n",
      counted(here.threads, "search thread"), quota->cpus, quota->group, option,
      std::max(1, static_cast<int>(quota->cpus) / sharing));
}

}  // namespace

Workers workers_of(const SearchOptions& options, const Context& context, int ranks) {
  std::vector<RankPlace> places = context.places(options.threads);
  places.resize(static_cast<std::size_t>(ranks));
  return choose_workers(options, std::move(places));
}

RunSetup setup_of(const SearchOptions& options, const Workers& workers) {
  RunSetup setup;
  setup.engine = to_string(options.engine);
  setup.backend = to_string(workers.backend);
  setup.ranks = workers.ranks();
  setup.threads = workers.threads();
  setup.hosts = workers.hosts();
  setup.finish_iteration = options.finish_iteration;
  setup.seed = options.seed;
  if (cuts_trees(options.engine)) {
    if (workers.backend != BackendKind::serial) setup.schedule = to_string(options.schedule);
    setup.bounds = options.independent ? "independent" : "shared";
  }
  return setup;
}

Crew make_crew(const SearchOptions& options, Context& context) {
  return make_crew(workers_of(options, context, context.ranks()), options, context);
}

Crew make_crew(Workers workers, const SearchOptions& options, Context& context) {
  if (workers.backend != BackendKind::mpi) return Crew(std::move(workers));
  Backend* const mpi = context.cluster(workers.places, options.log_dir.value_or(""));
  if (mpi == nullptr) {
    bad_input(
        "--backend mpi: " +
        std::string(Context::mpi_library().empty()
                        ? "this build has no MPI, expected serial or threads"
                        : "not started by mpirun or srun, expected mpirun -np R tessera ..."));
  }
  return Crew(std::move(workers), mpi);
}

bool prepare_tables(BoardSolver& solver, const Plan& plan, const Limits& limits,
                    ProgressObserver& progress) {
  if (solver.is_prepared(plan)) return true;
  progress.board_started("building tables of " +
                         (plan.table_bytes > 0 ? plan.heuristic.name : to_string(plan.prune)));
  double last = 0;
  const auto report = [&](double done) {
    // The automaton comes after the tables and starts at 0 again.
    if (done < std::exchange(last, done)) {
      progress.board_started("building the automaton of " + to_string(plan.prune));
    }
    progress.part_done(done);
    return !limits.reached(0);
  };
  const bool made = solver.prepare(plan, {report, ProgressLine::write_above});
  progress.clear();
  return made;
}

std::string cpus_text(const Workers& workers) {
  const RankPlace& first = workers.places[0];
  int bound = 0;  // if no CPU counted twice
  for (const RankPlace& place : workers.places) bound += place.host == first.host ? place.cpus : 0;
  return bound > first.host_cpus ? counted(first.host_cpus, "CPU") + " per host"
                                 : counted(first.cpus, "CPU") + " per rank";
}

// A CPU binding with fewer CPUs than threads is the most common cause of a slow run: mpirun -np 2
// binds each rank to one core.
std::string binding_warning(const SearchOptions& options, const Workers& workers,
                            std::string_view option) {
  if (options.emulation.nodes_per_second > 0) return {};  // emulated workers sleep
  for (std::size_t rank = 0; rank < workers.places.size(); ++rank) {
    const RankPlace& place = workers.places[rank];
    if (place.cpus >= place.threads) continue;
    if (workers.backend != BackendKind::mpi) {
      // mpirun also binds a single rank to one core.
      const bool bound = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr && place.cpus < host_cpus();
      return fmt::format(
          "warning: {} search threads share {}; try {}\n", place.threads,
          counted(place.cpus, "CPU"),
          bound ? "mpirun --bind-to none" : fmt::format("{} {}", option, place.cpus));
    }
    // Not bound, as far as this host can tell.
    if (place.host == workers.places[0].host && place.cpus >= host_cpus()) continue;
    return fmt::format(
        "warning: rank {} on {} may use {} for {} search threads; try mpirun --bind-to none "
        "or --map-by slot:pe={}\n",
        rank, place.host, counted(place.cpus, "CPU"), place.threads, place.threads);
  }
  const std::string warning = sharing_warning(workers, option);
  return warning.empty() ? quota_warning(workers, option) : warning;
}

}  // namespace tessera
