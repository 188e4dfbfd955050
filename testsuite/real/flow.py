# SPDX-License-Identifier: GPL-3.0-or-later
"""The equations of flow: as much comes into a block as it is executed, and as much goes out."""

import collections


def unbalanced(blocks, edges, twice):
    """Differences, as lines of text.  BLOCKS: (address, executions); EDGES: (from, to) -> count, 0 for outside.  Blocks in
    TWICE call setjmp and the like: they may be left more often than they are executed."""
    executed, come, gone = collections.Counter(), collections.Counter(), collections.Counter()
    for address, count in blocks:
        executed[address] += count
    for (source, target), count in edges.items():
        gone[source] += count
        come[target] += count
    return [f"block {address:#x}: executed {executed[address]} times, entered {come[address]}, left {gone[address]}"
            for address in sorted((executed.keys() | come.keys() | gone.keys()) - {0})
            if executed[address] != come[address] or executed[address] > gone[address]
            or executed[address] < gone[address] and address not in twice]
