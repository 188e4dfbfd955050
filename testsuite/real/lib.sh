# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests with real programs share.  A test is a few lines: it sources this file and calls a
# judge.
. "${srcdir=.}/lib.sh"

# Developers may try other flags:
# make check TESTS=real/lua-callgrind.test BBPROF_FLAGS="-pg -fplugin=...
# -fplugin-arg-bbprof-placement=after"
bbprof_flags=${BBPROF_FLAGS:-$bbprof_flags}
bbprof_link=${BBPROF_LINK:-$bbprof_link}

cache=${BBPROF_CACHE:-${XDG_CACHE_HOME:+$XDG_CACHE_HOME/bbprof}}
cache=${cache:-$top/cache}
program=$srcdir/real/program

# source_of NAME: sets $source.  Whoever has just found that a source cannot be had spares the
# others the wait.
source_of () {
  refusal=$builddir/real/no-source.$1
  if [ -n "$(find "$refusal" -mmin -5 2>/dev/null)" ]; then
    skip "$(cat "$refusal")"
  fi
  if ! source=$("$program" source "$cache" "$1" 2>"$work/source.log"); then
    tail -n 1 "$work/source.log" >"$refusal"
    skip "$(cat "$refusal")"
  fi
}

# The form in which most judges want the program: bbprof, or ax, which is with trace points.
form=bbprof

# built NAME plain|bbprof|ax [FLAG...]: compiles NAME, or finds it compiled (by another test, or
# before); sets $binary.  FLAGs default to -O2.  What bbprof's own parts have outlived is compiled
# again.
built () {
  name=$1
  kind=$2
  shift 2
  flags=${*:--O2}
  source_of "$name"
  folder=$builddir/real/build/$name/$kind$(printf %s "$flags" | tr -cs 'A-Za-z0-9=\n-' _)
  mkdir -p "$folder"
  binary=$folder/$name
  case $kind in
    plain) more='' link='' ;;
    bbprof) more=$bbprof_flags link=$bbprof_link ;;
    ax) more="$bbprof_flags -fplugin-arg-bbprof-ax" link=$bbprof_link ;;
  esac
  made_by="$CC $CXX $flags $more $link"
  (
    flock 9
    if [ "$(cat "$folder/done" 2>/dev/null)" = "$made_by" ] &&
      ! newer_parts "$kind" "$folder/done"; then
      exit 0
    fi
    rm -f "$folder/done"
    cd "$folder" || exit 99
    "$program" build "$name" "$source" "$flags $more" "$link" >"$folder/log" 2>&1 || exit 1
    echo "$made_by" >"$folder/done"
  ) 9>"$folder/lock" || {
    tail -n 20 "$folder/log"
    fail "cannot compile $name ($kind, $flags)"
  }
}

# KIND STAMP: is there a part of bbprof, or of the test programs, that is newer than STAMP?
newer_parts () {
  case $1 in
    bbprof | ax) set -- "$2" "$top/gcc-plugin/bbprof.so" "$top/runtime/libbbprof.a" "$program" ;;
    *) set -- "$2" "$program" ;;
  esac
  [ -n "$(find "$@" -newer "$1" 2>/dev/null)" ]
}

# do_job FOLDER JOB COMMAND...: prepares and runs a job of program $name in a new FOLDER: stdout,
# stderr, status there.
do_job () {
  folder=$1
  job=$2
  shift 2
  size=${job_size:-$("$program" size "$name" test)}
  mkdir -p "$folder"
  (cd "$folder" && "$program" prepare "$name" "$source" "$job" "$size") || exit 99
  (
    cd "$folder" || exit 99
    "$program" run "$name" "$job" "$size" "$@" >stdout 2>stderr
    echo $? >status
  )
}

# check_profile FOLDER: the run left a profile behind.
check_profile () {
  [ -s "$1/gmon.out" ] || {
    cat "$1/stderr"
    fail "no gmon.out after a run that ended with status $(cat "$1/status")"
  }
}

