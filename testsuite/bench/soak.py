#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs soak.c, round after round, and compares every profile of it and its children with their own
counts.

    soak.py --build FOLDER [--seconds N] [--round N] [--seed N]

Prints one line for each round; ends with status 1 at the first profile that is not exact, and
keeps its files.
"""

import argparse
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import time

import bench

LIBRARY = """
__attribute__ ((noipa)) static void inner (void) { __asm__ volatile (""); }
void use (long n, void (*back) (void)) { for (long i = 0; i < n; i++) { inner (); back (); } }
"""
COUNTED = ["f", "handled", "back", "inner"]


class Wrong(Exception):
    pass


def compile_soak(build, folder):
    flags = ["-O1", "-g", "-pg", f"-fplugin={build}/gcc-plugin/bbprof.so"]
    subprocess.run(["gcc", *flags, f"{bench.HERE}/soak.c", f"{build}/runtime/libbbprof.a",
                    "-pthread", "-Wl,--export-dynamic",
                    "-o", "soak"], cwd=folder, check=True)
    for n in range(3):
        name = f"library{n}"
        with open(os.path.join(folder, name + ".c"), "w") as file:
            file.write(LIBRARY)
        subprocess.run(["gcc", *flags, "-fPIC", "-shared", name + ".c", "-o", name + ".so"],
                       cwd=folder, check=True)


def counts(profile):
    """{function: calls} of a gmon.out, by readers.profile; refuses a profile with lost calls."""
    lines = bench.reader("profile", profile)
    if lines.returncode:
        raise Wrong(f"{profile}: {lines.stderr}")
    found = dict.fromkeys(COUNTED, 0)
    for line in lines.stdout.splitlines():
        kind, *words = line.split(" ")
        if kind == "arc":
            name = words[1].partition(":")[2]
            if name in found:
                found[name] += int(words[2])
        elif kind == "lost" and "calls" in line and words[0] != "0":
            raise Wrong(f"{profile}: {line}")
    return found


def read_truth(text):
    return {name: int(n) for name, n in (line.split() for line in text.splitlines())}


def compare(profile, truth):
    found = counts(profile)
    for name in COUNTED:
        if found[name] != truth.get(name, 0):
            raise Wrong(f"{profile}: {name} was called {truth.get(name, 0)} times, counted"
                        f" {found[name]}")


def compare_child(folder):
    with open(os.path.join(folder, "truth")) as file:
        compare(os.path.join(folder, "gmon.out"), read_truth(file.read()))
    shutil.rmtree(folder)


def play(folder, seconds, seed):
    """One round: returns the number of each action."""
    got = subprocess.run(["./soak", str(seconds), str(seed)], cwd=folder, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE,
                         text=True, timeout=seconds + 120)
    if got.returncode or got.stderr:
        raise Wrong(f"status {got.returncode}, {got.stderr!r}")
    truth = read_truth(got.stdout)
    compare(os.path.join(folder, "gmon.out"), truth)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compare_child,
                      [os.path.join(folder, f"child.{n}") for n in range(truth["children"])]))
    os.remove(os.path.join(folder, "gmon.out"))
    left = [name for name in os.listdir(folder) if name.endswith(".tmp")
            or name.startswith("gmon.out.") and name != "gmon.out.bbx"]
    if left:
        raise Wrong(f"left behind: {left}")
    return truth


def main():
    parser = argparse.ArgumentParser(description="Threads, forks, libraries, signals, exec, all at"
                                                 " once; exact.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--seconds", type=int, default=1800, help="for how long (default 1800)")
    parser.add_argument("--round", type=int, default=60, help="seconds of a round (default 60)")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000),
                        help="of the first round")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    folder = bench.new_folder(bench.folders(build)[0], "soak")
    compile_soak(build, folder)
    end = time.monotonic() + arguments.seconds
    seed = arguments.seed
    while (left := end - time.monotonic()) > 0:
        try:
            done = play(folder, max(1, min(arguments.round, round(left))), seed)
        except (Wrong, OSError, subprocess.TimeoutExpired) as error:
            print(f"seed {seed}: {error} (see {folder})")
            return 1
        print(f"seed {seed}: {done['f']:,} calls in {done['threads']:,} threads,"
              f" {done['handled']:,} signals, "
              f"{done['loads']:,} loads, {done['children']:,} children: all exact;"
              f" {max(0, end - time.monotonic()):.0f} s left",
              flush=True)
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
