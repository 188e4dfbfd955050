#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of sampling: CPU and wall time of real programs under `bbprof record' over
those without; also with perf and gperftools.

    record.py --build FOLDER [--runs N] [--programs lua,...] [--variants default,...] [--times N]
              [--starts N] [--json FILE]

The programs are not instrumented: plain -O2.  CPU time is that of the program and of the command
that samples it; the runs of all variants are interleaved, in an order that changes from round to
round; each figure is a median.  "again" is the plain program once more: noise.
Prints tables, decides nothing.
"""

import argparse
import glob
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

import bench

sys.path.insert(0, os.path.join(bench.HERE, ".."))
from readers import samples  # noqa: E402

PROGRAMS = ["lua", "sqlite", "bzip2"]


def variants(build):
    record = [f"{build}/tools/bbprof", "record", "--quiet", "-o", "gmon.out"]
    found = {
        "again": [],
        "default": [*record, "--"],
        "1k": [*record, "-F", "1000", "--"],
        "1k-pc": [*record, "-F", "1000", "--no-stacks", "--no-times", "--"],
        "10k": [*record, "-F", "10000", "--"],
        "wall-1k": [*record, "--sampler", "thread", "--clock", "wall", "-F", "1000", "--"],
        "ticker-1k": [*record, "--sampler", "ticker", "--clock", "wall", "-F", "1000", "--"],
    }
    if shutil.which("perf"):
        found["perf-997"] = ["perf", "record", "-q", "-F", "997", "-e", "cpu-clock", "-g", "-o",
                             "perf.data", "--"]
    gperftools = glob.glob("/usr/lib/*/libprofiler.so.0")
    if gperftools:
        found["gperftools"] = ["env", f"LD_PRELOAD={gperftools[0]}", "CPUPROFILE=gperftools.prof"]
    return found


def samples_of(build, folder):
    """Samples in the profile of a run, and bytes of its files; by the tests' own reader."""
    path = os.path.join(folder, "gmon.out")
    if not os.path.exists(path):
        return None
    text = subprocess.run([sys.executable, "-m", "readers.stacks", path], capture_output=True,
                          text=True, cwd=os.path.join(bench.HERE, "..")).stdout
    for line in text.splitlines():
        fields = line.split()
        if fields[0] == "how":
            times = len(samples.bytes_of(path))
            sizes = {"": os.path.getsize(path), ".bbx": os.path.getsize(path + ".bbx") - times,
                     "times": times}
            return {"sampler": fields[1], "rate": int(fields[4]), "ticks": int(fields[5]),
                    "samples": int(fields[6]), "cut": int(fields[7]), "bytes": sizes}
    return None


def measure_program(name, chosen, build, work, cache, runs, times):
    """{variant: {"cpu", "wall", "profile"}}, or None."""
    made = bench.real_program(name, work, cache, chosen, times)
    if not made:
        return None
    folder, command = made
    results, expected = {variant: {"cpu": [], "wall": []} for variant in chosen}, None
    for round_number in range(runs + 1):  # the first one warms up
        bench.say(f"{name}: round {round_number} of {runs}" if round_number
                  else f"{name}: warming up")
        for variant in random.sample(list(chosen), len(chosen)):
            status, cpu, wall = bench.run(command(chosen[variant]), os.path.join(folder, variant))
            expected = status if expected is None else expected
            if status != expected:
                bench.say(f"{name}: {variant} ended with status {status} instead of {expected}")
            if round_number:
                results[variant]["cpu"].append(cpu)
                results[variant]["wall"].append(wall)
    for variant, result in results.items():
        for what in "cpu", "wall":
            result[what] = statistics.median(result[what])
        result["profile"] = samples_of(build, os.path.join(folder, variant))
    return results


