// SPDX-License-Identifier: MIT
#include "puzzle/metric.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {

Metric parse_metric(std::string_view text) {
  const std::string name = boost::to_lower_copy(std::string(text));
  if (name == "single" || name == "stm") return Metric::single;
  if (name == "multi" || name == "mtm") return Metric::multi;
  bad_input("metric " + unknown_name(text, std::vector<std::string>{"single", "multi"}));
}

int solution_length(std::string_view letters, Metric metric) {
  if (metric == Metric::single) return static_cast<int>(letters.size());
  std::string runs(letters);  // one letter for each
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return static_cast<int>(runs.size());
}

}  // namespace tessera
