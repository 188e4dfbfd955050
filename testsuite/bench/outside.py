#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of sampling a process from outside: the processor time of the process under
`bbprof record -p' over that without, and that of the command itself; also of perf.

    outside.py --build FOLDER [--runs N] [--bytes N] [--programs gzip,xz,...] [--json FILE]

The programs are compressors that read BYTES of text (libc's symbols, over and over) from a pipe,
which opens when the command has attached.  "again" is the program alone once more: noise.  The runs
of all variants are interleaved, in an order that changes from round to round.  The figures are the
minimum and the 20th percentile: what the machine's other work adds is left out.  Prints a table,
decides nothing.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAMS = {"gzip": ["gzip", "-9"], "xz": ["xz", "-1"], "bzip2": ["bzip2"], "sort": ["sort"]}


def variants(build):
    record = [f"{build}/tools/bbprof", "record", "-q", "-o", "gmon.out"]
    found = {"plain": None, "again": None, "1 kHz": [*record, "-F", "1000", "-p"],
             "10 kHz": [*record, "-F", "10000", "-p"],
             "wall": [*record, "-F", "1000", "--clock=wall", "-p"]}
    if shutil.which("perf"):
        perf = ["perf", "record", "-q", "-e", "task-clock", "--call-graph", "dwarf,8192"]
        found["perf"] = [*perf, "-F", "1000", "-o", "perf.data", "-p"]
    return found


def has_attached(pid):
    try:
        names = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return False
    return any("perf_event" in name for name in names)


def run(program, command, text, folder):
    """{"cpu", "own"}: seconds of processor time of the program, and of the command."""
    process = subprocess.Popen(PROGRAMS[program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    recorder = None
    if command:
        recorder = subprocess.Popen([*command, str(process.pid)], cwd=folder,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while not has_attached(recorder.pid) and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(0.2)
    process.stdin.write(text)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    own = 0
    if recorder:
        _, left, used = os.wait4(recorder.pid, 0)
        recorder.returncode = os.waitstatus_to_exitcode(left)
        own = used.ru_utime + used.ru_stime
        if recorder.returncode != 0:
            sys.exit(f"status {recorder.returncode} of {command}")
    return {"cpu": usage.ru_utime + usage.ru_stime, "own": own}


def summary(runs):
    """{"min", "p20", "own"}: of the program's processor time; the command's as a share of it."""
    cpu = sorted(one["cpu"] for one in runs)
    share = statistics.median(one["own"] / one["cpu"] for one in runs)
    return {"min": cpu[0], "p20": cpu[len(cpu) // 5], "own": share}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--bytes", type=int, default=3_000_000)
    parser.add_argument("--programs", default="gzip,sort")
    parser.add_argument("--json")
    options = parser.parse_args()
    words = subprocess.run(["nm", "-D", "/lib/x86_64-linux-gnu/libc.so.6"], capture_output=True,
                           check=True).stdout
    text = (words * (options.bytes // len(words) + 1))[:options.bytes]
    found, results = variants(os.path.abspath(options.build)), {}
    programs = options.programs.split(",")
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.runs):
            order = [(program, name) for program in programs for name in found]
            random.shuffle(order)
            for program, name in order:
                one = run(program, found[name], text, folder)
                results.setdefault((program, name), []).append(one)
    table = {program: {name: summary(results[program, name]) for name in found}
             for program in programs}
    print(f"{'':8}{'':10}{'min s':>8}{'factor':>8}{'p20 s':>8}{'factor':>8}{'command':>9}")
    for program, rows in table.items():
        plain = rows["plain"]
        for name, row in rows.items():
            print(f"{program:8}{name:10}{row['min']:8.3f}{row['min'] / plain['min']:8.3f}"
                  f"{row['p20']:8.3f}{row['p20'] / plain['p20']:8.3f}{row['own']:9.1%}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(table, out, indent=1)


if __name__ == "__main__":
    main()
