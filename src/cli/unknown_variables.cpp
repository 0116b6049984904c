// SPDX-License-Identifier: MIT
#include "cli/unknown_variables.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/options.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

// Those of the module file, the scripts and the tests.
constexpr std::string_view other_variables[] = {"TESSERA_ROOT",          "TESSERA_HERE",
                                                "TESSERA_NEEDS_BROWSER", "TESSERA_TEST_JOB",
                                                "TESSERA_STEPS",         "TESSERA_INJECT"};

}  // namespace

std::vector<std::string> unknown_variables() {
  std::vector<std::string> known;
  for (const OptionSpec& option : option_specs()) known.push_back(environment_name(option));
  std::vector<std::string> warnings;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with("TESSERA_") || std::count(known.begin(), known.end(), name) > 0 ||
        std::count(std::begin(other_variables), std::end(other_variables), name) > 0) {
      continue;
    }
    const std::string nearest = nearest_name(name, known);
    warnings.push_back(name + " sets no option" +
                       (nearest.empty() ? "" : ", did you mean " + nearest + "?"));
  }
  return warnings;
}

}  // namespace tessera