# Judge: the program itself.  Instrumented, it prints the same, on both streams, and ends in the
# same way.
judge_output () { # NAME [FLAG...]
  name=$1
  shift
  built "$name" plain "$@"
  plain=$binary
  built "$name" bbprof "$@"
  for job in $("$program" jobs "$name"); do
    do_job "plain-$job" "$job" "$plain"
    do_job "bbprof-$job" "$job" "$binary"
    check_profile "bbprof-$job"
    for file in stdout stderr status; do
      cmp "plain-$job/$file" "bbprof-$job/$file" ||
        fail "$name $job: another $file than without bbprof"
    done
    say "$job: status $(cat "plain-$job/status"), $(wc \
      -c <"plain-$job/stdout") bytes on stdout: the same"
    judge_flow "bbprof-$job/gmon.out"
  done
}

# Judge: arcs, blocks and edges agree with each other.
judge_flow () { # GMON
  need_command python3 python3
  need_command objdump binutils
  python3 "$srcdir/real/judge-flow.py" "$@" || fail "arcs, blocks and edges of $1 do not agree"
}

# Judge: callgrind, which counts by emulation, in the very run that wrote the profile.
judge_callgrind () { # NAME [FLAG...]
  need_command valgrind valgrind
  need_command python3 python3
  need_command objdump binutils
  name=$1
  shift
  built "$name" "$form" "$@"
  for job in $("$program" jobs "$name"); do
    do_job "$job" "$job" valgrind -q --tool=callgrind --dump-instr=yes --collect-jumps=yes \
      --skip-plt=no --compress-strings=no --compress-pos=no \
      --callgrind-out-file=callgrind.out "$binary"
    check_profile "$job"
    say "$job:"
    python3 "$srcdir/real/judge-callgrind.py" "$binary" "$job/gmon.out" "$job/callgrind.out" || exit
    mv "$job/callgrind.out" "$job/callgrind.kept"
  done
}

# Judges: objdump, and callgrind or gcov, of the same run: what `bbprof annotate' shows of all
# functions.
judge_annotate () { # BINARY GMON CALLGRIND|FOLDER
  python3 "$srcdir/real/judge-annotate.py" "$bbprof" "$@" ||
    fail "bbprof annotate says something else of $2"
}

# Judge: callgrind, in the same run: what `bbprof export' writes in its format.
judge_export () { # BINARY GMON CALLGRIND
  "$bbprof" export --format=callgrind -o exported "$1" "$2" || fail "bbprof export of $2"
  python3 "$srcdir/real/judge-export.py" "$1" exported "$3" ||
    fail "bbprof export says something else of $2"
}

# Judge: callgrind, on all levels of optimisation.
judge_matrix () { # NAME
  for flags in -O0 -O1 -O2 -O3 -Os "-O2 -flto"; do
    mkdir -p "matrix$flags"
    cd "matrix$flags" || exit 99
    say "$flags"
    # shellcheck disable=SC2086 # a list of words
    judge_callgrind "$1" $flags
    for job in $("$program" jobs "$1"); do
      judge_annotate "$binary" "$job/gmon.out" "$job/callgrind.kept"
    done
    cd .. || exit 99
  done
}

# Judge: the counters.  The trace of a whole run, decoded, has each block as often as they count; so
# have the jumps that lead there.
judge_trace () { # NAME SIZE JOB...
  need_command python3 python3
  name=$1
  job_size=$2
  shift 2
  built "$name" ax
  for job; do
    BBPROF_OPTIONS=jumps=1:trace=1 do_job "$job" "$job" "$binary"
    check_profile "$job"
    "$bbprof" trace --check "$job/gmon.out" >"$job/check" 2>&1 ||
      fail "$job: $(head -n 20 "$job/check")"
    say "$job: $(cat "$job/check"), $(wc -c <"$job/gmon.out.bbt") bytes"
    python3 "$srcdir/real/judge-jumps.py" "$job/gmon.out" ||
      fail "the jumps of $job do not agree with its blocks"
  done
}

