#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills a program while it writes its profile, again and again, and looks at what is in the folder.

    dump-kill.py calls SEAM      SEAM, linked to the library with the seam, is killed instead of each of its library's system calls from the first dump on
    dump-kill.py moments PLAIN   PLAIN writes without end, and is killed at moments by chance

Each time: gmon.out is whole or not there; if its sidecar bears the same run and moment, both say the same number of executions of the
function `counted', else bbprof says that they are no pair; what a killed process left is removed by the next one that comes to its dump.
"""

import glob
import os
import random
import re
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from failures import Wrong, functions, read_profile  # noqa: E402

GETDENTS64 = 217  # of the folder: so a dump begins
TEMPORARY = re.compile(r"gmon\.out(\.bbx)?\.(\d+)-(\d+)\.tmp")


def numbers(data):
    """Unsigned LEB128."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def unfold(n):
    return -(n + 1) // 2 if n & 1 else n // 2


def read_sidecar(path):
    """Run, moment, {(from, to): executions}; refuses what is not whole: it was renamed when it was."""
    data = open(path, "rb").read()
    if data[:8] != b"bbprof\r\n" or data[-16:-12] != b"END ":
        raise Wrong(f"{path} is not whole")
    run, = struct.unpack_from("<Q", data, 16)
    place, moment, edges = 24, 0, {}
    while place < len(data):
        kind, _, length = struct.unpack_from("<4sIQ", data, place)
        content = data[place + 16:place + 16 + length]
        if kind == b"RUN ":
            moment = struct.unpack_from("<Q", content, 8)[0] & 0xFFFFFFFE
        if kind == b"EDGE":
            source, values = 0, list(numbers(content))
            for first, second, count in zip(values[::3], values[1::3], values[2::3]):
                source += unfold(first)
                edges[source, source + unfold(second)] = count
        place += 16 + (length + 7) // 8 * 8
    return run, moment, edges


def look(program, where):
    """What the folder has: 'none', 'pair', 'alone', 'mixed'."""
    if not os.path.exists("gmon.out"):
        return "none"
    _, blocks = read_profile("gmon.out")
    moment, run = struct.unpack_from("<IQ", open("gmon.out", "rb").read(20), 8)
    low, high = where["counted"]
    executions = {n for address, n in blocks.items() if low <= address < high}
    if not os.path.exists("gmon.out.bbx"):
        return "alone"
    run_beside, moment_beside, edges = read_sidecar("gmon.out.bbx")
    if (run, moment) == (run_beside, moment_beside):
        entries = {n for (source, target), n in edges.items() if source == 0 and low <= target < high}
        if entries != executions or not entries:
            raise Wrong(f"a mixed pair: {executions} executions in gmon.out, {entries} in its sidecar")
        return "pair"
    said = subprocess.run([os.environ["BBPROF"], "blocks", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stderr
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
        status = subprocess.run([program, "2", str(100 + nth)], env={**os.environ, "BBP_SEAM_KILL": str(nth)}, timeout=60).returncode
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
        except Wrong as error:
            raise Wrong(f"{which}: {error}")
        seen[found] = seen.get(found, 0) + 1
        left += len(leftovers())
    run_whole(program)
    if look(program, where) != "pair":
        raise Wrong("the last run left no pair")
    print(f"{sum(seen.values())} kills: {seen}, {left} temporary files left and removed")
    if sys.argv[1] == "calls" and (not left or not seen.get("mixed")):
        raise Wrong("no kill came between the beginning of a file and its end, or between two files")


if __name__ == "__main__":
    try:
        main()
    except Wrong as error:
        sys.exit(f"dump-kill.py: {error}")
