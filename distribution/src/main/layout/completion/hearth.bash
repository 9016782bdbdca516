# Completion of bash for the scripts in bin/ and sbin/: source this file in ~/.bashrc.
# Roles, options and flags come from lib/roles.tsv and lib/flags.tsv of the installation whose script is completed, and from the
# files of the same content in the jars of deploy/ (if unzip is there). Nothing is started.

# Sets _hearth_home to the installation that a command belongs to.
_hearth_locate() { # command
  local file=$1 link
  [[ $file == */* ]] || file=$(type -P "$file") || return
  while [[ -L $file ]]; do
    link=$(readlink "$file") || return
    [[ $link == /* ]] || link=${file%/*}/$link
    file=$link
  done
  _hearth_home=${file%/*}/..
  [[ -r $_hearth_home/lib/roles.tsv ]]
}

# Prints the lines of a table, those of jars in deploy/ too.
_hearth_table() { # name
  local jar
  cat "$_hearth_home/lib/$1"
  for jar in "${HEARTH_DEPLOY_DIR:-$_hearth_home/deploy}"/*.jar; do
    [[ -r $jar ]] && unzip -p "$jar" "OSGI-INF/hearth/$1" 2>/dev/null
  done
}

# Reads the options of a name into _hearth_options, lines of option, alias, word for the value and kind of value; sets
# _hearth_operand to the kind of its operands.
_hearth_read() { # name
  local line fields i
  local -A names=(["$1"]=1)
  _hearth_options=() _hearth_operand=
  mapfile -t line < <(_hearth_table roles.tsv)
  for ((i = 0; i < 5; i++)); do # names that it is like, which may be like others
    for fields in "${line[@]}"; do
      [[ $fields != "$1"$'\trole\t'* ]] || names['*']=1
      [[ $fields != *$'\t'like$'\t'* || -z ${names["${fields%%$'\t'*}"]:-} ]] || names["${fields##*$'\t'}"]=1
    done
  done
  for i in "${line[@]}"; do
    [[ $i != '#'* && -n ${names["${i%%$'\t'*}"]:-} || $i == '*'$'\t'* ]] || continue
    IFS=$'\t' read -r -a fields <<<"$i"
    case ${fields[1]} in
      role | command | script)
        [[ ${fields[0]} != "$1" ]] || _hearth_operand=${fields[3]}
        ;;
      option) [[ -z ${names["${fields[0]}"]:-} ]] || _hearth_options+=("${fields[2]} ${fields[3]} ${fields[4]} ${fields[5]}") ;;
    esac
  done
}

# Reads the flags of submissions, as _hearth_read does.
_hearth_read_flags() {
  local line fields kind
  _hearth_options=()
  while IFS=$'\t' read -r -a fields; do
    [[ ${fields[1]:-} == --* ]] || continue
    kind=${fields[6]}
    case ${fields[1]} in
      --master) kind=master ;;
      --deploy-mode) kind=mode ;;
      --class) kind=class ;;
      --conf) kind=setting ;;
      --properties-file | --extra-properties-file) kind=file ;;
    esac
    _hearth_options+=("${fields[1]} ${fields[2]} ${fields[3]} $kind")
  done < <(_hearth_table flags.tsv)
}

_hearth_words() { # word...: those that begin as the word at the cursor
  local word
  for word in "$@"; do
    [[ $word != "$_hearth_current"* ]] || COMPREPLY+=("$word")
  done
}

_hearth_files() { # suffix: of files, empty for all
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    [[ -d $file || $file == *"$1" ]] && COMPREPLY+=("$file")
  done < <(compgen -f -- "$_hearth_current")
}

_hearth_roles() { # keyword...: names that the table introduces by one of them
  local fields
  while IFS=$'\t' read -r -a fields; do
    [[ " $* " != *" ${fields[1]:-} "* ]] || _hearth_words "${fields[0]}"
  done < <(_hearth_table roles.tsv)
}

# Classes with a main method cannot be told from others without reading them: all public classes of a jar are offered.
_hearth_classes() {
  local jar='' word entry
  for word in "${_hearth_line[@]}"; do
    [[ $word != *.jar ]] || jar=$word
  done
  [[ -r $jar ]] || jar=$_hearth_home/examples/hearth-examples.jar
  while IFS= read -r entry; do
    entry=${entry%.class}
    [[ $entry == *'$'* || $entry == *-info ]] || _hearth_words "${entry//\//.}"
  done < <(unzip -Z1 "$jar" '*.class' 2>/dev/null)
}

_hearth_examples() {
  local file
  for file in "$_hearth_home"/examples/src/dev/hearth/examples/*.java; do
    file=${file##*/}
    grep -qs 'public static void main' "$_hearth_home/examples/src/dev/hearth/examples/$file" && _hearth_words "${file%.java}"
  done
}

_hearth_values() { # kind of value
  local name
  case $1 in
    file) _hearth_files '' ;;
    files) _hearth_files '' ;;
    jar) _hearth_files .jar ;;
    directory)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$_hearth_current")
      ;;
    mode) _hearth_words client cluster ;;
    master)
      _hearth_masters hearth://
      _hearth_words local 'local[*]' 'local[2]' 'local-cluster[2,1,1024]' 'hearth://127.0.0.1:7077'
      ;;
    host) _hearth_words 127.0.0.1 0.0.0.0 "${HOSTNAME:-localhost}" ;;
    address)
      _hearth_masters ''
      _hearth_words 127.0.0.1:7077
      ;;
    role) _hearth_roles role ;;
    class) _hearth_classes ;;
    setting)
      compopt -o nospace 2>/dev/null
      while IFS=$'\t' read -r name _; do
        [[ $name != hearth.* || $name == *'*'* ]] || _hearth_words "$name="
      done <"$_hearth_home/lib/settings.tsv"
      ;;
  esac
}

