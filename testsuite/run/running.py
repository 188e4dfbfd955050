#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""readers.profile GMON | running.py APART: whether the profile of running.c is one that a moment
can have had.

What is derived always satisfies the equations of the flow; what tells a wrong one is what must not
be there, and what must not be far from something else.  A thread is at one place, so what the
threads have passed one after the other differs by their number at most, once for each time that the
profile began or ended while they ran: by APART in all.  Status 1: something is wrong.  3: threads
did not come in the time for which a reading waits, and the profile says so: no judgement."""

import sys

apart = int(sys.argv[1])
wrong, late = [], []
LATE = "readings of threads that ran and would not wait"


def check(what, good):
    if not good:
        wrong.append(what)


lines = sys.stdin.read().splitlines()
blocks, calls = {}, {}
for line in lines:
    kind, *words = line.split()
    if kind == "block":
        name = words[0].split(":")[1]
        blocks.setdefault(name, []).append(int(words[-1]))
    elif kind == "arc":
        name = words[1].split(":")[1]
        calls[name] = calls.get(name, 0) + int(words[-1])
    elif kind == "lost" and words[0] != "0":
        if line.endswith(LATE):
            late.append(line)
        else:
            check(line, "ticks" in line or "samples" in line)

check("something was executed", blocks.get("head", [0])[0] > 1000)
check("what never ran has not run", "not_executed" not in blocks and "not_executed" not in calls)
for name in ("head", "odd", "even", "tail", "through_pointer"):
    check(f"{name} was called {calls.get(name)} times and run {blocks.get(name)} times",
          abs(calls.get(name, 0) - blocks.get(name, [0])[0]) <= apart)
head, odd, even, tail = (blocks.get(name, [0])[0] for name in ("head", "odd", "even", "tail"))
check(f"head {head}, ways {odd} + {even}", abs(head - odd - even) <= apart)
check(f"head {head}, tail {tail}", abs(head - tail) <= apart)
check(f"ways {odd}, {even}", abs(odd - even) <= 2 * apart)
# Counted at their ends, and in their middle.
plain = sorted(blocks.get("plain", []))
check(f"plain {plain}", len(plain) >= 4
      and all(abs(n - head) <= 2 * apart or abs(2 * n - head) <= 4 * apart for n in plain))
for line in wrong:
    print("FAIL:", line)
if wrong:
    print(*lines, sep="\n")
print(*late, sep="\n")
sys.exit(3 if late else bool(wrong))
