#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a profile and its sidecar as the run of a process with shared objects would.

    process.py PROFILE <description        writes PROFILE and PROFILE.bbx

The description, line by line:

    run NUMBER                         of both files (default 1)
    process PID                        that ran (default 4242)
    sidecar NUMBER                     of the sidecar, if that shall be another one
    object BASE PATH [BUILD-ID]        the executable first, with base 0; the build id if it shall
                                       not be the file's
    file NAME PATH                     where the object NAME's symbols are to be read, if not in
                                       the object itself
    samples OBJECT:PLACE COUNT         OBJECT: the path or its last part
    call OBJECT:PLACE OBJECT:PLACE COUNT
    block OBJECT:PLACE COUNT
    random SEED                        samples and calls at random
    loss COUNT CAUSE
    machine PROCESSORS PROCESSES SYSTEM PROCESSOR...
    unit NAME [OBJECT:PLACE COUNT]...  with tables of the historic layout
    names OBJECT:PLACE FUNCTION LINE FILE  of a block, as such tables have them; -: not known
    edge OBJECT:PLACE OBJECT:PLACE COUNT; 0: outside
    open THREAD LIST OBJECT:PLACE OBJECT:PLACE COUNT  by how much a count may be wrong; LIST: 0
                                       more, 1 fewer, 2 and 3 of edges
    old-open OBJECT:PLACE OBJECT:PLACE COUNT  as it was written before: calls, more or fewer
                                       (below 0)
    jump VARIANT OBJECT:PLACE OBJECT:PLACE COUNT; 0: outside
    word FLAGS NAME FILE [OBJECT:PLACE]...  of a selection; FILE -: any
    sampling NAME CLOCK DEPTH FLAGS CUT   how the stacks were taken; CLOCK: 0 of the CPU, 1 wall
    thread NUMBER TID NAME BEGUN ENDED CPU   that was sampled; in milliseconds
    stack THREAD TICKS FRAME...        the outermost first: OBJECT:PLACE; !OBJECT:PLACE interrupted
                                       by a signal handler; %NUMBER a system call; % in the kernel;
                                       @ADDRESS no object; &NUMBER:LINE a language's; ? not known.
                                       With its samples, and with
                                       FLAGS 1, if sampling stands before, with its calls
    language NAME COUNT...             an interpreter's, with up to nine counts of its chunk
    function NUMBER LANGUAGE LINE FILE NAME  of the language with this number, from 1
    chunk TYPE TEXT                    one of a kind that readers do not know
    version NUMBER                     of the sidecar
    no-run, no-losses, no-end          leave these chunks out

