// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tessera::fuzz {

/// A parser under attack. It may refuse an input by tessera::Error and by nothing else.
struct Target {
  std::string name;
  std::vector<std::string> seeds;  ///< good inputs, which are mutated
  std::function<void(const std::string& input)> parse;
  /// Makes checksums right again, so that what lies behind them is reached too; may be empty.
  /// Called for every other input.
  std::function<std::string(std::string)> repair = {};
  std::uint64_t most_bytes = std::uint64_t{64} << 20;  ///< of memory that one input may take
};

[[nodiscard]] std::vector<Target> text_targets();
[[nodiscard]] std::vector<Target> binary_targets();
[[nodiscard]] std::vector<Target> web_targets();

}  // namespace tessera::fuzz
