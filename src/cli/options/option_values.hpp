// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/options/config.hpp"

// Readers for option values. All throw Error(input), without the option's name.
namespace tessera {

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

inline std::int64_t whole(const std::string& value, std::int64_t least, std::int64_t most) {
  const auto number = parse_integer(value);
  if (!number && !value.empty() && value.find_first_not_of("0123456789") == value.npos) {
    bad_input(quote(value) + " is too large, expected at most " + std::to_string(most));
  }
  if (!number || *number < least || *number > most) {
    bad_input(quote(value) + " is not valid, expected a whole number, " + std::to_string(least) +
              (most == unlimited ? " or more" : " to " + std::to_string(most)));
  }
  return *number;
}

/// A number of nodes; also 1e6 and 2.5e6.
inline std::uint64_t node_count(const std::string& value) {
  double number = 0;
  const char* const end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, number);
  const bool exact = read.ptr == end && read.ec == std::errc() && number == std::floor(number) &&
                     std::abs(number) < 0x1p53;
  const bool is_power = value.find_first_of("eE") != value.npos && exact;
  return static_cast<std::uint64_t>(
      whole(is_power ? std::to_string(static_cast<std::int64_t>(number)) : value, 1, unlimited));
}

/// A time of at least `least` nanoseconds; `example` is for the error message.
inline std::chrono::nanoseconds duration(const std::string& value, std::int64_t least,
                                         const char* example) {
  const auto time = parse_time(value);
  if (!time || time->count() < least) {
    bad_input(quote(value) + " is not a duration" + (least > 0 ? " of more than 0" : "") +
              ", expected a time such as " + example);
  }
  return *time;
}

/// A size of memory.
inline std::uint64_t bytes(const std::string& value) {
  const auto size = parse_bytes(value);
  if (!size)
    bad_input(quote(value) +
              " is not a size, expected a number and a unit such as 512MiB, 8GiB or 8GB");
  // A bare 8 or 1.5 is more likely a forgotten unit than 8 bytes.
  const bool bare = value.find_first_not_of("0123456789.") == value.npos;
  if (bare && (*size < 1 << 20 || !parse_integer(value))) {
    bad_input(quote(value) + " has no unit, expected a size such as 512MiB, 8GiB or 8GB");
  }
  return *size;
}

/// "'idaa' is unknown, did you mean ida?"; lists all names if none is near.
[[noreturn]] inline void refuse_choice(const std::string& value,
                                       const std::vector<std::string>& names) {
  bad_input(unknown_name(value, names));
}

/// The value of an enumeration by its name; `names` are in the order of the values.
template <class T, const auto& names>
[[nodiscard]] T named(const std::string& value) {
  std::vector<std::string> known;
  int number = 0;
  for (const std::string_view name : names) {
    if (value == name) return static_cast<T>(number);
    if (!name.empty()) known.emplace_back(name);
    ++number;
  }
  refuse_choice(value, known);
}

inline bool yes_or_no(const std::string& value) {
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  refuse_choice(value, {"true", "false", "1", "0"});
}

/// K/N.
inline Slice parse_slice(const std::string& value) {
  const std::size_t bar = value.find('/');
  const auto part = parse_integer(value.substr(0, bar));
  const auto parts = bar == value.npos ? std::nullopt : parse_integer(value.substr(bar + 1));
  if (!part || !parts || *part < 1 || *part > *parts || *parts > 1'000'000) {
    bad_input(quote(value) + " is not a slice, expected K/N such as 1/8 to 8/8");
  }
  return {static_cast<std::size_t>(*part), static_cast<std::size_t>(*parts)};
}

/// NODES or NODES/RANK:FACTOR.
inline Emulation parse_emulation(const std::string& value) {
  const std::vector<std::string> parts = split_list(value, '/');
  Emulation emulation;
  emulation.nodes_per_second = static_cast<double>(whole(parts[0], 1, 1'000'000'000'000));
  if (parts.size() == 1) return emulation;
  const std::vector<std::string> slow = split_list(parts[1], ':');
  if (parts.size() != 2 || slow.size() != 2) {
    bad_input(quote(value) + " is not valid, expected a rate such as 1000000 or 1000000/3:4");
  }
  emulation.slow_rank = static_cast<int>(whole(slow[0], 0, 1'000'000));
  emulation.slowness = static_cast<double>(whole(slow[1], 1, 1'000'000));
  return emulation;
}

/// auto, parent or fsm:DEPTH, perhaps with +mirror; the depth is checked once the boards are known,
/// and so is none, which is rejected with advice.
inline std::optional<PruneRule> prune_or_auto(const std::string& value) {
  if (value == "auto") return {};
  const bool known = value.starts_with("parent") || value == "none" || value.starts_with("fsm:");
  if (!known) refuse_choice(value, {"auto", "parent", "fsm:DEPTH"});
  return parse_prune(value);
}

/// none, beam:WIDTH or, if it is offered, auto.
template <bool offers_auto>
[[nodiscard]] IncumbentOptions parse_incumbent(const std::string& value) {
  const std::string beam = "beam:";
  if (value == "auto" && offers_auto) return {.automatic = true};
  if (value == "none") return {};
  if (!value.starts_with(beam)) {
    const std::vector<std::string> choices{"auto", "none", "beam:WIDTH"};
    refuse_choice(value, {choices.begin() + (offers_auto ? 0 : 1), choices.end()});
  }
  const auto most = static_cast<std::int64_t>(most_beam_width);
  return {.width = static_cast<std::uint64_t>(whole(value.substr(beam.size()), 1, most))};
}

inline constexpr const char* parallel_names[] = {"none", "neighbors", "distance", "queues:K"};
/// One of these.
inline void apply_parallel(Config& config, const std::string& value) {
  const std::string queues = "queues:";
  if (value == "queues") bad_input("'queues' needs a number, such as queues:4");
  const bool has_queues = value.starts_with(queues);
  config.queues = has_queues ? static_cast<int>(whole(value.substr(queues.size()), 1, 256)) : 0;
  config.parallel =
      has_queues ? InnerParallel::queues : named<InnerParallel, parallel_names>(value);
}

/// A list without empty or repeated entries.
inline std::vector<std::string> parse_names(const std::string& value) {
  std::vector<std::string> names;
  for (const std::string& name : split_list(value)) {
    if (name.empty()) bad_input(quote(value) + " is not a list, expected names such as A,B");
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace tessera
