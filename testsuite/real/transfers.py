# SPDX-License-Identifier: GPL-3.0-or-later
"""How often control went from block to block, by what callgrind has counted of single instructions and jumps.

Code between two blocks (counters of edges, tests whether something is recorded, what stands out of line for that) belongs
to the block that leads there.
"""

import collections
import re

FINAL, TAIL = 2, 4  # kinds of calls in the map: those that end a block; jumps to other functions
NO_WAY_ON = re.compile(r"(?:bnd |notrack |repz? )*(?:ret|ud2|hlt)")
JUMP_ANYWHERE = re.compile(r"(?:bnd |notrack )*jmp +\*")
JUMP = re.compile(r"(?:bnd |notrack )*j(mp)?")


class Transfers:
    """between[(block, block)], 0 for outside of the function; doubts: what cannot be told, lines of text."""

    def __init__(self, program, callgrind):
        self.program, self.callgrind = program, callgrind
        self.mapped = set(program.blocks)
        self.ends = {block.address for function in program.map for block in function.blocks if not block.targets}
        self.entries = {function.entry for function in program.map}
        calls = [call for function in program.map for block in function.blocks for call in block.calls]
        self.last = {point if kind & TAIL else program.before.get(point) for point, kind in calls if kind & (FINAL | TAIL)}
        self.ways = collections.defaultdict(collections.Counter)  # of jumps that were taken: site -> target -> count
        self.arrivals = collections.Counter()
        for (site, target), count in (*callgrind.jumps.items(), *callgrind.calls.items()):
            if site is not None and JUMP.match(program.text.get(site, "")):  # to another symbol it is a call for callgrind
                self.ways[site][target] += count
                self.arrivals[target] += count
        self.between, self.doubts = collections.Counter(), []
        owner = {}
        for block in program.blocks:
            self._walk(block, owner)
        self._outside()

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
                    self.doubts.append(f"{self.program.name(target)}: reached from the blocks {block:#x} and {owner[target]:#x}")

    def _steps(self, block, address):
        """The instructions that may follow the executed one at ADDRESS: (address, how often)."""
        executed, text = self.callgrind.executions[address], self.program.text[address]
        if not executed or NO_WAY_ON.match(text) or address in self.last or block in self.ends and JUMP_ANYWHERE.match(text):
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
