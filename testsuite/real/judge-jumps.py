#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the jumps of a profile (variant: calls shown, returns not) with its blocks and edges.

    judge-jumps.py gmon.out

Each execution of a block is the target of exactly one jump.  And a block without calls that return
is left for another one of its function as often as over the edge to it.  This is for programs of
which all code with blocks has been compiled with ax.  Exit status: 0 all equal, 1 differences (the
first ones are listed).
"""

import collections
import sys

from readers.block_map import FINAL, TAIL
from readers.elf import Program
from readers.profile import Profile
from readers.verdict import Verdict


def blocks_that_stay(measured):
    """Blocks that no call takes control away from, to come back to."""
    for item in measured.objects:
        if item.has_map:
            for function in Program(item.path).map:
                for block in function.blocks:
                    if all(kind & (FINAL | TAIL) for _, kind in block.calls):
                        yield block.address + item.base


def main():
    if len(sys.argv) != 2:
        print("usage: judge-jumps.py gmon.out", file=sys.stderr)
        return 2
    measured = Profile(sys.argv[1])
    executed, come = measured.executions(), collections.Counter()
    jumps = measured.jumps[0][1]
    for (_, target), count in jumps.items():
        come[target] += count
    verdict = Verdict()
    verdict.report("blocks that jumps lead to", len(executed), [
        f"{measured.name(block)} ({block:#x}): executed {executed[block]} times, target of "
        f"{come[block]} jumps"
        for block in (executed.keys() | come.keys()) - {0} if executed[block] != come[block]])
    stay = set(blocks_that_stay(measured))
    edges = {edge: count for edge, count in measured.edges.items() if count and edge[0] in stay
             and edge[1]}
    verdict.report("edges that are jumps", len(edges), [
        f"{measured.name(source)} ({source:#x}) -> {target:#x}: edge {count}, jump "
        f"{jumps[source, target]}"
        for (source, target), count in edges.items() if jumps[source, target] != count])
    return 1 if verdict.bad or not edges else 0


if __name__ == "__main__":
    sys.exit(main())
