# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow graphs: for each block, the sums of incoming and of outgoing edges equal its count."""

import collections

from readers import block_map
from readers.gmon import added_up


def unbalanced(blocks, edges, twice):
    """Differences, as lines of text.  BLOCKS: (address, executions); EDGES: (from, to) -> count, 0
    for outside.  Blocks in TWICE call setjmp and the like: they may be left more often than they
    are executed."""
    executed, come, gone = added_up(blocks), collections.Counter(), collections.Counter()
    for (source, target), count in edges.items():
        gone[source] += count
        come[target] += count
    return [f"block {address:#x}: executed {executed[address]} times, "
            f"entered {come[address]}, left {gone[address]}"
            for address in sorted((executed.keys() | come.keys() | gone.keys()) - {0})
            if executed[address] != come[address] or executed[address] > gone[address]
            or executed[address] < gone[address] and address not in twice]


class Graph:
    """The graph of a function of the block map, as include/bbprof-abi.h describes it, with what
    its COUNTERS say.  Nodes: 0 is outside, block b is entered by b + 1; then the segments."""

    def __init__(self, function, counters):
        self.edges = []  # [from, to, count, or None if it is not known yet]
        self._counters = iter(counters)
        self._node = len(function.blocks)
        into_blocks = [self._block(number, block) for number, block in enumerate(function.blocks)]
        self._solve()
        self.executions = [edge[2] for edge in into_blocks]

    def _add(self, source, target, counted=False):
        self.edges.append([source, target, next(self._counters) if counted else None])
        return self.edges[-1]

    def _block(self, number, block):
        """The edges of a block; that into its first segment."""
        self._node += 1
        first = self._node
        executed = self._add(number + 1, first, block.shape & block_map.BLOCK_COUNTED)
        if block.shape & block_map.IN:
            self._add(0, number + 1)
        for _, kind in block.calls:
            if not kind & block_map.FINAL:
                self._add(self._node, 0)
                self._add(self._node, self._node + 1, kind & block_map.CALL_COUNTED)
                self._node += 1
        stays = block.shape & block_map.LEAVES and self._node == first
        if block.shape & block_map.OUT or stays:
            self._add(self._node, 0)
        for target, counted in block.ways:
            self._add(self._node, target + 1, counted)
        return executed

    def _solve(self):
        """As much comes in as goes out, everywhere but outside: until no edge is left that is the
        only unknown one of a node."""
        while self._solve_one():
            pass

    def _solve_one(self):
        balance, unknown = collections.Counter(), collections.defaultdict(list)
        for edge in self.edges:
            source, target, count = edge
            balance[source] -= count or 0
            balance[target] += count or 0
            for node in (source, target):
                if count is None and node:
                    unknown[node].append(edge)
        for node, edges in unknown.items():
            if len(edges) == 1:
                edges[0][2] = balance[node] if edges[0][0] == node else -balance[node]
                return True
        return False
