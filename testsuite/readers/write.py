# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the parts of gmon.out and of its sidecar, for made-up and damaged profiles."""

import struct

from readers import chunks, leb128


class Gmon:
    """The parts of a gmon.out in a byte order (of struct) and with pointers of Q, 8 bytes, or I,
    4."""

    def __init__(self, order="<", pointer="Q"):
        self.order, self.pointer = order, pointer

    def _pack(self, form, *values):
        return struct.pack(self.order + form.replace("P", self.pointer), *values)

    def header(self, run=0, version=1):
        return b"gmon" + self._pack("I4xQ", version, run)

    def _bins(self, bins):
        return bins if isinstance(bins, (bytes, bytearray)) else self._pack(f"{len(bins)}H", *bins)

    def histogram(self, low, high, bins, rate, unit="seconds"):
        """BINS: numbers, or their bytes."""
        bins = self._bins(bins)
        return (b"\0" + self._pack("PPII", low, high, len(bins) // 2, rate)
                + struct.pack("15s1s", unit.encode(), unit[:1].encode()) + bins)

    def arc(self, start, itself, count):
        return b"\1" + self._pack("PPI", start, itself, count)

    def blocks(self, counts):
        """COUNTS: (address, executions) of each."""
        return (b"\2" + self._pack("I", len(counts))
                + b"".join(self._pack("PP", address, count) for address, count in counts))

    def bsd(self, low, high, bins, arcs, rate=None):
        """A whole file of BSD's: the older one without RATE, else 4.4BSD's.  BINS: as above; ARCS:
        (start, self, count) of each."""
        bins = self._bins(bins)
        more = b"" if rate is None else self._pack("II12x", 0x51879, rate)
        size = struct.calcsize(self.order + 2 * self.pointer + "I") + len(more) + len(bins)
        return (self._pack("PPI", low, high, size) + more + bins
                + b"".join(self._pack("PPP", *arc) for arc in arcs))


def header(magic, run, version=1):
    """Of a file of chunks."""
    return magic + struct.pack("<IIQ", version, 24, run)


def chunk(kind, content):
    return (kind + struct.pack("<IQ", chunks.checksum(kind, content), len(content)) + content
            + bytes(-len(content) % 8))


def replaced(data, kind, content):
    """DATA, a file of chunks, with another content of its first chunk of a kind."""
    start, end = next((start, end) for found, start, end in chunks.places(data) if found == kind)
    return data[:start] + chunk(kind, content) + data[end:]


def edges(counts):
    """A list of edges, of {(from, to): count}."""
    content, before = bytearray(), 0
    for (source, target), count in sorted(counts.items()):
        content += leb128.encode(leb128.fold(source - before), leb128.fold(target - source), count)
        before = source
    return bytes(content)


def contexts(nodes):
    """A tree of (parent, kind, address, ticks), numbered from 1."""
    content, before = bytearray(struct.pack("<Q", len(nodes))), 0
    for number, (parent, kind, address, ticks) in enumerate(nodes, 1):
        content += leb128.encode(number - parent, kind, leb128.fold(address - before), ticks)
        before = address
    return bytes(content)


class Draw:
    """Random numbers, those of drand48: of a seed the same with every version of Python, and so are
    the profiles that are made up with them."""

    def __init__(self, seed):
        self.state = seed << 16 | 0x330E

    def share(self):
        """From 0 to 1."""
        self.state = (self.state * 0x5DEECE66D + 0xB) % (1 << 48)
        return self.state / (1 << 48)

    def below(self, limit):
        return int(self.share() * limit)

    def chance(self, share):
        return self.share() < share

    def one_of(self, choices):
        return choices[self.below(len(choices))]
