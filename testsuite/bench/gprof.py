#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares bbprof-gprof with the installed gprof: CPU time and memory, on real programs and on
huge made-up ones.

    gprof.py --build FOLDER [--runs N] [--cases small,50k,...] [--options -l,-s]
             [--limit SECONDS] [--json FILE]

Prints a table, decides nothing.  The runs are interleaved, each figure is a median.  A run of more
than LIMIT seconds is ended, and its program is not run again in that case.
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys

from bench import PROGRAM, folders, new_folder, say  # which knows where the readers are
from readers import elf, write

BYTES = 16  # of a made-up function
OUTPUT_MOST = 1 << 30


def make_program(folder, functions):
    """An executable of so many functions, f0 f1 ..., without debug information; the address of
    the first."""
    source, program = os.path.join(folder, "program.s"), os.path.join(folder, "program")
    with open(source, "w", encoding="ascii") as file:
        file.write(f".section .note.GNU-stack,\"\"\n.text\n.p2align 4\n.globl _start\n_start:"
                   f" .skip {BYTES}, 0x90\n")
        for i in range(functions):
            file.write(f".globl f{i}\n.type f{i}, @function\nf{i}: .skip {BYTES}, 0x90\n")
    subprocess.run(["gcc", "-nostdlib", "-static", source, "-o", program], check=True)
    return next(symbol.address for symbol in elf.nm(program) if symbol.name == "f0")


def make_profile(folder, first, functions, arcs, samples=10000):
    """gmon.out: the arcs are pairs of numbers of functions."""
    low, high = first, first + BYTES * functions
    bins = bytearray((high - low) // 2 // 2 * 2)
    draw = random.Random(1)
    for _ in range(samples):
        bins[2 * draw.randrange(len(bins) // 2)] = 1 + draw.randrange(200)
    with open(os.path.join(folder, "gmon.out"), "wb") as file:
        form = write.Gmon()
        file.write(form.header() + form.histogram(low, high, bins, 100))
        for caller, callee in arcs:
            file.write(form.arc(first + BYTES * caller + 9, first + BYTES * callee + 4, 1
                                + draw.randrange(1000)))


def random_arcs(functions, arcs):
    """Each function calls some later ones: no cycles."""
    draw = random.Random(2)
    for _ in range(arcs):
        caller = draw.randrange(functions - 1)
        yield caller, draw.randrange(caller + 1, functions)


def ring(functions):
    return ((i, (i + 1) % functions) for i in range(functions))


def chain(functions):
    return ((i, i + 1) for i in range(functions - 1))


def star(functions):
    return ((i, functions - 1) for i in range(functions - 1))


# Name: what it is, functions, arcs.
MADE_UP = {
    "50k": ("50,000 symbols, 100,000 arcs", 50000, lambda n: random_arcs(n, 100000)),
    "200k": ("200,000 symbols, 1,000,000 arcs", 200000, lambda n: random_arcs(n, 1000000)),
    "star": ("a function with 1,000,000 callers", 1000001, star),
    "ring": ("a cycle of 50,000", 50000, ring),
    "chain": ("a chain 1,000,000 deep", 1000000, chain),
}


def made_up(folder, name):
    _, functions, arcs = MADE_UP[name]
    make_profile(folder, make_program(folder, functions), functions, arcs(functions))
    return os.path.join(folder, "program")


def small(folder):
    """A program of one function, as much as a start costs."""
    source = os.path.join(folder, "program.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("int main (void) { return 0; }\n")
    subprocess.run(["gcc", "-O2", "-pg", source, "-o", os.path.join(folder, "program")], check=True)
    subprocess.run(["./program"], cwd=folder, check=True)
    return os.path.join(folder, "program")


def real(folder, name, cache):
    """A real program with debug information, and the profile of its first job, whatever its exit
    status."""
    def do(*words, check=True):
        done = subprocess.run([PROGRAM, *words], cwd=folder, check=check, stdout=subprocess.PIPE,
                              text=True)
        return done.stdout.split()
    source = do("source", cache, name)[-1]
    do("build", name, source, "-O2 -pg", "-pg")
    job = do("jobs", name)[0]
    do("prepare", name, source, job, "1")
    program = os.path.join(folder, name)
    do("run", name, job, "1", program, check=False)
    return program


def run(command, folder, limit):
    """Seconds of CPU, and kilobytes of memory; null if it had to be ended."""
    def restrict():
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_MOST, OUTPUT_MOST))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    with open(os.path.join(folder, "output"), "wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.DEVNULL,
                                   preexec_fn=restrict)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (usage.ru_utime + usage.ru_stime, usage.ru_maxrss) if process.returncode == 0 else None


def compare(folder, program, options, tools, runs, limit):
    """For each tool the medians, or null."""
    measured = {tool: [] for tool in tools}
    given_up = set()
    for _ in range(runs):
        for tool, results in measured.items():
            if tool in given_up:
                continue
            result = run([*tools[tool], "-b", *options, program, "gmon.out"], folder, limit)
            if result is None:
                given_up.add(tool)
            else:
                results.append(result)
    return {tool: [statistics.median(column) for column in zip(*results)] if results
            and tool not in given_up else None
            for tool, results in measured.items()}


def show(what, medians, limit):
    def cell(result):
        if not result:
            return f"   more than {limit} s, or failed"
        return f"{result[0]:9.3f} s {result[1] / 1024:7.0f} MiB"
    theirs, ours = medians["gprof"], medians["bbprof-gprof"]
    ratio = f"{theirs[0] / ours[0]:9.1f}" if theirs and ours else ""
    print(f"{what:36} {cell(theirs):>25} {cell(ours):>25} {ratio}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cases", default=",".join(["small", "lua", "sqlite", *MADE_UP]))
    parser.add_argument("--options", default="-l,-s",
                        help="variants of real programs beside the default reports")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--json")
    options = parser.parse_args()
    tools = {"gprof": [shutil.which("gprof") or sys.exit("needs gprof (Debian: binutils)")],
             "bbprof-gprof": [os.path.join(os.path.abspath(options.build), "gprof-compat",
                                           "bbprof-gprof"), "--gnu"]}
    work, cache = folders(os.path.abspath(options.build))
    found = {}
    print(f"{'':36} {'gprof':>25} {'bbprof-gprof':>25} {'times':>9}")
    for name in options.cases.split(","):
        say(f"{name}: making it")
        folder = new_folder(work, "gprof", name)
        program = (small(folder) if name == "small" else made_up(folder, name) if name in MADE_UP
                   else real(folder, name, cache))
        variants = [[], *([word] for word in options.options.split(",")
                          if word)] if name not in MADE_UP else [[]]
        for words in variants:
            what = " ".join([MADE_UP[name][0] if name in MADE_UP else name, *words])
            found[what] = compare(folder, program, words, tools, options.runs, options.limit)
            show(what, found[what], options.limit)
        shutil.rmtree(folder)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"format": "bbprof-bench-gprof", "version": 1, "limit": options.limit,
                       "results": found}, file, indent=1)


if __name__ == "__main__":
    main()
