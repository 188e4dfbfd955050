#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares arcs and blocks of one gmon.out with each other, for runs that are too long or too parallel for callgrind.

    judge-flow.py PROGRAM gmon.out

Arcs and blocks are counted by different code, so they check each other: a function's arcs add up to the executions
of its first block, unless jumps lead there too (then the block has more).
Exit status: 0 all equal, 1 differences (the first ones are listed), 2 something cannot be read.
"""

import collections
import importlib.util
import os
import subprocess
import sys


def load_judge():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge-callgrind.py")
    spec = importlib.util.spec_from_file_location("judge_callgrind", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True  # the source folder may be read-only, and stays clean
    spec.loader.exec_module(module)
    return module


def main():
    judge = load_judge()
    if len(sys.argv) != 3:
        print("usage: judge-flow.py PROGRAM gmon.out", file=sys.stderr)
        return 2
    try:
        program = judge.Program(sys.argv[1])
        profile = judge.Profile(sys.argv[2], program)
    except (OSError, judge.Unreadable, subprocess.CalledProcessError) as error:
        print(f"judge-flow: {error}", file=sys.stderr)
        return 2
    entered = collections.Counter()
    for (_, itself), count in profile.arcs.items():
        entered[program.function(itself)] += count
    jumped_to = {program.jump_target(address) for address in program.text}
    first = {}
    for blocks in program.ranges:
        function = program.function(blocks[0])
        # A function's cold part is a range of its own, under a name of its own.
        first[function] = min(first.get(function, blocks[0]), blocks[0])
    differences = []
    checked = 0
    for function, count in entered.items():
        if function not in first:
            differences.append(f"{program.name(function)}: has arcs and no blocks")
            continue
        checked += 1
        executed = max(profile.blocks.get(first[function], [0]))
        if executed < count or (executed > count and first[function] not in jumped_to):
            differences.append(f"{program.name(function)}: arcs {count}, first block {executed}")
    verdict = judge.Verdict()
    verdict.report(f"functions, {sum(entered.values()):,} calls: arcs and first block", checked, differences)
    if not checked:
        print("  gmon.out holds no arcs, or the program no block map")
        return 1
    return 1 if verdict.bad else 0


if __name__ == "__main__":
    sys.exit(main())
