// SPDX-License-Identifier: MIT
#include "cli/parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <map>

#include "cli/config_file.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"
#include "tessera/puzzle/board_file.hpp"

namespace tessera {
namespace {

using Values = std::map<std::string, std::string>;

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
  if (command.words[0] != '\0') {
    const std::string_view words = command.words;
    if (words.starts_with("FILE")) {
      app.add_option("FILE", parsed.words,
                     std::string(command.bit == on_simulate ? "A record" : "Result files") +
                         ", - being standard input")
          ->type_name("");
    } else if (words.starts_with("build")) {
      app.add_option("ACTION", parsed.words, command.words)->type_name("");
    } else if (words.starts_with("WxH")) {
      app.add_option("WxH", parsed.words, "Columns x rows")->type_name("");
    } else {
      app.add_option("BOARD", parsed.words, "Tiles row by row, 0 the blank")->type_name("");
    }
  }
  app.add_option("--config", parsed.config_file,
                 "Read options from a TOML file: threads = 2; for a command alone below [solve]");
  for (const OptionSpec& option : option_specs()) {
    if ((option.commands & command.bit) == 0) continue;
    const std::string name = (option.letter != '\0' ? std::string{'-', option.letter, ','} : "") +
                             std::string("--") + option.name;
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
        refuse_unknown("option", name, names,
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
    refuse_unknown("command", first, names, "one that tessera --help lists");
  }

  Parsed parsed = parse_command(*invocation.command, {arguments.begin() + 1, arguments.end()});
  if (!parsed.help.empty()) {
    invocation.command = nullptr;
    invocation.text = parsed.help;
    return invocation;
  }
  std::map<std::string, FileValue> from_file;
  if (!parsed.config_file.empty()) {
    from_file = read_config_file(parsed.config_file, *invocation.command);
  }
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
      origin = in_file->second.place;
      value = &in_file->second.text;
    }
    if (value == nullptr) continue;
    try {
      option.apply(invocation.config, *value);
    } catch (const Error& error) {
      throw Error(error.kind(), origin + ": " + error.what());
    }
  }
  const auto& words = invocation.config.words;
  const bool word = std::find(words.begin(), words.end(), "-") != words.end();
  if (parsed.config_file == "-" && (word || invocation.config.file == "-")) {
    bad_input(std::string("--config and ") + (word ? "FILE" : "--file") +
              ": both are -, and standard input can be read once");
  }
  return invocation;
}

}  // namespace tessera
