// SPDX-License-Identifier: MIT
#include "cli/parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

using Values = std::map<std::string, std::string>;

std::string environment_name(const OptionSpec& option) {
  std::string name = "TESSERA_";
  for (const char c : std::string_view(option.name)) {
    name += c == '-' ? '_' : static_cast<char>(c - (c >= 'a' && c <= 'z' ? 'a' - 'A' : 0));
  }
  return name;
}

[[noreturn]] void unknown(const std::string& what, const std::string& name,
                          const std::vector<std::string>& known, const std::string& hint) {
  const std::string nearest = nearest_name(name, known);
  bad_input(what + " " + quote(name) + " is unknown, " +
            (nearest.empty() ? "expected " + hint : "did you mean " + nearest + "?"));
}

std::vector<std::string> option_names(const CommandSpec& command) {
  std::vector<std::string> names{"--help", "--config"};
  for (const OptionSpec& option : option_specs()) {
    if ((option.commands & command.bit) != 0) names.push_back(std::string("--") + option.name);
  }
  return names;
}

// What CLI11 found on the command line, by option name.
struct Parsed {
  Values values;
  std::vector<std::string> words;
  std::string config_file;
  std::string help;  // where it was asked for
};

Parsed parse_command(const CommandSpec& command, std::vector<std::string> arguments) {
  Parsed parsed;
  CLI::App app(command.summary, std::string("tessera ") + command.name);
  app.footer(std::string("Examples:\n") + [&] {
    std::string lines;
    for (const std::string& line : split_list(command.examples, '\n')) {
      if (!line.empty()) lines += "  " + line + "\n";
    }
    return lines;
  }());
  if (command.words[0] != '\0') app.add_option("words", parsed.words, command.words);
  app.add_option("--config", parsed.config_file, "Read options from a TOML file");
  for (const OptionSpec& option : option_specs()) {
    if ((option.commands & command.bit) == 0) continue;
    const std::string name = std::string("--") + option.name;
    if (option.value == nullptr) {
      app.add_flag_callback(
          name, [&parsed, &option] { parsed.values[option.name] = "true"; }, option.help);
    } else {
      app.add_option_function<std::string>(
             name,
             [&parsed, &option](const std::string& value) { parsed.values[option.name] = value; },
             option.help)
          ->type_name(option.value)
          ->take_last();
    }
  }
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    parsed.help = app.help();
  } catch (const CLI::ExtrasError&) {
    for (auto word = arguments.rbegin(); word != arguments.rend(); ++word) {
      const std::string name = word->substr(0, word->find('='));
      const auto names = option_names(command);
      if (name.starts_with("-") && std::find(names.begin(), names.end(), name) == names.end()) {
        unknown("option", name, names,
                "an option that tessera " + std::string(command.name) + " --help lists");
      }
    }
    bad_input("too many words, expected tessera " + std::string(command.name) + " " +
              command.words + " [options]");
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    bad_input(message + ", see tessera " + command.name + " --help");
  }
  return parsed;
}

// Options of a TOML file that the command knows; others are an error, as on the command line.
Values read_config_file(const std::string& path, const CommandSpec& command) {
  std::ifstream file(path);
  if (!file) bad_input(path + ": cannot be read, expected a TOML file of options");
  Values values;
  try {
    for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(file)) {
      if (item.name == "++" || item.name == "--") continue;  // CLI11's marks of a section
      const auto names = option_names(command);
      if (std::find(names.begin(), names.end(), "--" + item.name) == names.end()) {
        unknown(path + ": option", item.name, names, "an option without its dashes");
      }
      values[item.name] = item.inputs.empty() ? "true" : item.inputs.back();
    }
  } catch (const CLI::ParseError& error) {
    bad_input(path + ": " + error.what() + ", expected a TOML file of options");
  }
  return values;
}

std::string general_help() {
  std::string text =
      "tessera: optimal solver of sliding-tile puzzles, on threads and on MPI ranks\n\n"
      "Usage: tessera COMMAND [options]\n\nCommands:\n";
  for (const CommandSpec& command : command_specs()) {
    text += "  " + std::string(command.name) +
            std::string(12 - std::string_view(command.name).size(), ' ') + command.summary + "\n";
  }
  return text +
         "\nOptions:\n  --help      This text; after a command, its options\n"
         "  --version   Version, revision, compiler, MPI library\n\n"
         "Examples:\n"
         "  tessera solve --set haskell\n"
         "  mpirun -np 2 tessera solve \"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\" --goal first\n"
         "  tessera generate --size 4x4 --count 10 --seed 7 | tessera solve --file -\n";
}

}  // namespace

Invocation parse_command_line(const std::vector<std::string>& arguments,
                              const std::string& version_line) {
  Invocation invocation;
  if (arguments.empty()) bad_input("no command, expected one that tessera --help lists");
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    invocation.text = general_help();
    return invocation;
  }
  if (first == "--version") {
    invocation.text = version_line + "\n";
    return invocation;
  }
  std::vector<std::string> names;
  for (const CommandSpec& command : command_specs()) {
    names.emplace_back(command.name);
    if (first == command.name) invocation.command = &command;
  }
  if (invocation.command == nullptr) {
    unknown("command", first, names, "one that tessera --help lists");
  }

  Parsed parsed = parse_command(*invocation.command, {arguments.begin() + 1, arguments.end()});
  if (!parsed.help.empty()) {
    invocation.command = nullptr;
    invocation.text = parsed.help;
    return invocation;
  }
  const Values from_file = parsed.config_file.empty()
                               ? Values{}
                               : read_config_file(parsed.config_file, *invocation.command);
  invocation.config.words = parsed.words;
  for (const OptionSpec& option : option_specs()) {
    if ((option.commands & invocation.command->bit) == 0) continue;
    std::string origin = std::string("--") + option.name;
    const std::string* value = nullptr;
    std::string from_environment;
    if (const auto found = parsed.values.find(option.name); found != parsed.values.end()) {
      value = &found->second;
    } else if (const char* variable = std::getenv(environment_name(option).c_str())) {
      origin = environment_name(option);
      from_environment = variable;
      value = &from_environment;
    } else if (const auto in_file = from_file.find(option.name); in_file != from_file.end()) {
      origin = parsed.config_file + ": " + option.name;
      value = &in_file->second;
    }
    if (value == nullptr) continue;
    try {
      option.apply(invocation.config, *value);
    } catch (const Error& error) {
      throw Error(error.kind(), origin + ": " + error.what());
    }
  }
  return invocation;
}

}  // namespace tessera
