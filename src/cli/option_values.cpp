// SPDX-License-Identifier: MIT
#include "cli/option_values.hpp"

#include <algorithm>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {

std::int64_t whole(const std::string& value, std::int64_t least, std::int64_t most) {
  const auto number = parse_integer(value);
  if (!number || *number < least || *number > most) {
    const std::string upper = most == std::numeric_limits<std::int64_t>::max()
                                  ? " or more"
                                  : " to " + std::to_string(most);
    bad_input(quote(value) + " is not valid, expected a whole number, " + std::to_string(least) +
              upper);
  }
  return *number;
}

void refuse_choice(const std::string& value, const std::vector<std::string>& names) {
  bad_input(unknown_name(value, names));
}

std::string one_of(const std::string& value, std::span<const char* const> names) {
  if (std::find(names.begin(), names.end(), value) != names.end()) return value;
  refuse_choice(value, {names.begin(), names.end()});
}

std::chrono::nanoseconds duration(const std::string& value, std::int64_t least,
                                  const char* example) {
  const auto time = parse_duration(value);
  if (!time || time->count() < least) {
    bad_input(quote(value) + " is not a duration, expected a time such as " + example);
  }
  return *time;
}

std::uint64_t bytes(const std::string& value) {
  const auto size = parse_bytes(value);
  if (!size) bad_input(quote(value) + " is not a size, expected such as 512MiB or 8GiB");
  return *size;
}

bool flag(const std::string& value) {
  return chosen<bool>(value, {{"true", true}, {"false", false}, {"1", true}, {"0", false}});
}

Slice parse_slice(const std::string& value) {
  const std::size_t bar = value.find('/');
  const auto part = parse_integer(value.substr(0, bar));
  const auto parts = bar == value.npos ? std::nullopt : parse_integer(value.substr(bar + 1));
  if (!part || !parts || *part < 1 || *part > *parts || *parts > 1'000'000) {
    bad_input(quote(value) + " is not a slice, expected K/N such as 1/8 to 8/8");
  }
  return {static_cast<std::size_t>(*part), static_cast<std::size_t>(*parts)};
}

Emulation parse_emulation(const std::string& value) {
  Emulation emulation;
  const std::size_t slash = value.find('/');
  const std::size_t colon = value.find(':', slash);
  emulation.nodes_per_second =
      static_cast<double>(whole(value.substr(0, slash), 1, 1'000'000'000'000));
  if (slash != std::string::npos) {
    if (colon == std::string::npos) {
      bad_input(quote(value) + " is not valid, expected such as 1000000 or 1000000/3:4");
    }
    emulation.slow_rank =
        static_cast<int>(whole(value.substr(slash + 1, colon - slash - 1), 0, 1'000'000));
    emulation.slowness = static_cast<double>(whole(value.substr(colon + 1), 1, 1'000'000));
  }
  return emulation;
}

std::string parse_prune(const std::string& value) {
  const bool known = value == "auto" || value == "parent" || value == "none";
  if (!known && !value.starts_with("fsm:")) refuse_choice(value, {"auto", "parent", "fsm:DEPTH"});
  return value;
}

void apply_parallel(Config& config, const std::string& value) {
  const std::string queues = "queues:";
  config.queues = 0;
  if (value.starts_with(queues)) {
    config.parallel = InnerParallel::queues;
    config.queues = static_cast<int>(whole(value.substr(queues.size()), 1, 256));
    return;
  }
  if (value == "queues") bad_input("'queues' needs a number, such as queues:4");
  if (value == "none") config.parallel = InnerParallel::none;
  else if (value == "neighbors") config.parallel = InnerParallel::neighbors;
  else if (value == "distance") config.parallel = InnerParallel::distance;
  else refuse_choice(value, {"none", "neighbors", "distance", "queues:K"});
}

std::vector<std::string> parse_names(const std::string& value) {
  std::vector<std::string> names;
  for (const std::string& part : split_list(value)) {
    const std::string name(trimmed(part));
    if (name.empty()) bad_input(quote(value) + " is not a list, expected such as A,B");
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace tessera
