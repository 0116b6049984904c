// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>
#include <regex>

#include "cli/pages/pages.hpp"

namespace tessera {
namespace {

// Single-quoted text, as _arguments and _describe expect it.
std::string in_quotes(const std::string& text) {
  static const std::regex special(R"([\[\]:\\])");
  return boost::replace_all_copy(std::regex_replace(text, special, R"(\$&)"), "'", R"('\'')");
}

std::string action(const Value& value) {
  if (value.kind == Value::Kind::free) return " ";
  if (value.kind == Value::Kind::file) return "_files";
  if (value.kind == Value::Kind::folder) return "_files -/";
  // A word that ends with a colon continues: no blank after it.
  std::string whole;
  std::string begun;
  for (const std::string& word : value.words) {
    (word.ends_with(':') ? begun : whole).append(1, ' ').append(in_quotes(word));
  }
  if (value.list) return fmt::format("_sequence compadd -{}", whole);
  if (begun.empty()) return fmt::format("({})", whole.substr(1));
  return fmt::format("{{compadd -{}; compadd -S \"\" -{}}}", whole, begun);
}

}  // namespace

std::string zsh_completion() {
  std::string text =
      "#compdef tessera\n"
      "# Completion of tessera in zsh; made from its table of options when it was built.\n\n"
      "_tessera() {\n"
      "  local state line curcontext=$curcontext\n"
      "  typeset -A opt_args\n"
      "  _arguments -C '(- *)--help[Print the commands]' '(- *)--version[Print the version]' \\\n"
      "    '1:command:->command' '*::argument:->argument' && return\n"
      "  case $state in\n"
      "    command)\n"
      "      local -a commands=(\n";
  for (const CommandSpec& command : command_specs()) {
    text += fmt::format("        '{}:{}'\n", command.name, in_quotes(command.summary));
  }
  text += "      )\n      _describe command commands ;;\n    argument)\n      case $words[1] in\n";
  for (const CommandSpec& command : command_specs()) {
    text += fmt::format("        {})\n          _arguments", command.name);
    for (const OptionSpec& option : options_of(command)) {
      const bool flag = option.value == nullptr;
      const std::string name = fmt::format("--{}{}", option.name, flag ? "" : "=");
      if (option.letter == '\0') {
        text += fmt::format(" \\\n            '{}", name);
      } else {
        text += fmt::format(" \\\n            '(-{0} --{1})'{{-{0},{2}}}'", option.letter,
                            option.name, name);
      }
      text += fmt::format("[{}]", in_quotes(option.help));
      if (!flag) text += fmt::format(":{}:{}", in_quotes(option.value), action(value_of(option)));
      text += "'";
    }
    const Operands beside = operands_of(command);
    if (beside.first.kind != Value::Kind::free) {
      text +=
          fmt::format(" \\\n            '1:{}:{}'", in_quotes(command.words), action(beside.first));
    }
    if (beside.rest.kind == Value::Kind::file) {
      text += " \\\n            '*:file:_files'";
    } else if (command.words[0] != '\0') {
      // With the action for a free value, a blank, the message would prevent the completion of
      // options.
      text += fmt::format(" \\\n            '*:{}:()'", in_quotes(command.words));
    }
    text += " ;;\n";
  }
  return text + "      esac ;;\n  esac\n}\n\n_tessera \"$@\"\n";
}

}  // namespace tessera
