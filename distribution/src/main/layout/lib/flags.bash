# Sourced by scripts that read the command line of submit: which flags there are, and which of them take a value.
# The caller sets flags_more to a command that prints the flags of bundles that lib/flags.tsv does not have. It runs Java,
# so it is only used for a flag that is not in the file. Builtins do all else.

flags_more=()
flags_complete=
mapfile -t flags_lines <"$HEARTH_HOME/lib/flags.tsv" || flags_lines=()

# Sets flag_name to the long form of a flag, flag_value to the word for its value (empty: it takes none) and flag_setting
# to the setting it sets for all clusters (empty: none). Fails if there is no such flag.
flags_find() { # flag
  flags_search "$1" && return
  [[ -z $flags_complete ]] && ((${#flags_more[@]})) || return 1
  flags_complete=yes
  mapfile -t flags_lines < <("${flags_more[@]}" 2>/dev/null) # submit itself reports what is wrong
  flags_search "$1"
}

flags_search() { # flag
  local line
  for line in ${flags_lines[@]+"${flags_lines[@]}"}; do # most are found here: a comparison of beginnings is fast
    if [[ $line == '*'$'\t'"$1"$'\t'* ]]; then
      flags_take "$1" "$line"
      return
    fi
  done
  for line in ${flags_lines[@]+"${flags_lines[@]}"}; do
    if [[ $line == *$'\t'"$1"$'\t'* ]] && flags_take "$1" "$line"; then
      return
    fi
  done
  return 1
}

# Takes the flag of a line, if it is the one that is looked for.
flags_take() { # flag line
  local fields IFS=$'\t'
  set -f # fields are no patterns
  fields=($2)
  set +f
  flag_setting=
  if [[ ${fields[1]} == refuse ]]; then
    flag_name=${fields[2]}
    [[ $1 == "$flag_name" ]] || return 1
  else
    flag_name=${fields[1]}
    [[ $1 == "$flag_name" || $1 == "${fields[2]}" && $1 != - ]] || return 1
    [[ ${fields[0]} != '*' || ${fields[4]} == - ]] || flag_setting=${fields[4]}
  fi
  flag_value=${fields[3]}
  [[ $flag_value != - ]] || flag_value=
}
