#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of profiling: run time, size and compile time of real programs over plain
-O2; nanoseconds per call and block.

    bench.py --build FOLDER [--method=long|short|instructions] [--runs N] [--programs lua,...]
             [--variants ours,...] [--json FILE]

Prints tables, decides nothing.  The runs of all variants of a program are interleaved, in an
order that changes from round to round, so that other load disturbs all alike.  "again" is the plain
program once more: its difference from 1.00 is noise.

  long          runs of half a second; each figure is a median.  Needs a quiet machine.
  short         runs of some tenths of a second, on one processor, with real-time priority where
                that is allowed; the minimum and the 20th percentile of the processor time.  For a
                machine that has other work.
  instructions  the instructions of one run, which callgrind counts.  The same on every machine.
"""

import argparse
import contextlib
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # the source folder may be read-only, and stays clean
sys.path.append(os.path.join(HERE, ".."))
from readers.gmon import Gmon  # noqa: E402

PROGRAM = os.path.join(HERE, "..", "real", "program")
PROGRAMS = ["lua", "sqlite", "bzip2", "lz4", "ninja"]
CLANG = ("clang", "clang++")


def reader(name, path):
    """What one of the readers prints of a file."""
    return subprocess.run([sys.executable, "-B", "-m", f"readers.{name}", os.path.abspath(path)],
                          cwd=os.path.join(HERE, ".."), capture_output=True, text=True)


class Variant:
    """BASE: the variant that this one is compared with.  GROUP: the name of a group of variants
    that are measured only on request.  TOOL: the command that runs the program, and its options."""

    def __init__(self, name, flags="", link="", note="", preload=None, compilers=("gcc", "g++"),
                 base="plain", group=None, tool="",
                 **environment):
        self.name = name
        self.flags = flags
        self.link = link
        self.note = note
        self.prefix = ["env", f"LD_PRELOAD={preload}"] if preload else tool.split()
        self.environment = environment
        self.group = group
        self.compilers = compilers
        self.base = base


def variants(build):
    plugin = f"-pg -fplugin={build}/gcc-plugin/bbprof.so"
    library = f"{build}/runtime/libbbprof.a"
    shared = f"{build}/runtime/libbbprof.so"
    option = "-fplugin-arg-bbprof-"
    return [
        Variant("plain", note="-O2"),
        Variant("again", note="-O2, once more"),
        Variant("-pg", "-pg", note="glibc's profiler: calls"),
        Variant("pg-linked", "-pg", library, "glibc's hooks, bbprof's archive: calls"),
        Variant("pg-preload", "-pg", note="glibc's hooks, bbprof's library preloaded: calls",
                preload=shared),
        Variant("gcov", "--coverage", note="edges, one thread"),
        Variant("gcov-atomic", "--coverage -fprofile-update=atomic", note="edges, threads"),
        Variant("clang", note="clang -O2", compilers=CLANG),
        Variant("clang-instr", "-fprofile-instr-generate", note="edges, over clang",
                compilers=CLANG, base="clang"),
        Variant("clang-atomic", "-fprofile-instr-generate -fprofile-update=atomic",
                note="edges, threads, over clang",
                compilers=CLANG, base="clang"),
        Variant("arcs", f"{plugin} {option}blocks=none", library,
                "bbprof: calls, by a call of mcount"),
        Variant("blocks", f"{plugin} {option}arcs=none", library, "bbprof: blocks"),
        Variant("atomic", f"{plugin} {option}update=atomic", library,
                "bbprof: calls and blocks, update=atomic"),
        Variant("single", f"{plugin} {option}update=single", library,
                "bbprof: calls and blocks, update=single"),
        Variant("arcs-call", f"{plugin} {option}arcs=call", library,
                "bbprof: calls and blocks, arcs=call"),
        Variant("ours", plugin, library, "bbprof: calls and blocks"),
        *ax_variants(f"{plugin} {option}ax", library, f"{build}/collect/bbprof-writer"),
    ]


# A function of each program that is called often.
OFTEN = {"lua": "luaH_get", "sqlite": "sqlite3BtreeNext*", "bzip2": "BZ2_hbMakeCodeLengths",
         "ninja": "*CanonicalizePath*"}


def ax_variants(flags, library, writer):
    """Programs with trace points, and other tools that record each call or jump."""
    forms = [("ax-off", "jumps=0", "nothing is recorded"),
             ("jumps", "jumps=1", "jumps"),
             ("one-function", "jumps=1:select={often}",
              "jumps below a function that is called often"),
             ("trace", "jumps=0:trace=1", "all blocks, in order")]
    return [*(Variant(name, flags, library, f"bbprof with trace points: {note}", group="ax",
                      BBPROF_OPTIONS=options, BBPROF_WRITER=writer)
              for name, options, note in forms),
            Variant("uftrace", "-pg", note="uftrace: calls and returns, in order", group="ax",
                    tool="uftrace record --force"),
            Variant("callgrind", note="callgrind: calls and jumps, by emulation", group="ax",
                    tool="valgrind -q --tool=callgrind --dump-instr=yes --collect-jumps=yes"
                         " --callgrind-out-file=callgrind.out")]


def say(text):
    print(text, file=sys.stderr, flush=True)


def keep_alone():
    """The calling process gets the last processor for itself, as far as that is allowed."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def run(command, folder, stdout=subprocess.DEVNULL, prepare=None, **environment):
    """Runs a command to its end, after the process has called PREPARE: status, seconds of CPU time
    (user + system, with children) and of wall time."""
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout,
                               stderr=subprocess.STDOUT, preexec_fn=prepare,
                               env={**os.environ, **environment})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, time.monotonic() - begin


