#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds bbprof out of tree and tests it.  The last line says "N passed, N failed, N skipped"; the
# status is 0 if nothing failed.  Steps go on after a failure.  .ci/run runs it without a stage,
# then with each of them.
#
#   ./check.sh         the core: build, lint, make check, make distcheck
#   ./check.sh STAGE   build, and the tests of one stage (stages in testsuite/tests.mk):
#     real             large programs: SQLite, ninja; bbprof itself, built and installed
#     viewers          viewers of other projects, which npm fetches
#   environment: BUILD=folder (default build/), JOBS=n (default: as many as there are cores)
set -u

# Debian's commands first: the packages installed below are theirs (python3-jsonschema), and a
# wrapper of python3, as version managers have, takes longer to start than a test's work.
PATH=/usr/bin:/bin:$PATH
export PATH
top=$(cd "$(dirname "$0")" && pwd) || exit 1
stage=${1-}
case $stage:$# in
  :0 | real:1 | viewers:1) ;;
  *)
    sed -n '3,/^set/s/^# \{0,1\}//p' "$0"
    [ "$stage" = -h ] || exit 2
    exit 0
    ;;
esac
build=${BUILD:-$top/build}
jobs=${JOBS:-$(nproc)}
passed=0
failed=0
skipped=0
failures=
skips=
newline='
'
read -r began _ </proc/uptime

step () { printf '\n== %s\n' "$*"; }

pass () { passed=$((passed + 1)); }
flunk () { # NAME WHERE
  failed=$((failed + 1))
  failures="$failures  $1: $2$newline"
}
skip () { # NAME REASON
  skipped=$((skipped + 1))
  skips="$skips  $1: $2$newline"
}

# The last words: what took long, what failed and was skipped, then the one line.
finish () {
  echo
  read -r ended _ </proc/uptime
  echo "Took $(((${ended%.*} - ${began%.*} + 30) / 60)) minutes on $(nproc) processors"
  [ -z "$skips" ] || printf 'Skipped:\n%s' "$skips"
  [ -z "$failures" ] || printf 'Failed:\n%s' "$failures"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
  exit
}

# logged NAME COMMAND...: runs it, its output in a file, and counts it as one check.
logged () {
  name=$1
  shift
  "$@" >"$build/check-$name.log" 2>&1
  count_step "$name" $?
}

# beside NAME COMMAND...: begins it, in the time that the tests leave over; count_asides counts all
# of these.
asides=
beside () {
  name=$1
  shift
  nice -n 19 "$@" >"$build/check-$name.log" 2>&1 &
  asides="$asides $name:$!"
}
count_asides () {
  for aside in $asides; do
    wait "${aside#*:}"
    count_step "${aside%:*}" $?
  done
}
trap 'for aside in $asides; do kill "${aside#*:}" 2>/dev/null; done; exit 130' INT TERM

# count_step NAME STATUS: shows the end of the log if it failed.  77: skipped, and the last line
# says why.
count_step () {
  log=$build/check-$1.log
  case $2 in
    0) pass ;;
    77) skip "$1" "$(tail -n 1 "$log")" ;;
    *)
      tail -n 30 "$log"
      flunk "$1" "see $log"
      return 1
      ;;
  esac
}

# A result of automake's harness for each test that there is: PASS, FAIL, SKIP ... and the end of
# what a failed test said.
count_results () {
  while read -r test; do
    name=${test%.test}
    log=$build/testsuite/$name.log
    case $(sed -n 's/^:global-test-result: //p' "${log%.log}.trs" 2>/dev/null) in
      PASS | XFAIL) pass ;;
      '') flunk "$name" "it was not run, see $build/$results" ;;
      SKIP) skip "$name" \
        "$(grep -v '^SKIP [^ ]* (exit' "$log" | sed -n '/SKIP: */{s///;p;q;}; ${p;}' |
        head -n 1)" ;;
      *)
        printf '\n-- %s\n' "$log"
        tail -n 20 "$log"
        flunk "$name" "see $log"
        ;;
    esac
  done <"$build/tests"
}

# The tests that took longest, by what testsuite/timed-driver.sh measured.
longest_tests () {
  echo "Longest tests, in seconds:"
  while read -r test; do
    sed -n '/^:wall-seconds: /{s///;h;}
      /^:cpu-seconds: /{s///;H;g;s/\n/ /p;}' "$build/testsuite/${test%.test}.trs" 2>/dev/null |
      while read -r wall cpu; do echo "$wall $cpu $test"; done
  done <"$build/tests" | sort -rn | head -n 10 |
    awk '{ printf "%8.1f  (CPU %6.1f)  %s\n", $1, $2, $3 }'
}

step "Packages"
"$top/scripts/install-packages" build ||
  echo "(going on: configure will say what it cannot do without)"
sets="tests compilers"
[ "$stage" != viewers ] || sets="$sets viewers"
for set in $sets; do
  "$top/scripts/install-packages" "$set" || echo "(going on: the tests that need them are skipped)"
done
others=
[ ! -e "$(gcc-11 -print-file-name=plugin 2>/dev/null)/include/gcc-plugin.h" ] ||
  others=--with-compilers=gcc-11

step "Build in $build"
mkdir -p "$build" && cd "$build" || exit 1
if [ ! -f "$top/configure" ] ||
  [ -n "$(find "$top" -name .git -prune -o \( -name configure.ac -o -name Makefile.am \) -newer \
  "$top/configure" -print)" ]; then
  logged autoreconf autoreconf -i "$top" || finish
fi
logged configure "$top/configure" --enable-werror $others || finish
logged make make -k -j"$jobs" || finish

if [ -z "$stage" ]; then
  step "In the background: scripts/lint; make distcheck (tarball, read-only source, install," \
    "uninstall; not optimised, without the tests again)"
  for kind in format lines c shell python spelling; do
    beside "lint-$kind" "$top/scripts/lint" "$kind"
  done
  beside distcheck make -j"$jobs" distcheck TESTS= \
    DISTCHECK_CONFIGURE_FLAGS="CFLAGS=-O0 CXXFLAGS=-O0"
fi

step "make check STAGE=$stage (results as they come)"
find testsuite -name '*.trs' -delete
make -s -C testsuite list-tests STAGE="$stage" >tests
results=check-tests${stage:+-$stage}.log
# Programs that belong to tests of the core are not made for a stage.
core_only=${stage:+check_PROGRAMS= check_DATA=}
{
  # shellcheck disable=SC2086 # a list of words
  make -k -j"$jobs" check STAGE="$stage" $core_only 2>&1
  echo $? >check-status
} | tee "$results" | grep --line-buffered -E '^(PASS|FAIL|SKIP|XPASS|XFAIL|ERROR):'
failed_before=$failed
count_results
if [ "$(cat check-status)" != 0 ] && [ "$failed" = "$failed_before" ]; then
  tail -n 30 "$results"
  flunk "make check" "it ended before all tests were run, see $build/$results"
fi
longest_tests

if [ -n "$asides" ]; then
  step "What ran beside them"
  count_asides
fi

finish
