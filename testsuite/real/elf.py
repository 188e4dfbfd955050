# SPDX-License-Identifier: GPL-3.0-or-later
"""An instrumented ELF file as the judges see it: symbols, instructions, and the plugin's block map (bbprof-abi.h).

All addresses are those of link time.  The readers here share nothing with bbprof's own.
"""

import bisect
import dataclasses
import functools
import os
import re
import struct
import subprocess

ARCS = 1  # flag of a function in the map: its calls and entries are arcs
CALLS = 16  # number of calls in a block's shape


class Unreadable(Exception):
    pass


@dataclasses.dataclass
class Block:
    address: int
    calls: list  # (point, kind) of each
    targets: list  # addresses of the blocks that it leads to


@dataclasses.dataclass
class Function:
    entry: int
    flags: int
    blocks: list


class Program:
    """The ELF file: symbols, block map and instructions, all by link-time address."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise Unreadable(f"{path}: not a 64-bit little endian ELF file")
        self.path = os.path.realpath(path)
        self.entry = struct.unpack_from("<Q", self.data, 24)[0]
        self._read_sections()
        self._read_functions()
        self.map = self._read_map()
        self.blocks = sorted({block.address for function in self.map for block in function.blocks})

    def _read_sections(self):
        table, = struct.unpack_from("<Q", self.data, 40)
        size, number, names = struct.unpack_from("<HHH", self.data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, table + i * size) for i in range(number)]
        strings = headers[names][4]
        self.sections = {}
        self.end = max(header[3] + header[5] for header in headers)
        for header in headers:
            end = self.data.index(b"\0", strings + header[0])
            self.sections[self.data[strings + header[0]:end].decode()] = header

    def section(self, name):
        """Address and bytes of a section; no bytes if there is none."""
        if name not in self.sections:
            return 0, b""
        _, _, _, address, offset, size = self.sections[name][:6]
        return address, self.data[offset:offset + size]

    def _read_functions(self):
        _, symbols = self.section(".symtab")
        _, names = self.section(".strtab")
        found = {}
        for name, info, _, index, value, size in struct.iter_unpack("<IBBHQQ", symbols):
            if info & 15 in (2, 10) and index != 0:
                text = names[name:names.index(b"\0", name)].decode(errors="replace")
                if value not in found or found[value][0] < size:
                    found[value] = (size, text)
        self.starts = sorted(found)
        self.functions = found

    def function(self, address):
        """Start of the function that holds an address, or None."""
        place = bisect.bisect_right(self.starts, address) - 1
        if place < 0:
            return None
        start = self.starts[place]
        return start if address < start + max(self.functions[start][0], 1) else None

    def name(self, address):
        start = self.function(address)
        if start is None:
            return f"{address:#x}"
        distance = f"+{address - start:#x}" if address != start else ""
        return f"{self.functions[start][1]}{distance} ({address:#x})"

    def block(self, address):
        """Start of the block that holds an address, if its function is in the map; or None.  A function's first block
        may begin behind the prologue, which is taken for a part of it."""
        start = self.function(address)
        place = bisect.bisect_right(self.blocks, address) - 1
        for block in self.blocks[max(place, 0):place + 2]:
            if start is not None and self.function(block) == start:
                return block
        return None

    @functools.cached_property
    def _listing(self):
        """(address, length, mnemonic and operands) of each instruction."""
        listing = subprocess.run(["objdump", "-d", "-w", self.path],
                                 stdout=subprocess.PIPE, text=True, errors="replace", check=True).stdout
        return [(int(address, 16), len(code) // 3, text) for address, code, text in
                re.findall(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t?(.*)$", listing, re.M)]

    @functools.cached_property
    def text(self):
        """Address -> mnemonic and operands."""
        return {address: text for address, _, text in self._listing}

    @functools.cached_property
    def after(self):
        return {address: address + length for address, length, _ in self._listing}

    @functools.cached_property
    def before(self):
        return {following: address for address, following in self.after.items()}

    @functools.cached_property
    def _calls(self):
        """Addresses of the calls that the source asks for."""
        ours = re.compile(r"<(__bb_|_?mcount|__fentry__|__mcount_internal)")
        return [address for address, _, text in self._listing if re.search(r"\bcall\b", text) and not ours.search(text)]

    def calls_between(self, start, end):
        return bisect.bisect_left(self._calls, start) != bisect.bisect_left(self._calls, end)

    @functools.cached_property
    def returning_twice(self):
        """Blocks with calls that may return more often than they are made."""
        twice = re.compile(r"\bcall\b.*<\w*(setjmp|vfork|getcontext)")
        return {self.block(address) for address, _, text in self._listing if twice.search(text)}

    def is_call(self, address):
        return re.search(r"\bcall\b", self.text.get(address, "")) is not None

    def jump_target(self, address):
        """Target of a direct jump, conditional or not; None for everything else."""
        match = re.match(r"(?:bnd |notrack )?j\w+\s+([0-9a-f]+) ", self.text.get(address, ""))
        return int(match[1], 16) if match else None

    def is_repeated(self, address):
        return re.match(r"rep", self.text.get(address, "")) is not None

    def _read_map(self):
        """The functions of the plugin's map, as bbprof-abi.h describes it."""
        address, section = self.section("bbprof_map")
        functions = []
        place = 0
        while place < len(section):
            text, _, cold, size = struct.unpack_from("<iiiI", section, place)
            numbers = Numbers(section[place + 16:place + 16 + size])
            try:
                functions.append(read_function(numbers, address + place + text, address + place + 8 + cold))
            except IndexError:
                raise Unreadable(f"{self.path}: bbprof_map is damaged at offset {place:#x}") from None
            if any(numbers.rest()):
                raise Unreadable(f"{self.path}: bbprof_map has too much at offset {place:#x}")
            place += 16 + size
        return functions


class Numbers:
    """Unsigned LEB128."""

    def __init__(self, data):
        self.data = data
        self.place = 0

    def next(self):
        value = shift = 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def rest(self):
        return self.data[self.place:]


def read_function(numbers, entry, cold_start):
    count, cold, flags = numbers.next(), numbers.next(), numbers.next()
    blocks, targets = [], []
    here = entry
    for n in range(count):
        here = (cold_start if n and n == count - cold else here) + numbers.next()
        calls, point = [], here
        for _ in range(numbers.next() // CALLS):
            point += numbers.next()
            calls.append((point, numbers.next()))
        blocks.append(Block(here, calls, []))
        targets.append([numbers.next() // 2 for _ in range(numbers.next())])
    for block, numbers_of_targets in zip(blocks, targets):
        block.targets = [blocks[n].address for n in numbers_of_targets]
    return Function(entry, flags, blocks)
