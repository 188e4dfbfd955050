# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a gmon.out, of 64-bit little endian.

    python3 -m readers.gmon gmon.out        its arcs and block counts, one on a line: "arc FROM SELF
                                            COUNT", "block ADDRESS COUNT"
"""

import collections
import struct
import sys

from readers import Unreadable, need

HISTOGRAM, ARC, BLOCKS = range(3)  # tags of records
Histogram = collections.namedtuple("Histogram", "low high rate bins")  # bins: their bytes


def records(data):
    """Tag, and first and last offset of the content, of each record."""
    place = 20
    try:
        while place < len(data):
            tag, start = data[place], place + 1
            if tag == HISTOGRAM:
                place = start + 40 + 2 * struct.unpack_from("<I", data, start + 16)[0]
            elif tag == ARC:
                place = start + 20
            elif tag == BLOCKS:
                place = start + 4 + 16 * struct.unpack_from("<I", data, start)[0]
            else:
                raise Unreadable(f"gmon.out: unknown tag {tag} at offset {start - 1:#x}")
            need(place <= len(data), "gmon.out: truncated")
            yield tag, start, place
    except struct.error:
        raise Unreadable("gmon.out: truncated") from None


def counts(data):
    """Tag, and first and last offset, of each single arc and each single block."""
    for tag, start, end in records(data):
        if tag == ARC:
            yield tag, start, end
        elif tag == BLOCKS:
            for place in range(start + 4, end, 16):
                yield tag, place, place + 16


def added_up(blocks):
    """Executions by the block's address."""
    executed = collections.Counter()
    for address, count in blocks:
        executed[address] += count
    return executed


class Gmon:
    """arcs[(from, self)], added up; blocks: (address, count) in the file's order; histograms."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        need(len(data) >= 20 and data[:8] == b"gmon\1\0\0\0", f"{path}: not a gmon.out file")
        self.moment, self.run = struct.unpack_from("<IQ", data, 8)
        self.arcs, self.blocks, self.histograms = collections.Counter(), [], []
        for tag, start, end in records(data):
            if tag == HISTOGRAM:
                low, high, _, rate = struct.unpack_from("<QQII", data, start)
                self.histograms.append(Histogram(low, high, rate, data[start + 40:end]))
            elif tag == ARC:
                source, target, count = struct.unpack_from("<QQI", data, start)
                self.arcs[source, target] += count
            else:
                self.blocks += struct.iter_unpack("<QQ", data[start + 4:end])

    def executions(self):
        return added_up(self.blocks)


class OfProgram:
    """arcs[(from, self)] and blocks[address] = list of counts, of the program only.

    What is called by another object, whose addresses are above the program's, is called from 0,
    outside."""

    def __init__(self, path, program):
        read = Gmon(path)
        self.arcs = collections.Counter()
        for (start, itself), count in read.arcs.items():
            if itself < program.end:
                self.arcs[start if start < program.end else 0, itself] += count
        self.blocks = collections.defaultdict(list)
        for address, count in read.blocks:
            if address < program.end:
                self.blocks[address].append(count)


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    need(data[:4] == b"gmon", "no gmon.out")
    for tag, start, _ in counts(data):
        if tag == ARC:
            print("arc %x %x %d" % struct.unpack_from("<QQI", data, start))
        else:
            print("block %x %d" % struct.unpack_from("<QQ", data, start))


if __name__ == "__main__":
    main(sys.argv[1])
