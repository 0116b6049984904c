// SPDX-License-Identifier: MIT
#include "cli/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tessera/base/error.hpp"

namespace tessera {
namespace {

struct Named {
  std::string name;
  std::filesystem::path path;
};

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code none;
  const auto status = std::filesystem::status(a, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return false;
  if (std::filesystem::equivalent(a, b, none)) return true;
  const auto there = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, none), none);
  };
  return there(a) == there(b);
}

}  // namespace

void expect_distinct_paths(const Config& config, CommandBit command) {
  // Standard input is read once.
  if (std::count(config.words.begin(), config.words.end(), "-") > 1) {
    bad_input("FILE: - stands there twice, and standard input can be read once");
  }
  std::vector<Named> files;
  const auto add = [&](const char* name, const std::optional<std::string>& path) {
    if (path && *path != "-") files.push_back({name, *path});
  };
  add("--file", config.file);
  if (command == on_simulate && !config.words.empty()) add("the record", config.words[0]);
  const std::size_t inputs = files.size();
  add("--json", config.json);
  add("--csv", config.csv);
  add("--trace", config.trace);
  add("--record", config.record);
  if (command != on_census) add("--checkpoint", config.checkpoint);
  for (std::size_t output = inputs; output < files.size(); ++output) {
    for (std::size_t other = 0; other < output; ++other) {
      if (!is_same_file(files[output].path, files[other].path)) continue;
      bad_input(files[output].name + ": " + files[output].path.string() + " is also " +
                files[other].name + ", expected another path");
    }
  }
}

}  // namespace tessera
