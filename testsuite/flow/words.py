#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares bb.out with callgrind's counts of the same run.

    words.py PROGRAM bb.out callgrind.out

- A block has been executed as often as the instruction at its address.
- So has each instruction behind it, up to the next block of the function, or to the first call,
  which may not return: so a block that is missing in the tables would show.  In functions asm_...,
  whose own assembler jumps more than once, up to the first jump.
- The name of its function contains the symbol that covers its address.

Exit status: 0 all equal, 1 differences, 2 something cannot be read.
"""

import collections
import re
import subprocess
import sys

from readers.callgrind import Callgrind
from readers.elf import Program
from readers.verdict import Verdict

ROW = re.compile(r" +Block # *(\d+): executed +(\d+) time\(s\) address= 0x([0-9a-f]+)"
                 r" function= (.*?) +line= *(\d+)")
HEADING = re.compile(r"File (.*), (\d+) basic blocks $")
PADDING = re.compile(r"(?:data16 |cs )*(?:nop|xchg +%ax,%ax|lea +0x0\()")  # before an aligned block
UNCONDITIONAL = re.compile(r"(?:bnd |notrack )*(?:jmp|ret|ud2|hlt)")


def read(path):
    """The rows (count, address, function) of all units; and how many there were to be."""
    rows, announced, number = [], 0, 0
    with open(path) as file:
        for line in file:
            if match := HEADING.match(line):
                announced, number = announced + int(match[2]), 0
            elif match := ROW.match(line):
                number += 1
                if int(match[1]) != number:
                    sys.exit(f"words.py: {path}: block {match[1]} is the {number}. one")
                rows.append((int(match[2]), int(match[3], 16), match[4]))
    return rows, announced


def plain(names):
    """NAMES without parameters, and without what the compiler calls its copies and parts."""
    text = subprocess.run(["c++filt", "-p"], input="\n".join(names), capture_output=True,
                          text=True, check=True).stdout
    return [re.sub(r" \[clone .*|(?<=\w)\.\w.*", "", name) for name in text.split("\n")]


def judge_instructions(program, heads, callgrind):
    """All instructions from each head on; and the differences."""
    number, differences = 0, []
    for head in heads:
        function, address = program.function(head), head
        while address in program.text and program.function(address) == function:
            if not program.is_repeated(address) and not PADDING.match(program.text[address]):
                number += 1
                if callgrind.executions[address] != callgrind.executions[head]:
                    differences.append(f"{program.name(address)}: {callgrind.executions[address]}"
                                       f" times, in the block of "
                                       f"{head:#x}, which is executed {callgrind.executions[head]}"
                                       f" times")
            jumps = (program.jump_target(address) is not None
                     and "asm_" in program.functions[function][1])
            if program.is_call(address) or UNCONDITIONAL.match(program.text[address]) or jumps:
                break
            address = program.after[address]
            if address in heads:
                break
    return number, differences


program, verdict = Program(sys.argv[1]), Verdict()
rows, announced = read(sys.argv[2])
callgrind = Callgrind(sys.argv[3], program)
verdict.report("blocks that the headings announce", announced, [] if announced == len(rows) > 0
               else [f"there are {len(rows)}"])

counts = collections.Counter()
for count, address, _ in rows:
    counts[address] += count  # of an inline function, whichever unit counted
verdict.report("blocks of bb.out", len(rows),
               [f"{program.name(address)}: bb.out {count}, callgrind"
                f" {callgrind.executions[address]}"
                                               for address, count in counts.items()
                                               if address
                and count != callgrind.executions[address]])
verdict.report("instructions of blocks",
               *judge_instructions(program, counts.keys() - {0}, callgrind))

placed = [(address, name) for _, address, name in rows if address]
symbols = plain([program.functions.get(program.function(address), (0, "?"))[1]
                 for address, _ in placed])
verdict.report("names", len(placed), [f"{program.name(address)} is said to be {name}"
                                      for (address, name), symbol in zip(placed, symbols)
                                      if symbol not in name])
sys.exit(verdict.bad)
