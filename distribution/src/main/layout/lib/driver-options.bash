# Sourced by bin/hearth for the role submit: finds the options that a driver in this process needs before its Java starts.
# Sources rank as they do in Java: flags, --conf, properties files (later ones higher), conf/hearth-defaults.conf,
# spark-defaults.conf (for bin/spark-submit), the environment; within a source hearth.x beats spark.x. Reads only these few settings; Java reads all of them again, and
# reports errors in the command line. Uses builtins alone: one more process would cost as much as all of this.
# lib/flags.bash, sourced before, says which flags take a value and which settings they set.

driver_runs=                        # yes: an application runs here, its driver is this process
driver_options=()                   # of Java, without those of the role
driver_memory_least_mebibytes=32    # the kernel itself needs as much
driver_memory_most_mebibytes=2147483647

driver_fail() { # key found rule origin
  echo "error: $1: $2 (expected: $3); from $4" >&2
  exit 2
}

driver_offer() { # rank key value origin: keeps what ranks highest
  local rank=$(($1 * 2)) name
  case $2 in
    hearth.*) name=${2#hearth.} rank=$((rank + 1)) ;;
    spark.*) name=${2#spark.} ;;
    *) return 0 ;;
  esac
  case $name in
    driver.memory) name=memory ;;
    driver.defaultJavaOptions) name=default_options ;;
    driver.extraJavaOptions) name=extra_options ;;
    driver.extraLibraryPath) name=library_path ;;
    submit.deployMode) name=mode ;;
    master) name=master ;;
    *) return 0 ;;
  esac
  local best=driver_rank_$name
  if ((rank >= ${!best:--1})); then
    printf -v "$best" %s "$rank"
    printf -v "driver_key_$name" %s "hearth.${2#*.}"
    printf -v "driver_value_$name" %s "$3"
    printf -v "driver_origin_$name" %s "$4"
  fi
}

driver_strip() { # variable
  local text=${!1}
  text=${text#"${text%%[![:space:]]*}"}
  printf -v "$1" %s "${text%"${text##*[![:space:]]}"}"
}

driver_pair() { # rank key=value origin
  local key=${2%%=*} value=${2#*=}
  [[ $2 == *=* ]] || return 0
  driver_strip key
  driver_strip value
  driver_offer "$1" "$key" "$value" "$3"
}

driver_file() { # rank file label
  local line number=0 form='^([^[:space:]=:]+)([[:space:]]*[=:][[:space:]]*|[[:space:]]+)(.*)$'
  [[ -f $2 && -r $2 ]] || return 0
  while IFS= read -r line || [[ -n $line ]]; do
    number=$((number + 1))
    case $line in
      *driver.* | *deployMode* | *master*) ;;
      *) continue ;;
    esac
    line=${line#$'\xEF\xBB\xBF'}
    driver_strip line
    if [[ $line != '#'* && $line =~ $form ]]; then
      driver_offer "$1" "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]}" "$3 line $number"
    fi
  done <"$2"
}

# Reads the command line as Java does (CommandLine), which reports what is wrong with it.
driver_arguments() { # argument...
  local value file_rank=3 flag_name flag_value flag_setting has_class='' asks='' given='' loads=
  while (($#)); do
    if [[ $1 != -* ]]; then
      has_class=yes
      break
    fi
    case $1 in
      --*=*) flags_find "${1%%=*}" || return 0 ;;
      *) flags_find "$1" || return 0 ;;
    esac
    case $flag_name in
      --help | --version | --usage-error) return ;;
      --kill | --status) asks=yes ;;
      --load-spark-defaults) loads=yes ;;
    esac
    if [[ -z $flag_value ]]; then
      shift
      continue
    elif [[ $1 == --*=* ]]; then
      value=${1#*=}
      shift
    else
      (($# > 1)) || return 0
      value=$2
      shift 2
    fi
    [[ $value == *[![:space:]]* ]] || continue # an empty value is none
    case $flag_name in
      --class) has_class=yes ;;
      --conf) driver_pair 1000 "$value" --conf ;;
      --properties-file | --extra-properties-file)
        given=yes
        driver_file "$file_rank" "$value" "$value"
        ((file_rank == 999)) || file_rank=$((file_rank + 1))
        ;;
      *) [[ -z $flag_setting ]] || driver_offer 1001 "$flag_setting" "$value" "$flag_name" ;;
    esac
  done
  # shellcheck disable=SC2034 # read by bin/hearth
  [[ -z $given || -n $loads ]] || spark_defaults= # as in Spark, the file of the command line takes their place
  [[ -n $asks ]] || driver_runs=$has_class # a jar, or a class without one
}

