#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes copies of a profile (gmon.out and its sidecar) with one small mistake each, to see whether
the judges find it.

    judge-mutants.py gmon.out FOLDER [jumps]        prints the names of the files

With `jumps', mistakes in the jumps, and in the blocks that they lead to; else in calls, blocks and
edges.
"""

import struct
import sys

from readers import gmon, sidecar, write

OTHER_OBJECTS = 0x100000000  # where the virtual addresses of the first of them may begin


def records(data):
    """(tag, first offset, last offset) of single blocks, and of arcs but for callbacks."""
    for tag, start, end in gmon.counts(data):
        if tag != gmon.ARC or struct.unpack_from("<Q", data, start)[0] < OTHER_OBJECTS:
            yield tag, start, end


def changed(data, place, form, change):
    value, = struct.unpack_from(form, data, place)
    return data[:place] + struct.pack(form, change(value)) + data[place + struct.calcsize(form):]


def mutants(data):
    found = list(records(data))
    for wanted in (gmon.ARC, gmon.BLOCKS):
        chosen = [record for record in found if record[0] == wanted]
        if not chosen:
            continue
        _, first, last = chosen[len(chosen) // 2]
        if wanted == gmon.ARC:
            yield "arc-count-more", changed(data, first + 16, "<I", lambda n: n + 1)
            yield "arc-count-less", changed(data, first + 16, "<I", lambda n: n - 1)
            yield "arc-from-near", changed(data, first, "<Q", lambda n: n + 1)
            yield "arc-from-outside", changed(data, chosen[-1][1], "<Q",
                                              lambda n: 0 if n else n + 16)
            yield "arc-missing", data[:first - 1] + data[last:]
            yield "arc-twice", data + data[first - 1:last]
        else:
            yield "block-count-more", changed(data, first + 8, "<Q", lambda n: n + 1)
            yield "block-count-less", changed(data, first + 8, "<Q", lambda n: n - 1)
            yield "block-elsewhere", changed(data, first, "<Q", lambda n: n + 1)
            yield "block-never-executed", data + struct.pack("<BIQQ", 2, 1, 0x10, 1)


def edge_mutants(edges):
    """Wrong edges by the names of what is wrong."""
    chosen = sorted(edge for edge in edges if 0 < min(edge) and max(edge) < OTHER_OBJECTS)
    if not chosen:
        return
    edge, other = chosen[len(chosen) // 2], chosen[0]
    yield "count-more", {**edges, edge: edges[edge] + 1}
    yield "count-less", {**edges, edge: edges[edge] - 1}
    yield "missing", {**edges, edge: 0}
    yield "elsewhere", {**edges, edge: 0, (edge[0], other[1]): edges[edge]}
    yield "never-taken", {**edges, (other[0], edge[1]): 1}


def jump_mutants(jumps):
    """Likewise; the jump most often taken is one that a judge of edges knows, too."""
    yield from edge_mutants(jumps)
    often = max(jumps, key=jumps.get)
    yield "from-elsewhere", {**jumps, often: jumps[often] - 1, (often[0] + 1, often[1]): 1}


def save(folder, name, profile, beside):
    path = f"{folder}/{name}.gmon"
    for suffix, content in ("", profile), (".bbx", beside):
        with open(path + suffix, "wb") as file:
            file.write(content)
    print(path)


def main():
    path, folder, *jumps = sys.argv[1:]
    with open(path, "rb") as file:
        profile = file.read()
    with open(path + ".bbx", "rb") as file:
        beside = file.read()
    read = sidecar.Sidecar(path + ".bbx")
    if jumps:
        content = read.of(b"JUMP")[0]
        for name, mutant in jump_mutants(sidecar.edges(content[8:])):
            changed_jumps = write.replaced(beside, b"JUMP", content[:8] + write.edges(mutant))
            save(folder, "jump-" + name, profile, changed_jumps)
    else:
        for name, mutant in edge_mutants(read.edges):
            changed_edges = write.replaced(beside, b"EDGE", write.edges(mutant))
            save(folder, "edge-" + name, profile, changed_edges)
    for name, mutant in mutants(profile):
        if not jumps or name.startswith("block"):
            save(folder, name, mutant, beside)


if __name__ == "__main__":
    main()
