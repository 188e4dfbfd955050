#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives the judge profiles with one mistake each, and prints the mistakes that it misses.

    mutants.py SOURCES FOLDER

FOLDER holds the files of one run of an executable.  Each arc, and each block with a place, gets a
count that is too large by one, and is left out.  Exit status: 0 all seen, 1 not all.
"""

import os
import struct
import sys

import judge
from readers import gmon


def counts(data):
    """Where the arcs and blocks of a gmon.out have their counts: kind, offset, form, addresses."""
    for tag, start, _ in gmon.counts(data):
        if tag == gmon.ARC:
            yield "arc", start + 16, "<I", struct.unpack_from("<QQ", data, start)
        else:
            yield "block", start + 8, "<Q", struct.unpack_from("<Q", data, start)


def main():
    sources, folder = sys.argv[1:]
    path = os.path.join(folder, "gmon.out")
    with open(path, "rb") as file:
        data = file.read()
    subject = judge.Judge(sources, True)
    subject.process(path)
    if subject.differences:
        sys.exit(f"wrong from the start: {subject.differences[0]}")
    unseen = tried = 0
    for kind, place, form, addresses in counts(data):
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
                print(f"missed: {kind} {' '.join(map(hex, addresses))} {other} instead of {count}")
    with open(path, "wb") as file:
        file.write(data)
    print(f"{tried} mistakes, {unseen} not seen")
    return 1 if unseen or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
