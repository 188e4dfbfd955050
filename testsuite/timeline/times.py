#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads who ran when from a gmon.out.bbs, by the words of doc/file-format.md and with nothing of bbprof's own readers:

    times.py gmon.out.bbs

    watch HOW ERRNO RATE REASONS TIME           events or polls; none, wchan, syscall
    unwatched WHY
    switch TIME TID CPU KIND                    in, sleeps, ready, born, died; gap: TID is how many are lost
    look TIME TID STATE WHY CALL CPU RUN WAIT VOLUNTARY INVOLUNTARY
                                                "-" for what is not known
    name TIME TID NAME
    mark TIME TID TEXT
    sums TID RUNNING SLEEPS READY               of the switches: nanoseconds on a processor, how often it left one, and how
    lost COUNT CAUSE
    bytes SWITCHES OF-THEM LOOKS OF-THEM        that they take in the file

Everything is checked on the way: checksums, order, numbers, that nobody is on two processors or leaves one where it is not.
"""

import collections
import ctypes
import ctypes.util
import os
import struct
import sys
import zlib

HOW = ("nothing", "events", "polls")
REASONS = ("none", "wchan", "syscall")
KINDS = ("in", "sleeps", "ready", "born", "died", "gap")
WHYS = ("unknown", "lock", "sleep", "poll", "pipe", "disk", "child", "signal", "fault", "stopped", "other", "condition", "rwlock", "semaphore", "thread",
        "barrier")
NOT_KNOWN = (1 << 64) - 1
CHUNK_MOST, LOOKS_MOST = 65536, 16384
ZSTD = ctypes.CDLL(ctypes.util.find_library("zstd"))
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
Switch = collections.namedtuple("Switch", "time tid cpu kind")
Look = collections.namedtuple("Look", "time tid state why call cpu run wait voluntary involuntary")


def need(condition, text):
    if not condition:
        sys.exit(f"times.py: {text}")


def unfold(number):
    return -(number + 1 >> 1) if number & 1 else number >> 1


def numbers_of(content):
    """All of them, as a list."""
    numbers, value, shift = [], 0, 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    need(shift == 0, "torn numbers")
    return numbers


def unpack(frame, size):
    to = ctypes.create_string_buffer(size + 1)
    done = ZSTD.ZSTD_decompress(to, ctypes.c_size_t(size + 1), frame, ctypes.c_size_t(len(frame)))
    need(done == size, f"a frame of {size} bytes has {done}")
    return to.raw[:size]


def lists_of(frame, size, count):
    """Of numbers; the sizes of all are in front of them."""
    data, place, sizes = unpack(frame, size), 0, []
    while len(sizes) < count:
        value = shift = 0
        while True:
            byte = data[place]
            value |= (byte & 127) << shift
            shift, place = shift + 7, place + 1
            if byte < 128:
                break
        sizes.append(value)
    lists = []
    for each in sizes:
        lists.append(collections.deque(numbers_of(data[place:place + each])))
        place += each
    need(place == size, "a frame with more than its lists")
    return lists


class Tids:
    def __init__(self, new):
        self.new, self.tids = new, []

    def of(self, number):
        need(number <= len(self.tids), f"thread {number} of {len(self.tids)}")
        if number == len(self.tids):
            self.tids.append((self.tids[-1] if self.tids else 0) + unfold(self.new.popleft()))
        return self.tids[number]


def head_of(content, most):
    n, unused, first, size = struct.unpack_from("<IIQQ", content)
    need(0 < n <= most and unused == 0, f"a chunk of {n}")
    return n, first, size


def read_switches(content):
    n, time, size = head_of(content, CHUNK_MOST)
    times, places, who, new = lists = lists_of(content[24:], size, 4)
    tids, last = Tids(new), {}
    for _ in range(n):
        time += times.popleft()
        cpu, kind = divmod(places.popleft(), 8)
        number = who.popleft()
        if KINDS[kind] == "gap":
            yield Switch(time, number, cpu, "gap")
            continue
        last[cpu % 256] = number or last[cpu % 256]
        yield Switch(time, tids.of(last[cpu % 256] - 1), cpu, KINDS[kind])
    need(not any(lists), "numbers are left")


def read_looks(content):
    n, time, size = head_of(content, LOOKS_MOST)
    lists = lists_of(content[24:], size, 11)
    times, who, new, calls, cpus, states, whys = lists[0], lists[1], lists[2], *lists[7:]
    tids, last = Tids(new), {}
    for _ in range(n):
        time += times.popleft()
        tid = tids.of(who.popleft())
        counts = [before + unfold(counted.popleft()) & NOT_KNOWN for before, counted in zip(last.get(tid, (0, 0, 0, 0)), lists[3:7])]
        last[tid] = counts
        call, cpu, state, why = unfold(calls.popleft()), cpus.popleft(), states.popleft(), whys.popleft()
        yield Look(time, tid, chr(state) if state else "-", WHYS[why], "-" if call == -2 else call, "-" if cpu == 0x7fff else cpu,
                   *("-" if count == NOT_KNOWN else count for count in counts))
    need(not any(lists), "numbers are left")


def text(data):
    need(data[-1] == 0, "a text without an end")
    return data.split(b"\0")[0].decode("utf-8", "replace")


class Sums:
    """Who is where, switch by switch; behind a gap nothing is known of its processor."""

    def __init__(self):
        self.where, self.since = {}, {}
        self.running, self.left = collections.Counter(), collections.Counter()
        self.lost = False

    def add(self, s):
        if s.kind == "gap":
            for tid in [tid for tid, cpu in self.where.items() if cpu == s.cpu]:
                del self.where[tid]
            self.lost = True
        elif s.kind == "in":
            need(s.tid not in self.where or self.lost, f"{s}: it is on processor {self.where.get(s.tid)} already")
            self.where[s.tid], self.since[s.tid] = s.cpu, s.time
        elif s.kind in ("sleeps", "ready"):
            self.left[s.tid, s.kind] += 1
            if s.tid in self.where:
                need(self.where.pop(s.tid) == s.cpu, f"{s}: it is not there")
                self.running[s.tid] += s.time - self.since[s.tid]

    def show(self):
        for tid in sorted(set(self.running) | {tid for tid, _ in self.left}):
            print("sums", tid, self.running[tid], self.left[tid, "sleeps"], self.left[tid, "ready"])


def chunks_of(path):
    with open(path, "rb") as file:
        data = file.read()
    magic, version, place, run = struct.unpack_from("<8sIIQ", data)
    need(magic == b"bbsampl\n" and version == 1 and place >= 24 and run != 0, "bad header")
    kind = b""
    while place < len(data):
        kind, crc, length = struct.unpack_from("<4sIQ", data, place)
        content = data[place + 16:place + 16 + length]
        need(len(content) == length and zlib.crc32(kind + struct.pack("<Q", length) + content) == crc, f"chunk {kind} is damaged")
        place += 16 + (length + 7) // 8 * 8
        yield kind, content
    need(place == len(data) and kind == b"END ", "no end")


def main(path):
    sums, counts, before = Sums(), collections.Counter(), 0
    for kind, content in chunks_of(path):
        if kind == b"WTCH":
            how, refused, rate, reasons, time = struct.unpack_from("<IIIIQ", content)
            print(*(("watch", HOW[how], refused, rate, REASONS[reasons], time) if how else ("unwatched", content[24:].decode())))
        elif kind == b"SWCH":
            counts[kind, "bytes"] += len(content)
            for s in read_switches(content):
                need(s.time >= before, f"{s}: a switch at {before} stands in front of it")
                before = s.time
                counts[kind] += 1
                sums.add(s)
                print("switch", *s)
        elif kind == b"LOOK":
            counts[kind, "bytes"] += len(content)
            for look in read_looks(content):
                counts[kind] += 1
                print("look", *look)
        elif kind == b"NAME":
            need(len(content) % 32 == 0, "bad names")
            for time, tid, name in struct.iter_unpack("<QI20s", content):
                print("name", time, tid, text(name))
        elif kind == b"MARK":
            need(len(content) % 64 == 0, "bad marks")
            for time, tid, _, mark in struct.iter_unpack("<QII48s", content):
                print("mark", time, tid, text(mark))
        elif kind == b"LOST":
            for count, cause in struct.iter_unpack("<Q56s", content):
                print("lost", count, text(cause))
    sums.show()
    print("bytes", counts[b"SWCH"], counts[b"SWCH", "bytes"], counts[b"LOOK"], counts[b"LOOK", "bytes"])


if __name__ == "__main__":
    try:
        main(sys.argv[-1])
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
