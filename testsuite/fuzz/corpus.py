#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the initial corpus of the fuzzed readers: small files with every kind of content.

    corpus.py FOLDER        makes one folder in it for each reader
"""

import os
import struct
import sys

from readers import write
from readers.write import chunk


def gmon(order, pointer):
    form = write.Gmon(order, pointer)
    return (form.header() + form.histogram(0x1000, 0x1040, [0, 3, 65535] + [0] * 13, 100)
            + form.histogram(0x1000, 0x1040, [1] * 16, 100)
            + form.arc(0x1010, 0x1020, 7) + form.arc(0, 0x1020, 0xffffffff)
            + form.blocks([(0x1010, 5), (0x1020, 6)]))


def old_blocks():
    block = struct.pack("<QQ", 5, 0x1010) + b"file.c\0function\0" + struct.pack("<I", 12)
    return write.Gmon().header(version=0) + b"\2" + struct.pack("<I", 2) + b"names\0" + 2 * block


def bsd(order, pointer, rate=None):
    return write.Gmon(order, pointer).bsd(0x1000, 0x1010, [0, 3, 65535, 1], [(0x1004, 0x1008, 9)],
                                          rate)


def process_object(base, path, flags, build_id=b""):
    path += b"\0"
    return chunk(b"OBJ ",
                 struct.pack("<6Q4I", base, 0x1000, 0x3000, 0x1000, 0x2000, 0x7f0000000000, 1,
                             flags, len(build_id), len(path))
                 + build_id + path)


def sidecar(run=77):
    words = struct.pack("<IIQ", 1, 1, 0x1010) + b"name\0file.c\0"
    unit = struct.pack("<QQQQQ", 0x2000, 1, 1, 0x1010, 5) + b"file.c\0"
    return (write.header(b"bbprof\r\n", run)
            + chunk(b"RUN ",
                    struct.pack("<QQQIIIIQQ", 1700000000000000000, 5, 4, 100, 1, 100, 1, 2, 9)
                    + b"/bin/program\0")
            + process_object(0, b"/bin/program", 1, b"0123456789abcdefghij")
            + process_object(1 << 32, b"/lib/library.so", 0)
            + process_object(2 << 32, b"[vdso]", 2)
            + chunk(b"IMG ", struct.pack("<Q", 2 << 32) + b"\x7fELF")
            + chunk(b"EDGE", bytes([0x80, 0x40, 0x20, 5, 3, 4, 0x80, 1]))
            + chunk(b"JUMP", struct.pack("<II", 1, 0) + bytes([4, 5, 6]))
            + chunk(b"SEL ", words)
            + chunk(b"BLK ", struct.pack("<QQ", 0x1010, 12) + b"function\0file.c\0")
            + chunk(b"UNIT", unit)
            + chunk(b"HOW ",
                    struct.pack("<16s6I5Q", b"thread", 0, 250, 250, 512, 1, 0, 9, 9, 1, 5, 4))
            + chunk(b"THRD", struct.pack("<IIQQQ16s", 1, 100, 0, 5, 4, b"program"))
            + chunk(b"LANG", struct.pack("<16s9Q", b"python", 2, 1, 1, 2, 9, 8, 1, 3, 4))
            + chunk(b"LFUN", struct.pack("<4I", 3, 1, 10, 0) + b"f\0file.py\0")
            + chunk(b"CTX ", struct.pack("<Q", 6)
                    + bytes([1, 2, 2, 0, 1, 0, 0x9e, 0x40, 0, 1, 4, 0x9f, 0x40, 5, 3, 3, 0, 1, 1,
                             6, 2, 1, 4, 7, 0x96, 0x80, 0x80, 0x80, 0x60, 2]))
            + chunk(b"KSYM", b"vfs_read\0read_zero\0")
            + chunk(b"MACH", struct.pack("<72s48sII", b"Linux 6.1", b"Some Processor", 4, 1))
            + chunk(b"LOST", struct.pack("<Q56s", 3, b"ticks missed"))
            + chunk(b"NEW!", b"of a later version") + chunk(b"END ", b""))


def packed(kind, head, *lists):
    """HEAD, then the size of what follows: a frame of zstd's without compression."""
    data = bytes(len(l) for l in lists) + b"".join(lists)
    frame = (b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)])
             + struct.pack("<I", 1 | len(data) << 3)[:3] + data)
    return chunk(kind, head + struct.pack("<Q", len(data)) + frame)


