// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>

#include "cli/pages/pages.hpp"

namespace tessera {
namespace {

// In the form that _tessera_offer expects.
std::string offer(const Value& value) {
  if (value.kind == Value::Kind::free) return "none";
  if (value.kind == Value::Kind::file) return "files";
  if (value.kind == Value::Kind::folder) return "folders";
  return fmt::format("{} {}", value.list ? "list" : "words", fmt::join(value.words, " "));
}

std::string entry(const std::string& key, const std::string& offered) {
  return fmt::format("    \"{}\") echo {} ;;\n", key, offered);
}

constexpr const char* script =
    R"script(# Completion of tessera in bash; made from its table of options when it was built.

# COMMAND OPTION: what its value may be
_tessera_value() {
  case "$1 $2" in
@values@  esac
}

# COMMAND: its options
_tessera_options() {
  case $1 in
@options@  esac
}

# COMMAND: what its first word may be; COMMAND more: the words after it
_tessera_operand() {
  case $* in
@operands@  esac
}

# WHAT [WORD...]: fills COMPREPLY for $current
_tessera_offer() {
  local what=$1 before=
  shift
  case $what in
    files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    words | list)
      if [[ $what = list && $current = *,* ]]; then
        before=${current%,*},
        current=${current##*,}
      fi
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "$*" -- "$current")
      [[ $what = words && ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null ;;
  esac
}

_tessera() {
  # Not COMP_WORDS: readline breaks words at '=' and ':', too.
  local line=${COMP_LINE:0:COMP_POINT} words current previous command count whole i
  read -ra words <<<"$line"
  [[ $line != *[[:blank:]] ]] || words+=("")
  count=${#words[@]}
  current=${words[count - 1]} previous=${words[count - 2]} command=${words[1]}
  whole=$current
  COMPREPLY=()
  if [ "$count" -le 2 ]; then
    mapfile -t COMPREPLY < <(compgen -W "@commands@ --help --version" -- "$current")
    return
  fi
  if [[ $current = --*=* ]]; then
    previous=${current%%=*}
    current=${current#*=}
  elif [[ $current = -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_tessera_options "$command")" -- "$current")
    return
  fi
  local offered
  offered=$(_tessera_value "$command" "$previous")
  if [ -z "$offered" ] && [[ $whole != --*=* ]]; then
    offered=$(_tessera_operand "$command$([ "$count" = 3 ] || echo " more")")
  fi
  # Words, as those of the table hold no blanks.
  # shellcheck disable=SC2086
  _tessera_offer $offered
  # Readline keeps what stands before the last colon.
  if [[ $current = *:* && $COMP_WORDBREAKS = *:* ]]; then
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"${current%:*}:"}; done
  fi
}
complete -F _tessera tessera
)script";

std::string filled(std::string text, const std::map<std::string, std::string>& places) {
  for (const auto& [place, content] : places) text.replace(text.find(place), place.size(), content);
  return text;
}

}  // namespace

std::string bash_completion() {
  std::string values;
  std::string options;
  std::string operands;
  std::string commands;
  for (const CommandSpec& command : command_specs()) {
    const std::string name = command.name;
    commands += (commands.empty() ? "" : " ") + name;
    std::string names;
    for (const OptionSpec& option : options_of(command)) {
      names += " --" + std::string(option.name);
      if (option.value != nullptr) {
        values += entry(name + " --" + option.name, offer(value_of(option)));
        if (option.letter != '\0') {
          values += entry(name + " -" + option.letter, offer(value_of(option)));
        }
      }
    }
    options += fmt::format("    {}) echo{} ;;\n", name, names);
    const Operands beside = operands_of(command);
    operands += entry(name, offer(beside.first)) + entry(name + " more", offer(beside.rest));
  }
  return filled(script, {{"@values@", values},
                         {"@options@", options},
                         {"@operands@", operands},
                         {"@commands@", commands}});
}

}  // namespace tessera
