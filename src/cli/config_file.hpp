// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "cli/options.hpp"

namespace tessera {

/// A value that a configuration file gives, as the option reads it from the command line.
struct FileValue {
  std::string text;
  std::string place;  ///< "FILE:LINE: option"
};

/// What a TOML file says for a command, by option. Keys at its top hold for every command that has
/// them, those of a table with the name of a command for this one alone, and before the others.
/// Throws Error(input) with FILE:LINE: no TOML, an unknown key, a value of a wrong type, wherever
/// in the file.
[[nodiscard]] std::map<std::string, FileValue> read_config_file(const std::string& path,
                                                                const CommandSpec& command);

}  // namespace tessera