def measure_starts(chosen, work, starts):
    """Milliseconds of wall time that a program takes that does nothing, all runs of each variant,
    shortest first."""
    measured = {variant: [] for variant in chosen}
    folder = bench.new_folder(work, "start")
    for _ in range(starts):
        for variant in random.sample(list(chosen), len(chosen)):
            begin = time.monotonic()
            subprocess.run([*chosen[variant], "/bin/true"], cwd=folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            measured[variant].append(1000 * (time.monotonic() - begin))
    return {variant: sorted(values) for variant, values in measured.items()}


def print_ratios(title, what, results, chosen):
    names = [name for name in chosen if name != "plain"]
    rows = [[program, f"{result['plain'][what]:.2f} s",
             *(f"{result[name][what] / result['plain'][what]:.3f}" for name in names)]
            for program, result in results.items()]
    rows.append(["geometric mean", "",
                 *(format(bench.geomean([r[name][what] / r["plain"][what]
                                         for r in results.values()]), ".3f") for name in names)])
    bench.table(title, ["", "plain", *names], rows)


def print_profiles(results):
    rows = []
    for program, result in results.items():
        for variant, figures in result.items():
            profile = figures["profile"]
            if profile and profile["samples"]:
                sizes = profile["bytes"]
                rows.append([f"{program}, {variant}", profile["sampler"], str(profile["rate"]),
                             str(profile["ticks"]), str(profile["samples"]),
                             str(profile["cut"]),
                             *(f"{sizes.get(name, 0) / profile['samples']:.1f}"
                               for name in ("", ".bbx", "times"))])
    if rows:
        bench.table("What was written: samples, truncated stacks, bytes of each file per sample",
                    ["", "sampler", "rate", "ticks", "samples", "cut", "gmon.out", ".bbx",
                     "times"], rows)


def main():
    parser = argparse.ArgumentParser(description="What sampling costs, over plain -O2.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--runs", type=int, default=7,
                        help="timed runs of each variant (default 7)")
    parser.add_argument("--programs", default=",".join(PROGRAMS),
                        help="which ones; none: only the start")
    parser.add_argument("--variants", help="which ones (plain is always there)")
    parser.add_argument("--times", type=int, default=4,
                        help="so many times the work of the other benchmarks (default 4)")
    parser.add_argument("--starts", type=int, default=200,
                        help="starts of a program that does nothing; 0: none")
    parser.add_argument("--json", help="also write all figures to this file")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    os.environ.update(LC_ALL="C", BBPROF_WRITER=f"{build}/collect/bbprof-writer",
                      BBPROF_LIBRARY=f"{build}/runtime/libbbprof.so")
    work, cache = bench.folders(build)
    work = os.path.join(work, "record")
    wanted = arguments.variants.split(",") if arguments.variants else None
    chosen = {"plain": [],
              **{name: prefix for name, prefix in variants(build).items() if not wanted
                 or name in wanted}}
    results = {}
    for name in arguments.programs.split(","):
        result = measure_program(name, chosen, build, work, cache, arguments.runs,
                                 arguments.times) if name != "none" else None
        if result:
            results[name] = result
    starts = measure_starts(chosen, work, arguments.starts) if arguments.starts else {}
    print(f"\n{os.cpu_count()} processors; load {os.getloadavg()[0]:.1f}; {arguments.runs} runs of"
          f" each")
    if results:
        print_ratios("CPU time (program and command), over plain", "cpu", results, chosen)
        print_ratios("Wall time, over plain", "wall", results, chosen)
        print_profiles(results)
    if starts:
        rows = []
        for name, percent in {"minimum": 0, "20 %": 20, "median": 50}.items():
            values = [bench.percentile(all_values, percent) for all_values in starts.values()]
            plain = bench.percentile(starts["plain"], percent)
            rows.append([name, *(f"{value:.2f}" for value in values)])
            rows.append(["  over plain", *(f"{value - plain:.2f}" for value in values)])
        bench.table(f"/bin/true, from start to end, milliseconds ({arguments.starts} runs)",
                    ["", *starts], rows)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"runs": arguments.runs, "programs": results, "starts_ms": starts}, file,
                      indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
