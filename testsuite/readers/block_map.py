# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the section bbprof_map, which describes the blocks and their counters
(include/bbprof-abi.h)."""

import dataclasses
import struct

from readers import Unreadable
from readers.leb128 import Numbers

HEAD = struct.Struct("<iiiI")  # of a record
# Flags of a function: its calls and entries are arcs; it has zones; distances have four bytes.
ARCS, ZONES, WIDE = 1, 8, 16
# The shape of a block: its execution is counted; control comes from outside, goes there, may stay
# in the first segment; how many calls it has.
BLOCK_COUNTED, IN, OUT, LEAVES, CALLS = 1, 2, 4, 8, 16
# The flags of a zone: a branch is recorded; a jump belongs to it; it, or its place, is in the cold
# part.
RECORDED, JUMPS, COLD, COLD_PLACE = 1, 2, 4, 8
# The kind of a call: coming back is counted; it ends the block; it is a jump to another function.
CALL_COUNTED, FINAL, TAIL = 1, 2, 4


@dataclasses.dataclass
class Block:
    address: int
    shape: int
    calls: list  # (point, kind) of each
    targets: list  # addresses of the blocks that it leads to
    ways: list  # (number of the block that it leads to, whether that is counted) of each


@dataclasses.dataclass
class Function:
    entry: int
    flags: int
    counters: int  # address of the first one
    blocks: list
    zones: list  # (address, bytes, address of the place, flags) of each


def read(address, section, path):
    """The functions of the section at ADDRESS."""
    functions, place = [], 0
    while place < len(section):
        text, counters, cold, size = HEAD.unpack_from(section, place)
        here = address + place
        numbers = Numbers(section[place + HEAD.size:place + HEAD.size + size])
        try:
            function = _function(numbers, here + text, here + 4 + counters, here + 8 + cold)
            rest = _zones(function, numbers.rest(), here + 8 + cold)
        except (Unreadable, IndexError):
            raise Unreadable(f"{path}: bbprof_map is damaged at offset {place:#x}") from None
        if any(rest):
            raise Unreadable(f"{path}: bbprof_map has too much at offset {place:#x}")
        functions.append(function)
        place += HEAD.size + size
    return functions


def _function(numbers, entry, counters, cold_start):
    count, cold, flags = numbers.next(), numbers.next(), numbers.next()
    distance = numbers.word if flags & WIDE else numbers.next
    blocks, here = [], entry
    for n in range(count):
        here = (cold_start if n and n == count - cold else here) + distance()
        shape, calls, point = numbers.next(), [], here
        for _ in range(shape // CALLS):
            point += distance()
            calls.append((point, numbers.next()))
        ways = [divmod(numbers.next(), 2) for _ in range(numbers.next())]
        blocks.append(Block(here, shape, calls, [], ways))
    for block in blocks:
        block.targets = [blocks[number].address for number, _ in block.ways]
    return Function(entry, flags, counters, blocks, [])


def _zones(function, rest, cold_start):
    """Reads the zones at the end of the bytes REST; what is left in front of them."""
    if not function.flags & ZONES:
        return rest
    size, = struct.unpack_from("<I", rest, len(rest) - 4)
    numbers = Numbers(rest[len(rest) - 4 - size:len(rest) - 4])
    while any(numbers.rest()):
        begin, length, place, flags = (numbers.next() for _ in range(4))
        function.zones.append(((cold_start if flags & COLD else function.entry) + begin, length,
                               (cold_start if flags & COLD_PLACE else function.entry) + place,
                               flags))
    return rest[:len(rest) - 4 - size]
