#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a profile as process.py does, and beside it the times of its samples and switches:

    timed_process.py PROFILE <description      writes PROFILE, PROFILE.bbx and PROFILE.bbs

The description has these lines, too; times are in milliseconds:

    sample THREAD TIME TICKS CPU FRAME...   a stack of process.py with its time; CPU -: it slept
    switch TIME TID CPU KIND                in, sleeps, ready, born, died
    look TIME TID CALL WHY                  a poll of a sleeping thread: system call, wait reason
    name TID NAME
"""
import ctypes
import struct
import sys

from readers import write
from readers.leb128 import encode, fold
from readers.samples import KINDS, NOT_KNOWN, ZSTD
from readers.stacks import THREAD
from report.process import Process

ASLEEP = 0xffff
ZSTD.ZSTD_compress.restype = ctypes.c_size_t


def ns(ms):
    return round(float(ms) * 1000000)


def frame_of(*lists):
    """The size of the unpacked frame, and the frame."""
    packed = [encode(*numbers) for numbers in lists]
    data = encode(*(len(each) for each in packed)) + b"".join(packed)
    room = ctypes.create_string_buffer(len(data) + 1000)
    size = ZSTD.ZSTD_compress(room, ctypes.c_size_t(len(room)), data,
                              ctypes.c_size_t(len(data)), 3)
    return len(data), room.raw[:size]


def distances(times):
    return [time - before for before, time in zip([times[0], *times], times)]


def new_tids(tids):
    """The threads by number, and the list of new ones."""
    seen = list(dict.fromkeys(tids))
    return ([seen.index(tid) for tid in tids],
            [fold(tid - before) for before, tid in zip([0, *seen], seen)])


class TimedProcess(Process):
    def __init__(self):
        super().__init__()
        self.timed, self.switches, self.looks, self.names = {}, [], [], []

    def add_sample(self, thread, time, ticks, cpu, *frames):
        self.add_stack(thread, ticks, *frames)
        node = self.enter(0, THREAD, int(thread))
        for text in frames:
            node = self.enter(node, *self.frame(text))
        self.timed.setdefault(int(thread), []).append(
            (ns(time), node, int(ticks), ASLEEP if cpu == "-" else int(cpu)))

    def add_switch(self, time, tid, cpu, kind):
        self.switches.append((ns(time), int(tid), 8 * int(cpu) + KINDS.index(kind)))

    def add_look(self, time, tid, call, why):
        self.looks.append((ns(time), int(tid), int(call), int(why)))

    def add_name(self, tid, name):
        self.names.append(struct.pack("<QI20s", 0, int(tid), name.encode()))

    def samples_chunk(self, thread):
        times, nodes, ticks, cpus = zip(*sorted(self.timed[thread]))
        steps = distances(times)
        twice = [fold(step - before) for before, step in zip([0, *steps[1:]], steps[1:])]
        size, frame = frame_of(twice, nodes, ticks, cpus)
        return struct.pack("<IIQQQ", thread, len(times), times[0], 0, size) + frame

    def switches_chunk(self):
        times, tids, places = zip(*self.switches)
        numbers, new = new_tids(tids)
        size, frame = frame_of(distances(times), places, [1 + number for number in numbers], new)
        return struct.pack("<IIQQ", len(times), 0, times[0], size) + frame

    def looks_chunk(self):
        times, tids, calls, whys = zip(*self.looks)
        numbers, new = new_tids(tids)
        unknown, n = fold(NOT_KNOWN - (1 << 64)), len(times)
        counted = [[unknown] * n] * 4
        size, frame = frame_of(distances(times), numbers, new, *counted,
                               [fold(call) for call in calls], [0] * n, [ord("S")] * n, whys)
        return struct.pack("<IIQQ", n, 0, times[0], size) + frame

    def times(self):
        yield write.header(b"bbsampl\n", self.run)
        for thread in self.timed:
            yield write.chunk(b"SMPL", self.samples_chunk(thread))
        yield write.chunk(b"WTCH", struct.pack("<4IQ", 1, 0, 50, 2, 0))
        yield write.chunk(b"SWCH", self.switches_chunk())
        if self.looks:
            yield write.chunk(b"LOOK", self.looks_chunk())
        yield write.chunk(b"NAME", b"".join(self.names))
        yield write.chunk(b"LOST", b"")
        yield write.chunk(b"END ", b"")


def main(path):
    process = TimedProcess()
    for line in sys.stdin:
        process.read(line)
    for suffix, parts in (("", process.gmon()), (".bbx", process.sidecar()),
                          (".bbs", process.times())):
        with open(path + suffix, "wb") as file:
            file.writelines(parts)


if __name__ == "__main__":
    main(sys.argv[1])
