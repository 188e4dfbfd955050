#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes copies of a profile (gmon.out and its sidecar) with one small mistake each, to see whether the judges find it.

    judge-mutants.py gmon.out FOLDER [jumps]        prints the names of the files

With `jumps', mistakes in the jumps, and in the blocks that they lead to; else in calls, blocks and edges.
"""

import os
import struct
import sys
import zlib

sys.dont_write_bytecode = True  # the source folder may be read-only, and stays clean
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))  # before the standard profile
from profile import read_edges, read_sidecar  # noqa: E402

OTHER_OBJECTS = 0x100000000  # where the virtual addresses of the first of them may begin


def records(data):
    """Splits gmon.out into (tag, first offset, last offset) of single blocks, and of arcs but for callbacks."""
    place = 20
    while place < len(data):
        tag = data[place]
        if tag == 0:
            place += 41 + 2 * struct.unpack_from("<I", data, place + 17)[0]
        elif tag == 1:
            if struct.unpack_from("<Q", data, place + 1)[0] < OTHER_OBJECTS:
                yield tag, place + 1, place + 21
            place += 21
        else:
            number, = struct.unpack_from("<I", data, place + 1)
            place += 5
            for _ in range(number):
                yield tag, place, place + 16
                place += 16


def changed(data, place, form, change):
    value, = struct.unpack_from(form, data, place)
    return data[:place] + struct.pack(form, change(value)) + data[place + struct.calcsize(form):]


def mutants(data):
    found = list(records(data))
    for tag, name in ((1, "arc"), (2, "block")):
        chosen = [record for record in found if record[0] == tag]
        if not chosen:
            continue
        _, first, last = chosen[len(chosen) // 2]
        if tag == 1:
            yield "arc-count-more", changed(data, first + 16, "<I", lambda n: n + 1)
            yield "arc-count-less", changed(data, first + 16, "<I", lambda n: n - 1)
            yield "arc-from-near", changed(data, first, "<Q", lambda n: n + 1)
            yield "arc-from-outside", changed(data, chosen[-1][1], "<Q", lambda n: 0 if n else n + 16)
            yield "arc-missing", data[:first - 1] + data[last:]
            yield "arc-twice", data + data[first - 1:last]
        else:
            yield "block-count-more", changed(data, first + 8, "<Q", lambda n: n + 1)
            yield "block-count-less", changed(data, first + 8, "<Q", lambda n: n - 1)
            yield "block-elsewhere", changed(data, first, "<Q", lambda n: n + 1)
            yield "block-never-executed", data + struct.pack("<BIQQ", 2, 1, 0x10, 1)


def with_edges(sidecar, kind, head, edges):
    """The sidecar with other edges, behind HEAD, in its first chunk of the kind."""
    content, before = bytearray(head), 0
    for (source, target), count in sorted(edges.items()):
        for number in (folded(source - before), folded(target - source), count):
            while number > 127:
                content.append(number & 127 | 128)
                number >>= 7
            content.append(number)
        before = source
    size, = struct.unpack_from("<I", sidecar, 12)
    begin = sidecar.index(kind, size)
    length, = struct.unpack_from("<Q", sidecar, begin + 8)
    start = kind + struct.pack("<Q", len(content))
    chunk = kind + struct.pack("<IQ", zlib.crc32(start + content), len(content)) + content + bytes(-len(content) % 8)
    return sidecar[:begin] + chunk + sidecar[begin + 16 + (length + 7) // 8 * 8:]


def folded(number):
    return 2 * number if number >= 0 else -2 * number - 1


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


def write(folder, name, profile, sidecar):
    path = f"{folder}/{name}.gmon"
    for suffix, content in ("", profile), (".bbx", sidecar):
        with open(path + suffix, "wb") as file:
            file.write(content)
    print(path)


def main():
    path, folder, *jumps = sys.argv[1:]
    with open(path, "rb") as file:
        profile = file.read()
    with open(path + ".bbx", "rb") as file:
        sidecar = file.read()
    _, chunks = read_sidecar(path + ".bbx")
    if jumps:
        head, content = next((content[:8], content[8:]) for kind, content in chunks if kind == b"JUMP")
        for name, mutant in jump_mutants(read_edges(content)):
            write(folder, "jump-" + name, profile, with_edges(sidecar, b"JUMP", head, mutant))
    else:
        edges = read_edges(b"".join(content for kind, content in chunks if kind == b"EDGE"))
        for name, mutant in edge_mutants(edges):
            write(folder, "edge-" + name, profile, with_edges(sidecar, b"EDGE", b"", mutant))
    for name, mutant in mutants(profile):
        if not jumps or name.startswith("block"):
            write(folder, name, mutant, sidecar)


if __name__ == "__main__":
    main()
