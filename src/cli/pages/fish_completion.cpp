// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <regex>

#include "cli/pages/pages.hpp"

namespace tessera {
namespace {

// A text in single quotes.
std::string literal(const std::string& text) {
  return "'" + std::regex_replace(text, std::regex(R"(['\\])"), R"(\$&)") + "'";
}

std::string words_of(const Value& value) {
  return fmt::to_string(fmt::join(value.words, " "));
}

std::string arguments(const Value& value) {
  if (value.kind == Value::Kind::free) return " -x";
  if (value.kind == Value::Kind::file) return " -r -F";
  if (value.kind == Value::Kind::folder) return " -x -a '(__fish_complete_directories)'";
  const std::string words = words_of(value);
  if (value.list) return fmt::format(" -x -a '(__fish_append , {})'", words);
  return fmt::format(" -x -a '{}'", words);
}

}  // namespace

std::string fish_completion() {
  std::string text =
      "# Completion of tessera in fish; made from its table of options when it was built.\n\n"
      "# COMMAND [WORDS]: whether it is the one on the line, with so many words after it\n"
      "function __tessera_on\n"
      "    set -l words (commandline -opc)\n"
      "    test \"$words[2]\" = $argv[1]; or return 1\n"
      "    set -q argv[2]; or return 0\n"
      "    test (count $words) -eq (math $argv[2] + 2)\n"
      "end\n\n"
      "complete -c tessera -f\n"
      "complete -c tessera -n __fish_use_subcommand -l help -d 'Print the commands'\n"
      "complete -c tessera -n __fish_use_subcommand -l version -d 'Print the version'\n";
  for (const CommandSpec& command : command_specs()) {
    const std::string on = fmt::format("complete -c tessera -n '__tessera_on {}'", command.name);
    text += fmt::format("\ncomplete -c tessera -n __fish_use_subcommand -a {} -d {}\n",
                        command.name, literal(command.summary));
    for (const OptionSpec& option : options_of(command)) {
      text += on + " -l " + option.name;
      if (option.letter != '\0') text += fmt::format(" -s {}", option.letter);
      if (option.value != nullptr) text += arguments(value_of(option));
      text += " -d " + literal(option.help) + "\n";
    }
    const Operands beside = operands_of(command);
    if (beside.first.kind == Value::Kind::words) {
      text += fmt::format("complete -c tessera -n '__tessera_on {} 0' -a {}\n", command.name,
                          literal(words_of(beside.first)));
    }
    if (beside.first.kind == Value::Kind::file) {
      text += on + " -F\n";
    } else if (beside.rest.kind == Value::Kind::file) {
      text +=
          fmt::format("complete -c tessera -n '__tessera_on {0}; and not __tessera_on {0} 0' -F\n",
                      command.name);
    }
  }
  return text;
}

}  // namespace tessera
