# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of timelines share: programs whose threads know what they have done (truth.c), and
# judge.py, which compares.
. "$srcdir/lib.sh"
need_command python3 python3

BBPROF_LIBRARY=$bbprof_library
export BBPROF_LIBRARY

make_truth () {
  must $CC -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$srcdir/../include" \
    "$srcdir/timeline/truth.c" -o truth -pthread
}

# watched OPTION SCENE: records it into gmon.out and timeline.json; what its threads know of
# themselves is in known.
watched () {
  rm -f gmon.out gmon.out.* timeline.json
  timeout 60 "$bbprof" record --quiet "$1" -- ./truth "$2" >known 2>complaint ||
    fail "status $? of record $*: $(cat complaint)"
  timeout 60 "$bbprof" timeline --json -o timeline.json ./truth gmon.out 2>complaint ||
    fail "status $? of timeline: $(cat complaint)"
}

# need_events: the kernel tells this user of switches.
need_events () {
  watched --timeline "$1"
  grep -q '"how": *"events"' timeline.json ||
    skip "the kernel refuses to tell of switches (perf_event_open)"
}

# agrees OPTION SCENE: is it so?  A machine without a moment for it is no fault of the timeline's:
# of three tries one has to agree.
agrees () {
  for try in 1 2 3; do
    watched "$1" "$2"
    "$srcdir/timeline/judge.py" "$2" timeline.json known >verdict 2>&1 && return
  done
  return 1
}

# judged OPTION SCENE
judged () {
  timed "$*" agrees "$@"
  say "$*: $(tail -n 1 verdict)"
}

# exactly OPTION SCENE: likewise, but of what no load can change, as long as the kernel had room for
# all switches.
exactly () {
  for try in 1 2 3; do
    watched "$1" "$2"
    "$srcdir/timeline/judge.py" "$2" timeline.json known >verdict 2>&1 && break
    if [ $try = 3 ] || ! grep -q "nothing was lost" verdict; then
      fail "$*: $(tail -n 3 verdict)"
    fi
  done
  say "$*: $(tail -n 1 verdict)"
}
