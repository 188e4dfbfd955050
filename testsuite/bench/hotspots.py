#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the largest costs of counting: the instructions that it adds to each function, and the
counters with the most executions.

    hotspots.py --build FOLDER PROGRAM [FLAG...]

PROGRAM is one of testsuite/real; FLAGs are further flags for the plugin.

The program does its first job twice under callgrind, plain and with bbprof; so the figures are
exact, without effects of caches and of parallel execution in the processor.
"""

import argparse
import collections
import os
import re
import subprocess
import sys

import bench  # which knows where the readers are
from readers.callgrind import Callgrind
from readers.elf import Program

SHOWN = 20


def instructions(folder, name, source, job, size):
    """The program, and how often each instruction of it was executed."""
    subprocess.run([bench.PROGRAM, "prepare", name, source, job, size], cwd=folder, check=True)
    program = os.path.join(folder, name)
    command = ["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--compress-strings=no",
               "--compress-pos=no",
               "--callgrind-out-file=callgrind.out", program]
    subprocess.run([bench.PROGRAM, "run", name, job, size, *command], cwd=folder,
                   stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    read = Program(program)
    return read, Callgrind(os.path.join(folder, "callgrind.out"), read).executions


def by_function(program, counts):
    functions = collections.Counter()
    for address, count in counts.items():
        start = program.function(address)
        if start is not None:
            functions[program.functions[start][1].split(".")[0]] += count
    return functions


def is_counter(text):
    return re.match(r"(lock )?(inc|add)q? .*<(__start_bbprof_counts|\.LPBX)|(lock )?incq\s+%gs:",
                    text) is not None


def main():
    parser = argparse.ArgumentParser(description="Where counting costs most.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("program", help="one of testsuite/real/programs")
    parser.add_argument("flags", nargs=argparse.REMAINDER, help="more flags for the plugin")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    work, cache = bench.folders(build)
    name = arguments.program
    source = subprocess.check_output([bench.PROGRAM, "source", cache, name], text=True).strip()
    job = subprocess.check_output([bench.PROGRAM, "jobs", name], text=True).split()[0]
    size = subprocess.check_output([bench.PROGRAM, "size", name, "test"], text=True).strip()
    measured = {}
    for variant in bench.variants(build):
        if variant.name in ("plain", "ours"):
            folder = bench.new_folder(work, "hotspots", name, variant.name)
            flags = " ".join([f"-O2 {variant.flags}",
                              *(arguments.flags if variant.name == "ours" else [])])
            subprocess.run([bench.PROGRAM, "build", name, source, flags, variant.link], cwd=folder,
                           check=True,
                           stdout=subprocess.DEVNULL)
            measured[variant.name] = instructions(folder, name, source, job, size)
    plain, ours = (by_function(*measured[which]) for which in ("plain", "ours"))
    rows = [[function, f"{plain[function]:,}", f"{ours[function] - plain[function]:,}",
             f"{ours[function] / plain[function]:.2f}"]
            for function in sorted(plain, key=lambda function: plain[function]
                                   - ours[function])[:SHOWN]]
    total, more = sum(plain.values()), sum(ours[function] - plain[function] for function in plain)
    rows.append(["all of the program", f"{total:,}", f"{more:,}", f"{1 + more / total:.2f}"])
    bench.table("Instructions", ["", "plain", "added", "ratio"], rows)
    program, counts = measured["ours"]
    counters = [address for address in counts if is_counter(program.text.get(address, ""))]
    rows = [[program.name(address), f"{counts[address]:,}"]
            for address in sorted(counters, key=counts.get, reverse=True)[:SHOWN]]
    bench.table("Counters", ["", "executed"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
