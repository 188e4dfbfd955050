#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs sample/stress.cc and sample/goroutines.c under each sampler at 10 kHz, round after round:
the same results as without, no crash, no hang.

    stress.py --build FOLDER [--seconds N] [--rounds N] [--seed N]

Prints one line for each round; ends with status 1 at the first difference, and prints how to
reproduce it.
"""

import argparse
import os
import random
import subprocess
import sys
import time

import bench

SAMPLE = os.path.join(bench.HERE, "..", "sample")
LIBRARY = """
__attribute__ ((noipa)) static long inner (long n)
{{ long s = n; while (n--) s = s * 31 + n; return s; }}
long loaded (long n) {{ return inner (n) + {}; }}
"""
SAMPLERS = [("perf", "cpu"), ("thread", "wall"), ("ticker", "wall"), ("thread", "cpu"),
            ("itimer", "cpu")]


class Wrong(Exception):
    pass


def compile_all(folder):
    for number in (1, 2):
        subprocess.run(["gcc", "-O2", "-g", "-fPIC", "-shared", "-xc", "-", "-o",
                        f"libstress{number}.so"], cwd=folder, check=True, text=True,
                       input=LIBRARY.format(number))
    subprocess.run(["g++", "-O2", "-g", "-std=c++17", f"{SAMPLE}/stress.cc", "-pthread", "-ldl",
                    "-o", "stress"], cwd=folder, check=True)
    subprocess.run(["gcc", "-O2", "-g", f"{SAMPLE}/goroutines.c", "-pthread", "-o", "goroutines"],
                   cwd=folder, check=True)


def result(folder, command):
    got = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if got.returncode:
        raise Wrong(f"{' '.join(command)}: status {got.returncode}, {got.stderr!r}")
    return got.stdout


def ticks(folder):
    got = bench.reader("stacks", os.path.join(folder, "gmon.out"))
    if got.returncode:
        raise Wrong(f"the stacks cannot be read: {got.stderr!r}")
    return sum(int(line.split()[5]) for line in got.stdout.splitlines() if line.startswith("how "))


def play(build, folder, program):
    """One program without and with each sampler: ticks of each."""
    expected, done = result(folder, program), []
    for sampler, clock in SAMPLERS:
        record = [f"{build}/tools/bbprof", "record", "--quiet", "--sampler", sampler, "--clock",
                  clock, "-F", "10000", "-o", "gmon.out", "--"]
        if result(folder, record + program) != expected:
            raise Wrong(f"{' '.join(record + program)}: another result")
        done.append(ticks(folder))
    return done


def main():
    parser = argparse.ArgumentParser(description="Sampled programs compute the same.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--seconds", type=int, default=1800, help="for how long (default 1800)")
    parser.add_argument("--rounds", type=int, default=2000,
                        help="of a run of stress (default 2000)")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000),
                        help="of the first round")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    os.environ.update(LC_ALL="C", BBPROF_WRITER=f"{build}/collect/bbprof-writer",
                      BBPROF_LIBRARY=f"{build}/runtime/libbbprof.so")
    folder = bench.new_folder(bench.folders(build)[0], "stress")
    compile_all(folder)
    end, seed = time.monotonic() + arguments.seconds, arguments.seed
    while (left := end - time.monotonic()) > 0:
        try:
            done = play(build, folder,
                        ["./stress", str(arguments.rounds), str(seed)]), play(build, folder,
                                                                              ["./goroutines",
                                                                               "300000"])
        except (Wrong, subprocess.TimeoutExpired) as error:
            print(f"seed {seed}: {error} (see {folder})")
            return 1
        print(f"seed {seed}: ticks {done}; {left:.0f} s left", flush=True)
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
