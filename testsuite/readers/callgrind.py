# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads callgrind's counts of a program, from a file that was written with

    valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes --skip-plt=no \\
        --compress-strings=no --compress-pos=no

or by bbprof export --format=callgrind, with compressed names.
"""

import collections
import re

from readers import Unreadable

COST = re.compile(r"(0x[0-9a-f]+) \S+ (\d*)$")
JUMP = re.compile(r"j(?:ump|cnd)=(\d+)\S* (0x[0-9a-f]+)")
NAME = re.compile(r"(c?ob|c?f[lie]|c?fn)=\((\d+)\)(?: (.*))?$")


class Callgrind:
    """Executions of each instruction of the program, calls[(site, target)], and jumps[(site,
    target)] inside functions (as often as they were taken), by link-time address.

    The site of a call from outside the program is None.  PARTIAL: the file need not have all of the
    program."""

    def __init__(self, path, program, partial=False):
        self.program = program
        self.following = dict(zip(program.blocks, program.blocks[1:]))
        self.executions = collections.Counter()
        self.calls = collections.Counter()
        self.jumps = collections.Counter()
        self._ours = self._target_ours = False
        self._call = self._jump = None  # announced: how often, and where to; their cost comes next
        self._names = {}  # (kind, number) -> name
        with open(path, errors="replace") as file:
            for line in file:
                self._line(line.rstrip("\n"), path)
        # callgrind writes the addresses that the file has, wherever a position independent program
        # was loaded.
        if not partial and not self.executions[program.entry]:
            raise Unreadable(f"{path}: the program's entry {program.entry:#x} was not executed")

    def _line(self, line, path):
        if line[:1] == "0":
            match = COST.match(line)
            if not match:
                raise Unreadable(f"{path}: {line}")
            self._cost(int(match[1], 16), match[2])
            return
        match = NAME.match(line)
        if match:
            line = f"{match[1]}={self._name(path, *match.groups())}"
        if line.startswith("ob="):
            self._ours = self._target_ours = line[3:] == self.program.path
        elif line.startswith("cob="):
            self._target_ours = line[4:] == self.program.path
        elif line.startswith("fn="):
            self._target_ours = self._ours
        elif line.startswith("calls="):
            words = line[6:].split()
            self._call = int(words[0]), int(words[1], 16)
        elif line[:1] == "j":
            self._jump = JUMP.match(line)

    def _name(self, path, key, number, name):
        """A compressed name: it is written once, where it is used first."""
        kind = {"ob": "object", "fn": "function"}.get(key[-2:], "file")
        if (name is None) != ((kind, number) in self._names):
            raise Unreadable(f"{path}: {key}=({number}) {name or ''}: not defined, or twice")
        return self._names.setdefault((kind, number), name)

    def _cost(self, address, times):
        """Of the instruction at ADDRESS, or of what has been announced from there."""
        if self._jump:
            if self._ours:
                self.jumps[address, int(self._jump[2], 16)] += int(self._jump[1])
            self._jump = None
        elif self._call:
            if self._target_ours:
                count, target = self._call
                self.calls[address if self._ours else None, target] += count
            self._call = None
            self._target_ours = self._ours
        elif self._ours:
            self.executions[address] += int(times)

    def block(self, address):
        """Executions of the block at ADDRESS.  An instruction with a rep prefix counts once per
        round: look behind it."""
        end = self.following.get(address, address + 1)
        while self.program.is_repeated(address) and self.program.after.get(address, end) < end:
            address = self.program.after[address]
        return self.executions[address]
