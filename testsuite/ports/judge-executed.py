#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the blocks of a gmon.out with the instructions that an emulator has executed in the same
run.

    judge-executed.py PROGRAM gmon.out EXECUTED

EXECUTED is what executed.c prints.  A block has run as often as its first instruction; blocks
without code share the address of the one behind them, which has run most often.  And each block of
the map whose code was executed is in gmon.out.

Exit status: 0 all equal, 1 differences (the first ones are listed), 2 something cannot be read.
"""

import sys

from readers import Unreadable, executed
from readers.elf import Program
from readers.gmon import OfProgram
from readers.verdict import Verdict


def main(path, gmon, file):
    program, verdict = Program(path), Verdict()
    profile, times = OfProgram(gmon, program), executed.read(file)
    verdict.report("blocks of gmon.out", len(profile.blocks),
                   [f"{program.name(address)}: gmon.out {max(counts)}, executed {times[address]}"
                    for address, counts in profile.blocks.items()
                    if max(counts) != times[address]])
    passed = [address for address in program.blocks if times[address]]
    verdict.report("executed blocks of the map", len(passed),
                   [f"{program.name(address)}: executed {times[address]} times, not in gmon.out"
                    for address in passed if address not in profile.blocks])
    if len(passed) < 100:
        print(f"  only {len(passed)} blocks were executed")
        return 2
    return 1 if verdict.bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (Unreadable, OSError) as error:
        print(error)
        sys.exit(2)
