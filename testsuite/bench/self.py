#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what the functions of bbprof.h cost in a program of 1, 10 and 100 threads, compiled with
the plugin, and with -pg alone.

    self.py --build FOLDER [--runs N]

Prints microseconds of a call: the median of 301 calls, and of the runs; decides nothing.
"""

import argparse
import os
import statistics
import subprocess
import tempfile

import bench

THREADS = [1, 10, 100]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--runs", type=int, default=5)
    o = parser.parse_args()
    plugin = f"-fplugin={o.build}/gcc-plugin/bbprof.so"
    variants = {"plugin": ["-pg", plugin], "-pg alone": ["-pg"]}
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        for variant, flags in variants.items():
            subprocess.run(["gcc", "-O2", "-g", *flags, f"-I{bench.HERE}/../../include",
                            os.path.join(bench.HERE, "self.c"), f"{o.build}/runtime/libbbprof.a",
                            "-pthread", "-o", "self"], cwd=folder, check=True)
            for threads in THREADS * o.runs:
                got = subprocess.run(["./self", str(threads)], cwd=folder, check=True,
                                     capture_output=True, text=True, timeout=300)
                for line in got.stdout.splitlines():
                    name, nanoseconds = line.split("\t")
                    times.setdefault((variant, name), {}).setdefault(threads, []).append(
                        int(nanoseconds) / 1000)
    print("microseconds of a call" + " " * 18 + "".join(f"{n:10}" for n in THREADS) + " threads")
    for (variant, name), columns in times.items():
        print(f"{variant:10} {name:38}"
              + "".join(f"{statistics.median(columns[n]):10.2f}" for n in THREADS))


if __name__ == "__main__":
    main()
