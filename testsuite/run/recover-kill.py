#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs live.c with three threads, kills it after a random time, recovers, and compares with what
the threads say in their own shared file:

    recover-kill.py BBPROF PROGRAM ROUNDS SECONDS WORD...        SECONDS: until the kill, at most

The environment may have a command that runs programs for another processor, EMULATOR.

- every function was called as often as its callers say, up to the one call that each thread was
  in, and the one more that may follow from its being in the middle of a function;
- what comes into f's blocks goes out of them, likewise.
"""

import collections
import glob
import os
import random
import struct
import subprocess
import sys
import time

from readers import elf
from readers.gmon import Gmon

EMULATOR = os.environ.get("EMULATOR", "").split()
THREADS = 3
SLACK = THREADS + 1


class Wrong(Exception):
    pass


class Counts:
    """Calls, and executions of the blocks, of the functions that are compared."""

    def __init__(self, functions):
        gmon = Gmon("gmon.out")
        self.functions = functions
        self.calls, self.blocks = collections.Counter(), collections.defaultdict(list)
        for (_, target), count in gmon.arcs.items():
            self.calls[self.name(target)] += count
        for address, count in gmon.blocks:
            self.blocks[self.name(address)].append(count)

    def name(self, address):
        return next((function.name for function in self.functions
                     if 0 <= address - function.address < function.size), None)


def between(what, number, least, most):
    if not least <= number <= most:
        raise Wrong(f"{what}: {number}, not from {least} to {most}")


def compare(counts, begun, back):
    calls = counts.calls["f"]
    between("calls of f", calls, back, begun + THREADS)
    between("calls of odd and even", counts.calls["odd"] + counts.calls["even"], back,
            calls + THREADS)
    entry, last, *arms = sorted([*counts.blocks["f"], 0, 0], reverse=True)
    between("entries of f", entry, calls - THREADS, calls)
    inside = sum(arms)
    if entry < 100:  # too few to tell the last block from an arm
        between("blocks of f behind the entry", inside + last, 2 * entry - 3 * SLACK, 2 * entry)
        return
    between("both arms of f", inside, entry - SLACK, entry)
    between("last block of f", last, inside - SLACK, inside)


def run_and_kill(program, words, seconds):
    with subprocess.Popen([*EMULATOR, program, "truth", str(THREADS), "0", *words],
                          stdout=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        process.kill()


def truth():
    """How many calls the threads have begun, and how many have come back."""
    if not os.path.exists("truth"):
        return 0, 0
    with open("truth", "rb") as file:
        data = file.read()
    words = struct.unpack_from(f"<{len(data) // 8}q", data)
    return sum(words[::8]), sum(words[1::8])


def one_round(bbprof, functions, program, words, seconds):
    """How many calls were begun, and whether there is a profile."""
    for name in "truth", "gmon.out", "gmon.out.bbx":
        if os.path.exists(name):
            os.unlink(name)
    run_and_kill(program, words, seconds)
    said, (begun, back) = "", truth()
    if glob.glob("*.live"):
        said = subprocess.run([bbprof, "recover"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True).stdout
    found = os.path.exists("gmon.out")
    if found:
        compare(Counts(functions), begun, back)
    elif back:
        raise Wrong(f"{back} calls, and no profile: {said}")
    if left := glob.glob("*.live"):
        raise Wrong(f"still there: {left}: {said}")
    return begun, found


def main(bbprof, program, rounds, seconds, *words):
    functions = [symbol for symbol in elf.nm(program) if symbol.name in ("f", "odd", "even")]
    os.environ["BBPROF_OPTIONS"] = "live=1"
    draw, calls, empty = random.Random(1), 0, 0
    for number in range(1, int(rounds) + 1):
        try:
            begun, found = one_round(bbprof, functions, program, words,
                                     draw.uniform(0, float(seconds)))
        except Wrong as error:
            sys.exit(f"round {number}: {error}")
        calls += begun
        empty += not found
    print(f"{rounds} kills, {calls} calls, {empty} times before the first")


if __name__ == "__main__":
    main(*sys.argv[1:])
