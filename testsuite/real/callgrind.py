# SPDX-License-Identifier: GPL-3.0-or-later
"""What callgrind has counted in a program, of a file that was written with

    valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes --skip-plt=no --compress-strings=no --compress-pos=no
"""

import collections
import re

from elf import Unreadable


class Callgrind:
    """Executions of each instruction of the program, calls[(site, target)], and jumps[(site, target)] inside functions (as often
    as they were taken), by link-time address.

    The site of a call from outside the program is None."""

    def __init__(self, path, program):
        self.program = program
        self.following = dict(zip(program.blocks, program.blocks[1:]))
        self.executions = collections.Counter()
        self.calls = collections.Counter()
        self.jumps = collections.Counter()
        ours = target_ours = False
        target = count = jump = None
        number = re.compile(r"(0x[0-9a-f]+) \S+ (\d*)$")
        jumps = re.compile(r"j(?:ump|cnd)=(\d+)\S* (0x[0-9a-f]+)")
        with open(path, errors="replace") as file:
            for line in file:
                line = line.rstrip("\n")
                first = line[:1]
                if first == "0":
                    match = number.match(line)
                    if not match:
                        raise Unreadable(f"{path}: {line}")
                    address = int(match[1], 16)
                    if jump:  # it starts here
                        if ours:
                            self.jumps[address, int(jump[2], 16)] += int(jump[1])
                        jump = None
                    elif target is not None:  # the cost of a call that was announced by calls=
                        if target_ours:
                            self.calls[address if ours else None, target] += count
                        target = None
                        target_ours = ours
                    elif ours:
                        self.executions[address] += int(match[2])
                elif line.startswith("ob="):
                    ours = target_ours = line[3:] == program.path
                elif line.startswith("cob="):
                    target_ours = line[4:] == program.path
                elif line.startswith("fn="):
                    target_ours = ours
                elif line.startswith("calls="):
                    words = line[6:].split()
                    count = int(words[0])
                    target = int(words[1], 16)
                elif first == "j":
                    jump = jumps.match(line)
        # callgrind writes the addresses that the file has, wherever a position independent program was loaded.
        if not self.executions[program.entry]:
            raise Unreadable(f"{path}: the program's entry {program.entry:#x} was not executed")

    def block(self, address):
        """Executions of the block at ADDRESS.  An instruction with a rep prefix counts once per round: look behind it."""
        end = self.following.get(address, address + 1)
        while self.program.is_repeated(address) and self.program.after.get(address, end) < end:
            address = self.program.after[address]
        return self.executions[address]