def percentile(values, percent):
    return sorted(values)[len(values) * percent // 100]


class Long:
    """Medians of runs of half a second."""
    runs = 7
    first_round = 0  # which warms up
    prefix = ()
    size = staticmethod(lambda name: program_size(name, "bench"))
    figures = {"cpu": statistics.median, "wall": statistics.median}
    titles = {"cpu": "Run time, CPU", "wall": "Run time, wall clock"}
    unit = staticmethod("{:.2f} s".format)

    @staticmethod
    def run(command, folder, **environment):
        """Status, and the run's figures."""
        status, cpu, wall = run(command, folder, **environment)
        return status, {"cpu": cpu, "wall": wall}


class Short:
    """The fastest of many runs of some tenths of a second."""
    runs = 20
    first_round = 0
    prefix = ()
    size = staticmethod(lambda name: max(1, program_size(name, "bench") // 5))
    figures = {"min": min, "p20": lambda values: percentile(values, 20)}
    titles = {"min": "Run time, CPU, minimum", "p20": "Run time, CPU, 20th percentile"}
    unit = staticmethod(lambda s: f"{1000 * s:.1f} ms")

    @staticmethod
    def run(command, folder, **environment):
        status, cpu, _ = run(command, folder, prepare=keep_alone, **environment)
        return status, {"min": cpu, "p20": cpu}


class Instructions:
    """The instructions of one run."""
    runs = 1
    first_round = 1
    prefix = ("valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=instructions.out")
    size = staticmethod(lambda name: max(1, program_size(name, "test") // 4))
    figures = {"instructions": statistics.median}
    titles = {"instructions": "Instructions"}
    unit = staticmethod(lambda n: f"{n / 1e6:.1f} M")

    @staticmethod
    def run(command, folder, **environment):
        status, _, _ = run(command, folder, **environment)
        with open(os.path.join(folder, "instructions.out")) as file:
            count, = (line.split()[1] for line in file if line.startswith("totals:"))
        return status, {"instructions": int(count)}


METHODS = {"long": Long, "short": Short, "instructions": Instructions}


def text_size(folder):
    """Bytes of code in the objects of a folder: the program's own, without libraries."""
    objects = sorted(os.path.join(folder, name) for name in os.listdir(folder)
                     if name.endswith(".o"))
    listing = subprocess.run(["size", "-A", *objects], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    return sum(int(line.split()[1]) for line in listing.splitlines() if line.startswith(".text"))


def folders(build):
    """Where the benchmarks work, and where the sources of the programs are kept."""
    xdg = os.environ.get("XDG_CACHE_HOME")
    cache = os.environ.get("BBPROF_CACHE") or (os.path.join(xdg, "bbprof") if xdg
                                               else os.path.join(build, "cache"))
    return os.path.join(build, "testsuite", "bench", "work"), cache


def new_folder(*parts):
    folder = os.path.join(*parts)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def program_size(name, kind):
    return int(subprocess.check_output([PROGRAM, "size", name, kind], text=True))


def real_program(name, work, cache, chosen, times):
    """A program without instrumentation, with a folder for each variant: its folder, and a function
    that puts a prefix before its command; None: it is not available."""
    got = subprocess.run([PROGRAM, "source", cache, name], capture_output=True, text=True)
    if got.returncode:
        say(f"{name}: left out ({got.stderr.strip().splitlines()[-1]})")
        return None
    source = got.stdout.strip()
    job = subprocess.check_output([PROGRAM, "jobs", name], text=True).split()[0]
    size = str(times * program_size(name, "bench"))
    folder = new_folder(work, name)
    say(f"{name}: compiling")
    with open(os.path.join(folder, "log"), "wb") as log:
        if run([PROGRAM, "build", name, source, "-O2", ""], folder, log)[0]:
            say(f"{name}: left out, it cannot be compiled (see {folder}/log)")
            return None
    for variant in chosen:
        subprocess.run([PROGRAM, "prepare", name, source, job, size],
                       cwd=new_folder(folder, variant), check=True)
    return folder, lambda prefix: [PROGRAM, "run", name, job, size, *prefix,
                                   os.path.join(folder, name)]


def measure_program(name, chosen, work, cache, method, runs):
    """Compiles and runs one program in all variants: {variant: {"text", "compile", the figures of
    METHOD}}, or None."""
    got = subprocess.run([PROGRAM, "source", cache, name], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    if got.returncode:
        say(f"{name}: left out ({got.stderr.strip().splitlines()[-1]})")
        return None
    source = got.stdout.strip()
    job = subprocess.check_output([PROGRAM, "jobs", name], text=True).split()[0]
    size = str(method.size(name))
    results = {}
    folders = {}
    for variant in chosen:
        if variant.prefix and not shutil.which(variant.prefix[0]):
            say(f"{name}: {variant.name} left out, there is no {variant.prefix[0]}")
            continue
        folder = new_folder(work, name, variant.name)
        log = os.path.join(work, name, f"{variant.name}.log")
        say(f"{name}: compiling {variant.name}")
        with open(log, "wb") as output:
            cc, cxx = variant.compilers
            status, cpu, _ = run([PROGRAM, "build", name, source, f"-O2 {variant.flags}",
                                  variant.link], folder, output, CC=cc, CXX=cxx)
        if status:
            say(f"{name}: {variant.name} left out, it cannot be compiled (see {log})")
            continue
        job_folder = new_folder(folder, "job")
        subprocess.run([PROGRAM, "prepare", name, source, job, size], cwd=job_folder, check=True)
        folders[variant.name] = folder
        results[variant.name] = {"compile": cpu, "text": text_size(folder),
                                 **{figure: [] for figure in method.figures}}
    expected = None
    for round_number in range(method.first_round, runs + 1):
        say(f"{name}: round {round_number} of {runs}" if round_number else f"{name}: warming up")
        order = [variant for variant in chosen if variant.name in results]
        random.shuffle(order)
        for variant in order:
            folder = folders[variant.name]
            for file in os.listdir(folder):
                if file.endswith(".gcda"):
                    os.remove(os.path.join(folder, file))
            environment = {key: value.format(often=OFTEN.get(name, "main"))
                           for key, value in variant.environment.items()}
            status, figures = method.run([PROGRAM, "run", name, job, size, *variant.prefix,
                                          *method.prefix, os.path.join(folder, name)],
                                         os.path.join(folder, "job"), **environment)
            expected = status if expected is None else expected
            if status != expected:
                say(f"{name}: {variant.name} ended with status {status} instead of {expected}")
            if round_number:
                for figure, value in figures.items():
                    results[variant.name][figure].append(value)
    for variant, result in results.items():
        result.update(size_of_trace(os.path.join(folders[variant], "job")))
        for figure, summarise in method.figures.items():
            result[figure] = summarise(result[figure])
    return results


def size_of_trace(folder):
    """The bytes of a run's trace, and the blocks that it executed; nothing without a trace."""
    trace = os.path.join(folder, "gmon.out.bbt")
    if not os.path.exists(trace):
        return {}
    return {"trace": os.path.getsize(trace),
            "blocks": executed_blocks(os.path.join(folder, "gmon.out"))}


def executed_blocks(path):
    """Sum of the block counts of a gmon.out."""
    return sum(count for _, count in Gmon(path).blocks)


def measure_micro(chosen, work, runs, times):
    """Nanoseconds per call, per call through a pointer, per call at a site with 64 targets, per
    round of branches, per iteration of a loop of one block:
    {(what, threads): {variant: ns}}, and blocks in a round of branches."""
    folders = {}
    for variant in chosen:
        folder = new_folder(work, "calls", variant.name)
        command = [variant.compilers[0], "-O2", "-g", *variant.flags.split(),
                   os.path.join(HERE, "calls.c"), "-o", "calls", "-pthread",
                   *variant.link.split()]
        with open(os.path.join(folder, "log"), "wb") as log:
            if run(command, folder, log)[0]:
                say(f"calls: {variant.name} left out, it cannot be compiled (see {folder}/log)")
                continue
        folders[variant] = folder
    results = {}
    for what in "call", "pointer", "site", "block", "loop":
        for threads in 1, 2:
            say(f"calls: {what}, {threads} thread(s)")
            measured = {variant.name: [] for variant in folders}
            for _ in range(runs):
                for variant in random.sample(list(folders), len(folders)):
                    got = subprocess.run([*variant.prefix, "./calls", what, str(threads),
                                          str(times)], cwd=folders[variant],
                                         stdout=subprocess.PIPE, text=True,
                                         env={**os.environ, **variant.environment})
                    if got.returncode == 0:
                        measured[variant.name].append(float(got.stdout))
            results[what, threads] = {name: statistics.median(ns) for name, ns in measured.items()
                                      if ns}
    blocks = None
    for variant, folder in folders.items():
        if variant.name in ["ours", "blocks"]:
            subprocess.run(["./calls", "block", "1", str(times)], cwd=folder,
                           stdout=subprocess.DEVNULL)
            blocks = executed_blocks(os.path.join(folder, "gmon.out")) / times
    return results, blocks


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def table(title, head, rows):
    print(f"\n{title}\n")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  " + "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))))


def print_ratios(title, unit, what, results, chosen):
    """One line for each program: the figure of the plain program, then the variants over their
    base; the geometric mean below."""
    variants_shown = chosen[1:]

    def ratio(result, variant):
        if variant.name not in result or variant.base not in result:
            return None
        return result[variant.name][what] / result[variant.base][what]
    rows = []
    for program, result in results.items():
        ratios = [ratio(result, variant) for variant in variants_shown]
        rows.append([program, unit(result["plain"][what]),
                     *("-" if value is None else f"{value:.2f}" for value in ratios)])
    means = []
    for variant in variants_shown:
        ratios = [value for value in (ratio(result, variant) for result in results.values())
                  if value]
        means.append(f"{geomean(ratios):.3f}" if ratios else "-")
    rows.append(["geometric mean", "", *means])
    table(title, ["", "plain", *(variant.name for variant in variants_shown)], rows)


def print_traces(results):
    rows = [[program, f"{result['trace']['blocks'] / 1e6:.1f}",
             f"{result['trace']['trace'] / 1e6:.2f}",
             f"{8 * result['trace']['trace'] / result['trace']['blocks']:.3f}"]
            for program, result in results.items() if "trace" in result.get("trace", {})]
    if rows:
        table("Traces on the disk", ["", "million blocks", "MB", "bits per block"], rows)


def print_micro(micro, blocks, chosen):
    names = [variant.name for variant in chosen]
    rows = []
    for (what, threads), result in micro.items():
        label = f"{what}, {threads} thread{'s' if threads > 1 else ''}"
        rows.append([label, *(f"{result[name]:.2f}" if name in result else "-" for name in names)])
    for threads in 1, 2:
        result = micro["loop", threads]
        added = (result[variant.name] - result[variant.base] if variant.name in result
                 and variant.base in result else None
                 for variant in chosen)
        rows.append([f"increment, {threads} thr.",
                     *("-" if value is None else f"{value:.2f}" for value in added)])
    table("Nanoseconds per call of an empty function, per call through a pointer, per call at a"
          " site with 64 targets, per round of 4 branches, per round of "
          "a loop of one block (wall clock, each thread), and what this is over the base: one"
          " increment", ["", *names], rows)
    if blocks:
        print(f"\n  A round of branches is {blocks:.1f} blocks.  Added by bbprof per block:",
              end="")
        for threads in 1, 2:
            result = micro["block", threads]
            for name in "blocks", "ours":
                if name in result:
                    print(f" {(result[name] - result['plain']) / blocks:.2f} ns ({name}, {threads}"
                          f" thr.)", end="")
        print()


def main():
    parser = argparse.ArgumentParser(description="What profiling costs, over plain -O2.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--method", choices=METHODS, default="long",
                        help="long runs, medians (default); short runs, the fastest; or"
                             " the instructions, by callgrind")
    parser.add_argument("--runs", type=int,
                        help="runs of each variant (default: 7, 20 or 1, by the method)")
    parser.add_argument("--programs", default=",".join(PROGRAMS),
                        help="which ones; none: only calls and blocks")
    parser.add_argument("--variants",
                        help="which ones (plain is always there); ax: all with trace points, and"
                             " their peers")
    parser.add_argument("--calls", type=int, default=50_000_000,
                        help="calls in a run of the microbenchmark, which is part of the long"
                             " method; 0: none")
    parser.add_argument("--json", help="also write all figures to this file")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    os.environ["LC_ALL"] = "C"
    work, cache = folders(build)
    method = METHODS[arguments.method]
    runs = arguments.runs or method.runs

    chosen = variants(build)
    if arguments.variants:
        wanted = {"plain", *arguments.variants.split(",")}
        wanted |= {variant.base for variant in chosen if variant.name in wanted}
        chosen = [variant for variant in chosen if variant.name in wanted
                  or variant.group in wanted]
    else:
        chosen = [variant for variant in chosen if not variant.group]
    programs = [name for name in arguments.programs.split(",") if name != "none"]
    begin = time.monotonic()
    results = {}
    for name in programs:
        result = measure_program(name, chosen, work, cache, method, runs)
        if result and "plain" in result:
            results[name] = result
    micro, blocks = (measure_micro(chosen, work, runs, arguments.calls)
                     if arguments.calls and method is Long else ({}, None))

    compiler = subprocess.check_output(["gcc", "--version"], text=True).splitlines()[0]
    print(f"\n{compiler}; {os.cpu_count()} processors; load {os.getloadavg()[0]:.1f};"
          f" {runs} runs of each; "
          f"{time.monotonic() - begin:.0f} s\n")
    for variant in chosen:
        print(f"  {variant.name:12} {variant.note}")
    if results:
        for figure, title in method.titles.items():
            print_ratios(f"{title}, over plain", method.unit, figure, results, chosen)
        print_ratios("Code (.text of the program's objects), over plain",
                     lambda n: f"{n / 1024:.0f} K", "text", results, chosen)
        print_ratios("Compile time, CPU, over plain", lambda s: f"{s:.1f} s", "compile", results,
                     chosen)
        print_traces(results)
    if micro:
        print_micro(micro, blocks, chosen)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"compiler": compiler, "method": arguments.method, "runs": runs,
                       "programs": results,
                       "blocks_in_a_round": blocks,
                       "ns": {f"{what} {threads}": result
                              for (what, threads), result in micro.items()}}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
