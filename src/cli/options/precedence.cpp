// SPDX-License-Identifier: MIT
#include "cli/options/precedence.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/text.hpp"
#include "cli/options/option_values.hpp"

namespace tessera {
namespace {

using OptionNames = std::initializer_list<const char*>;

// Options of which one excludes or replaces the others.
const std::initializer_list<OptionNames> exclusive_options = {
    {"heuristic", "heuristics"}, {"plan", "dry-run"},   {"frontier", "split-depth"},
    {"port", "socket"},          {"scramble", "depth"}, {"file", "moves"},
};

void erase(OptionValues& values, OptionNames names) {
  for (const char* const name : names) values.erase(name);
}

}  // namespace

bool has_list_of_threads(const OptionValues& values) {
  const auto threads = values.find("threads");
  return threads != values.end() && split_list(threads->second.text).size() > 1;
}

void add_defaults(OptionValues& values, OptionValues defaults, bool has_board) {
  const auto overrule = [&](OptionNames names, bool is_given) {
    const auto has = [&](const char* name) { return values.contains(name); };
    if (is_given || std::ranges::any_of(names, has)) erase(defaults, names);
  };
  overrule({"set", "file", "scramble"}, has_board);
  for (const OptionNames& names : exclusive_options) overrule(names, false);
  const bool lists_threads = has_list_of_threads(values.contains("threads") ? values : defaults);
  overrule({"threads", lists_threads ? "workers" : "threads-per-rank"}, false);
  values.merge(std::move(defaults));
}

void drop_useless_defaults(OptionValues& values, const std::set<std::string>& typed,
                           const CommandSpec& command, const std::vector<std::string>& words) {
  const auto drop = [&](OptionNames names) {
    for (const char* const name : names) {
      if (!typed.contains(name)) values.erase(name);
    }
  };
  const auto is_on = [&](const char* flag) {
    const auto value = values.find(flag);
    return value != values.end() && value->second.text != "false" && value->second.text != "0";
  };
  const std::string word = words.empty() ? "" : words[0];
  if (command.bit == on_generate && !word.empty()) drop({"size"});
  const bool plans = is_on("plan") || is_on("dry-run");
  if (command.bit == on_census && !plans) drop({"ranks"});
  if (plans) drop({"csv", "summary"});
  if (is_on("stream")) drop({"log-dir", "trace", "record"});
  else drop({"unordered"});
  if (!values.contains("checkpoint")) drop({"resume"});
  if (command.bit != on_pdb) return;
  if (word != "list") drop({"json", "collections"});
  if (word != "build") drop({"partition", "size", "goal"});
  const auto from = values.find("search-from");
  if (from == values.end() || from->second.text != "goal") return;
  if (typed.contains("search-from")) drop({"goal"});
  else if (typed.contains("goal")) drop({"search-from"});
}

}  // namespace tessera
