#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh BUILD: the pictures of the page of bbprof html, anew: Lua, with counts and stacks, by the
# bbprof of that build folder, in chromium.  The page shows paths: the work is done in /tmp/lua.
set -eu
pictures=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
top=$pictures/../..
program=$top/testsuite/real/program
BBPROF_WRITER=$build/collect/bbprof-writer BBPROF_LIBRARY=$build/runtime/libbbprof.so
export BBPROF_WRITER BBPROF_LIBRARY
work=/tmp/lua
mkdir "$work"
trap 'rm -r "$work"' EXIT
cd "$work"
source=$("$program" source "$work" lua)
"$program" build lua "$source" "-O2 -pg -fplugin=$build/gcc-plugin/bbprof.so" \
  "$build/runtime/libbbprof.a" >log 2>&1 || { tail -n 20 log >&2; exit 1; }
BBPROF_OPTIONS=stacks=1 ./lua "$top/testsuite/real/inputs/workload.lua" 100 >output || [ $? = 3 ]
"$build/tools/bbprof" html -o page.html ./lua gmon.out
PYTHONPATH=$top/testsuite python3 "$pictures/page.py" page.html "$pictures"
