// SPDX-License-Identifier: MIT
#include "cli/process/run.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

using namespace std::string_literals;

using Values = std::map<std::string, OptionValue>;

// The headings of help, in order. Options under the last one are shown by --help-all only.
constexpr std::string_view groups[] = {"Options", "Boards", "Search", "Parallel",
                                       "Limits",  "Output", "Expert"};

// Commands that do not search boards have few options, under one heading.
std::string_view group_of(const OptionSpec& option, const CommandSpec& command) {
  return (command.bit & on_boards) != 0 ? option.group : groups[0];
}

// Variables of the module file, the scripts and the tests.
constexpr std::string_view other_variables[] = {
    "TESSERA_ROOT",  "TESSERA_HERE",   "TESSERA_NEEDS_BROWSER", "TESSERA_TEST_JOB",
    "TESSERA_STEPS", "TESSERA_INJECT", "TESSERA_SILENCE_MS"};

// A warning for each environment variable that starts with TESSERA_ and sets no option, such as
// TESSERA_THREDS: "TESSERA_THREDS sets no option, did you mean TESSERA_THREADS?"
std::vector<std::string> unknown_variables() {
  std::vector<std::string> known;
  for (const OptionSpec& option : option_specs()) known.push_back(environment_name(option));
  std::vector<std::string> warnings;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with("TESSERA_") || std::ranges::count(known, name) > 0 ||
        std::ranges::count(other_variables, name) > 0) {
      continue;
    }
    const std::string nearest = nearest_name(name, known);
    warnings.push_back(name + " sets no option" +
                       (nearest.empty() ? "" : ", did you mean " + nearest + "?"));
  }
  return warnings;
}

// What CLI11 found on the command line, by option name.
struct Parsed {
  Values values;
  std::vector<std::string> words;
  std::string config_file;
  std::string help;  // if it was requested
};

// The operands, by the start of their usage.
struct Operand {
  std::string_view usage;
  const char* name;
  const char* help;
};
constexpr Operand operands[] = {
    {"FILE...", "FILE", "Result files, - being standard input"},
    {"FILE", "FILE", "A record, - being standard input"},
    {"build", "ACTION", "build|list|verify [FILE...]"},
    {"WxH", "WxH", "Columns x rows"},
    {"BOARD MOVES", "BOARD", "A board, then moves such as RRUL or R2 U L"},
    {"[BOARD]", "BOARD", "Tiles row by row, 0 is the blank"}};

// CLI11 takes an operand [x] for a list of x, unless another character is in front.
constexpr char bracket_mark = '\1';

void mark_bracket(std::string& word) {
  if (word.starts_with('[')) word.insert(word.begin(), bracket_mark);
}

std::string without_mark(std::string word) {
  if (word.starts_with(bracket_mark)) word.erase(0, 1);
  return word;
}

void add_option(CLI::App& app, const OptionSpec& option, const std::string& group, Parsed& parsed) {
  const std::string name = (option.letter != '\0' ? std::string{'-', option.letter, ','} : "") +
                           std::string("--") + option.name;
  const auto give = [&parsed, &option](const std::string& text) {
    parsed.values[option.name] = {without_mark(text), std::string("--") + option.name};
  };
  if (option.value != nullptr) {
    app.add_option_function<std::string>(name, give, option.help)
        ->type_name(option.value)
        ->take_last()
        ->group(group);
    return;
  }
  // --x, --x=false and --no-x: the last one on the command line wins; all override a configuration
  // file.
  app.add_flag_function(
         name, [give](std::int64_t value) { give(value > 0 ? "true" : "false"); }, option.help)
      ->take_last()
      ->trigger_on_parse()
      ->group(group);
  app.add_flag_callback(std::string("--no-") + option.name, [give] { give("false"); })
      ->trigger_on_parse()
      ->group("");
}

// Rejects what CLI11 2.1 accepts or fails on: options without a value, which would take the next
// option as their value (--pdb-dir --quiet), and invalid values of flags (--quiet=maybe).
void expect_values(const CommandSpec& command, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const auto expect_value = [&](const std::string& expected) {
      const bool is_last = equals == std::string::npos && i + 1 == arguments.size();
      const std::string value = is_last                       ? ""
                                : equals != std::string::npos ? argument.substr(equals + 1)
                                                              : arguments[++i];
      const bool is_option = equals == std::string::npos && value.starts_with("--");
      if (value.empty() || is_option) bad_input(name + ": no value, expected " + expected);
    };
    if (name == "--config") expect_value("FILE");
    for (const OptionSpec& option : options_of(command)) {
      const bool is_named =
          name == "--"s + option.name || (option.letter != '\0' && name == "-"s + option.letter);
      if (option.value != nullptr) {
        if (!is_named) continue;
        expect_value(option.value);
        break;
      }
      if (equals == std::string::npos || (!is_named && name != "--no-"s + option.name)) continue;
      Config scratch;
      at_place(name + ": ", [&] { apply_option(option, scratch, argument.substr(equals + 1)); });
    }
  }
}

std::string example_lines(const char* examples) {
  std::string text = "Examples:\n";
  for (const std::string& line : split_list(examples, '\n')) {
    if (!line.empty()) text += "  " + line + "\n";
  }
  return text;
}

