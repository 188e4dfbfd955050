#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the profile of a generated program with the counts of the program itself (truth.c).

    truth.py OUTPUT gmon.out        OUTPUT: what the program printed; exit status 0: equal

Places.  The copies of a place in the machine code lie in blocks; the executions of these blocks
add up to the program's count.  They may be more if a call stands before the place in its block
and may not have returned.  Blocks without a place are checked by the equations of flow only.

Arcs.  Functions that stay functions (HARD in harness.h) have the program's counts of calls, by
caller.  Calls made by the others (SOFT) may have as their caller the functions that they were
inlined into.
"""

import collections
import re
import struct
import sys

from readers import flow
from readers.elf import Program
from readers.profile import Profile

NUMBERED = {"program": 59, "program_order": 60, "program_handler": 61}
SOFT, OUTSIDE = 62, 63


class Truth:
    """What the program printed."""

    def __init__(self, text):
        self.places = collections.Counter()
        self.arcs = collections.Counter()
        for line in text.splitlines():
            words = line.split()
            if words[0] == "place":
                self.places[int(words[1])] = int(words[2])
            elif words[0] == "arc":
                self.arcs[int(words[1]), int(words[2])] = int(words[3])


class Measured:
    """What the profile says, in the program's numbers."""

    def __init__(self, path):
        self.profile = Profile(path)
        self.objects = [(item, Program(item.path)) for item in self.profile.objects if item.has_map]
        self.executions = collections.Counter()
        for address, count in self.profile.blocks:
            # Blocks without code have the address of the next block, which has the largest count.
            self.executions[address] = max(count, self.executions[address])
        self._read_places()

    def _read_places(self):
        """self.places: number -> executions of all its copies; self.behind_calls: numbers of the
        places that stand behind calls."""
        self.places = collections.Counter()
        self.behind_calls = set()
        for item, program in self.objects:
            _, section = program.section("bbprof_places")
            for address, number in struct.iter_unpack("<QQ", section):
                block = program.block(address)
                if block is None:
                    continue  # a copy that the linker has thrown away
                self.places[number] += self.executions[block + item.base]
                if program.calls_between(block, address):
                    self.behind_calls.add(number)

    def find(self, address):
        """The instrumented object of a virtual address, and the address in it; or None twice."""
        for item, program in self.objects:
            if item.holds(address):
                return program, address - item.base
        return None, None

    def twice(self):
        return {block + item.base for item, program in self.objects
                for block in program.returning_twice - {None}}

    def misplaced(self):
        """Blocks that are not in the map; arcs that begin neither behind a call nor in a jump."""
        differences = []
        for address, _ in self.profile.blocks:
            program, here = self.find(address)
            if program is None or program.block(here) != here:
                differences.append(f"block {address:#x}: none is there")
        for start, _ in self.profile.arcs:
            program, here = self.find(start)
            if (start and program and program.block(here - 1) is not None
                    and not is_start_of_arc(program, here)):
                differences.append(f"arc from {start:#x}: no call before it")
        return differences

    def number(self, address):
        """Of the function that holds a virtual address."""
        program, here = self.find(address)
        if program:
            start = program.function(here)
            name = program.functions[start][1].split(".")[0] if start is not None else ""
            if re.fullmatch(r"[fs]\d+", name):
                return int(name[1:]) if name[0] == "f" else SOFT
            return NUMBERED.get(name, OUTSIDE)
        return OUTSIDE

    def arcs(self):
        arcs = collections.Counter()
        for (start, itself), count in self.profile.arcs.items():
            arcs[self.number(start - 1) if start else OUTSIDE, self.number(itself)] += count
        return arcs


def is_start_of_arc(program, address):
    """Behind a call, or the last byte of a jump."""
    return (program.is_call(program.before.get(address))
            or program.is_jump(program.before.get(address + 1)))


def compare(truth, measured, callers):
    """Differences, as lines of text.  CALLERS: whether arcs know the true callers (tail calls)."""
    differences = []
    for number in sorted(truth.places.keys() | measured.places.keys()):
        is_, should = measured.places[number], truth.places[number]
        if is_ != should and not (number in measured.behind_calls and is_ > should):
            differences.append(f"place {number}: {is_} instead of {should}")
    differences += flow.unbalanced(measured.profile.blocks, measured.profile.edges,
                                   measured.twice())
    return differences + measured.misplaced() + compare_arcs(truth.arcs, measured.arcs(), callers)


def compare_arcs(should, is_, callers):
    differences = []
    for callee in sorted({callee for _, callee in should.keys() | is_.keys()} - {SOFT, OUTSIDE}):
        entered = [sum(count for (_, to), count in arcs.items() if to == callee)
                   for arcs in (is_, should)]
        if entered[0] != entered[1]:
            differences.append(f"function {callee}: entered {entered[0]} times instead of"
                               f" {entered[1]}")
        for caller, to in should:
            if callers and to == callee and caller != SOFT and is_[caller, to] < should[caller, to]:
                differences.append(f"arc {caller} -> {callee}: {is_[caller, to]} instead of"
                                   f" {should[caller, to]}")
    return differences


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        differences = compare(Truth(file.read()), Measured(sys.argv[2]), False)
    print("\n".join(differences))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
