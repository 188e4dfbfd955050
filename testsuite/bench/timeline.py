#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of a timeline: processor time and wall time under `bbprof record --timeline'
over `bbprof record' alone; also with perf.

    timeline.py --build FOLDER [--runs N] [--programs turns,storm,idle,lua,...] [--times N]
                [--json FILE]

turns: two threads that work, each with about a thousand involuntary switches a second; storm: two
that only hand over to each other; idle: one that sleeps; else a real program, of one thread.
"again" is `bbprof record' once more: noise.  The processor time is that of the program, of the
command, and of the writer, which is also listed by itself.  The runs of all variants are
interleaved, in an order that changes from round to round; each figure is a median.
Prints tables, decides nothing.
"""

import argparse
import ctypes
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

PROGRAMS = ["turns", "storm", "idle", "lua"]
OWN = {"turns": ["turns", "2", "5000"], "storm": ["storm", "200000"], "idle": ["idle", "2"]}
PR_SET_CHILD_SUBREAPER = 36


def variants(build):
    record = [f"{build}/tools/bbprof", "record", "--quiet", "-o", "gmon.out"]
    found = {
        "plain": [],
        "record": [*record, "--"],
        "again": [*record, "--"],
        "timeline": [*record, "--timeline", "--"],
        "polls": [*record, "--timeline=polls", "--"],
    }
    if shutil.which("perf"):
        found["perf-switch"] = ["perf", "record", "-q", "-e", "dummy", "--switch-events", "-o",
                                "perf.data", "--"]
        found["perf-sched"] = ["perf", "sched", "record", "-q", "-o", "perf.data", "--"]
    return found


def run(command, folder):
    """Runs a command to its end: {"cpu", "writer", "wall", "switches"}; the switches are those
    that the program reports."""
    begin = time.monotonic()
    with open(os.path.join(folder, "stdout"), "w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - begin
        output.seek(0)
        said = [line for line in output.read().splitlines() if line.isdigit()]
    writer = 0
    while True:
        try:
            _, _, left = os.wait4(-1, 0)
        except ChildProcessError:
            break
        writer += left.ru_utime + left.ru_stime
    return process.returncode, {"cpu": usage.ru_utime + usage.ru_stime + writer, "writer": writer,
                                "wall": wall,
                                "switches": int(said[-1]) if said else 0}


def own_program(name, work):
    folder = bench.new_folder(work, name)
    program = os.path.join(folder, "switches")
    subprocess.run(["gcc", "-O2", "-pthread", "-o", program,
                    os.path.join(bench.HERE, "switches.c")], check=True)
    return folder, lambda prefix: [*prefix, program, *OWN[name]]


def bytes_written(folder):
    """Of what knows when: the times of samples and the switches; or perf's."""
    data = os.path.join(folder, "perf.data")
    if os.path.exists(data):
        return os.path.getsize(data)
    profile = os.path.join(folder, "gmon.out")
    return len(samples.bytes_of(profile)) if os.path.exists(profile) else 0


def measure_program(name, chosen, work, cache, runs, times):
    """{variant: {"cpu", "writer", "wall", "switches", "bytes"}}, or None."""
    made = own_program(name, work) if name in OWN else bench.real_program(name, work, cache,
                                                                          chosen, times)
    if not made:
        return None
    folder, command = made
    for variant in chosen:
        os.makedirs(os.path.join(folder, variant), exist_ok=True)
    results, expected = {variant: [] for variant in chosen}, None
    for round_number in range(runs + 1):  # the first one warms up
        bench.say(f"{name}: round {round_number} of {runs}" if round_number
                  else f"{name}: warming up")
        for variant in random.sample(list(chosen), len(chosen)):
            status, figures = run(command(chosen[variant]), os.path.join(folder, variant))
            expected = status if expected is None else expected
            if status != expected:
                bench.say(f"{name}: {variant} ended with status {status} instead of {expected}")
            if round_number:
                results[variant].append(figures)
    return {variant: {**{what: statistics.median(figures[what] for figures in all_of_it)
                         for what in ("cpu", "writer", "wall", "switches")},
                      "bytes": bytes_written(os.path.join(folder, variant))}
            for variant, all_of_it in results.items()}


def print_ratios(title, what, results, chosen):
    names = [name for name in chosen if name != "record"]
    rows = [[program, f"{result['record'][what]:.2f} s",
             *(f"{result[name][what] / result['record'][what]:.3f}" for name in names)]
            for program, result in results.items() if program != "idle"]
    bench.table(title, ["", "record", *names], rows)


def print_switches(results):
    rows = []
    for program, result in results.items():
        for variant in ("timeline", "polls"):
            if variant not in result:
                continue
            figures, alone = result[variant], result["record"]
            switches = figures["switches"]
            more, writer = figures["cpu"] - alone["cpu"], figures["writer"] - alone["writer"]
            more_bytes = figures["bytes"] - alone["bytes"]
            rows.append([f"{program}, {variant}", f"{figures['wall']:.2f} s",
                         f"{switches / figures['wall']:.0f}" if switches else "",
                         f"{1000 * writer:.1f} ms",
                         f"{100 * writer / figures['wall']:.2f} %",
                         f"{1e6 * more / switches:.2f} us" if switches > 1000 else "",
                         f"{more_bytes}", f"{more_bytes / switches:.1f}" if switches > 1000
                         else ""])
    bench.table("What the timeline adds to `bbprof record' (a switch: away from a processor and"
                " back to one)",
                ["", "wall", "switches/s", "writer", "of a cpu", "cpu per switch", "bytes",
                 "bytes per switch"], rows)


def main():
    parser = argparse.ArgumentParser(description="What a timeline costs, over `bbprof record'"
                                                 " alone.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--runs", type=int, default=7,
                        help="timed runs of each variant (default 7)")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="which ones")
    parser.add_argument("--variants", help="which ones (record is always there)")
    parser.add_argument("--times", type=int, default=4,
                        help="so many times the work of the other benchmarks, of real programs"
                             " (default 4)")
    parser.add_argument("--json", help="also write all figures to this file")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    os.environ.update(LC_ALL="C", BBPROF_WRITER=f"{build}/collect/bbprof-writer",
                      BBPROF_LIBRARY=f"{build}/runtime/libbbprof.so")
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        bench.say("the writer's time is not known: no subreaper")
    work, cache = bench.folders(build)
    work = os.path.join(work, "timeline")
    wanted = arguments.variants.split(",") + ["record"] if arguments.variants else None
    chosen = {name: prefix for name, prefix in variants(build).items() if not wanted
              or name in wanted}
    results = {}
    for name in arguments.programs.split(","):
        result = measure_program(name, chosen, work, cache, arguments.runs, arguments.times)
        if result:
            results[name] = result
    print(f"\n{os.cpu_count()} processors; load {os.getloadavg()[0]:.1f}; {arguments.runs} runs of"
          f" each")
    print_ratios("CPU time (program, command and writer), over `bbprof record'", "cpu", results,
                 chosen)
    print_ratios("Wall time, over `bbprof record'", "wall", results, chosen)
    print_switches(results)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"runs": arguments.runs, "programs": results}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
