# SPDX-License-Identifier: GPL-3.0-or-later
"""A gmon.out as the judges of one program see it."""

import collections
import struct

from elf import Unreadable


class Profile:
    """gmon.out: arcs[(from, self)] and blocks[address] = list of counts, of the program only.

    What is called by another object, whose addresses are above the program's, is called from 0, outside."""

    def __init__(self, path, program):
        with open(path, "rb") as file:
            data = file.read()
        if data[:4] != b"gmon":
            raise Unreadable(f"{path}: not a gmon.out file")
        self.arcs = collections.Counter()
        self.blocks = collections.defaultdict(list)
        place = 20
        try:
            while place < len(data):
                tag = data[place]
                place += 1
                if tag == 0:
                    bins, = struct.unpack_from("<I", data, place + 16)
                    place += 40 + 2 * bins
                elif tag == 1:
                    start, itself, count = struct.unpack_from("<QQI", data, place)
                    if itself < program.end:
                        self.arcs[start if start < program.end else 0, itself] += count
                    place += 20
                elif tag == 2:
                    number, = struct.unpack_from("<I", data, place)
                    place += 4
                    for address, count in struct.iter_unpack("<QQ", data[place:place + 16 * number]):
                        if address < program.end:
                            self.blocks[address].append(count)
                    place += 16 * number
                else:
                    raise Unreadable(f"{path}: unknown tag {tag} at offset {place - 1:#x}")
        except struct.error:
            raise Unreadable(f"{path}: truncated") from None
        if place != len(data):
            raise Unreadable(f"{path}: truncated")
