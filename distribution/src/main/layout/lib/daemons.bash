# Sourced by the scripts in sbin/: their help, their environment and their errors. The caller sets home and script.

fail() { # message status
  echo "error: $1" >&2
  exit "${2:-7}"
}

# Prints the help of the script if an argument asks for it, and ends.
daemons_help() { # argument...
  local argument
  for argument in "$@"; do
    [[ $argument == --help ]] || continue
    HEARTH_HOME=$home
    # shellcheck source=roles.bash
    . "$home/lib/roles.bash"
    roles_usage "$script"
    exit 0
  done
}

# Takes --config DIRECTORY, the only option of scripts for all workers.
daemons_config() { # argument...
  case $#:${1:-} in
    0:) ;;
    2:--config) HEARTH_CONF_DIR=$2 ;;
    1:--config=*) HEARTH_CONF_DIR=${1#*=} ;;
    *) fail "$script: '$*' (expected: --config DIRECTORY, or nothing); see $script --help" 2 ;;
  esac
  daemons_settings
}

# Fails if the directory with settings is named and not there.
daemons_settings() {
  [[ -z ${HEARTH_CONF_DIR:-} || $HEARTH_CONF_DIR == "$home/conf" || -d $HEARTH_CONF_DIR ]] ||
    fail "HEARTH_CONF_DIR: '$HEARTH_CONF_DIR' (expected: a directory with settings); create it, or unset the variable"
}

# Reads conf/spark-env.sh, if there is one, and conf/hearth-env.sh. Their variables are passed on.
daemons_environment() {
  local problem file
  daemons_settings
  export HEARTH_CONF_DIR=${HEARTH_CONF_DIR:-$home/conf}
  for file in "$HEARTH_CONF_DIR/spark-env.sh" "$HEARTH_CONF_DIR/hearth-env.sh"; do
    [[ -e $file ]] || continue
    [[ -r $file ]] || fail "$file: not readable (expected: a script for bash); check its permissions"
    problem=$("$BASH" -n "$file" 2>&1) || fail "${problem%%$'\n'*} (expected: a script for bash); mend it"
    set +eu -a
    # shellcheck disable=SC1090
    . "$file" >&2
    set -eu +a
  done
}

# Sets REPLY to a variable of Hearth, else to that of Spark, else to a default; named_by says which it was.
variable() { # name default
  local ours=HEARTH_$1 other=SPARK_$1
  REPLY=$2 named_by=$ours
  if [[ -n ${!ours:-} ]]; then
    REPLY=${!ours}
  elif [[ -n ${!other:-} ]]; then
    REPLY=${!other} named_by=$other
  fi
}

number() { # pattern rule: what the variable that was read last may be
  [[ $REPLY =~ $1 ]] || fail "$named_by: '$REPLY' (expected: $2)" 2
}
