# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads an instrumented ELF file: symbols, instructions, and the plugin's block map.

All addresses are those of link time.
"""

import bisect
import collections
import functools
import os
import re
import struct
import subprocess

from readers import Unreadable, block_map

Symbol = collections.namedtuple("Symbol", "address size kind name")  # size 0: not known

# By processor, as objdump shows them: calls, and direct jumps with their targets.
CALLS = {62: re.compile(r"\bcall\b"), 183: re.compile(r"blr?\b"),
         243: re.compile(r"jalr?\s+(?:(?:ra|t0),|[0-9a-f]|\w+$)")}
JUMPS = {62: re.compile(r"(?:bnd |notrack )?j\w+\s+(?:([0-9a-f]+) )?"),
         183: re.compile(r"(?:b|br|b\.\w+|cbn?z|tbn?z)\s(?:.*?\b([0-9a-f]+) <)?"),
         243: re.compile(r"(?:j|jr|b\w+)\s(?:.*?\b([0-9a-f]+) <)?")}
OBJDUMPS = {62: "objdump", 183: "aarch64-linux-gnu-objdump", 243: "riscv64-linux-gnu-objdump"}


def nm(path, *options):
    """The symbols that nm finds in a file of any class, in its order."""
    text = subprocess.run(["nm", "-S", *options, path], capture_output=True, text=True,
                          errors="surrogateescape").stdout
    return [Symbol(int(address, 16), int(size or "0", 16), kind, name) for address, size, kind, name
            in re.findall(r"^([0-9a-f]+) (?:([0-9a-f]+) )?(\S) (.*)$", text, re.M)]


def values(path, *options):
    """The address of each symbol, by its name."""
    return {symbol.name: symbol.address for symbol in nm(path, *options)}


def numbers(path):
    """How a file of any class writes its numbers, by the letters of struct: order, pointer."""
    with open(path, "rb") as file:
        ident = file.read(6)
    return ">" if ident[5] == 2 else "<", "I" if ident[4] == 1 else "Q"


class CodeSymbols:
    """Which symbol of code an address has."""

    def __init__(self, path):
        self.symbols = sorted((symbol.address, symbol.name) for options in ([], ["-D"])
                              for symbol in nm(path, "--defined-only", *options)
                              if symbol.kind in "tTwWi") if os.path.exists(path) else []

    def find(self, address):
        """Value and name of the last symbol up to an address, or None."""
        place = bisect.bisect(self.symbols, (address, "\x7f")) - 1
        return self.symbols[place] if place >= 0 else None


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
        self.map = block_map.read(*self.section("bbprof_map"), path)
        self.blocks = sorted({block.address for function in self.map for block in function.blocks})

    def _read_sections(self):
        table, = struct.unpack_from("<Q", self.data, 40)
        size, number, names = struct.unpack_from("<HHH", self.data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, table + i * size)
                   for i in range(number)]
        strings = headers[names][4]
        self.sections = {}
        self.end = max(header[3] + header[5] for header in headers)
        for header in headers:
            end = self.data.index(b"\0", strings + header[0])
            self.sections[self.data[strings + header[0]:end].decode()] = header

    @functools.cached_property
    def low(self):
        """The address of the ELF header."""
        table, = struct.unpack_from("<Q", self.data, 32)
        size, number = struct.unpack_from("<HH", self.data, 54)
        loads = [struct.unpack_from("<IIQQ", self.data, table + i * size) for i in range(number)]
        return next(address - offset for kind, _, offset, address in loads if kind == 1)

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
        """Start of the block that holds an address, if its function is in the map; or None.  A
        function's first block may begin behind the prologue, which is taken for a part of it."""
        start = self.function(address)
        place = bisect.bisect_right(self.blocks, address) - 1
        for block in self.blocks[max(place, 0):place + 2]:
            if start is not None and self.function(block) == start:
                return block
        return None

    @functools.cached_property
    def _listing(self):
        """(address, length, mnemonic and operands) of each instruction."""
        objdump = OBJDUMPS[self.processor]
        listing = subprocess.run([objdump, "-d", "-w", self.path], stdout=subprocess.PIPE,
                                 text=True, errors="replace", check=True).stdout
        return [(int(address, 16), len(code.replace(" ", "")) // 2, text)
                for address, code, text in
                re.findall(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2,8} )+) *\t?(.*)$", listing, re.M)]

    @functools.cached_property
    def processor(self):
        """The number in the file's header."""
        with open(self.path, "rb") as file:
            return struct.unpack_from("<H", file.read(20), 18)[0]

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
        return [address for address, _, text in self._listing
                if CALLS[self.processor].search(text) and not ours.search(text)]

    def calls_between(self, start, end):
        return bisect.bisect_left(self._calls, start) != bisect.bisect_left(self._calls, end)

    @functools.cached_property
    def returning_twice(self):
        """Blocks with calls that may return more often than they are made."""
        twice = re.compile(r"<\w*(setjmp|vfork|getcontext)")
        return {self.block(address) for address, _, text in self._listing
                if CALLS[self.processor].search(text) and twice.search(text)}

    def is_call(self, address):
        return CALLS[self.processor].search(self.text.get(address, "")) is not None

    def is_jump(self, address):
        return JUMPS[self.processor].match(self.text.get(address, "")) is not None

    def jump_target(self, address):
        """Target of a direct jump, conditional or not; None for everything else."""
        match = JUMPS[self.processor].match(self.text.get(address, ""))
        return int(match[1], 16) if match and match[1] else None

    def is_repeated(self, address):
        return re.match(r"rep", self.text.get(address, "")) is not None
