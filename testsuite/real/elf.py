# SPDX-License-Identifier: GPL-3.0-or-later
"""An instrumented ELF file as the judges see it: symbols, instructions, and the plugin's block map (bbprof-abi.h).

All addresses are those of link time.  The readers here share nothing with bbprof's own.
"""

import bisect
import functools
import os
import re
import struct
import subprocess

BY_CALLS = 0x80000000  # the first block of a stretch is counted by its function's arcs


class Unreadable(Exception):
    pass


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
        self.ranges = self._read_map()
        self.blocks = sorted({block for blocks in self.ranges for block in blocks})

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

    def is_call(self, address):
        return re.search(r"\bcall\b", self.text.get(address, "")) is not None

    def jump_target(self, address):
        """Target of a direct jump, conditional or not; None for everything else."""
        match = re.match(r"(?:bnd |notrack )?j\w+\s+([0-9a-f]+) ", self.text.get(address, ""))
        return int(match[1], 16) if match else None

    def is_repeated(self, address):
        return re.match(r"rep", self.text.get(address, "")) is not None

    def _read_map(self):
        """The plugin's block map: a list of blocks' addresses for each stretch of code."""
        address, section = self.section("bbprof_map")
        place = 0
        ranges = []
        while place < len(section):
            text, _, blocks, following = struct.unpack_from("<iiII", section, place)
            blocks &= ~BY_CALLS
            block = address + place + text
            if blocks == 0 or place + 16 + following > len(section):
                raise Unreadable(f"{self.path}: bbprof_map is damaged at offset {place:#x}")
            here = [block]
            at = place + 16
            for _ in range(blocks - 1):
                shift = distance = 0
                while True:
                    byte = section[at]
                    at += 1
                    distance |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                block += distance
                here.append(block)
            if at > place + 16 + following:
                raise Unreadable(f"{self.path}: bbprof_map is damaged at offset {place:#x}")
            place += 16 + following
            ranges.append(here)
        return ranges
