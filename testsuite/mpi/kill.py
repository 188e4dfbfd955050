#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills a rank by SIGKILL at a random moment of a run, and counts what is left.

    kill.py --bbprof FILE --seed N --times N --ranks N PROGRAM COMMAND...

COMMAND starts the ranks of PROGRAM (progress.c).  Afterwards each rank's calls of work, in its own
profile, are those that it says have returned, or one more, which was not finished; in the sum they
are those of all ranks.  A rank that was killed, or killed by its launcher, counts in its live
file.
"""

import argparse
import glob
import os
import random
import struct
import subprocess
import sys
import time

from readers import elf, gmon


def fail(text):
    print(f"FAIL: {text}")
    sys.exit(1)


def progress(rank):
    """The rank's pid, and its finished calls."""
    try:
        with open(f"progress.{rank}", "rb") as file:
            return struct.unpack("<qq", file.read())
    except (OSError, struct.error):
        return 0, 0


def calls_of_work(profile, symbols):
    """None: there is no such profile."""
    if not os.path.exists(profile):
        return None
    return sum(count for (_, callee), count in gmon.Gmon(profile).arcs.items()
               if (symbols.find(callee) or (0, ""))[1] == "work")


def start(options):
    """Starts the ranks, and waits until each is in its work."""
    for name in glob.glob("gmon.*") + glob.glob("progress.*"):
        os.unlink(name)
    process = subprocess.Popen(options.command, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    while not all(progress(rank)[0] for rank in range(options.ranks)):
        if process.poll() is not None:
            fail(f"the ranks did not start: status {process.returncode}")
        time.sleep(0.002)
    return process


def is_alive(pid):
    """A process whose first thread has ended is a zombie, but its other threads run, or die later:
    bbprof recover leaves its live file alone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
            return fields[0] not in "ZX" or int(fields[17]) > 1
    except (FileNotFoundError, ProcessLookupError):
        return False


def await_end(options):
    """A launcher may end before the ranks that it has killed."""
    deadline = time.monotonic() + 30
    while any(is_alive(progress(rank)[0]) for rank in range(options.ranks)):
        if time.monotonic() > deadline:
            fail("a rank lives on")
        time.sleep(0.01)


def duration(options):
    """Seconds of a run that nobody kills."""
    process = start(options)
    began = time.monotonic()
    if process.wait(60) != 0:
        fail(f"without a kill: status {process.returncode}")
    return time.monotonic() - began


def recover_all(options):
    """Returns what bbprof said."""
    return "".join(subprocess.run([options.bbprof, "recover", live], check=False, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
                   for live in glob.glob("gmon.out.rank*.live"))


def run(options, chance, seconds, symbols):
    """Runs once; returns what was left."""
    victim = chance.randrange(options.ranks)
    process = start(options)
    time.sleep(chance.random() * seconds)
    try:
        os.kill(progress(victim)[0], 9)
    except ProcessLookupError:
        pass
    process.wait(60)
    await_end(options)
    said = recover_all(options)
    parts = {rank: calls_of_work(f"gmon.out.rank{rank}", symbols) for rank in range(options.ranks)}
    done = {rank: progress(rank)[1] for rank in range(options.ranks)}
    if os.path.exists("gmon.out"):
        total = calls_of_work("gmon.out", symbols)
        if total != sum(done.values()):
            fail(f"the sum has {total} calls, the ranks made {done}")
        return "summed"
    for rank, calls in parts.items():
        if calls is None:
            fail(f"rank {rank} left no profile; it made {done[rank]} calls; rank {victim} was "
                 f"killed: {sorted(os.listdir('.'))}; bbprof recover said: {said}")
        if calls not in (done[rank], done[rank] + 1):
            fail(f"rank {rank} has {calls} calls, made {done[rank]}; rank {victim} was killed")
    return "parts"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bbprof", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--times", type=int, required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    symbols = elf.CodeSymbols(options.program)
    seconds = duration(options)
    left = [run(options, chance, seconds, symbols) for _ in range(options.times)]
    print(f"seed {options.seed}: {left.count('parts')} times the parts, {left.count('summed')} "
          "times the sum")


main()
