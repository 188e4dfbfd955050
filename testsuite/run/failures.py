#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program whose profiler's system calls fail, one after the other, and checks program and
profile.

    failures.py PROGRAM

PROGRAM is failures.c, linked to the library that can be made to fail (testsuite/seam/).  A first
run tells which system calls it makes, and how many.  Then each of them fails once, with each error
that is likely for it; and all from some number on, as when memory, descriptors or disk have come to
an end.  Each time:

- the program prints what it always prints and ends as it always ends, and no file but the profile
is left;
- the profile is whole, or not there; its counts are right but for what the one line on stderr, and
the sidecar, say is
  missing; without a sidecar it says so.
"""

import errno
import os
import re
import subprocess
import sys
from collections import Counter

from readers import Unreadable, elf
from readers.gmon import Gmon
from readers.sidecar import Sidecar

CALLS = {"parent": 11000, "child": 7}
OUTPUT = "library: 42\nchild: 3\n"
SHORT = 0
MMAP, WRITE, OPENAT, CLOSE = 9, 1, 257, 3
ERRORS = {
    MMAP: [errno.ENOMEM],
    WRITE: [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EINTR, SHORT],
    OPENAT: [errno.EMFILE, errno.EACCES],
    CLOSE: [errno.EIO, errno.EINTR],
}
# With the arguments that the library gives them these do not fail: rt_sigprocmask, getpid, gettid,
# futex to wake others.
CANNOT_FAIL = {14, 39, 186, 202}
# What the library only passes on, and a sanitizer asks for: sigaltstack.
PASSED_ON = {131}
# From which number on all calls fail, for those that can come to an end; "some" is spread over all
# that the program makes.
EXHAUSTED = {MMAP: errno.ENOMEM, WRITE: errno.ENOSPC, OPENAT: errno.EMFILE}


class Wrong(Exception):
    pass


def functions(program):
    """{name: (start, end)} in link-time addresses."""
    return {symbol.name: (symbol.address, symbol.address + symbol.size)
            for symbol in elf.nm(program, "--defined-only") if symbol.size and symbol.kind in "tT"}


def read_losses(path, run):
    """{cause: count} of the sidecar of gmon.out PATH; None if there is none.  Refuses another's."""
    if run == 0 or not os.path.exists(path + ".bbx"):
        return None
    sidecar = Sidecar(path + ".bbx")
    if sidecar.run != run:
        raise Wrong(f"{path}.bbx is of another run")
    return {cause: count for count, cause in sidecar.lost}


def check_profile(path, calls, where, said):
    """The profile has CALLS calls of f, and the blocks that follow from it, less what is SAID to be
    lost.  Direct calls follow from blocks, too."""
    gmon = Gmon(path)
    blocks = gmon.executions()

    def inside(name, address):
        return where[name][0] <= address < where[name][1]
    lost = sum(map(int, re.findall(r"(\d+) calls not counted", said)))
    counted = sum(n for (_, callee), n in gmon.arcs.items() if inside("f", callee))
    losses = read_losses(path, gmon.run)
    if "too low" in said and counted <= calls:
        return
    if counted > calls or counted + lost < calls:
        raise Wrong(f"{path}: {counted} calls of f instead of {calls}, said to be lost: {lost}")
    if losses is not None and counted + losses.get("calls not counted: out of memory", 0) < calls:
        raise Wrong(f"{path}: {counted} calls of f instead of {calls}, and the sidecar knows only "
                    f"of {losses}")
    if losses is None and ".bbx" not in said:
        raise Wrong(f"{path} has no sidecar, and nothing was said")
    odd = max([runs for address, runs in blocks.items() if inside("odd", address)], default=0)
    even = max([runs for address, runs in blocks.items() if inside("even", address)], default=0)
    if odd + even > calls or odd + even + lost < calls:
        raise Wrong(f"{path}: {odd} and {even} runs of f's branches instead of {calls}")
    first, *others = (runs for address, runs in sorted(blocks.items()) if inside("f", address))
    others.sort()
    if others[-1] != calls or sum(others[:2]) != calls:
        raise Wrong(f"{path}: blocks of f ran {first} and {others} times")


def run(program, where, number=None, nth=0, onwards=False, error=0):
    """One run in an empty folder."""
    for name in os.listdir("."):
        if name.startswith("gmon.out"):
            os.remove(name)
    environment = dict(os.environ)
    if number is None:
        open("calls.log", "w").close()
        environment["BBP_SEAM_LOG"] = os.path.abspath("calls.log")
    else:
        environment["BBP_SEAM"] = f"{number}:{nth}{'+' if onwards else ''}:{error}"
    got = subprocess.run([program], env=environment, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=60)
    if (got.returncode, got.stdout) != (42, OUTPUT):
        raise Wrong(f"status {got.returncode}, output {got.stdout!r}, errors {got.stderr!r}")
    said = got.stderr.splitlines()
    if any(not line.startswith("bbprof: ")
           for line in said) or any(n > 2 for n in Counter(said).values()):
        raise Wrong(f"errors {got.stderr!r}")
    mute = number == WRITE and onwards
    files = {name for name in os.listdir(".") if name.startswith("gmon.out")}
    children = [name for name in files if re.fullmatch(r"gmon\.out\.\d+", name)]
    left = {name for name in files if not re.fullmatch(r"gmon\.out(\.\d+)?(\.bbx)?", name)}
    if left:
        raise Wrong(f"left behind: {left}")
    for role, names in ("parent", files & {"gmon.out"}), ("child", children):
        if names:
            check_profile(*names, CALLS[role], where, got.stderr)
        elif not said and not mute:
            raise Wrong(f"the {role} has no profile, and nothing was said")


def main():
    program = os.path.abspath(sys.argv[1])
    where = functions(program)
    run(program, where)
    with open("calls.log") as log:
        made = Counter(int(line) for line in log)
    cases = [(number, nth, False, error) for number, times in sorted(made.items())
             if number not in CANNOT_FAIL | PASSED_ON
             for error in ERRORS.get(number, [errno.EPERM]) for nth in range(1, times + 1)]
    cases += [(number, nth, True, error) for number, error in EXHAUSTED.items()
              for nth in range(1, made[number] + 1)]
    wrong = 0
    for case in cases:
        try:
            run(program, where, *case)
        except (Wrong, Unreadable, subprocess.TimeoutExpired) as error:
            print("call %d, number %d, onwards %s, error %d: " % case + str(error))
            wrong += 1
    print(f"{sum(made.values())} system calls of {len(made)} kinds; {len(cases)} failures played, "
          f"{wrong} with consequences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
