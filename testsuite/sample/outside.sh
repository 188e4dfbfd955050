# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of sampling from outside share.
. "$srcdir/sample/lib.sh"

# begin PROGRAM ARGUMENT...: starts it, and waits until it is ready for its byte, which works sends.
# ends ends its input, go does both.  Its pid is in $program, its output will be in the file truth.
begin () {
  rm -f gate
  must mkfifo gate
  "$@" <gate >said &
  program=$!
  exec 3>gate
  for begin_try in $(seq 600); do
    grep -q ready said && return
    sleep 0.1
  done
  fail "$* does not begin"
}
works () { echo >&3; }
ends () { exec 3>&-; }
go () { works; ends; }

# attached PID: waits until the command has attached to its processes, and waits for samples.
attached () {
  for attached_try in $(seq 1200); do
    find "/proc/$1/fd" -lname 'anon_inode:\[perf_event\]' 2>/dev/null | grep -q . &&
      grep -q '^State:.S' "/proc/$1/status" && break
    kill -0 "$1" 2>/dev/null || return
    sleep 0.05
  done
  sleep 0.3
}

# outside OPTION... -- PROGRAM ARGUMENT...: samples it from outside until it ends.  Its status is in
# $status; stacks and truth are as of sampled.
outside () {
  options=
  while [ "$1" != -- ]; do
    options="$options $1"
    shift
  done
  shift
  rm -f gmon.out gmon.out.*
  begin "$@"
  # shellcheck disable=SC2086 # a list of words
  "$bbprof" record -p "$program" -t 60 $options >told 2>complaint &
  recorder=$!
  attached $recorder
  go
  wait "$program"
  status=$?
  wait $recorder || fail "status $? of bbprof record -p $options: $(cat complaint)"
  grep -v ready said >truth
  python3 -m readers.stacks gmon.out >stacks || fail "the stacks of record -p cannot be read"
}

# near WHAT TICKS MILLISECONDS: whether there are as many ticks, for a check by timed.  Too many are
# wrong however busy the machine is; it may withhold a processor, and then ticks are missing.
near () {
  [ "$2" -le $(($3 + 30)) ] || fail "$1: $2 ticks in $3 ms"
  echo "$1: $2 ticks in $3 ms" >verdict
  [ "$2" -ge $(($3 - 50)) ]
}

# outside_agrees "OPTION OF THE JUDGE..." OPTION... -- PROGRAM ARGUMENT...: as agrees_once.
outside_agrees () {
  judge=$1
  shift
  for try in 1 2; do
    outside "$@"
    # shellcheck disable=SC2086 # a list of words
    agrees $judge && return
  done
  return 1
}
