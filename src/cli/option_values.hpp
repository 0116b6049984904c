// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "cli/config.hpp"

// How the texts that options get are read. All throw Error(input), without the option's name.
namespace tessera {

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

[[nodiscard]] std::int64_t whole(const std::string& value, std::int64_t least, std::int64_t most);

/// true, false, 1 or 0.
[[nodiscard]] bool flag(const std::string& value);

/// A time of at least so many nanoseconds, such as the example.
[[nodiscard]] std::chrono::nanoseconds duration(const std::string& value, std::int64_t least,
                                                const char* example);

/// A size of memory.
[[nodiscard]] std::uint64_t bytes(const std::string& value);

/// One of the names that a choice is made from, and what it stands for.
template <class T>
struct Choice {
  const char* name;
  T value;
};

inline constexpr Choice<Study> studies[] = {{"split-depth", Study::split_depth},
                                            {"threads", Study::threads},
                                            {"ranks", Study::ranks},
                                            {"schedule", Study::schedule}};

/// "'idaa' is unknown, did you mean ida?"; where none is near all names are listed.
[[noreturn]] void refuse_choice(const std::string& value, const std::vector<std::string>& names);

/// The value, if it is one of the names.
[[nodiscard]] std::string one_of(const std::string& value, std::span<const char* const> names);

template <class T, std::size_t N>
[[nodiscard]] T chosen(const std::string& value, const Choice<T> (&choices)[N]) {
  std::vector<std::string> names;
  for (const Choice<T>& choice : choices) {
    if (value == choice.name) return choice.value;
    names.emplace_back(choice.name);
  }
  refuse_choice(value, names);
}

/// K/N.
[[nodiscard]] Slice parse_slice(const std::string& value);

/// NODES or NODES/RANK:FACTOR.
[[nodiscard]] Emulation parse_emulation(const std::string& value);

/// auto, parent or fsm:DEPTH, whose depth is checked where the boards are known; none is refused
/// there, with what to do instead.
[[nodiscard]] std::string parse_prune(const std::string& value);

/// none, neighbors, distance or queues:K.
void apply_parallel(Config& config, const std::string& value);

/// A list without empty or repeated entries.
[[nodiscard]] std::vector<std::string> parse_names(const std::string& value);

}  // namespace tessera
