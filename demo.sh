#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows bbprof at work: builds it, installs it into a folder of its own, profiles the Lua
# interpreter while it runs a script, and prints the reports.
#
#   ./demo.sh       BUILD=folder (default build/).  The second run takes seconds.
#
# Lua, because everybody knows what an interpreter does, it is compiled in ten seconds, and it is
# hard to profile: one huge function holds most of the time, so "how often was each block executed"
# says more than "how long".  Its source comes from Debian, by apt, without changing the machine's
# apt.  Where it cannot be had, a small program of ours stands in.
set -eu

top=$(cd "$(dirname "$0")" && pwd)
case ${1-} in
  '') ;;
  *)
    sed -n '3,11s/^# \{0,1\}//p' "$0"
    [ "$1" = -h ] || exit 2
    exit 0
    ;;
esac
build=${BUILD:-$top/build}
cache=${BBPROF_CACHE:-${XDG_CACHE_HOME:+$XDG_CACHE_HOME/bbprof}}
cache=${cache:-$build/cache}
jobs=${JOBS:-$(nproc)}
program=$top/testsuite/real/program

say () { printf '%s\n' "$*" >&2; }
fail () { say "demo: $*"; exit 1; }
title () { printf '\n---- %s\n\n' "$*"; }
# quietly LOG COMMAND...: output goes to the log; the end of it is shown if the command fails.
quietly () {
  log=$1
  shift
  "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "this failed: $*  (see $log)"; }
}

# bbprof itself.
"$top/scripts/install-packages" build
command -v dpkg-source >/dev/null || "$top/scripts/install-packages" tests || :
mkdir -p "$build"
cd "$build"
if [ ! -f config.status ]; then
  say "configuring bbprof in $build"
  [ -f "$top/configure" ] || (cd "$top" && quietly "$build/demo-autoreconf.log" autoreconf -i)
  quietly demo-configure.log "$top/configure"
fi
say "building bbprof"
quietly demo-make.log make -j"$jobs"

# Into a prefix of the demo's own; GCC finds the plugin and the library there by LIBRARY_PATH.
prefix=$build/demo/usr
quietly demo-install.log make install prefix="$prefix" gccdir="$prefix/lib/bbprof" OTHERS=
PATH=$prefix/bin:$PATH
LIBRARY_PATH=$prefix/lib/bbprof${LIBRARY_PATH:+:$LIBRARY_PATH}
export PATH LIBRARY_PATH
flags="-O2 -g -pg -fplugin=bbprof.so"
mkdir -p "$build/demo"
cd "$build/demo"

# The program: $name, compiled in the folder $name; $command runs it on its input.
name=lua
if source=$("$program" source "$cache" lua); then
  what="the Lua interpreter (Debian's source of lua5.4), all of it"
  command="./lua $top/testsuite/real/inputs/workload.lua 60"
else
  name=words
  what="a program of ours that counts words (Debian's source of Lua cannot be had here)"
  command="./words"
fi
mkdir -p "$name"
cd "$name"
if [ -e compiled ] &&
   [ -z "$(find "$build/gcc-plugin/bbprof.so" "$build/runtime/libbbprof.a" "$program" \
             "$top/testsuite/real/words.c" -newer compiled)" ]; then
  say "$name is compiled already"
else
  say "compiling $what"
  if [ "$name" = lua ]; then
    quietly log "$program" build lua "$source" "$flags" ""
  else
    # shellcheck disable=SC2086 # a list of words
    quietly log gcc $flags "$top/testsuite/real/words.c" -o words
  fi
  : >compiled
fi
if [ "$name" = words ]; then
  find /usr/include -name '*.h' -type f | sort | head -n 1200 >files
  command="xargs -n 1200 ./words <files"
fi

say "running it"
rm -f gmon.out
sh -c "$command" >output 2>&1 || [ "$name" = lua ] || fail "$command failed"
[ -s gmon.out ] || fail "no gmon.out was written"

row () { printf '    %-44s %s\n' "$1" "$2"; }
echo
echo "What was done with $what:"
echo
row "export LIBRARY_PATH=PREFIX/lib/bbprof" "say where bbprof is, if not in GCC's own folder"
row "gcc -O2 -g -pg -fplugin=bbprof.so ..." "compile and link it"
row "./$name ..." "run it as ever: it writes gmon.out"
row "bbprof-gprof ./$name" "the reports that gprof prints, from the same kind of file"
row "bbprof blocks ./$name" "what they do not have: how often each basic block ran"
echo
echo "Calls and blocks are counted exactly; times are sampled.  The three reports follow, their" \
  "beginnings only."
[ "$name" != lua ] ||
  echo "(Lua hashes with another seed on each run, so its own work, and the counts with it," \
    "differ a little.)"
echo "All is in $build/demo/$name; try there:  $prefix/bin/bbprof-gprof -b ./$name"
bbprof-gprof -b -p "./$name" >flat
bbprof-gprof -b -q "./$name" >graph
title "Where the time went (flat profile)"
sed -n '3,14p' flat
hottest=$(awk 'heading { print $NF; exit } $NF == "name" { heading = 1 }' flat)
title "Who calls $hottest, and what it calls (one entry of the call graph)"
awk -v function_name="$hottest" '
  /^index/ {
    print
    lines = 0
    next
  }
  /^-----/ {
    if (found) {
      for (i = 1; i <= lines && i <= 22; i++)
        print line[i]
      if (lines > 22)
        print "                                 ... and " lines - 22 " lines more"
      exit
    }
    lines = 0
    next
  }
  { line[++lines] = $0 }
  /^\[/ { found = index($0, " " function_name " ") }' graph
title "The hottest basic blocks"
bbprof blocks -n 10 "./$name" gmon.out
