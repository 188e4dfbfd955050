# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads which thread ran when, from a gmon.out.bbs, or from the sidecar that holds one:

    python3 -m readers.samples gmon.out
    python3 -m readers.samples --extract gmon.out   makes a gmon.out.bbs of what the sidecar holds


    watch HOW ERRNO RATE REASONS TIME           events or polls; none, wchan, syscall
    unwatched WHY
    switch TIME TID CPU KIND                    in, sleeps, ready, born, died; gap: TID is how many
                                                are lost
    look TIME TID STATE WHY CALL CPU RUN WAIT VOLUNTARY INVOLUNTARY
                                                "-" for what is not known
    name TIME TID NAME
    mark TIME TID TEXT
    mpi TIME LENGTH TID FUNCTION
    sums TID RUNNING SLEEPS READY               of the switches: nanoseconds on a processor, how
                                                often it left one, and how
    lost COUNT CAUSE
    bytes SWITCHES OF-THEM LOOKS OF-THEM        that they take in the file

Also checks that no thread is on two processors or leaves one that it is not on.
"""

import collections
import ctypes
import ctypes.util
import os
import struct
import sys

from readers import chunks, need
from readers.leb128 import Numbers, decode, unfold

HOW = ("nothing", "events", "polls")
REASONS = ("none", "wchan", "syscall")
KINDS = ("in", "sleeps", "ready", "born", "died", "gap")
WHYS = ("unknown", "lock", "sleep", "poll", "pipe", "disk", "child", "signal", "fault", "stopped",
        "other", "condition", "rwlock", "semaphore", "thread", "barrier")
MPI = tuple("Send Bsend Ssend Rsend Recv Isend Ibsend Issend Irsend Irecv Sendrecv "
            "Sendrecv_replace Probe Iprobe Wait Waitall Waitany Waitsome Test Testall Testany "
            "Testsome Start Startall Barrier Bcast Gather Gatherv Scatter Scatterv Allgather "
            "Allgatherv Alltoall Alltoallv Reduce Allreduce Reduce_scatter Reduce_scatter_block "
            "Scan Exscan Ibarrier Ibcast Iallreduce Ireduce Iallgather Ialltoall Comm_dup "
            "Comm_split Comm_create Win_fence Put Get Accumulate Win_lock Win_unlock "
            "Win_flush".split())
NOT_KNOWN = (1 << 64) - 1
CHUNK_MOST, LOOKS_MOST = 65536, 16384
ZSTD = ctypes.CDLL(ctypes.util.find_library("zstd"))
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
Switch = collections.namedtuple("Switch", "time tid cpu kind")
Look = collections.namedtuple("Look", "time tid state why call cpu run wait voluntary involuntary")


def unpack(frame, size):
    to = ctypes.create_string_buffer(size + 1)
    done = ZSTD.ZSTD_decompress(to, ctypes.c_size_t(size + 1), frame, ctypes.c_size_t(len(frame)))
    need(done == size, f"a frame of {size} bytes has {done}")
    return to.raw[:size]


def lists_of(frame, size, count):
    """Of numbers; the sizes of all are in front of them."""
    numbers = Numbers(unpack(frame, size))
    sizes = [numbers.next() for _ in range(count)]
    lists, place = [], numbers.place
    for each in sizes:
        lists.append(collections.deque(decode(numbers.data[place:place + each])))
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
        last[tid] = [before + unfold(counted.popleft()) & NOT_KNOWN
                     for before, counted in zip(last.get(tid, (0, 0, 0, 0)), lists[3:7])]
        call, cpu, state = unfold(calls.popleft()), cpus.popleft(), states.popleft()
        yield Look(time, tid, chr(state) if state else "-", WHYS[whys.popleft()],
                   "-" if call == -2 else call, "-" if cpu == 0x7fff else cpu,
                   *("-" if count == NOT_KNOWN else count for count in last[tid]))
    need(not any(lists), "numbers are left")


def read_mpi_calls(content):
    n, time, size = head_of(content, CHUNK_MOST)
    times, lengths, calls, who, new = lists = lists_of(content[24:], size, 5)
    tids = Tids(new)
    for _ in range(n):
        time += times.popleft()
        yield time, lengths.popleft(), tids.of(who.popleft()), "MPI_" + MPI[calls.popleft() - 1]
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
            need(s.tid not in self.where or self.lost,
                 f"{s}: it is on processor {self.where.get(s.tid)} already")
            self.where[s.tid], self.since[s.tid] = s.cpu, s.time
        elif s.kind in ("sleeps", "ready"):
            self.left[s.tid, s.kind] += 1
            if s.tid in self.where:
                need(self.where.pop(s.tid) == s.cpu, f"{s}: it is not there")
                self.running[s.tid] += s.time - self.since[s.tid]
        elif s.kind == "died" and s.tid in self.where:  # it ends where it runs
            del self.where[s.tid]
            self.running[s.tid] += s.time - self.since[s.tid]

    def show(self):
        for tid in sorted(set(self.running) | {tid for tid, _ in self.left}):
            print("sums", tid, self.running[tid], self.left[tid, "sleeps"], self.left[tid, "ready"])


class Reader:
    """Prints one chunk after the other."""

    def __init__(self):
        self.sums, self.counts, self.before = Sums(), collections.Counter(), 0

    def read(self, kind, content):
        show = {b"WTCH": self.watch, b"SWCH": self.switches, b"LOOK": self.looks,
                b"NAME": self.names, b"MARK": self.marks, b"MPIC": self.mpi_calls}
        if kind in show:
            self.counts[kind, "bytes"] += len(content)
            show[kind](content)

    @staticmethod
    def watch(content):
        how, refused, rate, reasons, time = struct.unpack_from("<IIIIQ", content)
        if how:
            print("watch", HOW[how], refused, rate, REASONS[reasons], time)
        else:
            print("unwatched", content[24:].decode())

    def switches(self, content):
        for s in read_switches(content):
            need(s.time >= self.before, f"{s}: a switch at {self.before} stands in front of it")
            self.before = s.time
            self.counts[b"SWCH"] += 1
            self.sums.add(s)
            print("switch", *s)

    def looks(self, content):
        for look in read_looks(content):
            self.counts[b"LOOK"] += 1
            print("look", *look)

    @staticmethod
    def names(content):
        need(len(content) % 32 == 0, "bad names")
        for time, tid, name in struct.iter_unpack("<QI20s", content):
            print("name", time, tid, text(name))

    @staticmethod
    def marks(content):
        need(len(content) % 64 == 0, "bad marks")
        for time, tid, _, mark in struct.iter_unpack("<QII48s", content):
            print("mark", time, tid, text(mark))

    @staticmethod
    def mpi_calls(content):
        for call in read_mpi_calls(content):
            print("mpi", *call)


def bytes_of(profile):
    """The file of times of a profile: beside it, or in its sidecar."""
    beside = profile + ".bbs"
    if os.path.exists(beside):
        with open(beside, "rb") as file:
            return file.read()
    _, found = chunks.read(profile + ".bbx", b"bbprof\r\n")
    times = chunks.of_kind(found, b"STRM")
    need(len(times) == 1, f"{profile}.bbx: {len(times)} files of times")
    return times[0]


def extract(profile):
    data = bytes_of(profile)
    with open(profile + ".bbs", "wb") as file:
        file.write(data)


def main(profile):
    _, found = chunks.parse(profile, bytes_of(profile), b"bbsampl\n")
    reader = Reader()
    for kind, content in found:
        reader.read(kind, content)
    for count, cause in chunks.losses(found):
        print("lost", count, cause)
    reader.sums.show()
    print("bytes", *(reader.counts[key] for kind in (b"SWCH", b"LOOK")
                     for key in (kind, (kind, "bytes"))))


if __name__ == "__main__":
    try:
        if sys.argv[1] == "--extract":
            extract(sys.argv[2])
        else:
            main(sys.argv[1])
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
