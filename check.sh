#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds bbprof out of tree and tests it.  The last line says "N passed, N failed, N skipped"; the
# status is 0 if nothing failed.  Steps go on after a failure.  .ci/run runs it without a stage,
# then with each of them.
#
#   ./check.sh         the core: build, lint, make check, make distcheck
#   ./check.sh STAGE   build, and the tests of one stage (stages in testsuite/tests.mk):
#     real             programs of other projects, up to SQLite and ninja; bbprof itself, built
#                      and installed
#     fuzz             random programs, options and files
#     viewers          viewers of other projects, which npm fetches
#     windows          programs for Windows, compiled by mingw-w64, run by Wine; that loads 120 MB
#                      and keeps 1.4 GB
#     ports            programs for aarch64 and riscv64, in an emulator; 300 MB of packages
#     packages         the tarball, Debian's packages in clean folders, an RPM, a Meson subproject;
#                      Debian's need root's rights; 300 MB to load
#     mpi              programs of OpenMPI and MPICH, up to 16 ranks; 130 MB of packages
#     compilers        the plugin with GCC 11, and with GCC 13 to 15 in Debian trixie and sid, each
#                      in a folder; that needs root's rights, and keeps 2 GB
#   environment: BUILD=folder (default build/), ROOTS=folder of trixie and sid (default
#     BUILD/roots), JOBS=n (default: one more than there are cores, because tests also wait)
set -u

# Debian's commands first: the packages installed below are theirs (python3-jsonschema), and a
# wrapper of python3, as version managers have, takes longer to start than a test's work.
PATH=/usr/bin:/bin:$PATH
export PATH
top=$(cd "$(dirname "$0")" && pwd) || exit 1
stage=${1-}
case $stage:$# in
  :0 | real:1 | fuzz:1 | viewers:1 | windows:1 | ports:1 | mpi:1 | packages:1 | compilers:1) ;;
  *)
    sed -n '3,/^set/s/^# \{0,1\}//p' "$0"
    [ "$stage" = -h ] || exit 2
    exit 0
    ;;
esac
build=${BUILD:-$top/build}
jobs=${JOBS:-$(($(nproc) + 1))}
roots=${ROOTS:-$build/roots}
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
  asides=
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

# What the stage "compilers" sets: a command that runs another one in a root, and words before the
# names of tests, which run once with each compiler.
inside=
of=

# A result of automake's harness for each test that there is: PASS, FAIL, SKIP ... and the end of
# what a failed test said.
count_results () {
  while read -r test; do
    name=$of${test%.test}
    log=$build/testsuite/${test%.test}.log
    case $(sed -n 's/^:global-test-result: //p' "${log%.log}.trs" 2>/dev/null) in
      PASS | XFAIL) pass ;;
      '') flunk "$name" "it was not run, see $build/$results" ;;
      SKIP) skip "$name" \
        "$(grep -v '^SKIP [^ ]* (exit' "$log" | sed -n '/SKIP: */{s///;p;q;}; ${p;}' |
        head -n 1)" ;;
      *)
        if [ -n "$of" ]; then # the next compiler's run overwrites it
          cp "$log" "$build/check-$(echo "$name" | tr ' /' --).log"
          log=$build/check-$(echo "$name" | tr ' /' --).log
        fi
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

# made CONFIGURE_ARGUMENT...: configures and makes bbprof in the folder $build.
made () {
  mkdir -p "$build" && cd "$build" || exit 1
  # shellcheck disable=SC2086 # a command's words
  logged configure $inside "$top/configure" --enable-werror "$@" &&
    logged make $inside make -k -j"$jobs"
}

# tested MAKE_ARGUMENT...: runs the tests of the stage in the folder $build, and counts each.
tested () {
  find testsuite -name '*.trs' -delete
  # shellcheck disable=SC2086 # a command's words
  $inside make -s -C testsuite list-tests STAGE="$stage" >tests
  results=check-tests$(echo "${stage:+-$stage}${of:+-$of}" | tr -d ' ').log
  # Programs that belong to tests of the core are not made for a stage.
  core_only=${stage:+check_PROGRAMS= check_DATA=}
  {
    # shellcheck disable=SC2086 # lists of words
    $inside make -k -j"$jobs" check STAGE="$stage" $core_only "$@" 2>&1
    echo $? >check-status
  } | tee "$results" | grep --line-buffered -E '^(PASS|FAIL|SKIP|XPASS|XFAIL|ERROR):'
  failed_before=$failed
  count_results
  if [ "$(cat check-status)" != 0 ] && [ "$failed" = "$failed_before" ]; then
    tail -n 30 "$results"
    flunk "${of}make check" "it ended before all tests were run, see $build/$results"
  fi
  longest_tests
}

