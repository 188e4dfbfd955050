# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by all tests in shell: paths, options to compile a program with an uninstalled bbprof,
# functions that report a test's result.  Sourcing this file changes to an empty folder of the
# test's own.
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
umask 022 # other users run what tests compile
# For the Python package readers; Python writes nothing into the source folder, which may be
# read-only.
PYTHONPATH=$srcdir
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
unset GMON_OUT_PREFIX BBPROF_OPTIONS BBPROF_GPROF BBPROF_DEBUG_PATH DEBUGINFOD_URLS

bbprof=$top/tools/bbprof
bbprof_commands=$top/tools/bbprof-commands
bbprof_gprof=$top/gprof-compat/bbprof-gprof
bbprof_plugin=$top/gcc-plugin/bbprof.so
bbprof_archive=$top/runtime/libbbprof.a
bbprof_library=$top/runtime/libbbprof.so
# Programs find the uninstalled bbprof-writer by this variable.
BBPROF_WRITER=$top/collect/bbprof-writer
export BBPROF_WRITER

# Options to compile and link a program with an uninstalled bbprof: only here.
bbprof_flags="-pg -fplugin=$bbprof_plugin"
bbprof_link=$bbprof_archive
# For a dynamic program that loads instrumented libraries at run time and is linked with none.
bbprof_export='-Wl,--export-dynamic-symbol=__bb*'

test_name=$(basename "$0" .test)
test_folder=$(cd "$(dirname "$0")" && pwd)
work=$builddir${test_folder#"$srcdir"}/work/$test_name${PORT:+-$PORT} # PORT: see ports/lib.sh
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 99

say () { echo "$test_name: $*"; }
skip () { echo "SKIP: $*"; exit 77; }
fail () { echo "FAIL: $*"; exit 1; }

need_command () {
  command -v "$1" >/dev/null || skip "needs the command $1 (Debian: $2)"
}

# must COMMAND...: if it fails, the test is broken, not failed.
must () {
  "$@" || { echo "ERROR: cannot $*"; exit 99; }
}

# cpu_times: sets $cpu_times to three times in hundredths of a second: of all processors since the
# machine started, the part of it that was not idle, and that of the ended children of this shell.
# A subshell would not know its children.
cpu_times () {
  times >"$work.times" # beside the folder, which is the test's
  cpu_times=$(awk \
    'FNR == NR {
      for (i = 1; i <= 2 && FNR == 2; i++) { split ($i, t, "m"); own += 6000 * t[1] + 100 * t[2] }
      next
    }
    /^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, all - $5 - $6, own; exit }' \
      "$work.times" /proc/stat)
}

# others_since TIMES: sets $others to the percentage of processor time that other programs used
# since TIMES.
others_since () {
  cpu_times
  others=$(echo "$1 $cpu_times" | awk '{ print int (100 * ($5 - $2 - $6 + $3) / ($4 - $1 + 1)) }')
}

# fail_unless_busy WORDS: fails a check that depends on processor time, but skips the test if other
# programs used more than a sixth of the processors since it began.
fail_unless_busy () {
  others_since "$test_began"
  [ "$others" -gt 16 ] && skip "$*; others had $others % of the processors"
  fail "$*"
}

# timed WHAT COMMAND...: runs COMMAND, a check that depends on processor time and writes its message
# to the file verdict; not for checks of counts.  If COMMAND fails while other programs use more
# than a sixth of the processors, the try is void.  After five void tries the test is skipped.
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
  skip "$timed_what: in none of five tries the processors were free enough;" \
    "others had $others % of them"
}

cpu_times
test_began=$cpu_times

# beside_spinners COMMAND...: runs COMMAND while four shells spin, for ten minutes at most.
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

# wait_cpu PID SECONDS: waits until the process has used that much CPU time; skips the test after a
# minute.
wait_cpu () {
  for wait_try in $(seq 600); do
    cat /proc/"$1"/task/*/schedstat 2>/dev/null |
      awk -v wanted="$2" '{ n += $1 } END { exit !(n >= 1e9 * wanted) }' && return
    sleep 0.1
  done
  skip "process $1 got no $2 s of CPU time in a minute"
}

# expect WHAT IS SHOULD: fails unless the two texts are equal.
expect () {
  [ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

# calls PROGRAM FUNCTION [GMON]: prints the calls of GNU gprof's flat profile; nothing if it has
# none.
calls () {
  gprof -b -p "$1" "${3:-gmon.out}" 2>/dev/null | awk -v f="$2" '$NF == f && NF >= 5 { print $4 }'
}

# arc PROGRAM CALLER CALLEE [GMON]: prints the calls from CALLER to CALLEE in GNU gprof's call
# graph, from the callee's entry: a caller without calls and samples has no entry of its own.
arc () {
  gprof -b -q "$1" "${4:-gmon.out}" 2>/dev/null | awk -v from="$2" -v to="$3" '
    /^-----/ { calls = "" }
    NF < 3 { next }
    /^\[/ && calls && ($(NF-1) == to || $(NF-2) == to) { print calls }
    $(NF-1) == from || $(NF-2) == from {
      for (i = 1; i <= NF; i++)
        if ($i ~ /^[0-9]+\/[0-9]+$/) { split ($i, n, "/"); calls = n[1] }
    }'
}

# each_link FUNCTION: calls FUNCTION with a compiler and link options, for each installed linker,
# dynamic, static and static-pie; only combinations that can link a program without profiling.
each_link () {
  echo 'int main (void) { return 0; }' >empty-main.c
  for linker in bfd gold lld mold; do
    for form in -pie -static -static-pie; do
      $CC $form -fPIE -fuse-ld=$linker empty-main.c -o empty-main 2>/dev/null || continue
      "$1" $CC -fPIE $form -fuse-ld=$linker
    done
  done
}
