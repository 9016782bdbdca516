# Sourced by scripts for the help of roles, commands and scripts, from lib/roles.tsv. Builtins do all of it.
# The caller sets roles_more to a command that prints the lines of bundles that the file does not have. It runs Java, so it is
# only used for a role that is not in the file.

roles_more=()
roles_complete=
roles_without= # an option that is not printed
mapfile -t roles_lines <"$HEARTH_HOME/lib/roles.tsv" || roles_lines=()

# Sets roles_fields to the fields of the first line of a name with one of the keywords that introduce it.
roles_find() { # name
  roles_search "$1" && return
  [[ -z $roles_complete ]] && ((${#roles_more[@]})) || return 1
  roles_complete=yes
  local more
  mapfile -t more < <("${roles_more[@]}" 2>/dev/null) # the role itself reports what is wrong
  roles_lines+=(${more[@]+"${more[@]}"})
  roles_search "$1"
}

roles_search() { # name
  local line
  for line in ${roles_lines[@]+"${roles_lines[@]}"}; do
    case $line in
      "$1"$'\t'role$'\t'* | "$1"$'\t'command$'\t'* | "$1"$'\t'script$'\t'*)
        roles_split "$line"
        return
        ;;
    esac
  done
  return 1
}

roles_split() { # line
  local IFS=$'\t' i
  set -f # fields are no patterns
  roles_fields=($1)
  set +f
  for i in "${!roles_fields[@]}"; do
    [[ ${roles_fields[i]} != - ]] || roles_fields[i]=
  done
}

# Calls a function with the fields of each line of a name that has the keyword, and of the names that it is like.
roles_each() { # name keyword function
  local line
  for line in ${roles_lines[@]+"${roles_lines[@]}"}; do
    case $line in
      "$1"$'\t'"$2"$'\t'*)
        roles_split "$line"
        "$3" "${roles_fields[@]:2}"
        ;;
      "$1"$'\t'like$'\t'*)
        [[ $2 == note || $2 == example ]] || roles_each "${line##*$'\t'}" "$2" "$3"
        ;;
    esac
  done
}

roles_match_option() { # name alias value
  if [[ $roles_sought == "$1" || $roles_sought == "$2" ]]; then
    roles_option=$1 roles_value=$3
  fi
}

# Whether the arguments of a role ask for its help: --help, or its alias, before operands that are commands.
roles_help_asked() { # name argument...
  local name=$1 kind roles_sought roles_option roles_value
  roles_find "$name" || return 1
  kind=${roles_fields[3]}
  shift
  while (($#)); do
    roles_sought=$1 roles_option='' roles_value=''
    case $1 in
      --help) return 0 ;;
      --) return 1 ;;
      -*)
        roles_each "$name" option roles_match_option
        roles_each '*' option roles_match_option
        [[ $roles_option != --help ]] || return 0
        [[ -z $roles_value ]] || (($# == 1)) || shift # past the value
        ;;
      *) [[ $kind != command ]] || return 1 ;;
    esac
    shift
  done
  return 1
}

roles_fold() { # indent text: lines of at most 120 characters
  local word line='' indent=$1 words
  read -r -a words <<<"$2"
  for word in "${words[@]}"; do
    if [[ -z $line ]]; then
      line=$word
    elif ((indent + ${#line} + 1 + ${#word} > 120)); then
      printf '%s\n%*s' "$line" "$indent" ''
      line=$word
    else
      line+=" $word"
    fi
  done
  printf '%s\n' "$line"
}

roles_print_option() { # name alias value kind setting meaning
  [[ $1 != "$roles_without" ]] || return 0
  local text=$1${2:+, $2}${3:+ $3} note=
  [[ -z $5 ]] || note=" [$5]"
  [[ $4 != ignored ]] || note=' (accepted, without effect)'
  printf '  %-28s' "$text"
  ((${#text} < 28)) || printf '\n%30s' ''
  roles_fold 30 "$6$note"
}

roles_print_variable() { # name alias value meaning
  local text="$1=$3"
  printf '  %-34s' "$text"
  ((${#text} < 34)) || printf '\n%36s' ''
  roles_fold 36 "$4${2:+ (also $2)}"
}

roles_print_note() { # text
  roles_fold 0 "$1"
}

roles_print_example() { # text
  printf '  %s\n' "$1"
}

# Prints the help of a role, a command or a script; fails if there is none.
roles_usage() { # name
  roles_find "$1" || return 1
  local kind=${roles_fields[1]} operands=${roles_fields[2]} summary=${roles_fields[4]} start=$1 section
  [[ $kind == script ]] || start="hearth $1"
  section=$(roles_each "$1" option roles_print_option)
  if [[ $kind == role ]]; then
    roles_without=''
    [[ $section != *'  --help, '* ]] || roles_without=--help
    section+=${section:+$'\n'}$(roles_each '*' option roles_print_option)
    roles_without=
  fi
  printf 'usage: %s%s%s\n' "$start" "${section:+ [option...]}" "${operands:+ $operands}"
  roles_fold 0 "$summary"
  [[ -z $section ]] || printf 'options:\n%s\n' "$section"
  section=$(roles_each "$1" variable roles_print_variable)
  [[ -z $section ]] || printf 'environment:\n%s\n' "$section"
  roles_each "$1" note roles_print_note
  section=$(roles_each "$1" example roles_print_example)
  [[ -z $section ]] || printf 'examples:\n%s\n' "$section"
}