# Fills in what a value takes from the environment. Other settings are not known yet.
driver_refer() { # name of a setting
  local variable=driver_value_$1 key=driver_key_$1 origin=driver_origin_$1 rest filled='' name
  rest=${!variable-}
  [[ $rest == *'${'*'}'* ]] || return 0
  while [[ $rest == *'${'*'}'* ]]; do
    filled+=${rest%%'${'*} rest=${rest#*'${'}
    name=${rest%%\}*} rest=${rest#*\}}
    if [[ $filled == *'$' ]]; then # $${x} stands for the characters
      filled="${filled%'$'}\${$name}"
      continue
    fi
    if [[ $name =~ ^env:([A-Za-z_][A-Za-z0-9_]*)$ ]]; then
      name=${BASH_REMATCH[1]}
      if [[ -n ${!name+set} ]]; then
        filled+=${!name}
        continue
      fi
    fi
    driver_fail "${!key}" "${!variable}" 'no reference but to a variable that is set, as ${env:X}: Java starts with it' "${!origin}"
  done
  printf -v "$variable" %s "$filled$rest"
}

driver_split() { # text: into the words of driver_words, at blanks outside of quotes; \ takes the next character as it is
  driver_words=()
  if [[ $1 != *[\'\"\\]* ]]; then
    read -r -d '' -a driver_words <<<"$1" || true # the end of the text is no failure
    return
  fi
  local i character word='' quote='' open=
  for ((i = 0; i < ${#1}; i++)); do
    character=${1:i:1}
    case $quote$character in
      \' | \") quote=$character open=yes ;;
      \'\' | \"\") quote= ;;
      '\' | \"'\') i=$((i + 1)) word+=${1:i:1} open=yes ;;
      [[:space:]])
        [[ -z $open ]] || driver_words+=("$word")
        word='' open=
        ;;
      *) word+=$character open=yes ;;
    esac
  done
  [[ -z $quote ]] || return 1
  [[ -z $open ]] || driver_words+=("$word")
}

driver_java_options() { # name of a setting
  local variable=driver_value_$1 key=driver_key_$1 origin=driver_origin_$1 option takes_value=
  [[ -n ${!variable-} ]] || return 0
  driver_split "${!variable}" ||
    driver_fail "${!key}" "${!variable}" 'options with blanks between, and quotes in pairs' "${!origin}"
  for option in ${driver_words[@]+"${driver_words[@]}"}; do
    case $option in
      -Xmx* | -mx* | -XX:MaxHeapSize=*)
        driver_fail "${!key}" "$option" 'no size of the heap; give it as --driver-memory' "${!origin}"
        ;;
      -jar | -m | --module | --module=*)
        driver_fail "${!key}" "$option" 'no main class or jar; bin/submit starts the driver' "${!origin}"
        ;;
      --*=*) takes_value= ;;
      --*) takes_value=yes ;; # as in --add-opens java.base/java.lang=ALL-UNNAMED
      -*) takes_value= ;;
      *)
        [[ -n $takes_value ]] || driver_fail "${!key}" "'$option'" 'options of Java, each beginning with -' "${!origin}"
        takes_value=
        ;;
    esac
  done
  driver_options+=(${driver_words[@]+"${driver_words[@]}"})
}

driver_heap() {
  local text=${driver_value_memory-} mebibytes=0
  [[ -n $text ]] || return 0
  if [[ $text =~ ^([0-9]{1,12})[[:space:]]*([a-zA-Z]*)$ ]]; then
    mebibytes=$((10#${BASH_REMATCH[1]}))
    case ${BASH_REMATCH[2]} in
      [kK] | [kK][bB]) mebibytes=$((mebibytes / 1024)) ;;
      '' | [mM] | [mM][bB]) ;;
      [gG] | [gG][bB]) mebibytes=$((mebibytes * 1024)) ;;
      [tT] | [tT][bB]) mebibytes=$((mebibytes * 1024 * 1024)) ;;
      *) mebibytes=0 ;;
    esac
  fi
  ((mebibytes >= driver_memory_least_mebibytes && mebibytes <= driver_memory_most_mebibytes)) ||
    driver_fail "$driver_key_memory" "$text" "a size such as 512m or 2g, from ${driver_memory_least_mebibytes}m" \
      "$driver_origin_memory"
  driver_options+=("-Xmx${mebibytes}m")
}

driver_read() { # argument...
  driver_arguments "$@"
  [[ -n $driver_runs ]] || return 0
  local label=${HEARTH_CONF_DIR#"$HEARTH_HOME"/}/hearth-defaults.conf
  driver_file 2 "$HEARTH_CONF_DIR/hearth-defaults.conf" "$label"
  driver_file 1 "${spark_defaults:-}" "${spark_defaults:-}"
  driver_offer 0 "${HEARTH_DEPLOY_MODE:+hearth.submit.deployMode}" "${HEARTH_DEPLOY_MODE-}" 'environment HEARTH_DEPLOY_MODE'
  driver_offer 0 "${HEARTH_MASTER:+hearth.master}" "${HEARTH_MASTER-}" 'environment HEARTH_MASTER'
  driver_offer 0 "${SPARK_MEM:+spark.driver.memory}" "${SPARK_MEM-}" 'environment SPARK_MEM'
  driver_offer 0 "${HEARTH_MEM:+spark.driver.memory}" "${HEARTH_MEM-}" 'environment HEARTH_MEM'
  driver_offer 0 "${SPARK_DRIVER_MEMORY:+spark.driver.memory}" "${SPARK_DRIVER_MEMORY-}" 'environment SPARK_DRIVER_MEMORY'
  driver_offer 0 "${HEARTH_DRIVER_MEMORY:+hearth.driver.memory}" "${HEARTH_DRIVER_MEMORY-}" 'environment HEARTH_DRIVER_MEMORY'
  driver_refer mode
  case ${driver_value_mode-} in
    [cC][lL][uU][sS][tT][eE][rR])
      driver_runs=
      return
      ;;
  esac
  local name
  for name in memory default_options extra_options library_path; do
    driver_refer "$name"
  done
  driver_java_options default_options
  driver_java_options extra_options
  driver_heap
  if [[ -n ${driver_value_library_path-} ]]; then # Java's own directories stay behind it
    export LD_LIBRARY_PATH=$driver_value_library_path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  fi
}
