# shellcheck shell=bash
# Completion of tessera in bash: the program says what may stand there (src/cli/options/completions.cpp).
_tessera() {
  # Not COMP_WORDS: readline breaks words at '=' and ':', too.
  local line=${COMP_LINE:0:COMP_POINT} words current lines
  read -ra words <<<"$line"
  [[ $line != *[[:blank:]] ]] || words+=("")
  current=${words[${#words[@]} - 1]}
  mapfile -t lines < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
  lines=("${lines[@]%%$'\t'*}") # without descriptions
  case ${lines[0]} in
    :files | :folders)
      compopt -o filenames 2>/dev/null
      current=${current#--*=}
      [[ ${lines[0]} = :files ]] && set -- -f || set -- -d
      mapfile -t COMPREPLY < <(compgen "$1" -- "$current") ;;
    *)
      mapfile -t COMPREPLY < <(compgen -W "${lines[*]%[=,]}" -- "$current")
      [[ ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null ;;
  esac
  # Readline keeps what stands before the last of these signs.
  [[ $COMP_WORDBREAKS != *[=:]* ]] || COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[=:]}"}"}")
}
complete -F _tessera tessera
