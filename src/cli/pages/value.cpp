// SPDX-License-Identifier: MIT
#include "cli/pages/pages.hpp"

#include <string_view>

#include "base/text.hpp"
#include "heuristic/lines.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/builtin_set.hpp"

namespace tessera {
namespace {

constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::vector<std::string> heuristic_words() {
  std::vector<std::string> words{"auto"};
  for (const HeuristicInfo& info : heuristic_infos()) words.emplace_back(info.name);
  words.emplace_back(Lines::info.name);
  words.emplace_back(Runs::info.name);
  words.emplace_back("pdb:");
  return words;
}

// The literal alternatives, up to the first placeholder.
std::vector<std::string> fixed_words(std::string_view alternatives) {
  std::vector<std::string> words;
  for (const std::string& alternative : split_list(alternatives, '|')) {
    const std::string word = alternative.substr(0, alternative.find_first_of(capitals));
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

Value named(std::string_view name) {
  Value value;
  if (name.ends_with(",...")) {
    value = named(name.substr(0, name.size() - 4));
    value.list = true;
    return value;
  }
  if (name == "FILE" || name == "PARTITION") {
    value.kind = Value::Kind::file;
  } else if (name == "FOLDER") {
    value.kind = Value::Kind::folder;
  } else if (name == "SPEC") {
    value.words = heuristic_words();
  } else if (name.starts_with("NAME[")) {
    value.words = builtin_set_names();
  } else if (name.find('|') != name.npos) {
    value.words = fixed_words(name);
  }
  if (!value.words.empty()) value.kind = Value::Kind::words;
  return value;
}

}  // namespace

Value value_of(const OptionSpec& option) {
  return option.value == nullptr ? Value{} : named(option.value);
}

Operands operands_of(const CommandSpec& command) {
  Operands operands;
  const std::string_view words = command.words;
  const std::size_t file = words.find("FILE");
  if (file != words.npos) operands.rest.kind = Value::Kind::file;
  // The lower-case words before it: subcommands.
  const std::string_view first = words.substr(0, words.find(' '));
  operands.first = file == 0 ? operands.rest : named(first);
  return operands;
}

}  // namespace tessera
