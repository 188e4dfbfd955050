#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles random programs plain and with bbprof, with random options: output and status must be
the same, and the profile must have the counts of the program itself (truth.py).  Half of the
programs have trace points: then their traces have to agree with the counters.

    fuzz.py --build FOLDER [--first SEED] [--programs N] [--csmith] [--jobs N]
            [--port TRIPLET --library ARCHIVE --runner COMMAND]

Programs come from generate.py, or from csmith, with places inserted.  A seed determines the
program and the options; the seed of a failure is printed, and its folder stays.  --port: compiled
by the cross compilers of TRIPLET, without trace points, and run by COMMAND.
Exit status: 0 all equal, 1 differences, 2 broken.
"""

import argparse
import concurrent.futures
import os
import random
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # the source folder may be read-only, and stays clean
sys.path.append(os.path.join(HERE, ".."))
import generate  # noqa: E402
import truth  # noqa: E402
from readers import Unreadable  # noqa: E402

SECONDS = 5  # for one run of the plain program; csmith's that take longer are left out
SHOWN = 10


# How arcs are counted: whether they know the true callers, and the options for it.  How blocks are.
ARCS = [(True, ""), (True, ""), (False, "-fplugin-arg-bbprof-arcs=call"),
        (False, "-fplugin-arg-bbprof-arcs=call -fplugin-arg-bbprof-placement=after")]
UPDATES = ["thread", "thread", "atomic"]
# Options of a processor: other instructions to count by or near counters; protected branches.
OWN_FLAGS = {None: ("-mavx2", "-fcf-protection=none"),
             "aarch64-linux-gnu": ("-march=armv8.1-a", "-mbranch-protection=standard"),
             "riscv64-linux-gnu": ("-march=rv64g", "-msave-restore")}


class Failed(Exception):
    pass


class Ways:
    """How a seed's program is compiled."""

    def __init__(self, choice, arguments, compiler, threads):
        build, port = arguments.build, arguments.port
        self.shared = choice.random() < 0.2
        self.level = choice.choice(["-O0", "-O1", "-O2", "-O2", "-O3", "-Os", "-Og"])
        kind = choice.choice(["", "", "-no-pie -fno-pie", "-fPIC", "-static", "-static-pie -fPIE"])
        if port == "riscv64-linux-gnu" and "pie" in kind: # Debian's libc has no static PIE for it
            kind = kind.replace("-static-pie", "-static")
        if self.shared and "static" in kind:
            kind = ""
        flags = [flag for flag in ("-fno-omit-frame-pointer", "-ffunction-sections", "-fno-plt",
                                   "-funroll-loops", *OWN_FLAGS[port],
                                   "-fno-jump-tables", "-fno-optimize-sibling-calls",
                                   "-fno-inline",
                                   "-fno-reorder-blocks-and-partition", "-fnon-call-exceptions",
                                   "-fstack-protector-strong",
                                   "-Wl,-z,now", "-g")
                 if choice.random() < 0.12]
        if not self.shared and choice.random() < 0.2:
            flags.append("-flto")
        self.flags = f"{self.level} {kind} {' '.join(flags)}".split()
        self.compiler = f"{port}-{compiler}-12" if port else compiler
        self.runner = arguments.runner.split()
        self.arcs, plugin = choice.choice(ARCS)
        update = choice.choice(UPDATES if threads else [*UPDATES, "single"])
        self.counted = (f"-pg -fplugin={build}/gcc-plugin/bbprof.so {plugin} "
                        f"-fplugin-arg-bbprof-update={update}").split()
        self.traced = "placement" not in plugin and choice.random() < 0.5 and not port
        if self.traced:
            self.counted.append("-fplugin-arg-bbprof-ax")
        self.library = arguments.library or f"{build}/runtime/libbbprof.a"
        self.environment = {**os.environ, "BBPROF_WRITER": f"{build}/collect/bbprof-writer"}
        if self.traced:
            self.environment["BBPROF_OPTIONS"] = "jumps=1:trace=1"
        self.reader = f"{build}/tools/bbprof"


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          text=True, errors="replace", **more)


def compile_all(ways, folder, units, harness, output, more):
    """Compiles and links UNITS, with the harness, in FOLDER."""
    command = [ways.compiler, "-w", f"-I{HERE}", "-I/usr/include/csmith", *ways.flags, *more]
    link = [] if not more else ["-Wl,-u,__bb_init_func", ways.library]
    commands = []
    if ways.shared and len(units) > 1:
        library = f"lib{output}.so"
        commands.append([*command, "-fPIC", "-shared", units[1], "-o", library])
        commands.append([*command, units[0], *harness, "-o", output, f"./{library}", "-rdynamic",
                         "-pthread", *link])
    else:
        commands.append([*command, *units, *harness, "-o", output, "-pthread", *link])
    if any("static" in flag for flag in ways.flags):
        commands[-1] += ["-lm"]
    with open(f"{folder}/commands", "a") as file:
        file.writelines(shlex.join(command) + "\n" for command in commands)
    for command in commands:
        result = run(command, folder)
        if result.returncode:
            raise Failed(f"cannot compile {output}: {result.stdout[-2000:]}")


