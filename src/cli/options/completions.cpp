// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "cli/options/options.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/builtin_set.hpp"

namespace tessera {
namespace {

std::vector<std::string> heuristic_words() {
  std::vector<std::string> words{"auto", "pdb:"};
  for (const Metric metric : {Metric::single, Metric::multi}) {
    for (const HeuristicInfo& info : heuristic_infos(metric)) {
      if (std::ranges::find(words, info.name) == words.end()) words.emplace_back(info.name);
    }
  }
  return words;
}

// The literal alternatives, up to the first placeholder.
std::vector<std::string> fixed_words(std::string_view alternatives) {
  std::vector<std::string> words;
  for (const std::string& alternative : split_list(alternatives, '|')) {
    words.push_back(alternative.substr(0, alternative.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ")));
  }
  std::erase(words, "");
  return words;
}

std::string line_of(const std::string& word, std::string_view description = "") {
  return fmt::format("{}\t{}\n", word, description);
}

// The values of an option or operand with that name in the tables. `option`: what stands before the
// value in the same word.
std::string values(std::string_view name, std::string option, std::string_view begun) {
  const bool list = name.ends_with(",...");
  if (list) {
    name.remove_suffix(4);
    option += begun.substr(0, begun.rfind(',') + 1);
  }
  if (name.find("FILE") != name.npos || name == "PARTITION") return ":files\n";
  if (name == "FOLDER") return ":folders\n";
  std::string lines;
  for (const std::string& word : name == "SPEC"                ? heuristic_words()
                                 : name.starts_with("NAME[")   ? builtin_set_names()
                                 : name.find('|') != name.npos ? fixed_words(name)
                                                               : std::vector<std::string>()) {
    lines += line_of(option + word + (list && !word.ends_with(':') ? "," : ""));
  }
  return lines;
}

}  // namespace

std::string completions(const std::vector<std::string>& words) {
  std::string lines;
  if (words.size() < 2) {
    for (const CommandSpec& command : command_specs()) {
      lines += line_of(command.name, command.summary);
    }
    return lines + line_of("--help", "Print the commands") +
           line_of("--version", "Print the version");
  }
  const auto command = std::ranges::find(command_specs(), words[0], &CommandSpec::name);
  if (command == command_specs().end()) return lines;
  const std::string& current = words.back();
  const std::string& previous = words[words.size() - 2];
  const std::size_t assigned = current.starts_with("--") ? current.find('=') : current.npos;
  for (const OptionSpec& option : options_of(*command)) {
    const std::string name = std::string("--") + option.name;
    const bool takes = option.value != nullptr;
    if (assigned != current.npos) {
      if (!takes || current.substr(0, assigned) != name) continue;
      return values(option.value, name + "=", std::string_view(current).substr(assigned + 1));
    }
    if (current.starts_with('-')) {
      lines += line_of(name + (takes ? "=" : ""), option.help);
    } else if (takes && (previous == name || previous == std::string{'-', option.letter})) {
      return values(option.value, "", current);
    }
  }
  if (current.starts_with('-')) return lines;
  const std::string_view operands = command->words;
  return values(words.size() == 2 ? operands.substr(0, operands.find(' ')) : operands, "", current);
}

}  // namespace tessera
