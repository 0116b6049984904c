# shellcheck shell=bash
# Completion of tessera in bash: the program says what may stand there (src/cli/options/completions.cpp).
_tessera() {
  # Not COMP_WORDS: readline breaks words at '=' and ':', too.
  local line=${COMP_LINE:0:COMP_POINT} words program current lines word
  read -ra words <<<"$line"
  [[ $line != *[[:blank:]] ]] || words+=("")
  current=${words[${#words[@]} - 1]}
  # As it is typed: '~' is not expanded, and what else the shell would expand is not run.
  program=${words[0]}
  [[ $program != \~/* ]] || program=$HOME${program#\~}
  command -v -- "$program" >/dev/null || program=tessera
  mapfile -t lines < <("$program" --complete "${words[@]:1}" 2>/dev/null)
  lines=("${lines[@]%%$'\t'*}") # without descriptions
  case ${lines[0]} in
    :files | :folders)
      compopt -o filenames 2>/dev/null
      current=${current#--*=}
      [[ ${lines[0]} = :files ]] && set -- -f || set -- -d
      mapfile -t COMPREPLY < <(compgen "$1" -- "$current") ;;
    *)
      # Not compgen -W: it runs what is in $(...), and a list's words hold what was typed before.
      COMPREPLY=()
      for word in "${lines[@]%[=,]}"; do
        [[ $word != "$current"* ]] || COMPREPLY+=("$word")
      done
      [[ ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null ;;
  esac
  # Readline keeps what stands before the last of these signs.
  [[ $COMP_WORDBREAKS != *[=:]* ]] || COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[=:]}"}"}")
}
complete -F _tessera tessera
