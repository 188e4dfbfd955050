#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# draw.sh BUILD: the pictures of howto/timeline.md, anew, of runs on this machine by the bbprof of
# that build folder.
set -eu
pictures=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
BBPROF_WRITER=$build/collect/bbprof-writer BBPROF_LIBRARY=$build/runtime/libbbprof.so
export BBPROF_WRITER BBPROF_LIBRARY
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"

# draw NAME PROGRAM [--cured] WINDOW...
draw () {
  name=$1 program=$2 cured=
  shift 2
  [ "$1" != --cured ] || { cured=--cured; shift; }
  "$build/tools/bbprof" record --quiet --timeline -- ./"$program" $cured
  "$build/tools/bbprof" timeline --threads 'low,middle,high,server*' "$@" -o "$pictures/$name.svg" \
    --svg ./"$program" gmon.out
}

for program in inversion convoy; do
  ${CC:-cc} -O2 -I"$pictures/../../include" "$pictures/../examples/$program.c" -o $program -pthread
done
draw inversion inversion --from 0 --to 160ms
draw inversion-cured inversion --cured --from 0 --to 160ms
draw convoy convoy --from 0 --to 150ms
draw convoy-cured convoy --cured --from 0 --to 150ms
