# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the counts of a live file, of a program that is not position-independent.

    python3 -m readers.live PROGRAM FILE

A line "NAME CALLS BLOCK..." for each function: the counts of its blocks in ascending order.
"""

import collections
import struct
import sys

from readers import block_map, elf, flow, need

MAGIC = b"bbplive\n"
PAGE = 4096
HEAD = struct.Struct("<8sQIIII3Q8x")
COUNTS, MODULE = 3, 4  # kinds of slices
Slice = collections.namedtuple("Slice", "kind first second content")


def slices(data):
    """The slices that are whole, in the file's order."""
    place, first_run = 0, None
    while place < len(data):
        if not data.startswith(MAGIC, place):
            place += PAGE
            continue
        _, run, kind, first, second, _, size, content, offset = HEAD.unpack_from(data, place)
        first_run = first_run or run
        need(run == first_run and offset == place and size % PAGE == 0 and size > 0
             and content + HEAD.size <= size, f"slice at {place} is not right")
        start = place + HEAD.size
        yield Slice(kind, first, second, data[start:start + content])
        place += size


class Module:
    """What has been counted in an object."""

    def __init__(self, content, threads):
        counters_at, map_at, ncounters, map_size = struct.unpack_from("<4Q", content)
        self.counters_at = counters_at
        self.counters = list(struct.unpack_from(f"<{ncounters}Q", content, 32))
        for thread in threads:
            own = struct.unpack_from(f"<{ncounters}Q", thread, 16)
            self.counters = [sum(pair) for pair in zip(self.counters, own)]
        start = 32 + 8 * ncounters
        self.functions = block_map.read(map_at, content[start:start + map_size], "a module")

    def executions(self, function):
        """Of each block.  The arcs of a function follow from its blocks, too."""
        first = (function.counters - self.counters_at) // 8
        return flow.Graph(function, self.counters[first:]).executions


def modules(path):
    with open(path, "rb") as file:
        data = file.read()
    threads, contents = collections.defaultdict(list), {}
    for item in slices(data):
        if item.kind == COUNTS:
            threads[item.second].append(item.content)
        elif item.kind == MODULE:
            contents[item.first] = item.content
    return [Module(content, threads[number]) for number, content in contents.items()]


def main(program, path):
    symbols = elf.CodeSymbols(program)
    calls, blocks = collections.Counter(), collections.defaultdict(list)
    for module in modules(path):
        for function in module.functions:
            name = (symbols.find(function.entry) or (0, "?"))[1]
            executions = module.executions(function)
            calls[name] += executions[0]
            blocks[name] += executions
    for name in sorted(calls):
        print(name, calls[name], *sorted(blocks[name]))


if __name__ == "__main__":
    main(*sys.argv[1:])
