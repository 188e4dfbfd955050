#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures bbprof report on many stacks of a program with much debug information, and addr2line on
the same addresses.

    stacks.py --build FOLDER [--stacks N] [--megabytes N] [--runs N] [--json FILE]

Prints a table, decides nothing.  The program is one unit of C++ templates, assembled again under
other names until the debug information is large enough; the stacks are random paths of its
functions.
"""

import argparse
import json
import os
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys

from bench import new_folder, say  # which knows where the readers are
from readers import elf, write
from readers.write import chunk, contexts

FUNCTIONS = 400  # of a unit
DEPTH = 60
RATE = 250

UNIT = """
namespace u000 {
template <int N> struct Base {
  long value = N;
  __attribute__ ((always_inline)) long more (long x) const { return x * N + value; }
};
template <int N, class T> struct Box : Base<N> {
  T first, second;
  enum Kind { small, large, other } kind = small;
  template <class F> T apply (F f) {
    T sum = first;
    for (T i = 0; i < second; i++) sum += f (i);
    return sum;
  }
};
template <int N> __attribute__ ((noinline)) long work (long x)
{
  Box<N, long> box; box.first = x; box.second = x & 7;
  Box<N + 10000, int> other; other.first = (int) x; other.second = 3;
  auto lambda = [&box] (long i) { return box.more (i) + N; };
  return box.apply (lambda) + other.apply ([] (int i) { return i * N; }) + box.kind;
}
%s
}
"""


def make_program(folder, megabytes):
    """Sections .debug_* of so many megabytes; the addresses and sizes of its functions."""
    path = lambda name: os.path.join(folder, name)
    calls = "\n".join(f"template long work<{i}> (long);" for i in range(FUNCTIONS))
    with open(path("unit.cc"), "w", encoding="ascii") as file:
        file.write(UNIT % calls)
    with open(path("main.cc"), "w", encoding="ascii") as file:
        file.write("int main () { return 0; }\n")
    subprocess.run(["g++", "-O1", "-g3", "-S", path("unit.cc"), "-o", path("unit.s")], check=True)
    subprocess.run(["g++", "-O1", "-g", "-c", path("main.cc"), "-o", path("main.o")], check=True)
    with open(path("unit.s"), encoding="utf-8") as file:
        text = file.read()
    objects, size = [path("main.o")], 0
    while size < megabytes << 20:
        name = f"u{len(objects):03d}"
        with open(path(name + ".s"), "w", encoding="utf-8") as file:
            file.write(text.replace("u000", name))
        subprocess.run(["as", path(name + ".s"), "-o", path(name + ".o")], check=True)
        os.unlink(path(name + ".s"))
        objects.append(path(name + ".o"))
        if len(objects) == 2:
            each = debug_bytes(objects[-1])
        size += each
    subprocess.run(["g++", *objects, "-o", path("program")], check=True)
    return [(symbol.address, symbol.size) for symbol in elf.nm(path("program"))
            if symbol.size and symbol.kind in "TtWwu" and re.match("_ZN.*4work", symbol.name)]


def debug_bytes(path):
    sections = subprocess.run(["size", "-A", path], check=True, stdout=subprocess.PIPE,
                              text=True).stdout
    return sum(int(line.split()[1]) for line in sections.splitlines() if line.startswith(".debug"))


def random_tree(functions, stacks):
    """Nodes (parent, address, ticks) of distinct paths, and all addresses.  Stacks share outer
    frames, as real ones do."""
    draw = random.Random(1)
    nodes, addresses = [(0, 1, 0)], set()
    ways = [[1]]
    for _ in range(stacks):
        way = draw.choice(ways)
        way = way[:draw.randrange(1, len(way) + 1)]
        for _ in range(draw.randrange(1, 1 + DEPTH // 4)):
            start, size = draw.choice(functions)
            address = start + draw.randrange(1, max(size, 2))
            nodes.append((way[-1], address, 0))
            addresses.add(address)
            way = way + [len(nodes)]
            if len(way) == DEPTH:
                break
        parent, address, ticks = nodes[way[-1] - 1]
        nodes[way[-1] - 1] = parent, address, ticks + 1 + draw.randrange(5)
        ways.append(way)
        if len(ways) > 1000:
            ways[draw.randrange(len(ways))] = ways.pop()
    return nodes, sorted(addresses)


def make_profile(folder, nodes, low, high):
    program = os.path.join(folder, "program").encode() + b"\0"
    ticks = sum(node[2] for node in nodes)
    low, high = low & ~3, (high + 3) & ~3
    bins = bytes((high - low) // 2 * 2)
    with open(os.path.join(folder, "gmon.out"), "wb") as file:
        form = write.Gmon()
        file.write(form.header(7) + form.histogram(low, high, bins, RATE))
    with open(os.path.join(folder, "gmon.out.bbx"), "wb") as file:
        file.write(write.header(b"bbprof\r\n", 7))
        file.write(chunk(b"RUN ",
                         struct.pack("<QQQIIIIQQ", 1700000000000000000, 10**9, 10**9, 100, 1, RATE,
                                     1, 1, ticks) + program))
        file.write(chunk(b"OBJ ",
                         struct.pack("<6Q4I", 0, 0, high + 4096, low, high, 0, 1, 1, 0,
                                     len(program)) + program))
        file.write(chunk(b"HOW ",
                         struct.pack("<16s6I5Q", b"thread", 0, RATE, RATE, 512, 0, 0, ticks, ticks,
                                     0, 10**9, 10**9)))
        file.write(chunk(b"THRD", struct.pack("<IIQQQ16s", 1, 100, 0, 0, 10**9, b"program")))
        file.write(chunk(b"CTX ",
                         contexts([(parent, 0 if parent else 2, *node)
                                   for parent, *node in nodes])))
        file.write(chunk(b"LOST", b"") + chunk(b"END ", b""))


def measure(command, stdin=None):
    """Seconds of CPU, and megabytes."""
    with open(os.devnull, "w", encoding="ascii") as null:
        process = subprocess.Popen(command, stdin=stdin, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"stacks.py: {command[0]}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--stacks", type=int, default=100000)
    parser.add_argument("--megabytes", type=int, default=120)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    folder = new_folder(os.path.join(arguments.build, "testsuite/bench/work"), "stacks")
    functions = make_program(folder, arguments.megabytes)
    program = os.path.join(folder, "program")
    nodes, addresses = random_tree(functions, arguments.stacks)
    make_profile(folder, nodes, min(f[0] for f in functions), max(sum(f) for f in functions))
    listed = os.path.join(folder, "addresses")
    with open(listed, "w", encoding="ascii") as file:
        file.writelines(f"{address:x}\n" for address in addresses)
    say(f"{len(functions)} functions, {debug_bytes(program) >> 20} MB of debug information;"
        f" {sum(n[2] > 0 for n in nodes)} stacks, "
        f"{len(nodes)} nodes, {len(addresses)} addresses")
    bbprof, profile = os.path.join(arguments.build,
                                   "tools/bbprof"), os.path.join(folder, "gmon.out")
    commands = {"bbprof report": [bbprof, "report", "--no-pager", program, profile],
                "bbprof report --tree": [bbprof, "report", "--tree", program, profile],
                "bbprof report --json": [bbprof, "report", "--json", "-n", "0", program, profile]}
    for tool in "addr2line", "eu-addr2line", "llvm-addr2line":
        if shutil.which(tool):
            commands[f"{tool} -f"] = [tool, "-f", "-e", program]
    results = {name: [] for name in commands}
    for _ in range(arguments.runs):
        for name, command in commands.items():
            with open(listed, encoding="ascii") as file:
                results[name].append(measure(command, file))
    for name, figures in results.items():
        say(f"{name:24} {statistics.median(f[0] for f in figures):8.2f} s"
            f" {max(f[1] for f in figures):8.0f} MB")
    if arguments.json:
        with open(arguments.json, "w", encoding="ascii") as file:
            json.dump(results, file)


if __name__ == "__main__":
    main()
