#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the memory that profiling takes, and the time at start and end, for a program of
SQLite's size.

    memory.py --build FOLDER [--runs N]

Prints tables, decides nothing.  Memory is PSS: its private memory, and its part of shared memory.
"""

import argparse
import glob
import os
import statistics
import subprocess
import sys
import time

import bench

THREADS = 100


def compile_all(chosen, work, cache):
    """SQLite's shell, and memory.c with SQLite, in all variants: {name: folder}."""
    source = subprocess.check_output([bench.PROGRAM, "source", cache, "sqlite"], text=True).strip()
    folders = {}
    for variant in chosen:
        bench.say(f"sqlite: compiling {variant.name}")
        folder = bench.new_folder(work, "memory", variant.name)
        with open(os.path.join(folder, "log"), "wb") as log:
            steps = [
                [bench.PROGRAM, "build", "sqlite", source, f"-O2 {variant.flags}", variant.link],
                ["gcc", "-O2", *variant.flags.split(), f"-I{source}",
                 f"-I{bench.HERE}/../../runtime",
                 f"{bench.HERE}/memory.c", "sqlite3.o", "-o", "memory", "-lm", "-lpthread",
                 *variant.link.split()],
            ]
            for step in steps:
                if bench.run(step, folder, log)[0]:
                    sys.exit(f"memory.py: cannot compile {variant.name}, see {folder}/log")
        folders[variant.name] = folder
    return folders


def measure(folder, what, threads, runs):
    """Medians: PSS in KiB, ms of a dump."""
    got = [subprocess.check_output(["./memory", what, str(threads)], cwd=folder, text=True).split()
           for _ in range(runs)]
    return [statistics.median(float(line[i]) for line in got) for i in (0, 1)]


def measure_threads(folders, runs):
    """{name: (KiB of one thread, of all, KiB that an idle thread adds, ms of a dump of one, of
    all)}."""
    results = {}
    for name, folder in folders.items():
        (one, dump_one), (many, dump_many) = (measure(folder, "busy", threads, runs)
                                              for threads in (1, THREADS))
        (idle_one, _), (idle_many, _) = (measure(folder, "idle", threads, runs)
                                         for threads in (1, THREADS))
        results[name] = one, many, (idle_many - idle_one) / (THREADS - 1), dump_one, dump_many
    return results


def measure_start(folders, runs):
    """Milliseconds of a run that does nothing, {name: median}; interleaved."""
    times = {name: [] for name in folders}
    for _ in range(10 * runs):
        for name, folder in folders.items():
            # Replacing a file takes longer than making it.
            for file in glob.glob(os.path.join(folder, "gmon.out*")):
                os.remove(file)
            begin = time.perf_counter()
            subprocess.run(["./sqlite", "-batch", ":memory:", "SELECT 1"], cwd=folder,
                           stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, check=True)
            times[name].append((time.perf_counter() - begin) * 1e3)
    return {name: statistics.median(ms) for name, ms in times.items()}


def main():
    parser = argparse.ArgumentParser(description="What profiling costs in memory, and at start and"
                                                 " end.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default 5)")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    work, cache = bench.folders(build)
    chosen = [variant for variant in bench.variants(build)
              if variant.name in ["plain", "-pg", "arcs", "blocks", "ours"]]
    folders = compile_all(chosen, work, cache)
    threads = measure_threads(folders, arguments.runs)
    start = measure_start(folders, arguments.runs)

    plain = threads["plain"]
    rows = []
    for name, (one, many, idle, dump_one, dump_many) in threads.items():
        rows.append([name, f"{one / 1024:.1f}", f"{many / 1024:.1f}",
                     f"{(many - plain[1]) / 1024:.1f}",
                     f"{idle - plain[2]:.1f}", f"{dump_one:.2f}", f"{dump_many:.2f}",
                     f"{start[name]:.2f}",
                     f"{start[name] - start['plain']:.2f}"])
    bench.table(f"Memory (PSS) with 1 and {THREADS} threads, what a thread that does nothing adds,"
                f" dumps, and a run that does "
                "nothing",
                ["", "1, MiB", f"{THREADS}, MiB", "added, MiB", "idle, KiB", "dump 1, ms",
                 f"dump {THREADS}, ms",
                            "start + end, ms", "added, ms"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
