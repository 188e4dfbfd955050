#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a profile of steps.c with the steps that its handler has seen.

    steps.py PROGRAM gmon.out steps.bin FUNCTION...

A block's count is the number of times that control left its first instruction; or, if the block
has no counter at its head, possibly the number of times that control reached it: for a thread
stopped there the profile may have either.  FUNCTION...: those that ran by single steps only.
Exit status: 0 all equal, 1 differences.
"""

import struct
import sys

from readers.elf import Program
from readers.profile import Profile


def main():
    program, profile = Program(sys.argv[1]), Profile(sys.argv[2])
    with open(sys.argv[3], "rb") as file:
        seen = list(struct.iter_unpack("<QQ", file.read()))
    executed = profile.executions()
    differences = [f"lost {count} {cause}" for count, cause in profile.lost
                   if count and "ticks" not in cause and "samples" not in cause]
    compared = 0
    for block in program.blocks:
        if program.functions[program.function(block)][1] in sys.argv[4:]:
            came, went = seen[block - program.low]
            count = executed[block]
            compared += 1
            if count not in (came, went):
                differences.append(f"{program.name(block)}: {count}, but control came there {came}"
                                   f" times and went on {went} times")
    print("\n".join(differences
                    or [f"{compared} blocks, {sum(went for _, went in seen)} instructions"]))
    return 1 if differences or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
