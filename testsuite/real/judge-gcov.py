#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a gmon.out with gcov's line counts, of one program compiled for both at -O0, and of one
run.

    judge-gcov.py PROGRAM gmon.out FOLDER        FOLDER: where the .gcno and .gcda files are

gcov's count of a line is the number of times that control comes to it from another line, rounds of
a loop in the line itself included.  Ours are of blocks; the debug information says which stretches
of code belong to the line.  So for each line that is one whole statement, gcov's count is

- not less than that of any block in which a stretch begins, unless it begins behind a call, which
may not have returned;
- not more than all blocks of all its stretches together.

A line that has one stretch, in one block and not behind a call, therefore has the block's count,
exactly; so have those that were never executed.

Exit status: 0 all equal, 1 differences (the first ones are listed), 2 something cannot be read.
"""

import bisect
import collections
import json
import os
import re
import subprocess
import sys

from readers import Unreadable
from readers.elf import Program
from readers.gmon import OfProgram
from readers.verdict import Verdict


class Source:
    """Which lines of a source file are a whole statement, and one only.

    On others gcov and the debug information may differ: the line of a statement of several
    lines, the line to which control returns from a call in the next line, the jump that several
    statements share."""

    def __init__(self, path):
        with open(path, errors="replace") as file:
            text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), file.read(),
                          flags=re.S)
        self.lines = [""] + [line.strip() for line in text.split("\n")]

    def whole(self, number):
        line = self.lines[number] if number < len(self.lines) else ""
        before = next((text for text in self.lines[number - 1:0:-1] if text), ";")
        return (line.endswith(";") and line.count(";") == 1
                and not re.search(r"\b(return|break|continue|goto)\b|^\}", line)
                and (before[-1] in ";{}:" or before.startswith("#") or before == "else"))


def gcov_lines(folder, every=False):
    """(file, line) -> count, of all units in a folder, as far as it is a whole statement, or of
    every line; and how many are not there."""
    units = sorted(name for name in os.listdir(folder) if name.endswith(".gcda"))
    text = subprocess.run(["gcov", "--json-format", "--stdout", *units], cwd=folder,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout
    lines = collections.Counter()
    others = 0
    for unit in map(json.loads, text.splitlines()):
        for file in unit["files"]:
            source = Source(os.path.join(unit["current_working_directory"], file["file"]))
            for line in file["lines"]:
                if every or source.whole(line["line_number"]):
                    lines[os.path.basename(file["file"]), line["line_number"]] += line["count"]
                else:
                    others += 1
    return lines, others


class Stretch:
    """A piece of code without a gap that is all of one line."""

    def __init__(self, program, start, end):
        block = program.block(start)
        inside = program.blocks[bisect.bisect_right(program.blocks,
                                                    start):bisect.bisect_left(program.blocks, end)]
        self.blocks = [block, *inside] if block is not None else inside
        self.behind_call = block is not None and program.calls_between(block, start)


def stretches(program):
    """(file, line) -> its stretches, by the debug information."""
    text = subprocess.run(["objdump", "--dwarf=decodedline", program.path], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    found = collections.defaultdict(list)
    before = None
    start = 0
    for file, line, address in re.findall(r"^(\S+) +(\d+|-) +0x([0-9a-f]+)", text, re.M):
        here = os.path.basename(file), int(line) if line != "-" else 0
        address = int(address, 16)
        if here != before or line == "-":
            if before and before[1] and start < address:
                found[before].append(Stretch(program, start, address))
            before, start = here if line != "-" else None, address
    return found


def main():
    if len(sys.argv) != 4:
        print("usage: judge-gcov.py PROGRAM gmon.out FOLDER", file=sys.stderr)
        return 2
    try:
        program = Program(sys.argv[1])
        profile = OfProgram(sys.argv[2], program)
        lines, others = gcov_lines(sys.argv[3])
        ours = stretches(program)
    except (OSError, Unreadable, subprocess.CalledProcessError) as error:
        print(f"judge-gcov: {error}", file=sys.stderr)
        return 2
    single = several = without = 0
    exact, bounds = [], []
    for where, count in sorted(lines.items()):
        name = f"{where[0]}:{where[1]}"
        pieces = [piece for piece in ours.get(where, ()) if piece.blocks]
        # What a piece's block says of it at least, and at most.
        counts = [[max(profile.blocks.get(block, [0])) for block in piece.blocks]
                  for piece in pieces]
        least = max([0]
                    + [count[0] for piece, count in zip(pieces, counts) if not piece.behind_call])
        most = sum(map(sum, counts))
        if not pieces:
            without += 1
        elif least == most:
            single += 1
            if count != most:
                exact.append(f"{name}: gcov {count}, block {most}")
        else:
            several += 1
            if not least <= count <= most:
                bounds.append(f"{name}: gcov {count}, blocks {counts}")
    verdict = Verdict()
    verdict.report("lines of which the blocks leave no doubt", single, exact)
    verdict.report("lines of which the blocks give bounds", several, bounds)
    print(f"  {others:,} lines are no whole statement, {without:,} have no code")
    return 1 if verdict.bad or not single else 0


if __name__ == "__main__":
    sys.exit(main())
