#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows bbprof at work: builds it, profiles the Lua interpreter while it runs a script, and prints the reports.
#
#   ./demo.sh       BUILD=folder (default build/).  The second run takes seconds.
#
# Lua, because everybody knows what an interpreter does, it is compiled in ten seconds, and it is hard to profile: one
# huge function holds most of the time, so "how often was each block executed" says more than "how long".  Its source comes from
# Debian, by apt, without changing the machine's apt.  Where it cannot be had, a small program of ours stands in.
set -eu

top=$(cd "$(dirname "$0")" && pwd)
case ${1-} in
  '') ;;
  *)
    sed -n '3,9s/^# \{0,1\}//p' "$0"
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

flags="-O2 -g -pg -fplugin=$build/gcc-plugin/bbprof.so"
link=$build/runtime/libbbprof.a
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
if [ -n "$(find done -newer "$build/gcc-plugin/bbprof.so" -newer "$link" 2>/dev/null)" ]; then
  say "$name is compiled already"
else
  say "compiling $what"
  if [ "$name" = lua ]; then
    quietly log "$program" build lua "$source" "$flags" "$link"
  else
    # shellcheck disable=SC2086 # a list of words
    quietly log gcc $flags "$top/testsuite/real/words.c" -o words "$link"
  fi
  : >done
fi
if [ "$name" = words ]; then
  find "$top" -name .git -prune -o -path "$build" -prune -o -type f -print | grep -E '\.(c|h|txt|md|lua|sql|py|sh)$' | sort >files
  command="xargs ./words <files"
fi

say "running it"
rm -f gmon.out
sh -c "$command" >output 2>&1 || [ "$name" = lua ] || fail "$command failed"
[ -s gmon.out ] || fail "no gmon.out was written"

cat <<END

What was done:

    gcc -O2 -g -pg -fplugin=bbprof.so ...      compile and link $what
    ./$name ...                                 run it as ever: it writes gmon.out
    bbprof-gprof ./$name                        the reports that gprof prints, from the same kind of file
    bbprof blocks ./$name                       what no other report has: executions of every basic block

Calls and blocks are counted exactly; times are sampled.  The three reports follow, their beginnings only.
All is in $build/demo/$name; try there:  $build/gprof-compat/bbprof-gprof -b ./$name
END
gprof=$build/gprof-compat/bbprof-gprof
title "Where the time went (flat profile)"
"$gprof" -b -p "./$name" | sed -n '3,14p'
title "Who called whom (call graph)"
"$gprof" -b -q "./$name" | sed -n '/^index/,$p' | head -n 24
title "The hottest basic blocks"
"$build/tools/bbprof" blocks -n 10 "./$name" gmon.out
