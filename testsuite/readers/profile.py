# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a gmon.out and its sidecar, and prints what is in them by names:

    python3 -m readers.profile gmon.out

    object PATH-OR-NAME loads N [executable] [unloaded] [blocks]
    arc CALLER CALLEE COUNT          FILE:FUNCTION each; "outside" for a caller that is not known
    block FILE:FUNCTION N COUNT      N: the n-th executed block of the function, from 0, by address
    samples FILE:FUNCTION COUNT      "?" for a function that has no symbol
    edge FUNCTION N N COUNT          with --edges: from the N-th executed block to the N-th;
                                     "outside"
    jump VARIANT FROM TO COUNT       with --jumps: FILE:FUNCTION+OFFSET each; "outside"
    word FLAGS NAME FILE FUNCTION... with --jumps: a word of the selection, with the functions that
                                     it names
    lost COUNT CAUSE

FILE is the last part of the object's path.
"""

import collections
import struct
import sys

from readers import Unreadable, need
from readers.gmon import Gmon, added_up
from readers.sidecar import Object, Sidecar, edges


class Profile:
    def __init__(self, path):
        gmon, sidecar = Gmon(path), Sidecar(path + ".bbx")
        need(gmon.run == sidecar.run, "gmon.out and sidecar are of different runs")
        need(gmon.moment in (0, 1) or gmon.moment == sidecar.moment,
             "gmon.out and sidecar are of different dumps")
        self.arcs, self.blocks = gmon.arcs, gmon.blocks
        self.process, self.objects, self.lost = sidecar.process, sidecar.objects, sidecar.lost
        self.edges = sidecar.edges
        self._check_objects()
        self.jumps = [(struct.unpack_from("<II", content), edges(content[8:]))
                      for content in sidecar.of(b"JUMP")]
        self.open = [self._open(content) for content in sidecar.of(b"OPEN")]
        self.words = sidecar.of(b"SEL ")
        self.samples = collections.Counter()
        self._add_samples(gmon.histograms)

    @staticmethod
    def _open(content):
        version, thread, which, zero = struct.unpack_from("<IIII", content)
        need(version == 2 and which < 4 and zero == 0, "open: bad head")
        return thread, which, edges(content[16:])

    def _check_objects(self):
        need(self.objects[0].flags & 1 and self.objects[0].base == 0,
             "the executable is not the first object")
        ranges = sorted((item.start + item.base, item.end + item.base) for item in self.objects)
        for (_, end), (start, _) in zip(ranges, ranges[1:]):
            need(end <= start < 1 << 47, "virtual addresses overlap")
        for item in self.objects[1:]:
            need(item.base % 0x100000000 == 0 and item.base and item.loads >= 1,
                 f"{item.path}: bad base")

    def _add_samples(self, histograms):
        for low, high, _, bins in histograms:
            need(high - low == len(bins), "bins are not of 2 bytes")
            for i, (count,) in enumerate(struct.iter_unpack("<H", bins)):
                if count:
                    self.samples[low + 2 * i] += count
        ranges = sorted({(item.low, item.high) for item in histograms})
        need(all(end <= start for (_, end), (start, _) in zip(ranges, ranges[1:])),
             "histograms overlap")

    def executions(self):
        return added_up(self.blocks)

    def find(self, address, look):
        if address == 0:
            return "outside"
        for item in self.objects:
            if item.holds(address):
                return look(item, address - item.base)
        raise Unreadable(f"{address:#x} is in no object")

    def name(self, address):
        return self.find(address, Object.function)

    def place(self, address):
        return self.find(address, Object.place)


def show_objects(profile):
    for item in profile.objects:
        flags = "".join(f" {name}" for bit, name in enumerate(("executable", "unloaded", "blocks"))
                        if item.flags >> bit & 1)
        print(f"object {item.path} loads {item.loads}{flags}")


def show_arcs(profile):
    arcs = collections.Counter()
    for (source, target), count in profile.arcs.items():
        arcs[profile.name(source), profile.name(target)] += count
    for (source, target), count in sorted(arcs.items()):
        print(f"arc {source} {target} {count}")


def show_blocks(profile):
    numbers = collections.Counter()
    for address, count in sorted(profile.blocks):
        name = profile.name(address)
        print(f"block {name} {numbers[name]} {count}")
        numbers[name] += 1


def show_edges(profile):
    place, numbers = {0: "outside"}, collections.Counter()
    for address, _ in sorted(profile.blocks):
        name = profile.name(address)
        place[address] = numbers[name]
        numbers[name] += 1
    for (source, target), count in sorted(profile.edges.items()):
        need(source in place and target in place,
             f"edge {source:#x} {target:#x}: between blocks that did not run")
        print(f"edge {profile.name(source or target)} {place[source]} {place[target]} {count}")


def show_jumps(profile):
    for (variant, zero), jumps in profile.jumps:
        need(zero == 0, "jumps: bad head")
        for (source, target), count in sorted(jumps.items()):
            print(f"jump {variant} {profile.place(source)} {profile.place(target)} {count}")
    for content in profile.words:
        flags, number = struct.unpack_from("<II", content)
        functions = struct.unpack_from(f"<{number}Q", content, 8)
        name, file, end = content[8 + 8 * number:].split(b"\0")
        need(end == b"", "bad word")
        print("word", flags, name.decode(), file.decode() or "-",
              *sorted(profile.place(item) for item in functions))


def show_samples(profile):
    samples = collections.Counter()
    for address, count in profile.samples.items():
        samples[profile.name(address)] += count
    for name, count in sorted(samples.items()):
        print(f"samples {name} {count}")


def main(*arguments):
    profile = Profile(arguments[-1])
    show_objects(profile)
    show_arcs(profile)
    show_blocks(profile)
    if "--edges" in arguments:
        show_edges(profile)
    if "--jumps" in arguments:
        show_jumps(profile)
    show_samples(profile)
    for count, cause in profile.lost:
        print(f"lost {count} {cause}")


if __name__ == "__main__":
    main(*sys.argv[1:])
