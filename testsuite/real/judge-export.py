#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what `bbprof export --format=callgrind' writes with what callgrind counted in the very
run that wrote the profile.

    judge-export.py PROGRAM exported callgrind.out

callgrind.out comes from: valgrind, with the options that readers/callgrind.py tells.

Instructions.  Executions are equal, but of instructions with a rep prefix, which callgrind counts
once per round, and behind calls that did not all return, where callgrind may have less.  What else
callgrind saw in a function of the file is code of the profiler: counters of edges out of line,
calls that it jumps over, and what is in front of the first block.

Calls.  Between functions of the file all are equal, site by site.

Jumps.  In a function, from block to block, all are equal, site by site; those through a counter out
of line lead to where that goes on.  Computed gotos of the source are not in the file.

Exit status: 0 all equal, 1 differences (the first ones are listed), 2 something cannot be read.
"""

import collections
import re
import subprocess
import sys

from readers import Unreadable
from readers.callgrind import Callgrind
from readers.elf import Program
from readers.verdict import Verdict


class Judge:
    def __init__(self, program, ours, theirs):
        self.program, self.ours, self.theirs = program, ours, theirs
        self.verdict = Verdict()
        self.functions = {program.function(address) for address in ours.executions}
        self.mapped = set(program.blocks)
        self.first = {}  # function -> its first block
        for block in program.blocks:
            self.first.setdefault(program.function(block), block)

    def report(self, what, count, differences):
        self.verdict.report(what, count, differences)

    def instructions(self):
        equal, less, differences = 0, [], []
        called = {block for block in self.mapped if self.calls_in(block)}
        for address, times in self.ours.executions.items():
            if self.program.is_repeated(address):
                continue
            executed = self.theirs.executions[address]
            text = f"{self.program.name(address)}: {times}, callgrind {executed}"
            if executed == times:
                equal += 1
            elif executed < times and self.program.block(address) in called:
                less.append(text)
            else:
                differences.append(text)
        self.report("executions of instructions", equal, differences)
        if len(less) * 100 > equal:
            self.report("instructions behind calls that did not return", len(less), less)

    def calls_in(self, block):
        address, end = block, self.theirs.following.get(block, block + 1)
        while address < end:
            if self.program.is_call(address):
                return True
            address = self.program.after.get(address, end)
        return False

    def left_out(self):
        program, differences, checked = self.program, [], 0
        for address, times in self.theirs.executions.items():
            function = program.function(address)
            if (times and function in self.functions and address not in self.ours.executions
                    and address >= self.first[function]):
                checked += 1
                text = program.text[address]
                if not re.match(r"(lock )?(inc|add)|jmp|lea|push|pop|mov|nop"
                                r"|call .*<__bb_site_func", text):
                    differences.append(f"{program.name(address)}: {text}: executed "
                                       f"{times} times, not in the file")
        self.report("instructions out of line that are left out", checked, differences)

    def calls(self):
        pairs = {pair for pair in self.ours.calls.keys() | self.theirs.calls.keys()
                 if pair[0] is not None and self.program.function(pair[0]) in self.functions
                 and self.program.function(pair[1]) in self.functions}
        self.report("calls between functions of the file", len(pairs), [
            f"{self.program.name(site)} -> {self.program.name(target)}: "
            f"{self.ours.calls[site, target]}, callgrind {self.theirs.calls[site, target]}"
            for site, target in sorted(pairs)
            if self.ours.calls[site, target] != self.theirs.calls[site, target]])

    def goal(self, address):
        """The block to which code out of line at ADDRESS goes on."""
        for _ in range(20):
            if address in self.mapped:
                break
            target = self.program.jump_target(address)
            jumps = target is not None and self.program.text[address].startswith("jmp")
            address = target if jumps else self.program.after.get(address, address)
        return address

    def jumps(self):
        program = self.program
        theirs = collections.Counter()
        for (site, target), times in self.theirs.jumps.items():
            goal = self.goal(target)
            inside = target not in self.ours.executions or target in self.mapped
            function = program.function(site)
            if (inside and site in self.ours.executions and site >= self.first[function]
                    and program.function(goal) == function):
                theirs[site, goal] += times
        computed = {site for site, _ in theirs if "*" in program.text[site]}
        computed -= {site for site, _ in self.ours.jumps}
        pairs = {pair for pair in theirs.keys() | self.ours.jumps.keys() if pair[0] not in computed}
        self.report("jumps from block to block", len(pairs), [
            f"{program.name(site)} -> {program.name(target)}: {self.ours.jumps[site, target]}, "
            f"callgrind {theirs[site, target]}"
            for site, target in sorted(pairs)
            if self.ours.jumps[site, target] != theirs[site, target]])


def main():
    if len(sys.argv) != 4:
        print("usage: judge-export.py PROGRAM exported callgrind.out", file=sys.stderr)
        return 2
    try:
        program = Program(sys.argv[1])
        judge = Judge(program, Callgrind(sys.argv[2], program, partial=True),
                      Callgrind(sys.argv[3], program))
    except (OSError, Unreadable, subprocess.CalledProcessError) as error:
        print(f"judge-export: {error}", file=sys.stderr)
        return 2
    judge.instructions()
    judge.left_out()
    judge.calls()
    judge.jumps()
    return 1 if judge.verdict.bad or not judge.ours.calls else 0


if __name__ == "__main__":
    sys.exit(main())
