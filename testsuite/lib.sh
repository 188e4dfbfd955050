# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests in shell share: where things are, how a program is compiled with an uninstalled
# bbprof, how a test says what became of it.  A test sources this file and finds itself in an empty
# folder of its own.
#
# Environment, given by the makefile: srcdir and builddir (of testsuite/), top_builddir, CC, CXX.
# Exit status as for automake: 0 passed, 1 failed, 77 skipped, 99 the test itself is broken.
set -u

srcdir=$(cd "${srcdir:-.}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
top=$(cd "${top_builddir:-..}" && pwd)
top_builddir=$top # this file may be read twice
CC=${CC:-gcc}
CXX=${CXX:-g++}
LC_ALL=C
export CC CXX LC_ALL
# The package of the judges' readers; the source folder may be read-only, and stays clean.
PYTHONPATH=$srcdir
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
unset GMON_OUT_PREFIX BBPROF_OPTIONS BBPROF_GPROF BBPROF_DEBUG_PATH DEBUGINFOD_URLS

bbprof=$top/tools/bbprof
bbprof_gprof=$top/gprof-compat/bbprof-gprof
bbprof_plugin=$top/gcc-plugin/bbprof.so
bbprof_archive=$top/runtime/libbbprof.a
bbprof_library=$top/runtime/libbbprof.so
# Where nothing is installed, programs find the writer of traces and times by this.
BBPROF_WRITER=$top/collect/bbprof-writer
export BBPROF_WRITER

# The one place that knows how a program is compiled and linked with an uninstalled bbprof.
bbprof_flags="-pg -fplugin=$bbprof_plugin"
bbprof_link=$bbprof_archive
# And for a dynamic program that is to load instrumented libraries, and is linked with none.
bbprof_export='-Wl,--export-dynamic-symbol=__bb*'

test_name=$(basename "$0" .test)
test_folder=$(cd "$(dirname "$0")" && pwd)
work=$builddir${test_folder#"$srcdir"}/work/$test_name
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 99

say () { echo "$test_name: $*"; }
skip () { echo "SKIP: $*"; exit 77; }
fail () { echo "FAIL: $*"; exit 1; }

need_command () {
  command -v "$1" >/dev/null || skip "needs the command $1 (Debian: $2)"
}

# must COMMAND...: its failure is a broken test, not a failed one.
must () {
  "$@" || { echo "ERROR: cannot $*"; exit 99; }
}

# cpu_times: into $cpu_times, in hundredths of a second, what all processors have had since the
# start of the machine, what of it was not idle, and what the ended children of this shell had.  A
# subshell would not know its children.
cpu_times () {
  times >"$work.times" # beside the folder, which is the test's
  cpu_times=$(awk \
    'FNR == NR { for (i = 1; i <= 2 && FNR == 2; i++) { split ($i, t, "m"); own += 6000 * t[1] + 100 * t[2] } next }
    /^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, all - $5 - $6, own; exit }' \
      "$work.times" /proc/stat)
}

# others_since TIMES: into $others, how many percent of the processors other programs had since
# TIMES.
others_since () {
  cpu_times
  others=$(echo "$1 $cpu_times" | awk '{ print int (100 * ($5 - $2 - $6 + $3) / ($4 - $1 + 1)) }')
}

# fail_unless_busy WORDS: of a check that depends on the time that the machine has for it: no
# failure if others used more than a sixth of the processors since the test began.
fail_unless_busy () {
  others_since "$test_began"
  [ "$others" -gt 16 ] && skip "$*; others had $others % of the processors"
  fail "$*"
}

# timed WHAT COMMAND...: COMMAND judges what depends on the time that the machine has for it, and
# leaves its words in verdict; a test's checks of counts are not its matter.  If it fails while
# others used more than a sixth of the processors the try is void.  Of five tries one has to count.
timed () {
  timed_what=$1
  shift
  for timed_try in 1 2 3 4 5; do
    cpu_times
    timed_before=$cpu_times
    "$@" && return
    others_since "$timed_before"
    [ "$others" -gt 16 ] ||
      fail "$timed_what: $(cat verdict), though others had only $others % of the processors"
    say "$timed_what, try $timed_try: $(tail -n 1 verdict); others had $others % of the processors"
  done
  skip "$timed_what: in none of five tries the machine had time for it; others had $others % of the processors"
}

cpu_times
test_began=$cpu_times

# beside_spinners COMMAND...: while four shells spin, for ten minutes at most.
beside_spinners () {
  spinners=
  for spinner in 1 2 3 4; do
    timeout 600 sh -c 'while :; do :; done' &
    spinners="$spinners $!"
  done
  # shellcheck disable=SC2064,SC2086 # these processes, a list of numbers
  trap "kill $spinners 2>/dev/null" EXIT
  "$@"
  # shellcheck disable=SC2086 # a list of numbers
  kill $spinners
  trap - EXIT
}

# wait_cpu PID SECONDS: until the process has had that much CPU time; a machine that has none for it
# within a minute skips the test.
wait_cpu () {
  for wait_try in $(seq 600); do
    cat /proc/"$1"/task/*/schedstat 2>/dev/null |
      awk -v wanted="$2" '{ n += $1 } END { exit !(n >= 1e9 * wanted) }' && return
    sleep 0.1
  done
  skip "process $1 got no $2 s of CPU time in a minute"
}

# expect WHAT IS SHOULD: both are text.
expect () {
  [ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

# calls PROGRAM FUNCTION [GMON]: the calls that GNU gprof's flat profile shows; nothing if it shows
# none.
calls () {
  gprof -b -p "$1" "${3:-gmon.out}" 2>/dev/null | awk -v f="$2" '$NF == f && NF >= 5 { print $4 }'
}

# arc PROGRAM CALLER CALLEE [GMON]: calls from the one to the other in GNU gprof's call graph, from
# the callee's entry: a caller that nobody has called and no sample has met has none.
arc () {
  gprof -b -q "$1" "${4:-gmon.out}" 2>/dev/null | awk -v from="$2" -v to="$3" '
    /^-----/ { calls = "" }
    NF < 3 { next }
    /^\[/ && calls && ($(NF-1) == to || $(NF-2) == to) { print calls }
    $(NF-1) == from || $(NF-2) == from { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\/[0-9]+$/) { split ($i, n, "/"); calls = n[1] } }'
}

# each_link FUNCTION: calls it with a compiler and the options of a link, for each linker that is
# installed, dynamic, static and static-pie, as far as a program without profiling can be linked so.
each_link () {
  echo 'int main (void) { return 0; }' >empty-main.c
  for linker in bfd gold lld mold; do
    for form in -pie -static -static-pie; do
      $CC $form -fPIE -fuse-ld=$linker empty-main.c -o empty-main 2>/dev/null || continue
      "$1" $CC -fPIE $form -fuse-ld=$linker
    done
  done
}
