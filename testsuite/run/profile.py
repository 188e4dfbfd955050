#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a gmon.out and its sidecar, by the words of doc/file-format.md and with nothing of bbprof's own readers, and
prints what is in them by names:

    profile.py gmon.out

    object PATH-OR-NAME loads N [executable] [unloaded] [blocks]
    arc CALLER CALLEE COUNT          FILE:FUNCTION each; "outside" for a caller that is not known
    block FILE:FUNCTION N COUNT      N: the n-th executed block of the function, from 0, by address
    samples FILE:FUNCTION COUNT      "?" for a function that has no symbol
    edge FUNCTION N N COUNT          with profile.py --edges: from the N-th executed block to the N-th; "outside"
    jump VARIANT FROM TO COUNT       with --jumps: FILE:FUNCTION+OFFSET each; "outside"
    word FLAGS NAME FILE FUNCTION... with --jumps: a word of the selection, with the functions that it names
    lost COUNT CAUSE

FILE is the last part of the object's path.  Everything is checked on the way: chunks, checksums, order, ranges.
"""

import bisect
import collections
import os
import struct
import subprocess
import sys
import zlib


def need(condition, text):
    if not condition:
        sys.exit(f"profile.py: {text}")


def read_sidecar(path):
    with open(path, "rb") as file:
        data = file.read()
    magic, version, size, run = struct.unpack_from("<8sIIQ", data)
    need(magic == b"bbprof\r\n" and version == 1 and size >= 24 and run != 0, "bad header")
    place, chunks = size, []
    while place < len(data):
        kind, crc, length = struct.unpack_from("<4sIQ", data, place)
        content = data[place + 16:place + 16 + length]
        need(len(content) == length, f"chunk {kind} is torn")
        need(zlib.crc32(kind + struct.pack("<Q", length) + content) == crc, f"chunk {kind}: wrong checksum")
        place += 16 + (length + 7) // 8 * 8
        chunks.append((kind, content))
    need(place == len(data) and chunks[-1] == (b"END ", b""), "no end")
    need(chunks[0][0] == b"RUN ", "no run")
    return run, chunks


class Object:
    def __init__(self, content):
        (self.base, self.start, self.end, _, _, self.bias, self.loads, self.flags, ids, paths) = \
            struct.unpack_from("<QQQQQQIIII", content)
        need(len(content) == 64 + ids + paths and content[-1] == 0, "bad object")
        self.id = content[64:64 + ids]
        self.path = content[64 + ids:-1].decode()
        self.name = os.path.basename(self.path)
        self.symbols = None

    def symbol(self, address):
        if self.symbols is None:
            self.symbols = []
            if os.path.exists(self.path):
                for options in ([], ["-D"]):
                    for line in subprocess.run(["nm", "--defined-only", *options, self.path], capture_output=True, text=True).stdout.splitlines():
                        fields = line.split(maxsplit=2)  # link-time optimisation leaves symbols without names
                        if len(fields) == 3 and fields[1] in "tTwWi":
                            self.symbols.append((int(fields[0], 16), fields[2]))
            self.symbols.sort()
        place = bisect.bisect(self.symbols, (address, "\x7f")) - 1
        return self.symbols[place] if place >= 0 else (self.start, "?")

    def function(self, address):
        return f"{self.name}:{self.symbol(address)[1]}"

    def place(self, address):
        return f"{self.function(address)}+{address - self.symbol(address)[0]}"


def read_edges(content):
    numbers, value, shift = [], 0, 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    need(shift == 0 and len(numbers) % 3 == 0, "torn edges")
    edges, source = collections.Counter(), 0

    def unfold(number):
        return -(number + 1 >> 1) if number & 1 else number >> 1
    for first, second, count in zip(*[iter(numbers)] * 3):
        source += unfold(first)
        edges[source, source + unfold(second)] += count
    return edges


class Profile:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        magic, version, word, run = struct.unpack_from("<4sIIQ", self.data)
        need((magic, version) == (b"gmon", 1), "bad gmon.out")
        sidecar, chunks = read_sidecar(path + ".bbx")
        need(run == sidecar, "gmon.out and sidecar are of different runs")
        wall, = struct.unpack_from("<Q", chunks[0][1], 8)
        need(word in (0, 1) or word == wall & 0xFFFFFFFE, "gmon.out and sidecar are of different dumps")
        self.process, = struct.unpack_from("<I", chunks[0][1], 24)
        self.objects = [Object(content) for kind, content in chunks if kind == b"OBJ "]
        self.check_objects()
        lost = b"".join(content for kind, content in chunks if kind == b"LOST")
        self.lost = [(count, cause.rstrip(b"\0").decode()) for count, cause in struct.iter_unpack("<Q56s", lost)]
        self.edges = read_edges(b"".join(content for kind, content in chunks if kind == b"EDGE"))
        self.jumps = [(struct.unpack_from("<II", content), read_edges(content[8:])) for kind, content in chunks if kind == b"JUMP"]
        self.open = [self.read_open(content) for kind, content in chunks if kind == b"OPEN"]
        self.words = [content for kind, content in chunks if kind == b"SEL "]
        self.arcs, self.blocks, self.samples = collections.Counter(), [], collections.Counter()
        self.read_records()

    @staticmethod
    def read_open(content):
        version, thread, which, zero = struct.unpack_from("<IIII", content)
        need(version == 2 and which < 4 and zero == 0, "open: bad head")
        return thread, which, read_edges(content[16:])

    def check_objects(self):
        need(self.objects[0].flags & 1 and self.objects[0].base == 0, "the executable is not the first object")
        ranges = sorted((item.start + item.base, item.end + item.base) for item in self.objects)
        for (_, end), (start, _) in zip(ranges, ranges[1:]):
            need(end <= start < 1 << 47, "virtual addresses overlap")
        for item in self.objects[1:]:
            need(item.base % 0x100000000 == 0 and item.base and item.loads >= 1, f"{item.path}: bad base")

    def read_records(self):
        data, place = self.data, 20
        ranges = set()
        while place < len(data):
            tag = data[place]
            place += 1
            if tag == 0:
                low, high, bins, _ = struct.unpack_from("<QQII", data, place)
                need((high - low) == 2 * bins, "bins are not of 2 bytes")
                ranges.add((low, high))
                for i, (count,) in enumerate(struct.iter_unpack("<H", data[place + 40:place + 40 + 2 * bins])):
                    if count:
                        self.samples[low + 2 * i] += count
                place += 40 + 2 * bins
            elif tag == 1:
                source, target, count = struct.unpack_from("<QQI", data, place)
                self.arcs[source, target] += count
                place += 20
            else:
                need(tag == 2, f"tag {tag}")
                number, = struct.unpack_from("<I", data, place)
                self.blocks += struct.iter_unpack("<QQ", data[place + 4:place + 4 + 16 * number])
                place += 4 + 16 * number
        ordered = sorted(ranges)
        need(all(end <= start for (_, end), (start, _) in zip(ordered, ordered[1:])), "histograms overlap")

    def find(self, address, look):
        if address == 0:
            return "outside"
        for item in self.objects:
            if item.start <= address - item.base < item.end:
                return look(item, address - item.base)
        sys.exit(f"profile.py: {address:#x} is in no object")

    def name(self, address):
        return self.find(address, Object.function)

    def show_jumps(self):
        for (variant, zero), jumps in self.jumps:
            need(zero == 0, "jumps: bad head")
            for (source, target), count in sorted(jumps.items()):
                print(f"jump {variant} {self.find(source, Object.place)} {self.find(target, Object.place)} {count}")
        for content in self.words:
            flags, number = struct.unpack_from("<II", content)
            functions = struct.unpack_from(f"<{number}Q", content, 8)
            name, file, end = content[8 + 8 * number:].split(b"\0")
            need(end == b"", "bad word")
            print("word", flags, name.decode(), file.decode() or "-", *sorted(self.find(item, Object.place) for item in functions))

    def show_edges(self):
        place, numbers = {0: "outside"}, collections.Counter()
        for address, _ in sorted(self.blocks):
            name = self.name(address)
            place[address] = numbers[name]
            numbers[name] += 1
        for (source, target), count in sorted(self.edges.items()):
            need(source in place and target in place, f"edge {source:#x} {target:#x}: between blocks that did not run")
            print(f"edge {self.name(source or target)} {place[source]} {place[target]} {count}")

    def show(self, edges, jumps):
        for item in self.objects:
            flags = "".join(f" {name}" for bit, name in enumerate(("executable", "unloaded", "blocks")) if item.flags >> bit & 1)
            print(f"object {item.path} loads {item.loads}{flags}")
        arcs = collections.Counter()
        for (source, target), count in self.arcs.items():
            arcs[self.name(source), self.name(target)] += count
        for (source, target), count in sorted(arcs.items()):
            print(f"arc {source} {target} {count}")
        numbers = collections.Counter()
        for address, count in sorted(self.blocks):
            name = self.name(address)
            print(f"block {name} {numbers[name]} {count}")
            numbers[name] += 1
        if edges:
            self.show_edges()
        if jumps:
            self.show_jumps()
        samples = collections.Counter()
        for address, count in self.samples.items():
            samples[self.name(address)] += count
        for name, count in sorted(samples.items()):
            print(f"samples {name} {count}")
        for count, cause in self.lost:
            print(f"lost {count} {cause}")


if __name__ == "__main__":
    Profile(sys.argv[-1]).show("--edges" in sys.argv, "--jumps" in sys.argv)
