#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows the judge profiles with one mistake each, and says which mistakes it does not see.

    mutants.py SOURCES FOLDER

FOLDER holds what one run of an executable has left.  Each arc, and each block with a place, is counted once more than it
was, and left out.  Exit status: 0 all seen, 1 not all.
"""

import os
import struct
import sys

sys.dont_write_bytecode = True  # the source folder may be read-only, and stays clean
judge = __import__("judge")


def records(data):
    """Where the arcs and blocks of a gmon.out stand: kind, offset of the count, its form, addresses."""
    place = 20
    while place < len(data):
        tag = data[place]
        place += 1
        if tag == 0:
            place += 40 + 2 * struct.unpack_from("<I", data, place + 16)[0]
        elif tag == 1:
            yield "arc", place + 16, "<I", struct.unpack_from("<QQ", data, place)
            place += 20
        else:
            number, = struct.unpack_from("<I", data, place)
            for start in range(place + 4, place + 4 + 16 * number, 16):
                yield "block", start + 8, "<Q", struct.unpack_from("<Q", data, start)
            place += 4 + 16 * number


def main():
    sources, folder = sys.argv[1:]
    path = os.path.join(folder, "gmon.out")
    with open(path, "rb") as file:
        data = file.read()
    subject = judge.Judge(sources)
    subject.process(path)
    if subject.differences:
        sys.exit(f"wrong from the start: {subject.differences[0]}")
    unseen = tried = 0
    for kind, place, form, addresses in records(data):
        if kind == "block" and addresses[0] not in subject.placed:
            continue
        count, = struct.unpack_from(form, data, place)
        for other in (0, count + 1):
            mutant = bytearray(data)
            struct.pack_into(form, mutant, place, other)
            with open(path, "wb") as file:
                file.write(mutant)
            subject.differences = []
            subject.process(path)
            tried += 1
            if not subject.differences:
                unseen += 1
                print(f"not seen: {kind} {' '.join(map(hex, addresses))} {other} instead of {count}")
    with open(path, "wb") as file:
        file.write(data)
    print(f"{tried} mistakes, {unseen} not seen")
    return 1 if unseen or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
