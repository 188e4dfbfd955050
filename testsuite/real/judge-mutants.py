#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes copies of a gmon.out with one small mistake each, to see whether judge-callgrind.py finds it.

    judge-mutants.py gmon.out FOLDER        prints the names of the files
"""

import struct
import sys

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


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    for name, mutant in mutants(data):
        path = f"{sys.argv[2]}/{name}.gmon"
        with open(path, "wb") as file:
            file.write(mutant)
        print(path)


if __name__ == "__main__":
    main()