def compare_runs(folder, ways):
    try:
        plain = run([*ways.runner, "./plain"], folder, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    try:
        counted = run([*ways.runner, "./counted"], folder, timeout=20 * SECONDS,
                      env=ways.environment)
    except subprocess.TimeoutExpired:
        raise Failed("does not end") from None
    if (plain.returncode, plain.stdout) != (counted.returncode, counted.stdout):
        raise Failed(f"status {counted.returncode} instead of {plain.returncode},"
                     f" output:\n{counted.stdout[-500:]}")
    if not os.path.exists(f"{folder}/gmon.out"):
        raise Failed("no gmon.out")
    try:
        measured = truth.Measured(f"{folder}/gmon.out")
    except Unreadable as error:
        raise Failed(str(error)) from None
    differences = truth.compare(truth.Truth(plain.stdout), measured, ways.arcs)
    if differences:
        raise Failed(f"{len(differences)} differences\n" + "\n".join(differences[:SHOWN]))
    if ways.traced:
        checked = run([ways.reader, "trace", "--check", "gmon.out"], folder)
        if checked.returncode:
            raise Failed("the trace: " + "\n".join(checked.stdout.splitlines()[:SHOWN]))
    return True


def csmith_units(seed, folder):
    """One unit of csmith's, with a place at the head of each of its blocks."""
    text = run(["csmith", "--seed", str(seed), "--max-funcs", "6"], folder).stdout
    text = re.sub(r"/\* block id: (\d+) \*/", r"PLACE (\1);", text)
    with open(f"{folder}/one.c", "w") as file:
        file.write('#include "harness.h"\n' + text)
    return ["one.c"]


def own_units(program, folder):
    names = ["one.cc", "two.cc"] if program.cxx else ["one.c", "two.c"]
    for number, name in enumerate(names):
        with open(f"{folder}/{name}", "w") as file:
            file.write(program.unit(number))
    return names


def try_seed(seed, arguments):
    """Returns None if all is well, "left out", or what is wrong."""
    choice = random.Random(seed)
    folder = os.path.join(arguments.work, f"{'csmith' if arguments.csmith else 'own'}-{seed}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if arguments.csmith:
        ways = Ways(choice, arguments, "gcc", 0)
        units = csmith_units(seed, folder)
    else:
        program = generate.Program(seed, choice.choice(["c", "c++"]))
        ways = Ways(choice, arguments, "g++" if program.cxx else "gcc", program.threads)
        units = own_units(program, folder)
    try:
        compile_all(ways, folder, units, arguments.harness, "plain", [])
        compile_all(ways, folder, units, arguments.harness, "counted", ways.counted)
        verdict = None if compare_runs(folder, ways) else "left out"
    except Failed as failure:
        options = " ".join([ways.compiler, *ways.flags, *ways.counted[2:]])
        return f"seed {seed} ({options}{', shared' if ways.shared else ''}): {failure}"
    if not arguments.keep:
        shutil.rmtree(folder)
    return verdict


def harness(names, build, compiler):
    """Compiles the uninstrumented parts once: position-independent, so that they fit everywhere."""
    for name in names:
        subprocess.run([compiler, "-O1", "-fPIC", f"-I{HERE}/../..", "-c", f"{HERE}/{name}.c", "-o",
                        f"{build}/{name}.o"], check=True)
    return [f"{build}/{name}.o" for name in names]


def main():
    parser = argparse.ArgumentParser(description="Random programs, plain and counted.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--programs", type=int, default=50, help="how many")
    parser.add_argument("--csmith", action="store_true",
                        help="csmith's programs instead of our own")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--port", help="triplet of the cross compilers")
    parser.add_argument("--library", help="the run-time library for them")
    parser.add_argument("--runner", default="", help="what runs their programs")
    parser.add_argument("--keep", action="store_true",
                        help="keep the folders of programs that pass, too")
    parser.add_argument("--work", default="fuzz", help="where the folders are made")
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    arguments.work = os.path.abspath(arguments.work)
    os.makedirs(arguments.work, exist_ok=True)
    os.environ["LC_ALL"] = "C"
    arguments.harness = harness(["truth"] if arguments.csmith else ["truth", "harness"],
                                arguments.work,
                                f"{arguments.port}-gcc-12" if arguments.port else "gcc")
    failed = left_out = 0
    seeds = range(arguments.first, arguments.first + arguments.programs)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for verdict in pool.map(try_seed, seeds, [arguments] * len(seeds)):
            if verdict == "left out":
                left_out += 1
            elif verdict:
                failed += 1
                print(verdict, flush=True)
    print(f"{arguments.programs} programs, seeds {seeds[0]} to {seeds[-1]}: {failed} failed,"
          f" {left_out} left out")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