# Judge: gcov, in the same program and the same run.
judge_gcov () { # NAME
  need_command gcov gcc
  need_command python3 python3
  need_command objdump binutils
  name=$1
  built "$name" bbprof -O0 --coverage
  find "$(dirname "$binary")" -name '*.gcda' -delete
  for job in $("$program" jobs "$name"); do
    do_job "$job" "$job" "$binary"
    check_profile "$job"
    say "$job:"
    python3 "$srcdir/real/judge-gcov.py" "$binary" "$job/gmon.out" "$(dirname "$binary")" || exit
    judge_annotate "$binary" "$job/gmon.out" "$(dirname "$binary")"
    find "$(dirname "$binary")" -name '*.gcda' -delete
  done
}

# Judge: GNU gprof, on the same files, one by one and added up.
judge_gprof () { # NAME [FLAG...]
  need_command gprof binutils
  [ -x "$bbprof_gprof" ] || skip "there is no bbprof-gprof yet"
  name=$1
  shift
  built "$name" bbprof "$@"
  profiles=
  for job in $("$program" jobs "$name"); do
    for run in 1 2; do
      do_job "$job.$run" "$job" "$binary"
      check_profile "$job.$run"
      # GNU gprof knows the executable only, and without this so does bbprof-gprof.
      rm "$job.$run/gmon.out.bbx"
      profiles="$profiles $job.$run/gmon.out"
      same_report "$job.$run/gmon.out"
    done
  done
  # shellcheck disable=SC2086 # a list of words
  same_report $profiles
}

same_report () { # GMON...
  for options in -b '-b -p' '-b -q'; do
    # shellcheck disable=SC2086 # lists of words
    {
      gprof $options "$binary" "$@" >gnu 2>gnu.err || fail "GNU gprof $options: $(cat gnu.err)"
      "$bbprof_gprof" --gnu $options "$binary" "$@" >ours 2>ours.err ||
        fail "bbprof-gprof $options: $(cat ours.err)"
    }
    cmp gnu ours || {
      diff gnu ours | head -n 20
      fail "bbprof-gprof $options prints something else than GNU gprof for $*"
    }
  done
  say "$# profile(s): $(wc -l <ours) lines of call graph, the same"
}

# Judge: GNU gprof with all its options (judge-gprof.py), on a run of each job.
judge_options () { # NAME KIND [OPTION OF THE JUDGE...] -- [FLAG...]
  need_command gprof binutils
  need_command python3 python3
  name=$1
  kind=$2
  shift 2
  judge=
  while [ "$1" != -- ]; do
    judge="$judge $1"
    shift
  done
  shift
  built "$name" "$kind" "$@"
  profiles=
  job_size=1
  for job in $("$program" jobs "$name"); do
    folder=$kind$(printf %s "$*" | tr -cs 'A-Za-z0-9=\n-' _)-$name-$job
    do_job "$folder" "$job" "$binary"
    check_profile "$folder"
    rm -f "$folder/gmon.out.bbx"
    profiles="$profiles $folder/gmon.out"
  done
  # shellcheck disable=SC2086 # lists of words
  python3 "$srcdir/real/judge-gprof.py" --reporter "$bbprof_gprof" $judge "$binary" $profiles \
    >verdict || {
    cat verdict
    fail "not the same about $name ($kind, $*)"
  }
  say "$name, $kind, $*: $(tail -n 1 verdict)"
}

# Judge: the program's own tests, run by the instrumented program.
judge_own_tests () { # NAME [FLAG...]
  name=$1
  shift
  source_of "$name"
  "$program" tests "$name" "$source" "${*:--O2} $bbprof_flags" "$bbprof_link" >log 2>&1 || {
    tail -n 20 log
    fail "the own tests of $name"
  }
  tail -n 5 log
  say "passed"
}
