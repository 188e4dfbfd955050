#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the stacks of a recorded program, by the words of doc/file-format.md and with nothing of bbprof's own readers:

    stacks.py gmon.out

    how SAMPLER CLOCK ASKED RATE TICKS SAMPLES CUT WALL-SECONDS CPU-SECONDS [arcs]
    thread NUMBER TICKS CPU-SECONDS NAME
    stack TICKS THREAD-NUMBER;OUTERMOST;...;INNERMOST
    self FUNCTION TICKS              that ended in it
    total FUNCTION TICKS             whose stack has it, once for each
    lost COUNT CAUSE

Thread 4294967295 is those that nobody has told of.  A frame is FILE:FUNCTION, or [read] for a system call, [kernel], [anonymous],
[cut]; FILE is the last part of the object's path.
Everything is checked on the way: checksums, numbers of nodes, sums.
"""

import collections
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from profile import Object, need, read_sidecar  # noqa: E402

OTHERS = 0xffffffff
CODE, INTERRUPTED, THREAD, CUT, SYSCALL, KERNEL, ANONYMOUS = range(7)
Node = collections.namedtuple("Node", "parent kind address ticks")


def unfold(number):
    return -(number + 1 >> 1) if number & 1 else number >> 1


def numbers_of(content):
    value = shift = 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0
    need(shift == 0, "torn numbers")


def read_nodes(content):
    """The nodes by number, from 1."""
    many, = struct.unpack_from("<Q", content)
    fields, nodes, address = list(numbers_of(content[8:])), [None], 0
    need(len(fields) == 4 * many, f"{len(fields)} numbers of {many} nodes")
    for up, kind, moved, ticks in zip(*[iter(fields)] * 4):
        own = len(nodes)
        need(0 < up <= own, f"node {own}: bad parent")
        need(kind <= ANONYMOUS, f"node {own}: kind {kind}")
        address = address + unfold(moved) & (1 << 64) - 1
        parent = own - up
        need((parent == 0) == (kind == THREAD), f"node {own}: a thread that is no root, or a root that is none")
        need(parent == 0 or nodes[parent].kind not in (SYSCALL, KERNEL), f"node {own}: called by the kernel")
        nodes.append(Node(parent, kind, address, ticks))
    return nodes


def system_calls():
    found = {}
    text = subprocess.run(["gcc", "-E", "-dM", "-include", "asm/unistd.h", "-x", "c", "/dev/null"], capture_output=True, text=True).stdout
    for name, number in re.findall(r"^#define __NR_(\w+) (\d+)$", text, re.M):
        found[int(number)] = name
    return found


class Stacks:
    def __init__(self, path):
        _, chunks = read_sidecar(path + ".bbx")
        self.objects = [Object(content) for kind, content in chunks if kind == b"OBJ "]
        trees = [content for kind, content in chunks if kind == b"CTX "]
        need(len(trees) == 1, f"{len(trees)} trees")
        self.nodes = read_nodes(trees[0])
        self.threads = {fields[0]: (fields[4] / 1e9, fields[5].split(b"\0")[0].decode("ascii", "replace"))
                        for fields in (struct.unpack_from("<IIQQQ16s", content) for kind, content in chunks if kind == b"THRD")}
        self.how = [struct.unpack_from("<16sIIIIIIQQQQQ", content) for kind, content in chunks if kind == b"HOW "]
        lost = b"".join(content for kind, content in chunks if kind == b"LOST")
        self.lost = [(count, cause.rstrip(b"\0").decode()) for count, cause in struct.iter_unpack("<Q56s", lost)]
        ticks = sum(node.ticks for node in self.nodes[1:])
        need(ticks == sum(how[7] for how in self.how), f"{ticks} ticks in the tree, {[how[7] for how in self.how]} by the head")
        self.calls, self.names = system_calls(), {}

    def code(self, address):
        if address not in self.names:
            self.names[address] = "?"
            for item in self.objects:
                if item.start <= address - item.base < item.end:
                    self.names[address] = item.function(address - item.base)
        return self.names[address]

    def frame(self, node, inner):
        """INNER: this is the instruction that was interrupted, not the one that a call will return to."""
        if node.kind in (CODE, INTERRUPTED):
            return self.code(node.address - (node.kind == CODE and not inner))
        if node.kind == THREAD:
            need(node.address == OTHERS or node.address in self.threads, f"thread {node.address} is not known")
            return str(node.address)
        if node.kind == SYSCALL:
            return f"[{self.calls.get(node.address, node.address)}]"
        return {CUT: "[cut]", KERNEL: "[kernel]", ANONYMOUS: "[anonymous]"}[node.kind]

    def path(self, number):
        """Of the stack that ends in a node: its frames, the outermost first."""
        frames, inner = [], True
        while number:
            node = self.nodes[number]
            frames.append(self.frame(node, inner))
            inner &= node.kind in (SYSCALL, KERNEL)
            number = node.parent
        return tuple(reversed(frames))

    def show(self):
        for how in self.how:
            name = how[0].rstrip(b"\0").decode()
            print("how", name, ("cpu", "wall")[how[1]], how[2], how[3], how[7], how[8], how[9], f"{how[10] / 1e9:.4f}", f"{how[11] / 1e9:.4f}",
                  *(["arcs"] if how[5] & 1 else []))
        stacks = collections.Counter()
        for number, node in enumerate(self.nodes[1:], 1):
            if node.ticks:
                stacks[self.path(number)] += node.ticks
        own, total, by_thread = collections.Counter(), collections.Counter(), collections.Counter()
        for frames, ticks in stacks.items():
            own[frames[-1]] += ticks
            by_thread[int(frames[0])] += ticks
            for name in set(frames[1:]):
                total[name] += ticks
        for number, (cpu, name) in sorted(self.threads.items()):
            print("thread", number, by_thread[number], f"{cpu:.4f}", name)
        for what, counter in ("self", own), ("total", total):
            for name, ticks in sorted(counter.items()):
                print(what, name, ticks)
        for frames, ticks in sorted(stacks.items()):
            print("stack", ticks, ";".join(frames))
        for count, cause in self.lost:
            print("lost", count, cause)


if __name__ == "__main__":
    Stacks(sys.argv[-1]).show()
