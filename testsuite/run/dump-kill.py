#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills a program while it writes its profile, again and again, and checks the files in the folder.

    dump-kill.py calls SEAM      SEAM, linked to the library with the seam, is killed instead of
                                 each of its library's system calls from the first dump on
    dump-kill.py moments PLAIN   PLAIN writes without end, and is killed at moments by chance

Each time: gmon.out is whole or not there; if its sidecar bears the same run and moment, both say
the same number of executions of the function `counted', else bbprof says that they are no pair;
what a killed process left is removed by the next one that comes to its dump.
"""

import glob
import os
import random
import re
import signal
import subprocess
import sys
import time

from failures import Wrong, functions
from readers import Unreadable
from readers.gmon import Gmon
from readers.sidecar import Sidecar

GETDENTS64 = 217  # of the folder: so a dump begins
TEMPORARY = re.compile(r"gmon\.out(\.bbx)?\.(\d+)-(\d+)\.tmp")


def look(program, where):
    """What the folder has: 'none', 'pair', 'alone', 'mixed'."""
    if not os.path.exists("gmon.out"):
        return "none"
    gmon = Gmon("gmon.out")
    low, high = where["counted"]
    executions = {n for address, n in gmon.executions().items() if low <= address < high}
    if not os.path.exists("gmon.out.bbx"):
        return "alone"
    sidecar = Sidecar("gmon.out.bbx")
    if (gmon.run, gmon.moment) == (sidecar.run, sidecar.moment):
        entries = {n for (source, target), n in sidecar.edges.items() if source == 0
                   and low <= target < high}
        if entries != executions or not entries:
            raise Wrong(f"a mixed pair: {executions} executions in gmon.out, {entries} in its "
                        f"sidecar")
        return "pair"
    said = subprocess.run([os.environ["BBPROF"], "blocks", program], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True).stderr
    if "gmon.out.bbx" not in said or "the sidecar is not used" not in said:
        raise Wrong(f"bbprof says nothing of a sidecar of another dump: {said!r}")
    return "mixed"


def leftovers():
    return [name for name in glob.glob("gmon.out*.tmp") if TEMPORARY.fullmatch(name)]


def run_whole(program, **environment):
    subprocess.run([program, "2", "50"], env={**os.environ, **environment}, check=True, timeout=60)
    if leftovers():
        raise Wrong(f"left behind after the next dump: {leftovers()}")


def kill_at_calls(program):
    open("calls.log", "w").close()
    run_whole(program, BBP_SEAM_LOG=os.path.abspath("calls.log"))
    made = [int(line) for line in open("calls.log")]
    calls = len(made)
    for nth in range(made.index(GETDENTS64) - 1, calls + 1):
        status = subprocess.run([program, "2", str(100 + nth)],
                                env={**os.environ, "BBP_SEAM_KILL": str(nth)},
                                timeout=60).returncode
        if status != -signal.SIGKILL:
            raise Wrong(f"status {status} when killed at call {nth} of {calls}")
        yield f"call {nth}"
        if nth % 10 == 0:
            run_whole(program)


def kill_at_moments(program):
    for i in range(80):
        child = subprocess.Popen([program, "0", str(100 + i)])
        time.sleep(0.01 + random.random() * 0.03)
        child.kill()
        child.wait()
        yield f"kill {i}"
        if i % 10 == 9:
            run_whole(program)


def main():
    program = os.path.abspath(sys.argv[2])
    where = functions(program)
    seen = {}
    left = 0
    for which in (kill_at_calls if sys.argv[1] == "calls" else kill_at_moments)(program):
        try:
            found = look(program, where)
        except (Wrong, Unreadable) as error:
            raise Wrong(f"{which}: {error}")
        seen[found] = seen.get(found, 0) + 1
        left += len(leftovers())
    run_whole(program)
    if look(program, where) != "pair":
        raise Wrong("the last run left no pair")
    print(f"{sum(seen.values())} kills: {seen}, {left} temporary files left and removed")
    if sys.argv[1] == "calls" and (not left or not seen.get("mixed")):
        raise Wrong(
            "no kill came between the beginning of a file and its end, or between two files")


if __name__ == "__main__":
    try:
        main()
    except Wrong as error:
        sys.exit(f"dump-kill.py: {error}")
