# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the frame that gmon.out.bbx, .bbs and .bbt have in common: a header, then chunks."""

import collections
import struct
import zlib

from readers import need

Chunk = collections.namedtuple("Chunk", "kind content")


def checksum(kind, content):
    return zlib.crc32(kind + struct.pack("<Q", len(content)) + content)


def places(data):
    """Kind, and first and last offset (the zeros behind it included), of each chunk."""
    place, = struct.unpack_from("<I", data, 12)
    while place < len(data):
        need(place + 16 <= len(data), "a chunk's head is torn")
        kind, _, length = struct.unpack_from("<4sIQ", data, place)
        end = place + 16 + (length + 7) // 8 * 8
        yield kind, place, end
        place = end


def read(path, magic):
    """The number of the run, and the chunks, of a file that is whole."""
    with open(path, "rb") as file:
        return parse(path, file.read(), magic)


def parse(path, data, magic):
    """The same, of the bytes of a file that PATH holds."""
    need(len(data) >= 24, f"{path}: no header")
    found, version, size, run = struct.unpack_from("<8sIIQ", data)
    need(found == magic and version == 1 and size >= 24 and run != 0, f"{path}: bad header")
    chunks, kind, end = [], b"", size
    for kind, start, end in places(data):
        _, crc, length = struct.unpack_from("<4sIQ", data, start)
        content = data[start + 16:start + 16 + length]
        need(len(content) == length, f"{path}: chunk {kind} is torn")
        need(checksum(kind, content) == crc, f"{path}: chunk {kind}: wrong checksum")
        chunks.append(Chunk(kind, content))
    need(end == len(data) and kind == b"END " and not chunks[-1].content, f"{path}: no end")
    return run, chunks


def of_kind(chunks, kind):
    """The contents of those of a kind."""
    return [chunk.content for chunk in chunks if chunk.kind == kind]


def losses(chunks):
    """(count, cause) of each."""
    found = []
    for content in of_kind(chunks, b"LOST"):
        for count, cause in struct.iter_unpack("<Q56s", content):
            need(cause[-1] == 0, "a cause without an end")
            found.append((count, cause.split(b"\0")[0].decode("utf-8", "replace")))
    return found
