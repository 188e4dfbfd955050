# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a sidecar, gmon.out.bbx."""

import atexit
import collections
import os
import struct
import tempfile

from readers import chunks, elf, leb128, need

HAS_MAP = 4  # flag of an object


class Object:
    def __init__(self, content):
        (self.base, self.start, self.end, _, _, self.bias, self.loads, self.flags, ids, paths) = \
            struct.unpack_from("<QQQQQQIIII", content)
        need(len(content) == 64 + ids + paths and content[-1] == 0, "bad object")
        self.id = content[64:64 + ids]
        self.path = content[64 + ids:-1].decode()
        self.name = os.path.basename(self.path)
        self.has_map = bool(self.flags & HAS_MAP)
        self.file = self.path
        self._symbols = None

    def holds(self, address):
        """Whether the virtual address is in it."""
        return self.start <= address - self.base < self.end

    def symbol(self, address):
        """Value and name of the symbol at a link-time address."""
        if self._symbols is None:
            self._symbols = elf.CodeSymbols(self.file)
        return self._symbols.find(address) or (self.start, "?")

    def function(self, address):
        return f"{self.name}:{self.symbol(address)[1]}"

    def place(self, address):
        return f"{self.function(address)}+{address - self.symbol(address)[0]}"


def file_of(image):
    """A file with these bytes, as long as this process lives."""
    file, path = tempfile.mkstemp()
    atexit.register(os.unlink, path)
    with open(file, "wb") as out:
        out.write(image)
    return path


def edges(content):
    """{(from, to): count} of a list of edges."""
    numbers = leb128.decode(content)
    need(len(numbers) % 3 == 0, "torn edges")
    found, source = collections.Counter(), 0
    for first, second, count in zip(*[iter(numbers)] * 3):
        source += leb128.unfold(first)
        found[source, source + leb128.unfold(second)] += count
    return found


class Sidecar:
    def __init__(self, path):
        self.run, self.chunks = chunks.read(path, b"bbprof\r\n")
        need(self.chunks[0].kind == b"RUN ", "no run")
        self.moment = struct.unpack_from("<Q", self.chunks[0].content, 8)[0] & 0xFFFFFFFE
        self.process, = struct.unpack_from("<I", self.chunks[0].content, 24)
        self.objects = [Object(content) for content in self.of(b"OBJ ")]
        for content in self.of(b"IMG "):
            base, = struct.unpack_from("<Q", content)
            of_base, = [item for item in self.objects if item.base == base]
            of_base.file = file_of(content[8:])
        self.lost = chunks.losses(self.chunks)
        self.edges = edges(b"".join(self.of(b"EDGE")))

    def of(self, kind):
        """The contents of the chunks of a kind."""
        return chunks.of_kind(self.chunks, kind)
