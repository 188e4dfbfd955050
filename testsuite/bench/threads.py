#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of sampling for a program of very many threads: wall time of
sample/many-threads.c under each sampler and clock, over that of the plain run.

    threads.py --build FOLDER [--threads N] [--milliseconds N] [--runs N]

The variants take turns; medians, and ratios to the plain run.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time

import bench

SAMPLERS = [("itimer", "cpu"), ("thread", "cpu"), ("perf", "cpu"), ("ticker", "wall"),
            ("thread", "wall")]


def seconds(command, folder):
    start = time.monotonic()
    got = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if got.returncode != 3:
        raise SystemExit(f"{' '.join(command)}: status {got.returncode}: {got.stderr}")
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--threads", type=int, default=5000)
    parser.add_argument("--milliseconds", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=7)
    o = parser.parse_args()
    program = ["./many", str(o.threads), str(o.milliseconds)]
    variants = {"plain": program}
    for sampler, clock in SAMPLERS:
        variants[f"{sampler} {clock}"] = [f"{o.build}/tools/bbprof", "record", "--sampler",
                                          sampler, "--clock", clock, *program]
    times = {name: [] for name in variants}
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(bench.HERE, "..", "sample", "many-threads.c")
        subprocess.run(["gcc", "-O1", "-g", "-pthread", source, "-o", "many"], cwd=folder,
                       check=True)
        for _ in range(o.runs):
            for name, command in variants.items():
                times[name].append(seconds(command, folder))
    print(f"{o.threads} threads that wait {o.milliseconds} ms: seconds, over the plain run")
    plain = statistics.median(times["plain"])
    for name, list_ in times.items():
        print(f"{name:12} {statistics.median(list_):8.3f} {statistics.median(list_) / plain:6.2f}")


if __name__ == "__main__":
    main()