# URLs of the masters that sbin/start-master has started here for this user.
_hearth_masters() {
  local file url pids=${HEARTH_PID_DIR:-${SPARK_PID_DIR:-${TMPDIR:-/tmp}/hearth-${USER:-}-daemons}}
  for file in "$pids"/hearth-*-master-*.ready; do
    [[ -r $file ]] && read -r url <"$file" && _hearth_words "$1${url#hearth://}"
  done
}

# Sets _hearth_line to the words of the command up to the cursor, and _hearth_current to the last one. Bash takes the characters :
# and = as words of their own.
_hearth_split() {
  local i word joined=''
  _hearth_line=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((${#_hearth_line[@]})) && [[ -n $joined || $word == [:=]* ]]; then
      _hearth_line[${#_hearth_line[@]}-1]+=$word
    else
      _hearth_line+=("$word")
    fi
    joined=
    [[ $word != *[:=] || $word == *[!:=]* ]] || joined=yes
  done
  _hearth_current=${_hearth_line[${#_hearth_line[@]}-1]}
}

# Completes options and their values. Returns 1 at an operand, and sets _hearth_operands to the number of those before it;
# first is the index of the first word.
_hearth_complete_options() { # first
  local i option fields previous='' last=$((${#_hearth_line[@]} - 1)) start
  _hearth_operands=0
  for ((i = $1; i < last; i++)); do
    if [[ -n $previous ]]; then
      previous=
      continue
    fi
    for option in "${_hearth_options[@]}"; do
      read -r -a fields <<<"$option"
      if [[ ${_hearth_line[i]} == "${fields[0]}" || ${_hearth_line[i]} == "${fields[1]}" ]]; then
        [[ ${fields[3]} == switch ]] || previous=${fields[3]}
        continue 2
      fi
    done
    [[ ${_hearth_line[i]} == -* ]] || _hearth_operands=$((_hearth_operands + 1))
  done
  if [[ -n $previous ]]; then
    _hearth_values "$previous"
    return 0
  fi
  [[ $_hearth_current == -* ]] || return 1
  start=${_hearth_current%%=*}
  for option in "${_hearth_options[@]}"; do
    read -r -a fields <<<"$option"
    if [[ $_hearth_current == --*=* && $start == "${fields[0]}" ]]; then
      _hearth_current=${_hearth_current#*=}
      _hearth_values "${fields[3]}"
      return 0
    fi
    _hearth_words "${fields[0]}"
  done
}

_hearth_submit() { # index of the first word
  _hearth_read_flags
  _hearth_complete_options "$1" && return
  if ((_hearth_operands > 0)); then _hearth_files ''; else _hearth_files .jar; fi
}

# Completes the word at the cursor, into COMPREPLY.
_hearth_choose() { # command
  local script first=1 last=$((${#_hearth_line[@]} - 1))
  script=${1##*/} script=${script%.sh}
  [[ $script != workers ]] || script=on-workers
  case $script in
    submit | spark-submit | spark2-submit | spark3-submit)
      _hearth_submit 1
      return
      ;;
    run-example)
      _hearth_read_flags
      _hearth_complete_options 1 || { ((_hearth_operands > 0)) && _hearth_files '' || _hearth_examples; }
      return
      ;;
    hearth)
      [[ ${_hearth_line[1]:-} != --lifeline ]] || first=2
      if ((last == first)); then
        _hearth_roles role command
        _hearth_read hearth
        [[ $_hearth_current != -* ]] || _hearth_complete_options 1
        return
      fi
      script=${_hearth_line[first]} first=$((first + 1))
      case $script in
        submit)
          _hearth_submit "$first"
          return
          ;;
        help)
          _hearth_roles role command script
          return
          ;;
      esac
      ;;
    spark-class)
      if ((last == 1)) && [[ $_hearth_current != -* ]]; then
        _hearth_words org.apache.spark.deploy.{SparkSubmit,master.Master,worker.Worker,Client}
        return
      fi
      ;;
    hearth-daemon)
      if ((last == 1)) && [[ $_hearth_current != -* ]]; then
        _hearth_words start stop status decommission
        return
      fi
      first=2
      ;;
  esac
  _hearth_read "$script"
  _hearth_complete_options "$first" || _hearth_values "$_hearth_operand"
}

_hearth() {
  local _hearth_home _hearth_current _hearth_line=() _hearth_options=() _hearth_operand='' _hearth_operands=0 i before
  COMPREPLY=()
  _hearth_locate "$1" || return 0
  _hearth_split
  _hearth_choose "$1"
  before=${_hearth_current%"${_hearth_current##*[:=]}"}
  if [[ -n $before && $COMP_WORDBREAKS == *:* ]]; then # bash replaces only what stands after the last of them
    for i in "${!COMPREPLY[@]}"; do
      COMPREPLY[i]=${COMPREPLY[i]#"$before"}
    done
  fi
  return 0
}

complete -F _hearth hearth submit run-example spark-submit spark2-submit spark3-submit spark-class hearth-daemon on-workers \
  start-master stop-master start-worker stop-worker decommission-worker start-workers stop-workers start-all stop-all \
  start-master.sh stop-master.sh start-worker.sh stop-worker.sh decommission-worker.sh start-workers.sh stop-workers.sh start-all.sh stop-all.sh workers.sh