# begin_root RELEASE VERSION...: begins to make the root of a release of Debian that has these
# versions of GCC.
begin_root () {
  release=$1
  shift
  packages=$("$top/scripts/install-packages" --names build root)
  for version; do
    packages="$packages gcc-$version g++-$version gcc-$version-plugin-dev gfortran-$version"
  done
  # shellcheck disable=SC2086 # a list of words
  beside "root-$release" "$top/scripts/debian-root" make "$roots/$release" "$release" $packages
}

# tested_in_root RELEASE VERSION...: builds bbprof by the first of these compilers, for all of them,
# in the root of that release; runs the tests with each.
tested_in_root () {
  release=$1 others=
  shift
  [ -e "$roots/$release/made-of" ] || return 0 # count_asides says why
  step "Debian $release: build in $host_build/$release"
  build=$host_build/$release
  inside="$top/scripts/debian-root run $roots/$release $host_build"
  for version; do
    [ "$version" = "$1" ] || others="$others gcc-$version"
  done
  made "CC=gcc-$1" "CXX=g++-$1" "--with-compilers=${others# }" || return
  for version; do
    of="GCC $version: "
    step "Debian $release: make check STAGE=$stage CC=gcc-$version (results as they come)"
    tested "CC=gcc-$version" "CXX=g++-$version" "BBPROF_CACHE=$host_build/cache"
  done
}

step "Packages"
"$top/scripts/install-packages" build ||
  echo "(going on: configure will say what it cannot do without)"
sets="tests compilers"
case $stage in
  viewers) sets="$sets viewers" ;;
  windows)
    echo "(for Windows: 1.4 GB of packages and of Wine's own files, some minutes)"
    sets="$sets windows"
    ;;
  ports)
    sets="$sets ports"
    echo "(for aarch64 and riscv64: 300 MB of packages, if they are missing; then some 10 minutes)"
    ;;
  packages) sets="$sets roots packages" ;;
  mpi)
    sets="$sets mpi"
    echo "(for MPI: 130 MB of packages, if they are missing; then some 3 minutes)"
    ;;
  compilers) sets="$sets roots" ;;
esac
for set in $sets; do
  "$top/scripts/install-packages" "$set" || echo "(going on: the tests that need them are skipped)"
done
others=
[ ! -e "$(gcc-11 -print-file-name=plugin 2>/dev/null)/include/gcc-plugin.h" ] ||
  others=gcc-11
[ "$stage" != ports ] || for cpu in aarch64 riscv64; do
  ! command -v $cpu-linux-gnu-gcc-12 >/dev/null || others="${others:+$others }$cpu-linux-gnu-gcc-12"
done
windows=
if [ "$stage" = windows ] && command -v x86_64-w64-mingw32-gcc >/dev/null; then
  windows=--with-windows
  others="${others:+$others }x86_64-w64-mingw32-gcc"
fi
mkdir -p "$build" || exit 1
if [ "$stage" = compilers ]; then
  step "In parallel, if not done before: Debian trixie and sid in $roots" \
    "(550 MB to load, 2 GB, 3 minutes)"
  begin_root trixie 14 13
  begin_root sid 15
fi

step "Build in $build"
if [ ! -f "$top/configure" ] ||
  [ -n "$(find "$top" -name .git -prune -o \( -name configure.ac -o -name Makefile.am \) -newer \
  "$top/configure" -print)" ]; then
  logged autoreconf autoreconf -i "$top" || finish
fi
# shellcheck disable=SC2086 # a word, or none
made ${others:+"--with-compilers=$others"} $windows || finish

if [ -z "$stage" ]; then
  step "In the time that the tests leave over: scripts/lint; make distcheck (tarball, read-only" \
    "source, install, uninstall; not optimised, without the tests again)"
  for kind in format lines c shell python spelling; do
    beside "lint-$kind" "$top/scripts/lint" "$kind"
  done
  beside distcheck make -j"$jobs" distcheck TESTS= \
    DISTCHECK_CONFIGURE_FLAGS="CFLAGS=-O0 CXXFLAGS=-O0"
fi

if [ "$stage" = compilers ]; then
  for program in lua bzip2; do # once, for all compilers
    "$top/testsuite/real/program" source "$build/cache" $program >/dev/null
  done
  if [ -n "$others" ]; then
    of="GCC 11: "
    step "make check STAGE=$stage CC=gcc-11 (results as they come)"
    tested CC=gcc-11 CXX=g++-11
  fi
  count_asides
  host_build=$build
  tested_in_root trixie 14 13
  tested_in_root sid 15
else
  step "make check STAGE=$stage (results as they come)"
  tested
fi

if [ -n "$asides" ]; then
  step "What ran beside them"
  count_asides
fi

finish
