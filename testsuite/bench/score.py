#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the prediction of `bbprof score` with measurements: a program with counters everywhere,
and without counters in the functions that `bbprof score` lists.

    score.py --build FOLDER [--runs N]

Prints a table, decides nothing.  The runs are interleaved, each figure is a median of user time.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tiny.c")
ROUNDS = "500000"
LIMIT = "20"


def user_seconds(program, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([program, ROUNDS], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def compile_program(name, folder, flags=(), link=()):
    program = os.path.join(folder, name)
    subprocess.run([os.environ.get("CC", "gcc"), "-O2", *flags, SOURCE, "-o", program, *link],
                   check=True)
    return program


def predict(build, program, folder):
    """The cost in percent; leaves the list of functions to be excluded in the folder."""
    user_seconds(program, folder)
    report = subprocess.run([f"{build}/tools/bbprof", "score", "--json",
                             f"--exclude-above={LIMIT}", "-o", "list", program],
                            cwd=folder, check=True, stdout=subprocess.PIPE)
    return json.loads(report.stdout)["total"]["cost_percent"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    plugin = ["-pg", f"-fplugin={options.build}/gcc-plugin/bbprof.so"]
    link = [f"{options.build}/runtime/libbbprof.a"]
    with tempfile.TemporaryDirectory() as folder:
        plain = compile_program("plain", folder)
        everything = compile_program("everything", folder, plugin, link)
        predicted = {everything: predict(options.build, everything, folder)}
        excluded = f"-fplugin-arg-bbprof-exclude=@{folder}/list"
        chosen = compile_program("chosen", folder, [*plugin, excluded], link)
        predicted[chosen] = predict(options.build, chosen, folder)
        times = {program: [] for program in (plain, everything, chosen)}
        for _ in range(options.runs):
            for program, measured in times.items():
                measured.append(user_seconds(program, folder))
        whole = statistics.median(times[plain])
        print(f"bbprof score, plain program {whole:.3f} s, {options.runs} runs")
        print(f"{'counters':>12} {'predicted':>10} {'measured':>10}")
        for program, cost in predicted.items():
            slower = 100 * (statistics.median(times[program]) / whole - 1)
            print(f"{os.path.basename(program):>12} {cost:9.1f}% {slower:9.1f}%")


main()
