# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the stacks of a recorded program from the sidecar:

    python3 -m readers.stacks gmon.out

    how SAMPLER CLOCK ASKED RATE TICKS SAMPLES CUT WALL-SECONDS CPU-SECONDS [arcs]
    thread NUMBER TICKS CPU-SECONDS NAME
    stack TICKS THREAD-NUMBER;OUTERMOST;...;INNERMOST
    self FUNCTION TICKS              that ended in it
    total FUNCTION TICKS             whose stack has it, once for each
    lost COUNT CAUSE

Thread 4294967295 stands for threads that were sampled before or after they
were known.  A frame is FILE:FUNCTION, or [read] for a system call, [kernel], [anonymous], [cut],
kernel:FUNCTION; FILE is the last part of the object's path.  That of a language is
[LANGUAGE]:FUNCTION:FILE:LINE.  With languages:

    language NAME TICKS COLLECTING CUT LATE DELAYS MOST MISSED UNKNOWN UNLISTED
    function LANGUAGE NUMBER FIRST-LINE FILE NAME
"""

import collections
import re
import struct
import subprocess
import sys

from readers import leb128, need
from readers.sidecar import Sidecar

OTHERS = 0xffffffff
CODE, INTERRUPTED, THREAD, CUT, SYSCALL, KERNEL, ANONYMOUS, LANGUAGE, KERNEL_FUNCTION = range(9)
IN_KERNEL = (SYSCALL, KERNEL, KERNEL_FUNCTION)
BY_POINTER = 16  # added to the kind: the frame was found by the frame pointer
Node = collections.namedtuple("Node", "parent kind address ticks by_pointer")


def read_nodes(content):
    """The nodes by number, from 1."""
    many, = struct.unpack_from("<Q", content)
    fields, nodes, address = leb128.decode(content[8:]), [None], 0
    need(len(fields) == 4 * many, f"{len(fields)} numbers of {many} nodes")
    for up, kind, moved, ticks in zip(*[iter(fields)] * 4):
        own = len(nodes)
        need(0 < up <= own, f"node {own}: bad parent")
        by_pointer, kind = bool(kind & BY_POINTER), kind & ~BY_POINTER
        need(kind <= KERNEL_FUNCTION, f"node {own}: kind {kind}")
        need(not by_pointer or kind in (CODE, INTERRUPTED, ANONYMOUS),
             f"node {own}: kind {kind} found by the frame pointer")
        address = address + leb128.unfold(moved) & (1 << 64) - 1
        parent = own - up
        need((parent == 0) == (kind == THREAD),
             f"node {own}: a thread that is no root, or a root that is none")
        up_kernel = nodes[parent].kind in IN_KERNEL if parent else False
        need(not up_kernel or kind == KERNEL_FUNCTION, f"node {own}: called by the kernel")
        need(up_kernel or kind != KERNEL_FUNCTION, f"node {own}: the kernel's, in the program")
        nodes.append(Node(parent, kind, address, ticks, by_pointer))
    return nodes


def system_calls():
    """Name of each, by its number."""
    text = subprocess.run(["gcc", "-E", "-dM", "-include", "asm/unistd.h", "-x", "c", "/dev/null"],
                          capture_output=True, text=True).stdout
    return {int(number): name for name, number
            in re.findall(r"^#define __NR_(\w+) (\d+)$", text, re.M)}


def fnv1a(text):
    value = 0xcbf29ce484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return value


def read_thread(content):
    """Number, seconds of CPU time, name."""
    number, _, _, _, cpu, name = struct.unpack_from("<IIQQQ16s", content)
    return number, (cpu / 1e9, name.split(b"\0")[0].decode("ascii", "replace"))


def read_language(content):
    """Name, counts."""
    fields = struct.unpack_from("<16s9Q", content)
    return fields[0].split(b"\0")[0].decode(), fields[1:]


def read_function(content):
    """Number; language, first line, file, name."""
    number, language, line, _ = struct.unpack_from("<4I", content)
    name, file, end = content[16:].split(b"\0", 2)
    need(number and name and not end, f"function {number} of a language")
    return number, (language, line, file.decode(), name.decode())


class Stacks:
    def __init__(self, path):
        sidecar = Sidecar(path + ".bbx")
        self.objects, self.lost = sidecar.objects, sidecar.lost
        trees = sidecar.of(b"CTX ")
        need(len(trees) == 1, f"{len(trees)} trees")
        self.nodes = read_nodes(trees[0])
        names = b"".join(sidecar.of(b"KSYM")).split(b"\0")[:-1]
        self.kernel = {fnv1a(name) >> 8: name.decode() for name in names}
        self.threads = dict(read_thread(content) for content in sidecar.of(b"THRD"))
        self.languages = [read_language(content) for content in sidecar.of(b"LANG")]
        self.functions = dict(read_function(content) for content in sidecar.of(b"LFUN"))
        self.how = [struct.unpack_from("<16s6I5Q", content) for content in sidecar.of(b"HOW ")]
        ticks, said = sum(node.ticks for node in self.nodes[1:]), [how[7] for how in self.how]
        need(ticks == sum(said), f"{ticks} ticks in the tree, {said} by the head")
        self.calls, self.names = system_calls(), {}

    def code(self, address):
        if address not in self.names:
            self.names[address] = "?"
            for item in self.objects:
                if item.holds(address):
                    self.names[address] = item.function(address - item.base)
        return self.names[address]

    def frame(self, node, inner):
        """INNER: this is the instruction that was interrupted, not the one that a call will return
        to."""
        if node.kind in (CODE, INTERRUPTED):
            return self.code(node.address - (node.kind == CODE and not inner))
        if node.kind == THREAD:
            need(node.address == OTHERS or node.address in self.threads,
                 f"thread {node.address} is not known")
            return str(node.address)
        if node.kind == LANGUAGE:
            language, _, file, name = self.functions[node.address >> 32]
            return (f"[{self.languages[language - 1][0]}]:{name}:{file.rpartition('/')[2]}:"
                    f"{node.address & 0xffffffff}")
        if node.kind == SYSCALL:
            return f"[{self.calls.get(node.address, node.address)}]"
        if node.kind == KERNEL_FUNCTION:
            need(node.address in self.kernel, f"the kernel's function {node.address:x} has no name")
            return "kernel:" + self.kernel[node.address]
        return {CUT: "[cut]", KERNEL: "[kernel]", ANONYMOUS: "[anonymous]"}[node.kind]

    def path(self, number):
        """Of the stack that ends in a node: its frames, the outermost first."""
        frames, inner = [], True
        while number:
            node = self.nodes[number]
            frames.append(self.frame(node, inner))
            inner &= node.kind in (*IN_KERNEL, LANGUAGE)
            number = node.parent
        return tuple(reversed(frames))

    def ticks(self):
        """Of each stack, by its frames."""
        stacks = collections.Counter()
        for number, node in enumerate(self.nodes[1:], 1):
            if node.ticks:
                stacks[self.path(number)] += node.ticks
        return stacks


def show_how(how):
    name = how[0].rstrip(b"\0").decode()
    seconds = [f"{nanoseconds / 1e9:.4f}" for nanoseconds in how[10:12]]
    print("how", name, ("cpu", "wall")[how[1]], how[2], how[3], *how[7:10], *seconds,
          *(["arcs"] if how[5] & 1 else []))


def main(path):
    read = Stacks(path)
    for how in read.how:
        show_how(how)
    stacks = read.ticks()
    own, total, by_thread = (collections.Counter() for _ in range(3))
    for frames, ticks in stacks.items():
        own[frames[-1]] += ticks
        by_thread[int(frames[0])] += ticks
        for name in set(frames[1:]):
            total[name] += ticks
    for name, counts in read.languages:
        print("language", name, *counts)
    for number, (language, line, file, name) in sorted(read.functions.items()):
        print("function", read.languages[language - 1][0], number, line, file or "-", name)
    for number, (cpu, name) in sorted(read.threads.items()):
        print("thread", number, by_thread[number], f"{cpu:.4f}", name)
    for what, counter in ("self", own), ("total", total):
        for name, ticks in sorted(counter.items()):
            print(what, name, ticks)
    for frames, ticks in sorted(stacks.items()):
        print("stack", ticks, ";".join(frames))
    for count, cause in read.lost:
        print("lost", count, cause)


if __name__ == "__main__":
    main(sys.argv[1])
