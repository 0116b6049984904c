// SPDX-License-Identifier: MIT
#include "cli/process/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/text.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/precedence.hpp"
#include "report/version.hpp"

namespace tessera {
namespace {

using namespace std::string_literals;

// The headings of help, in order. Options under the last one are shown by --help-all only.
constexpr std::string_view groups[] = {"Options", "Boards", "Search", "Parallel",
                                       "Limits",  "Output", "Expert"};

// Commands that do not search boards have few options, under one heading.
std::string_view group_of(const OptionSpec& option, const CommandSpec& command) {
  return (command.bit & on_boards) != 0 ? option.group : groups[0];
}

// Variables of the module file, the scripts and the tests.
constexpr std::string_view other_variables[] = {"TESSERA_ROOT", "TESSERA_HERE",
                                                "TESSERA_NEEDS_BROWSER", "TESSERA_TEST_JOB"};

// A warning for each environment variable that starts with TESSERA_ and sets no option, such as
// TESSERA_THREDS: "TESSERA_THREDS sets no option, did you mean TESSERA_THREADS?"
std::vector<std::string> unknown_variables() {
  std::vector<std::string> known;
  for (const OptionSpec& option : option_specs()) {
    if (option.apply != nullptr) known.push_back(environment_name(option));
  }
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

// Only lists of moves may be empty, as a solved board's solution.
void expect_value(const OptionSpec& option, const std::optional<std::string>& given) {
  if (option.value == nullptr || !given.value_or("").empty()) return;
  if (!given || std::string_view(option.value) != "MOVES")
    bad_input("no value, expected "s + option.value);
}

// Reads `--threads 2`, `--threads=2`, `-t 2`, `-t2`, flags as `--quiet`, `--no-quiet`,
// `--quiet=false`, `-q` and `-qt2`, and words, which are all that follows `--`. The last value of
// an option counts.
class Arguments {
 public:
  Arguments(const CommandSpec& command, const std::vector<std::string>& arguments)
      : command_(command), rest_(arguments.begin() + 1, arguments.end()) {
    for (bool only_words = false; !rest_.empty();) {
      const std::string argument = next();
      const bool is_short = argument.size() > 1 && argument[0] == '-' &&
                            std::isalpha(static_cast<unsigned char>(argument[1])) != 0;
      if (only_words || (!is_short && !argument.starts_with("--"))) words.push_back(argument);
      else if (argument == "--") only_words = true;
      else if (is_short) read_letters(argument);
      else read_name(argument);
    }
    if (!words.empty() && command.words[0] == '\0') {
      bad_input("too many arguments, expected tessera "s + command.name + " [options]");
    }
  }

  OptionValues values;
  std::vector<std::string> words;

 private:
  using Given = std::optional<std::string>;  // a value in the same argument

  std::string next() {
    std::string argument = std::move(rest_.front());
    rest_.pop_front();
    return argument;
  }

  void read_name(const std::string& argument) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const Given given = equals == argument.npos ? Given() : argument.substr(equals + 1);
    std::vector<std::string> names;
    for (const OptionSpec& option : options_of(command_)) {
      if (name == names.emplace_back("--"s + option.name)) return set(option, name, given);
      if (option.value != nullptr) continue;
      if (name != names.emplace_back("--no-"s + option.name)) continue;
      const auto says_yes = [&] { return yes_or_no(given.value_or("true")); };
      return set(option, name, with_error_prefix(name + ": ", says_yes) ? "false" : "true");
    }
    refuse(name, names);
  }

  void read_letters(const std::string& argument) {
    for (std::size_t i = 1; i < argument.size(); ++i) {
      const std::string name{'-', argument[i]};
      const auto known = options_of(command_);
      const auto found =
          std::ranges::find(known, argument[i], [](const OptionSpec& each) { return each.letter; });
      if (found == known.end()) refuse(name, {});
      const OptionSpec& option = *found;
      const std::string rest = argument.substr(i + 1);
      const bool assigns = rest.starts_with('=');
      const bool is_value = !rest.empty() && (assigns || option.value != nullptr);
      set(option, name, is_value ? Given(rest.substr(assigns ? 1 : 0)) : Given());
      if (is_value) return;
    }
  }

  void set(const OptionSpec& option, const std::string& name, Given given) {
    if (option.value == nullptr && !given) given = "true";
    // The next argument is no value if it is an option.
    if (!given && !rest_.empty() && !rest_.front().starts_with("--")) given = next();
    with_error_prefix(name + ": ", [&] { expect_value(option, given); });
    const OptionValue value{*given, "--"s + option.name};
    const bool first = values.insert_or_assign(option.name, value).second;
    for (const char* single : {"set", "file", "config"}) {
      if (!first && option.name == std::string_view(single)) {
        bad_input(name + ": given twice, expected one "s +
                  (single == "config"s ? "file" : "source of boards"));
      }
    }
  }

  [[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& known) const {
    std::vector<std::string> others;
    for (const CommandSpec& other : command_specs()) {
      const bool has_it = std::ranges::any_of(options_of(other), [&](const OptionSpec& option) {
        return name == "--"s + option.name || name == std::string{'-', option.letter};
      });
      if (has_it) others.emplace_back(other.name);
    }
    if (!others.empty()) {
      bad_input("option " + name + ": not with " + command_.name + ", only with " +
                alternatives(others));
    }
    bad_input("option " +
              unknown_name(name, known,
                           "an option that tessera "s + command_.name + " --help-all lists"));
  }

  const CommandSpec& command_;
  std::deque<std::string> rest_;
};

std::string example_lines(const char* examples) {
  std::string text = "Examples:\n";
  for (const std::string& line : split_list(examples, '\n')) {
    if (!line.empty()) text += "  " + line + "\n";
  }
  return text;
}

std::string help_line(const std::string& name, std::string_view help) {
  constexpr std::size_t width = 28;
  if (name.size() < width) return fmt::format("  {:<{}}{}\n", name, width, help);
  return fmt::format("  {}\n{:{}}{}\n", name, "", width + 2, help);
}

std::string help_of(const CommandSpec& command, bool all) {
  const std::string words = command.words[0] == '\0' ? "" : " "s + command.words;
  std::string text =
      fmt::format("{}\nUsage: tessera {} [options]{}\n", command.summary, command.name, words);
  for (const auto& [operand, help] : {std::pair{"FILE...", "Result files; - is standard input"},
                                      {"FILE", "A record; - is standard input"},
                                      {"WxH", "Columns x rows"},
                                      {"BOARD MOVES", "A board, then moves such as RRUL or R2 U L"},
                                      {"[BOARD]", "Tiles row by row, 0 is the blank"},
                                      {"build|list|verify [FILE...]",
                                       "Build the missing tables of a partition, list those in the "
                                       "folder, or check files"}}) {
    if (command.words == std::string_view(operand)) text += "\n" + help_line(operand, help);
  }
  if (command.bit == on_estimate) {
    text +=
        "\nThe options of solve describe the search to predict; no checkpoint, record, trace or "
        "log is written.\n";
  }
  std::string hint;
  for (const std::string_view group : groups) {
    std::string lines;
    for (const OptionSpec& option : options_of(command)) {
      if (group_of(option, command) != group) continue;
      const std::string letter = option.letter == '\0' ? "" : std::string{'-', option.letter, ','};
      const std::string value = option.value == nullptr ? "" : " "s + option.value;
      lines += help_line(letter + "--" + option.name + value, option.help);
    }
    if (lines.empty()) continue;
    if (group == std::end(groups)[-1] && !all) {
      hint = fmt::format("More options: tessera {} --help-all\n\n", command.name);
    } else {
      text += fmt::format("\n{}:\n{}", group, lines);
    }
  }
  return text + "\n" + hint + example_lines(command.examples);
}

// The arguments with quotes where a shell needs them.
std::string command_line_of(const std::vector<std::string>& arguments) {
  constexpr std::string_view safe =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+:,./@%";
  std::string line = "tessera";
  for (const std::string& argument : arguments) {
    const bool plain = !argument.empty() && argument.find_first_not_of(safe) == argument.npos;
    line += plain ? " " + argument : " '" + boost::replace_all_copy(argument, "'", "'\\''") + "'";
  }
  return line;
}

std::string general_help() {
  std::string text =
      "tessera: optimal solver of sliding-tile puzzles, on threads and on MPI ranks\n\n"
      "Usage: tessera COMMAND [options]\n\nCommands:\n";
  for (const CommandSpec& command : command_specs()) {
    text += fmt::format("  {:<12}{}\n", command.name, command.summary);
  }
  return text +
         "\nOptions:\n  --help      This text; after a command, its options\n"
         "  --version   Version, revision, compiler, MPI library\n\n" +
         example_lines(general_examples);
}

bool is_help(const std::string& word) {
  return word == "help" || word == "--help" || word == "-h";
}

// What is printed if no command is named; nullopt if one is.
std::optional<std::string> text_without_command(const std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? "--help" : arguments.front();
  if (is_help(first)) return general_help();
  if (first == "--version" || first == "-V" || first == "version") {
    return version_line(Context::mpi_library()) + "\n";
  }
  if (first == "--complete") return completions({arguments.begin() + 1, arguments.end()});
  if (first != "--man-pages" || arguments.size() != 3) return {};
  write_man_pages(arguments[1], arguments[2]);
  return "";
}

const CommandSpec& command_of(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandSpec& command : command_specs()) {
    if (name == command.name) return command;
    names.emplace_back(command.name);
  }
  bad_input("command " + unknown_name(name, names, "one that tessera --help lists"));
}

// An empty variable counts as unset.
OptionValues environment_values(const CommandSpec& command) {
  OptionValues variables;
  for (const OptionSpec& option : options_of(command)) {
    const std::string variable = environment_name(option);
    const std::string_view text = environment(variable.c_str());
    if (option.apply != nullptr && !text.empty()) {
      variables[option.name] = {std::string(text), variable};
    }
  }
  return variables;
}

void expect_no_contradiction(const OptionValues& values) {
  const auto expect_one_of = [&](const char* one, const char* other) {
    if (!values.contains(one) || !values.contains(other)) return;
    bad_input(fmt::format("{} and {} exclude each other, expected one of them",
                          values.at(one).place, values.at(other).place));
  };
  expect_one_of("heuristic", "heuristics");
  if (has_list_of_threads(values)) expect_one_of("workers", "threads");
  else expect_one_of("threads", "threads-per-rank");
}

// In the order of the table of options.
void apply(const OptionValues& values, const CommandSpec& command, Config& config) {
  for (const OptionSpec& option : options_of(command)) {
    const auto given = values.find(option.name);
    if (given == values.end()) continue;
    const OptionValue& value = given->second;
    with_error_prefix(value.place + ": ", [&] {
      expect_value(option, value.text);
      apply_option(option, config, value.text);
    });
  }
}

}  // namespace

Invocation parse_command_line(const std::vector<std::string>& arguments) {
  // `help COMMAND` and `COMMAND help` are the same as `COMMAND --help`.
  if (arguments.size() > 1 && is_help(arguments[0]) && arguments[1] != "help" &&
      !arguments[1].starts_with('-')) {
    return parse_command_line({arguments[1], "--help"});
  }
  if (auto text = text_without_command(arguments)) return {.text = std::move(*text)};
  if (arguments.size() == 2 && arguments[1] == "help") {
    return parse_command_line({arguments[0], "--help"});
  }
  const CommandSpec& command = command_of(arguments.front());
  Arguments parsed(command, arguments);
  OptionValues& values = parsed.values;
  const auto all = values.extract("help-all");
  if (!all.empty() || !values.extract("help").empty()) {
    return {.text = help_of(command, !all.empty())};
  }
  // Precedence: the command line, then the environment, then the file.
  Invocation invocation;
  invocation.command = &command;
  Config& config = invocation.config;
  std::set<std::string> typed;
  for (const auto& [name, value] : values) typed.insert(name);
  const bool has_board = !parsed.words.empty() && (command.bit & (on_boards | on_games)) != 0;
  add_defaults(values, environment_values(command), has_board);
  if (const auto file = values.extract("config")) {
    config.config_file = file.mapped().text;
    ConfigFile settings = read_config_file(*config.config_file, command);
    add_defaults(values, std::move(settings.of_command), has_board);
    add_defaults(values, std::move(settings.of_all), has_board);
  }
  drop_useless_defaults(values, typed, command, parsed.words);
  expect_no_contradiction(values);
  invocation.warnings = unknown_variables();
  config.command_line = command_line_of(arguments);
  config.words = std::move(parsed.words);
  apply(values, command, config);
  const bool word = std::ranges::count(config.words, "-") > 0;
  if (config.config_file == "-" && (word || config.file == "-")) {
    bad_input("--config and "s + (word ? "FILE" : "--file") +
              ": both are -, but standard input can be read only once");
  }
  return invocation;
}

}  // namespace tessera