def samples(thread, *lists):
    """Of two."""
    return (packed(b"FLAG", struct.pack("<II", 2, 0), bytes([0, 1]), bytes([0x46, 0x82, 4]))
            + packed(b"SMPL", struct.pack("<IIQQ", thread, 2, 1000, 3), *lists))


def watched():
    switches = [bytes(l)
                for l in ([0, 9, 5, 7, 3, 1], [3, 0, 9, 10, 13, 4], [1, 1, 2, 0, 77, 1], [20, 2])]
    looks = [bytes(l)
             for l in ([0, 4, 6], [0, 1, 0], [20, 2], [8, 0, 6], [0, 1, 2], [4, 1, 2], [0, 1, 0],
                       [1, 0, 0x94, 3], [0, 1, 0xff, 0xff, 1],
                                b"SRD", [1, 0, 8])]
    mark, name = struct.pack("<QII48s", 9, 10, 0, b"mark"), struct.pack("<QI20s", 5, 10, b"name")
    return (chunk(b"WTCH", struct.pack("<IIIIQ", 1, 0, 250, 2, 5))
            + chunk(b"WTCH", struct.pack("<IIIIQ", 2, 13, 1000, 1, 7))
            + chunk(b"WTCH", struct.pack("<IIIIQ", 0, 0, 0, 0, 0) + b"there is no process 7")
            + packed(b"SWCH", struct.pack("<IIQ", 6, 0, 1000), *switches)
            + packed(b"LOOK", struct.pack("<IIQ", 3, 0, 900), *looks)
            + packed(b"SWCH", struct.pack("<IIQ", 6, 0, 5), *switches) + chunk(b"NAME", 2 * name)
            + chunk(b"MARK", 2 * mark))


def stream(run=77):
    return (write.header(b"bbsampl\n", run)
            + samples(1, bytes([0x80, 0x7d]), bytes([3, 4]), bytes([1, 2]),
                      bytes([0, 0xff, 0xff, 2]))
            + samples(2, bytes([5]), bytes([3, 3]), bytes([1, 1]), bytes([0, 1]))
            + samples(1, bytes([7]), bytes([3, 3]), bytes([1, 1]), bytes([0, 1]))
            + watched()
            + chunk(b"LOST", struct.pack("<Q56s", 3, b"samples that found their ring full"))
            + chunk(b"END ", b""))


def jit_record(kind, time, body):
    return struct.pack("<IIQ", kind, 16 + len(body), time) + body


def jit_load(time, start, size, name):
    body = struct.pack("<IIQQQQ", 9, 9, start, start, size, 1) + name + b"\0\xc3"
    return jit_record(0, time, body)


def jitdump():
    lines = (struct.pack("<QQ", 0x2000, 2) + struct.pack("<QII", 0x2000, 10, 0) + b"/a.js\0"
             + struct.pack("<QII", 0x2004, 11, 0) + b"\xff\0")
    return (struct.pack("<6IQQ", 0x4a695444, 1, 40, 62, 0, 9, 5, 0) + jit_load(6, 0x1000, 32, b"f")
            + jit_record(2, 7, lines) + jit_load(8, 0x2000, 64, b"g") + jit_record(4, 8, b"unwind")
            + jit_record(1, 9, struct.pack("<IIQQQQQ", 9, 9, 0x3000, 0x1000, 0x3000, 32, 1))
            + jit_record(3, 10, b""))


corpus = {
    "generated": {"map": b"7f0000001000 20 LazyCompile:*f /a.js:1\n2000 30 two\n\n0x1 0 x\n"
                         b"3000 4 cut",
                  "jitdump": jitdump()},
    "gmon": {"new-64": gmon("<", "Q"), "new-32": gmon(">", "I"), "version-0": old_blocks(),
             "header": write.Gmon().header(),
             "bsd-64": bsd("<", "Q"), "bsd-32": bsd(">", "I"), "44bsd-64": bsd("<", "Q", 100),
             "44bsd-32": bsd(">", "I", 60)},
    "options": {"specs": b"-b -p -q'main' -Qfile.c:f \"-ZA\" -k a/b -n 12 -E f -F g -w 40 -t3 -m 2"
                         b" program gmon.out\n",
                "long": b"--brief --line --flat-profile=f --no-g --demangle=gnat --width=1"
                        b" --file-format=bsd -I a:b --sum -r\n"},
    "samples": {"whole": stream()},
    "sidecar": {"whole": sidecar()},
    "timeline": {"whole": stream()},
}

for reader, files in corpus.items():
    folder = os.path.join(sys.argv[1], reader)
    os.makedirs(folder)
    for name, content in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content)
