#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares arcs, blocks and edges of one profile with each other, for runs that are too long or too
parallel for callgrind.

    judge-flow.py gmon.out

In all objects: as much comes into each block as it is executed, and as much goes out; and the arcs
to a function add up to the number of times that control came into its first block from outside of
the function.  Exit status: 0 all equal, 1 differences (the first ones are listed).
"""

import collections
import sys

from readers import flow
from readers.block_map import ARCS
from readers.elf import Program
from readers.profile import Profile
from readers.verdict import Verdict


def main():
    if len(sys.argv) != 2:
        print("usage: judge-flow.py gmon.out", file=sys.stderr)
        return 2
    measured = Profile(sys.argv[1])
    objects = [(item, Program(item.path)) for item in measured.objects if item.has_map]
    twice = {block + item.base for item, program in objects
             for block in program.returning_twice - {None}}
    verdict = Verdict()
    verdict.report("blocks in balance", len(measured.blocks),
                   flow.unbalanced(measured.blocks, measured.edges, twice))
    checked = 0
    differences = []
    for item, program in objects:
        entered = collections.Counter()
        for (_, itself), count in measured.arcs.items():
            entered[program.function(itself - item.base)] += count
        for function in program.map:
            if function.flags & ARCS:
                checked += 1
                is_ = measured.edges[0, function.blocks[0].address + item.base]
                if entered[program.function(function.entry)] != is_:
                    differences.append(f"{program.name(function.entry)}: arcs "
                                       f"{entered[function.entry]}, entries {is_}")
    verdict.report("functions, arcs and entries", checked, differences)
    if not measured.blocks:
        print("  there are no blocks")
        return 1
    return 1 if verdict.bad else 0


if __name__ == "__main__":
    sys.exit(main())
