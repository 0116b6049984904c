// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/config.hpp"

namespace tessera {

class Context;

/// The commands as bits, so that an option can belong to several.
enum CommandBit : unsigned {
  on_solve = 1U << 0,
  on_generate = 1U << 1,
  on_verify = 1U << 2,
  on_info = 1U << 3,
  on_pdb = 1U << 4,
  on_estimate = 1U << 5,
  on_serve = 1U << 6,
  on_census = 1U << 7,
  on_simulate = 1U << 8,
  on_compare = 1U << 9,
  on_report = 1U << 10,
  on_moves = 1U << 11,
  on_analyse = 1U << 12,
  on_optimize = 1U << 13,
};
/// `estimate` has the options of `solve`, `compare` those that do not apply to a single board only.
constexpr unsigned on_search = on_solve | on_estimate;
constexpr unsigned on_boards = on_search | on_compare;
/// Commands that take a board and moves made from it.
constexpr unsigned on_games = on_analyse | on_optimize;

struct CommandSpec {
  CommandBit bit;
  const char* name;
  const char* summary;
  const char* words;                    ///< operands beside options, for usage; empty: none
  const char* examples;                 ///< real command lines, one per line
  const char* description;              ///< a paragraph for the man page
  int (*run)(const Config&, Context&);  ///< returns the exit code
};

/// One option: the only place that defines it. Its environment variable is TESSERA_ and the name in
/// capitals; its key in a configuration file is the name. Help, man pages and completions come
/// from this.
struct OptionSpec {
  const char* name;  ///< without dashes
  /// The value's name, or null for a flag. Alternatives are separated by bars, literal ones in
  /// lower case: `none|queues:K|FILE`; a list of them ends with `,...`.
  const char* value;
  const char* help;
  unsigned commands;  ///< CommandBits
  /// Reads the value into the configuration, called by apply_option; null for what only the
  /// command line can set, not the environment or a file.
  void (*apply)(Config&, const std::string& value);
  /// The heading for it in the help of the commands `on_boards`.
  std::string_view group = "Expert";
  char letter = '\0';  ///< a short name, after one dash
  /// The environment variable, if another option of the same name has TESSERA_ and the name.
  const char* variable = nullptr;
};

/// Examples for the whole program, one per line.
inline constexpr const char* general_examples =
    "tessera solve --set haskell\n"
    "mpirun -np 2 tessera solve \"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\" --goal first\n"
    "tessera generate --size 4x4 --count 10 --seed 7 | tessera solve --file -\n";

[[nodiscard]] std::span<const CommandSpec> command_specs();
[[nodiscard]] std::span<const OptionSpec> option_specs();
/// The options of a command.
[[nodiscard]] std::vector<std::reference_wrapper<const OptionSpec>> options_of(
    const CommandSpec& command);

/// Reads the value, its literal alternatives in either case. Throws Error(input) without the
/// option's name.
void apply_option(const OptionSpec& option, Config& config, const std::string& value);

/// What may stand in the place of the last word after `tessera`, for the shells' scripts
/// (src/cli/completions): a line for each, WORD TAB DESCRIPTION, or `:files` or `:folders`. A word
/// that ends with `=`, `,` or `:` may continue.
[[nodiscard]] std::string completions(const std::vector<std::string>& words);

/// Writes the man pages, in roff, for the build. `date`: such as 2026-11-21.
void write_man_pages(const std::filesystem::path& folder, const std::string& date);

/// The environment variable that sets an option.
[[nodiscard]] std::string environment_name(const OptionSpec& option);

/// An option's value, as text like on the command line.
struct OptionValue {
  std::string text;
  std::string place;  ///< "--option", its environment variable or "FILE:LINE: option"
};

using OptionValues = std::map<std::string, OptionValue>;  ///< by option

/// The settings of a TOML file for a command.
struct ConfigFile {
  OptionValues of_command;  ///< in a table named after it; they take precedence
  OptionValues of_all;      ///< top-level keys, for every command that has them
};

/// Throws Error(input) with FILE:LINE for invalid TOML, an unknown key or a value of a wrong type,
/// anywhere in the file.
[[nodiscard]] ConfigFile read_config_file(const std::string& path, const CommandSpec& command);

/// Checks the paths of a command before anything is written. Throws Error(input) if a file or
/// folder that options name for output cannot be written, an output is a file that the command
/// reads, or two outputs are one file (devices and pipes may be named twice). Changes nothing.
void expect_paths(const Config& config, CommandBit command);

}  // namespace tessera