A PLACE is a symbol or an address in the object's file, +OFFSET behind it.
"""

import functools
import os
import re
import struct
import subprocess
import sys

from readers import elf, need, write
from readers.leb128 import encode, fold
from readers.stacks import ANONYMOUS, CODE, CUT, INTERRUPTED, KERNEL, LANGUAGE, SYSCALL, THREAD

RATE = 250
SECOND = 10**9
CALLS_ARE_TICKS = 1  # flag of sampling


def readelf(option, path):
    return subprocess.run(["readelf", option, path], capture_output=True, text=True,
                          errors="replace").stdout


class Object:
    def __init__(self, base, path, build_id, file):
        self.base, self.path, self.id, self.file = base, path, build_id, file
        if path.startswith("["):
            self.start, self.end, self.text_start, self.text_end = 0, 0x2000, 0, 0x1000
        else:
            self._describe()

    def _describe(self):
        """The program headers that say where it is, and its build id."""
        loads = [(int(address, 16), int(address, 16) + int(size, 16), flags)
                 for address, size, flags in re.findall(
                     r"^\s+LOAD\s+\S+\s+(\S+)\s+\S+\s+\S+\s+(\S+)\s+([RWE ]+?)\s+0x",
                     readelf("-lW", self.file), re.M)]
        self.start, self.end = min(load[0] for load in loads), max(load[1] for load in loads)
        self.text_start, self.text_end = [load[:2] for load in loads if "E" in load[2]][-1]
        if self.id is None:
            self.id = "".join(re.findall(r"Build ID: ([0-9a-f]+)", readelf("-nW", self.file)))

    @functools.cached_property
    def symbols(self):
        """Value of each, without what says its version."""
        return {re.split(r"[@\s]", symbol.name)[0]: symbol.address for symbol in elf.nm(self.file)}

    @functools.cached_property
    def functions(self):
        """Calls of labels are not for gprof -S, which takes every symbol for a function."""
        if self.path.startswith("["):
            return [0x100]
        found = re.findall(r"^\s*\d+:\s+([0-9a-f]+)\s+\S+\s+FUNC\s",
                           readelf("-sW", self.file), re.M)
        return [int(address, 16) for address in found]

    def chunk(self):
        build_id, path = bytes.fromhex(self.id or ""), zeroed(self.path)
        numbers = struct.pack("<6Q4I", self.base, self.start, self.end, self.text_start,
                              self.text_end, 0x7f0000000000, 1, self.base == 0, len(build_id),
                              len(path))
        return write.chunk(b"OBJ ", numbers + build_id + path)


class Process:
    """What the description says so far."""

    def __init__(self):
        self.run, self.pid, self.beside, self.version = 1, 4242, None, 1
        self.without = set()
        self.objects, self.by_name, self.symbols_of = [], {}, {}
        self.samples, self.calls, self.blocks, self.losses, self.chunks = [], [], [], [], []
        self.how, self.nodes, self.numbers, self.ticks = None, [], {}, 0

    def place(self, text):
        """The object, and the address in gmon.out, of OBJECT:PLACE."""
        match = re.match(r"([^:]+):([^+]+)(?:\+(\S+))?$", text)
        need(match, f"what is {text}?")
        name, symbol, offset = match.groups()
        need(name in self.by_name, f"no object {name}")
        item = self.by_name[name]
        value = int(symbol, 16) if symbol.startswith("0x") else item.symbols.get(symbol)
        need(value is not None, f"no symbol {symbol} in {name}")
        return item, value + item.base + int(offset or "0")

    def address(self, text):
        return 0 if text == "0" else self.place(text)[1]

    def edge(self, source, target, count):
        """The first one of a list."""
        start = self.address(source)
        return encode(2 * start, fold(self.address(target) - start), int(count) % (1 << 64))

    def frame(self, text):
        """Kind and address."""
        if text == "?":
            return CUT, 0
        if text == "%":
            return KERNEL, 0
        if text[0] == "%":
            return SYSCALL, int(text[1:])
        if text[0] == "@":
            return ANONYMOUS, int(text[1:], 16)
        if text[0] == "&":
            number, line = text[1:].split(":")
            return LANGUAGE, int(number) << 32 | int(line)
        if text[0] == "!":
            return INTERRUPTED, self.address(text[1:])
        return CODE, self.address(text)

    def enter(self, *key):
        """The number of the node of a frame (kind, address) beneath another one."""
        if key not in self.numbers:
            self.nodes.append([*key, 0])
            self.numbers[key] = len(self.nodes)
        return self.numbers[key]

    def add_object(self, base, path, build_id=None):
        last = path.split("/")[-1]
        item = Object(int(base, 0), path, build_id, self.symbols_of.get(last, path))
        self.by_name[path] = self.by_name[last] = item
        self.objects.append(item)

    def add_samples(self, place, count):
        self.samples.append((*self.place(place), int(count)))

    def add_stack(self, thread, ticks, *frames):
        """Each call of it counts once."""
        node, ticks, before, called = self.enter(0, THREAD, int(thread)), int(ticks), None, set()
        innermost = None
        for text in frames:
            kind, address = self.frame(text)
            node = self.enter(node, kind, address)
            if kind in (CODE, INTERRUPTED):
                if before and self.how and int(self.how[3]) & CALLS_ARE_TICKS:
                    called.add((before, address))
                before, innermost = address, text.removeprefix("!")
        self.calls += [(*call, ticks) for call in sorted(called)]
        self.nodes[node - 1][3] += ticks
        self.ticks += ticks
        if innermost:
            self.samples.append((*self.place(innermost), ticks))

    def add_random(self, seed):
        draw = write.Draw(int(seed))
        places = [(item, address + item.base) for item in self.objects
                  for address in sorted(item.functions)
                  if item.text_start <= address < item.text_end]

        def one():
            item, address = draw.one_of(places)
            return item, address + draw.below(6)

        for _ in range(60):
            self.samples.append((*one(), 1 + draw.below(300)))
            self.calls.append((one()[1], one()[1], 1 + draw.below(100000)))

    def add_call(self, caller, callee, count):
        self.calls.append((self.address(caller), self.address(callee), int(count)))

    def add_block(self, place, count):
        self.blocks.append((self.address(place), int(count)))

    def add_machine(self, processors, processes, system, *processor):
        name = " ".join(processor).encode()
        self.add_chunk("MACH", struct.pack("<72s48sII", system.encode(), name, int(processors),
                                           int(processes)))

    def add_loss(self, count, *cause):
        self.losses.append(struct.pack("<Q56s", int(count), " ".join(cause).encode()))

    def add_chunk(self, kind, content):
        self.chunks.append((kind.ljust(4)[:4].encode(), content))

    def add_unit(self, name, *blocks):
        counts = b"".join(struct.pack("<QQ", self.address(place), int(count))
                          for place, count in zip(blocks[::2], blocks[1::2]))
        number = len(blocks) // 2
        self.add_chunk("UNIT", struct.pack("<3Q", 0x1000, number, number) + counts + zeroed(name))

    def add_names(self, place, function, line, file):
        self.add_chunk("BLK", struct.pack("<QQ", self.address(place), int(line))
                       + known(function) + known(file))

    def add_word(self, flags, name, file, *functions):
        addresses = [self.address(function) for function in functions]
        self.add_chunk("SEL", struct.pack(f"<II{len(addresses)}Q", int(flags), len(addresses),
                                          *addresses) + zeroed(name) + known(file))

    def add_thread(self, number, tid, name, *times):
        self.add_chunk("THRD", struct.pack("<IIQQQ16s", int(number), int(tid),
                                           *(int(time) * 1000000 for time in times), name.encode()))

    def add_language(self, name, *counts):
        self.add_chunk("LANG", struct.pack("<16s9Q", name.encode(), *map(int, counts),
                                           *[0] * (9 - len(counts))))

    def add_function(self, number, language, line, file, name):
        self.add_chunk("LFUN", struct.pack("<4I", int(number), int(language), int(line), 0)
                       + zeroed(name) + zeroed(file))

    def add_open(self, thread, which, *edge):
        self.add_chunk("OPEN", struct.pack("<4I", 2, int(thread), int(which), 0) + self.edge(*edge))

    def add_jump(self, variant, *edge):
        self.add_chunk("JUMP", struct.pack("<II", int(variant), 0) + self.edge(*edge))

    def read(self, line):
        """A line of the description."""
        word, *words = line.split()
        if word in ("run", "process", "sidecar", "version"):
            attribute = {"process": "pid", "sidecar": "beside"}.get(word, word)
            setattr(self, attribute, int(words[0]))
        elif word == "file":
            self.symbols_of[words[0]] = words[1]
        elif word == "edge":
            self.add_chunk("EDGE", self.edge(*words))
        elif word == "old-open":
            self.add_chunk("OPEN", self.edge(*words))
        elif word == "chunk":
            self.add_chunk(words[0], " ".join(words[1:]).encode())
        elif word == "sampling":
            self.how = words
        elif word.startswith("no-"):
            self.without.add(word[3:])
        else:
            add = getattr(self, "add_" + word, None)
            need(add, f"what is {word}?")
            add(*words)

    def histogram(self, item):
        """Of an object; bins of two bytes."""
        low, high = item.text_start, item.text_end
        if item.base == 0:
            low = item.symbols.get("__executable_start", low)
            high = item.symbols.get("etext", high)
        low, high = (low & ~3) + item.base, (high + 3 & ~3) + item.base
        bins = [0] * ((high - low) // 2)
        for owner, address, count in self.samples:
            if owner is item and low <= address < high:
                bins[(address - low) // 2] += count
        return write.Gmon().histogram(low, high, bins, RATE)

    def gmon(self):
        form, sampled = write.Gmon(), {item for item, _, _ in self.samples}
        yield form.header(self.run)
        for item in self.objects:
            if item.base == 0 or item in sampled:
                yield self.histogram(item)
        for call in sorted(self.calls, key=lambda call: call[:2]):
            yield form.arc(*call)
        if self.blocks:
            yield form.blocks(self.blocks)

    def how_chunk(self):
        name, clock, depth, flags, cut = self.how
        return struct.pack("<16s6I5Q", name.encode(), int(clock), RATE, RATE, int(depth),
                           int(flags), 0, self.ticks, self.ticks, int(cut), 3 * SECOND, 2 * SECOND)

    def sidecar(self):
        yield write.header(b"bbprof\r\n", self.run if self.beside is None else self.beside,
                           self.version)
        if "run" not in self.without:
            numbers = struct.pack("<3Q4I2Q", 1700000000 * SECOND, 3 * SECOND, 2 * SECOND, self.pid,
                                  4241, RATE, 1, 3, 500)
            yield write.chunk(b"RUN ", numbers + zeroed(self.objects[0].path))
        for item in self.objects:
            yield item.chunk()
        if self.how:
            self.add_chunk("HOW", self.how_chunk())
        if self.nodes:
            self.add_chunk("CTX", write.contexts(self.nodes))
        for kind, content in self.chunks:
            yield write.chunk(kind, content)
        if "losses" not in self.without:
            yield write.chunk(b"LOST", b"".join(self.losses))
        if "end" not in self.without:
            yield write.chunk(b"END ", b"")


def zeroed(text):
    """With a zero behind it."""
    return os.fsencode(text) + b"\0"


def known(text):
    """Likewise; - is nothing."""
    return zeroed("" if text == "-" else text)


def main(path):
    process = Process()
    for line in sys.stdin:
        process.read(line)
    for suffix, parts in ("", process.gmon()), (".bbx", process.sidecar()):
        with open(path + suffix, "wb") as file:
            file.writelines(parts)


if __name__ == "__main__":
    main(sys.argv[1])
