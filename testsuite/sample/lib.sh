# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of sampling share.  The programs know themselves, by their thread's clocks, how
# long they have done what: they print lines "NAME NANOSECONDS", and judge.py compares.
. "$srcdir/lib.sh"
need_command python3 python3

BBPROF_LIBRARY=$bbprof_library
export BBPROF_LIBRARY

# sampled OPTION... -- PROGRAM ARGUMENT...: records it into a gmon.out; leaves its output in truth,
# its stacks in stacks (readers.stacks).
sampled () {
  rm -f gmon.out gmon.out.*
  timeout 120 "$bbprof" record --quiet "$@" >truth 2>complaint ||
    fail "status $? of bbprof record $*: $(cat complaint)"
  python3 -m readers.stacks gmon.out >stacks || fail "the stacks of bbprof record $* cannot be read"
}

# agrees OPTION... : does judge.py find that stacks agree with the truth?  Its words stay in
# verdict.
agrees () { python3 "$srcdir/sample/judge.py" stacks truth "$@" >verdict 2>&1; }

# agrees_once "OPTION OF THE JUDGE..." OPTION... -- PROGRAM ARGUMENT...: chance makes one in a
# thousand fail; not twice.
agrees_once () {
  judge=$1
  shift
  for try in 1 2; do
    sampled "$@"
    # shellcheck disable=SC2086 # a list of words
    agrees $judge && return
  done
  return 1
}

# judged WHAT "OPTION OF THE JUDGE..." OPTION... -- PROGRAM ARGUMENT...
judged () {
  what=$1
  shift
  timed "$what" agrees_once "$@"
  say "$what: $(tail -n 1 verdict)"
}

# can SAMPLER CLOCK: is this sampler possible here?
can () {
  rm -f gmon.out gmon.out.*
  "$bbprof" record --quiet --sampler "$1" --clock "$2" true >can.out 2>&1
  python3 -m readers.stacks gmon.out 2>can.err | grep -q "^how $1 $2 "
}

# ticks KIND NAME: of stacks' lines "self" or "total".
ticks () {
  awk -v kind="$1" -v name="$2" '$1 == kind && $2 == name { n += $3 } END { print n + 0 }' stacks
}

# no_maps: removes what the recorded program wrote about its generated code.
no_maps () {
  pid=$(python3 -c 'from readers.sidecar import Sidecar; print(Sidecar("gmon.out.bbx").process)')
  rm -f jit-*.dump "/tmp/jit-$pid.dump" "/tmp/perf-$pid.map"
}