Parsed parse_command(const CommandSpec& command, std::vector<std::string> arguments) {
  Parsed parsed;
  CLI::App app(command.summary, std::string("tessera ") + command.name);
  const bool all = std::ranges::find(arguments, "--help-all") != arguments.end();
  bool hides = false;
  app.set_help_flag("-h,--help", "Options and examples");
  const auto operand = std::ranges::find_if(operands, [&](const Operand& known) {
    return std::string_view(command.words).starts_with(known.usage);
  });
  if (operand != std::end(operands)) {
    app.add_option(operand->name, parsed.words, operand->help)->type_name("");
  }
  app.add_option("--config", parsed.config_file,
                 "Read options from a TOML file: threads = 2; below [solve] for one command")
      ->type_name("FILE")
      ->take_last();
  for (const std::string_view group : groups) {
    const bool hidden = group == std::end(groups)[-1] && !all;
    for (const OptionSpec& option : options_of(command)) {
      if (group_of(option, command) != group) continue;
      add_option(app, option, hidden ? "" : std::string(group), parsed);
      hides = hides || hidden;
    }
  }
  app.set_help_all_flag("--help-all", "All options")->group(hides || all ? "Options" : "");
  app.footer(
      (hides ? "More options: tessera " + std::string(command.name) + " --help-all\n\n" : "") +
      example_lines(command.examples));
  expect_values(command, arguments);
  std::ranges::for_each(arguments, mark_bracket);
  std::ranges::reverse(arguments);  // as CLI11 expects them
  try {
    app.parse(arguments);
    for (std::string& word : parsed.words) word = without_mark(word);
    parsed.config_file = without_mark(parsed.config_file);
    for (const auto& [name, expected] : {std::pair{"--set", "source of boards"},
                                         {"--file", "source of boards"},
                                         {"--config", "file"}}) {
      const CLI::Option* option = app.get_option_no_throw(name);
      if (option != nullptr && option->count() > 1) {
        bad_input(name + ": given twice, expected one "s + expected);
      }
    }
  } catch (const CLI::Success&) {  // help was requested
    parsed.help = app.help();
  } catch (const CLI::ExtrasError&) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    for (auto word = arguments.rbegin(); word != arguments.rend(); ++word) {
      const std::string name = word->substr(0, word->find('='));
      if (name.starts_with("-") && std::ranges::find(names, name) == names.end()) {
        refuse_unknown("option", name, names,
                       "an option that tessera " + std::string(command.name) + " --help lists");
      }
    }
    const std::string words(command.words);
    bad_input("too many arguments, expected tessera " + std::string(command.name) +
              (words.empty() ? "" : " ") + words + " [options]");
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::ranges::replace(message, '\n', ' ');
    bad_input(message + ", see tessera " + command.name + " --help");
  }
  return parsed;
}

// Adds values of lower precedence. Boards come from one source, so any source on a higher level
// overrides all lower ones.
void add_defaults(Values& values, Values defaults, bool has_board) {
  constexpr const char* sources[] = {"set", "file", "scramble"};
  const auto given = [&](const char* source) { return values.contains(source); };
  if (has_board || std::ranges::any_of(sources, given)) {
    for (const char* source : sources) defaults.erase(source);
  }
  values.merge(std::move(defaults));
}

// The arguments with quotes where a shell needs them.
std::string command_line_of(const std::vector<std::string>& arguments) {
  std::string line = "tessera";
  for (const std::string& argument : arguments) {
    const bool plain = !argument.empty() && std::ranges::all_of(argument, [](unsigned char c) {
      return std::isalnum(c) != 0 ||
             std::string_view("-_=+:,./@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    line += plain ? " " + argument : " '" + boost::replace_all_copy(argument, "'", "'\\''") + "'";
  }
  return line;
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
         "  --version   Version, revision, compiler, MPI library\n\n" +
         example_lines(general_examples);
}

}  // namespace

Invocation parse_command_line(const std::vector<std::string>& arguments) {
  Invocation invocation;
  // help COMMAND is the same as COMMAND --help.
  const bool helps = !arguments.empty() && arguments[0] == "help";
  if (helps && arguments.size() == 2) return parse_command_line({arguments[1], "--help"});
  if (arguments.empty() || helps || arguments[0] == "--help" || arguments[0] == "-h") {
    invocation.text = general_help();
    return invocation;
  }
  const std::string& first = arguments.front();
  if (first == "--version") {
    invocation.text = version_line(Context::mpi_library()) + "\n";
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
  // Precedence: the command line, then the environment, then the file. An empty variable counts as
  // unset.
  Values& values = parsed.values;
  const auto options = options_of(*invocation.command);
  Values variables;
  for (const OptionSpec& option : options) {
    const std::string variable = environment_name(option);
    const char* const text = std::getenv(variable.c_str());
    if (text != nullptr && *text != '\0') variables[option.name] = {text, variable};
  }
  add_defaults(values, std::move(variables), !parsed.words.empty());
  if (!parsed.config_file.empty()) {
    invocation.config.config_file = parsed.config_file;
    add_defaults(values, read_config_file(parsed.config_file, *invocation.command),
                 !parsed.words.empty());
  }
  invocation.warnings = unknown_variables();
  invocation.config.command_line = command_line_of(arguments);
  invocation.config.words = parsed.words;
  for (const OptionSpec& option : options) {
    const auto given = values.find(option.name);
    if (given == values.end()) continue;
    const OptionValue& value = given->second;
    at_place(value.place + ": ", [&] {
      if (option.value != nullptr && value.text.empty()) {
        bad_input("no value, expected "s + option.value);
      }
      apply_option(option, invocation.config, value.text);
    });
  }
  const auto& words = invocation.config.words;
  const bool word = std::ranges::find(words, "-") != words.end();
  if (parsed.config_file == "-" && (word || invocation.config.file == "-")) {
    bad_input(std::string("--config and ") + (word ? "FILE" : "--file") +
              ": both are -, but standard input can be read only once");
  }
  return invocation;
}

}  // namespace tessera
