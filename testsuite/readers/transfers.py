# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes how often control went from block to block, from callgrind's counts of single
instructions and jumps.

Code between two blocks (counters of edges, tests whether something is recorded, what stands out of
line for that) belongs to the block that leads there.
"""

import collections
import re

from readers.block_map import FINAL, TAIL

NO_WAY_ON = re.compile(r"(?:bnd |notrack |repz? )*(?:ret|ud2|hlt)")
JUMP_ANYWHERE = re.compile(r"(?:bnd |notrack )*jmp +\*")
JUMP = re.compile(r"(?:bnd |notrack )*j(mp)?")


class Transfers:
    """between[(block, block)], 0 for outside of the function; doubts: what cannot be told, lines of
    text."""

    def __init__(self, program, callgrind):
        self.program, self.callgrind = program, callgrind
        self.mapped = set(program.blocks)
        self.entries = {function.entry for function in program.map}
        blocks = [block for function in program.map for block in function.blocks]
        self.ends = {block.address for block in blocks if not block.targets}
        self.last = {point if kind & TAIL else program.before.get(point)
                     for block in blocks for point, kind in block.calls if kind & (FINAL | TAIL)}
        self._read_jumps()
        self.between, self.doubts = collections.Counter(), []
        owner = {}
        for block in program.blocks:
            self._walk(block, owner)
        self._outside()

    def _read_jumps(self):
        """Those that were taken; one to another symbol is a call for callgrind."""
        self.ways = collections.defaultdict(collections.Counter)  # site -> target -> count
        self.arrivals = collections.Counter()
        for (site, target), count in (*self.callgrind.jumps.items(), *self.callgrind.calls.items()):
            if site is not None and JUMP.match(self.program.text.get(site, "")):
                self.ways[site][target] += count
                self.arrivals[target] += count

    def _walk(self, block, owner):
        """Through the code that BLOCK leads to, up to other blocks."""
        waiting = [block]
        while waiting:
            for target, count in self._steps(block, waiting.pop()):
                if target in self.mapped:
                    self.between[block, target] += count
                elif target not in owner and target not in self.entries:
                    owner[target] = block
                    waiting.append(target)
                elif owner.get(target, block) != block:
                    self.doubts.append(f"{self.program.name(target)}: reached from the blocks "
                                       f"{block:#x} and {owner[target]:#x}")

    def _steps(self, block, address):
        """The instructions that may follow the executed one at ADDRESS: (address, how often)."""
        executed, text = self.callgrind.executions[address], self.program.text[address]
        if not executed or NO_WAY_ON.match(text) or address in self.last:
            return
        if block in self.ends and JUMP_ANYWHERE.match(text):
            return
        yield from self.ways[address].items()
        after, jump = self.program.after[address], JUMP.match(text)
        if jump and not jump[1]:
            yield after, executed - self.ways[address].total()
        elif not jump and after in self.program.text:
            yield after, self.callgrind.block(after) - self.arrivals[after]

    def _outside(self):
        left, come = collections.Counter(), collections.Counter()
        for (source, target), count in self.between.items():
            left[source] += count
            come[target] += count
        for block in self.program.blocks:
            executed = self.callgrind.block(block)
            self.between[0, block] = executed - come[block]
            self.between[block, 0] = executed - left[block]
