// SPDX-License-Identifier: MIT
#include "puzzle/metric.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tessera {

Metric api::parse_metric(std::string_view name) {
  const std::string lower = boost::to_lower_copy(std::string(name));
  if (lower == "single" || lower == "stm") return Metric::single;
  if (lower == "multi" || lower == "mtm") return Metric::multi;
  bad_input("metric " + unknown_name(name, std::vector<std::string>{"single", "multi"}));
}

int solution_length(std::string_view letters, Metric metric) {
  if (metric == Metric::single) return static_cast<int>(letters.size());
  std::string runs(letters);  // one letter for each
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return static_cast<int>(runs.size());
}

}  // namespace tessera
