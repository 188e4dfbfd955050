# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of this folder: builds programs that count their places (places.h) with many
# combinations of options, runs them, and runs the judge.
. "${srcdir:-.}/lib.sh"
need_command python3 python3
here=$srcdir/flow

# The two libraries of callers.h.
build_libraries () {
  must $CC -O2 -fPIC -shared "$here/plain-library.c" -o plain.so
  # shellcheck disable=SC2086 # list of words
  must $CC -O2 -fPIC -shared -w -I"$here" -DMODULE=other.so $bbprof_flags "$here/other-library.c" \
    -o other.so
  libraries="$PWD/plain.so $PWD/other.so"
}

# build LANGUAGE LEVEL KIND SOURCE...: makes ./prog, compiled with $options and linked with
# $libraries.  LANGUAGE is c or c++, KIND pie, nopie or shared (the whole program in whole.so).
libraries=
options=
build () {
  language=$1 level=$2 kind=$3
  variant="$*"
  shift 3
  sources=
  for source in "$@"; do
    [ -f "$source" ] || source=$here/$source
    sources="$sources $source"
  done
  case $language in
    c) compiler=$CC dialect=-std=gnu11 ;;
    c++) compiler=$CXX dialect="-std=gnu++20 -x c++" ;;
  esac
  flags="-g -w $level -pthread -I$here $bbprof_flags $options"
  rm -f prog whole.so
  # shellcheck disable=SC2086 # lists of words
  case $kind in
    pie) must $compiler -fPIE -pie $flags -DMODULE=prog $dialect $sources -x none $libraries \
      $bbprof_link -o prog ;;
    nopie) must $compiler -fno-pie -no-pie $flags -DMODULE=prog $dialect $sources -x none \
      $libraries $bbprof_link -o prog ;;
    shared)
      must $compiler -fPIC -shared $flags -DMODULE=whole.so -Dmain=whole $dialect $sources -x none \
        $libraries -o whole.so
      cat >stub.c <<'END'
int whole (int, char **);
int main (int count, char **words) { return whole (count, words); }
END
      must $CC -pthread -pg stub.c "$PWD/whole.so" $bbprof_link $bbprof_export -o prog
      ;;
  esac
}

# run STATUS WORD...: ./prog WORD... ends with STATUS, in a folder of its own; the judge runs later.
run () {
  way=way-$(echo "$*" | tr -c 'a-zA-Z0-9_\n' -)
  mkdir "$way" || fail "the test runs $way twice"
  status=$1
  shift
  (cd "$way" && exec timeout -s KILL 30 ../prog "$@" >output 2>said)
  is=$?
  [ "$is" = "$status" ] || cat "$way/said"
  expect "status of $* ($variant)" "$is" "$status"
}

# counted WORD...: compares blocks, also those without a place, with callgrind's counts of
# instructions; not in libraries, not for each variant.  With trace points nothing is recorded:
# recorded code runs in copies of blocks, at other addresses.
counted () {
  case $variant in
    *-O[13]* | *nopie* | *shared*) return ;;
  esac
  (cd "$way" && mkdir counted && cd counted &&
    BBPROF_OPTIONS=jumps=0 valgrind --tool=callgrind --dump-instr=yes --skip-plt=no \
    --compress-strings=no --compress-pos=no --callgrind-out-file=callgrind.out ../../prog "$@" \
    >output 2>said)
  python3 "$here/counted.py" prog "$way/counted/gmon.out" "$way/counted/callgrind.out" >verdict \
    || { cat verdict; fail "$* under callgrind ($variant)"; }
}

# killed WORD...: a run that SIGKILL ends.  The live file has the counters of threads only, not
# those of $updates.
killed () {
  [ -z "$options" ] || return 0
  BBPROF_OPTIONS=live=1
  export BBPROF_OPTIONS
  run 137 "$@"
  unset BBPROF_OPTIONS
  (cd "$way" && "$bbprof" recover >recovered 2>&1) ||
    { cat "$way/recovered"; fail "recover $* ($variant)"; }
}

# each SOURCE...: builds the sources for each of $languages, all levels and $kinds; calls ways,
# which runs the program; then runs the judge.  The same for each of $updates, other ways to
# increment a counter, without calls, and with trace points.
languages="c c++"
kinds="pie nopie shared"
updates=atomic
judge_options=
each () {
  for language in $languages; do
    for level in -O0 -O2 "-O3 -fno-inline"; do
      for kind in $kinds; do
        # C++ differs in the front end only: two of the nine variants are enough.
        case $language$level$kind in
          c++-O0* | c++*nopie | c++-O2shared | c++-O3*pie) continue ;;
        esac
        judged "$language" "$level" "$kind" "$@"
      done
    done
  done
  for update in $updates; do
    options=-fplugin-arg-bbprof-update=$update
    judged "$language" "-O1" pie "$@"
    judged "$language" "-O1" shared "$@"
  done
  if [ -z "$libraries" ]; then # which count calls
    options=-fplugin-arg-bbprof-arcs=none judge_options=--no-calls
    judged "$language" "-O2" pie "$@"
    judged "$language" "-O1" shared "$@"
    judge_options=
  fi
  options=-fplugin-arg-bbprof-ax
  judged "$language" "-O2" pie "$@"
  judged "$language" "-O1" shared "$@"
}

judged () { # LANGUAGE LEVEL KIND SOURCE...
  build "$@"
  rm -rf way-*
  ways
  # shellcheck disable=SC2086 # a list of words
  python3 "$here/judge.py" $judge_options "$here" way-* >verdict 2>&1 ||
    { cat verdict; fail "$variant $options"; }
  say "$variant $options: $(cat verdict)"
}
