// SPDX-License-Identifier: MIT
#include "cli/incumbents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/engines.hpp"
#include "cli/option_values.hpp"
#include "tessera/base/error.hpp"
#include "tessera/report/tables.hpp"
#include "tessera/search/beam.hpp"

namespace tessera {
namespace {

// Of --engine beam where no width is asked for.
constexpr std::uint64_t usual_width = 65'536;
// Beyond it a board's place in its layer does not fit 32 bits.
constexpr std::int64_t most_width = std::int64_t{1} << 31;

const char* excluding_option(const Config& config) {
  if (config.all) return "--all";
  if (config.finish_iteration) return "--finish-iteration";
  if (config.metric == Metric::multi) return "--metric multi";
  if (config.independent) return "--bounds independent";
  return nullptr;
}

}  // namespace

IncumbentChoice parse_incumbent(const std::string& value, bool offers_auto) {
  const std::string beam = "beam:";
  if (value == "auto" && offers_auto) return {};
  if (value == "none") return {.automatic = false};
  if (!value.starts_with(beam)) {
    std::vector<std::string> choices{"none", "beam:WIDTH"};
    if (offers_auto) choices.insert(choices.begin(), "auto");
    refuse_choice(value, choices);
  }
  return {.automatic = false,
          .width = static_cast<std::uint64_t>(whole(value.substr(beam.size()), 1, most_width))};
}

void check_incumbent(const Config& config) {
  const bool is_beam = config.engine == "beam";
  if (!is_beam && config.incumbent.width == 0) return;
  const char* const asked = is_beam ? "--engine beam" : "--incumbent beam";
  if (const char* const option = excluding_option(config)) {
    bad_input(fmt::format("{}: not with {}", asked, option));
  }
  if (!is_beam && config.engine != "ida") {
    bad_input(fmt::format("{}: not with --engine {}, expected ida or beam", asked, config.engine));
  }
}

IncumbentOptions incumbent_options(const Config& config, const RunSetup& setup, Size size,
                                   std::uint64_t table_bytes) {
  IncumbentOptions options;
  options.seed = config.seed;
  options.width = config.incumbent.width;
  options.prove = config.engine != "beam";
  const std::uint64_t allowed = board_memory(config, setup);
  options.memory_bytes =
      (allowed - std::min(allowed, table_bytes)) / static_cast<std::uint64_t>(setup.ranks);
  if (!options.prove && options.width == 0) options.width = usual_width;
  options.automatic = config.incumbent.automatic && options.prove && config.engine == "ida" &&
                      IncumbentOptions::pays(size) && excluding_option(config) == nullptr;
  return options;
}

std::string beam_memory_line(const Problem& problem, const IncumbentOptions& options,
                             const BeamExecutor& executor) {
  if (options.width == 0) return {};
  const int ranks = executor.beam_ranks(options.width);
  const std::uint64_t need = beam_bytes(problem, options.width, ranks);
  if (need <= options.memory_bytes) {
    return fmt::format("a beam of {} boards takes {}{}\n", with_commas(options.width),
                       bytes_text(need), ranks > 1 ? " on each rank" : "");
  }
  throw Error(ErrorKind::resource,
              fmt::format("--memory: a beam search of width {} needs {} on each rank, {} are "
                          "allowed beside the tables",
                          options.width, bytes_text(need), bytes_text(options.memory_bytes)));
}

}  // namespace tessera
