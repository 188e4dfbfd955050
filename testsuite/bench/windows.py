#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what counting and sampling cost a program for Windows, under Wine: CPU time of Lua, and
of a program that calls a tiny function all the time.

    windows.py --build FOLDER [--runs N]

The build has the library and the plugin for Windows (doc/howto/windows.md).  Prints tables, decides
nothing.  The variants take turns, as in bench.py; "again" is the plain program once more.  CPU time
is that of the whole process, on one processor, with real-time priority where that is allowed.
"""

import argparse
import glob
import os
import random
import subprocess

import bench

COMPILER = "x86_64-w64-mingw32-gcc"
TINY_ROUNDS, LUA_SIZE = "1000000", "20"


def variants(build, folder):
    """The library is linked in all that count, so they are sampled as well, once a second."""
    specs = os.path.join(folder, "windows.specs")
    make = os.path.join(bench.HERE, "..", "..", "gcc-plugin", "make-specs")
    with open(specs, "wb") as file:
        subprocess.run(["sh", make, "added", COMPILER, f"{build}/runtime/windows/libbbprof.a",
                        f"{build}/gcc-plugin/bbprof.so", "pe"], check=True, stdout=file)
    plugin = f"-specs={specs} -pg -fplugin=bbprof"
    option = "-fplugin-arg-bbprof-"
    linked = f"-Wl,-u,bbprof_dump {build}/runtime/windows/libbbprof.a -lwinmm -lpsapi -lntdll"

    def variant(name, flags, note, link="", options=""):
        return bench.Variant(name, flags, f"-static {link}", note, compilers=(COMPILER,),
                             tool="wine", BBPROF_OPTIONS=options)
    return [
        variant("plain", "", "-O2"),
        variant("again", "", "-O2, once more"),
        variant("-pg", "-pg", "mingw-w64's profiler: calls"),
        variant("arcs", f"{plugin} {option}blocks=none", "bbprof: calls", options="rate=1"),
        variant("blocks", f"{plugin} {option}arcs=none", "bbprof: blocks", options="rate=1"),
        variant("ours", plugin, "bbprof: calls and blocks", options="rate=1"),
        variant("sampled", "", "bbprof: 100 samples a second", linked),
    ]


def lua_sources(cache):
    """The files, after what Debian's headers need."""
    folder = subprocess.check_output([bench.PROGRAM, "source", cache, "lua"], text=True).strip()
    source = f"{folder}/debian-source/src"
    return [f"-I{folder}", *sorted(set(glob.glob(f"{source}/*.c")) - {f"{source}/luac.c"})]


def compile_to(folder, variant, sources):
    subprocess.run([COMPILER, "-O2", "-g", *variant.flags.split(), *sources, "-o",
                    os.path.join(folder, "program.exe"), *variant.link.split()], check=True)


def measure(name, sources, arguments, chosen, work, runs):
    """{variant: CPU times}."""
    taken, expected = {}, None
    for variant in chosen:
        bench.say(f"{name}: compiling {variant.name}")
        compile_to(bench.new_folder(work, name, variant.name), variant, sources)
        taken[variant.name] = []
    for round_number in range(runs + 1):
        bench.say(f"{name}: round {round_number} of {runs}")
        for variant in random.sample(chosen, len(chosen)):
            status, cpu, _ = bench.run(
                [*variant.prefix, "program.exe", *arguments],
                os.path.join(work, name, variant.name), prepare=bench.keep_alone,
                **variant.environment)
            expected = status if expected is None else expected
            if status != expected:
                bench.say(f"{name}: {variant.name} ended with status {status}, not {expected}")
            if round_number:
                taken[variant.name].append(cpu)
    return taken


def rows(results, chosen, summarise):
    for name, taken in results.items():
        plain = summarise(taken["plain"])
        yield [name, f"{plain:.3f} s",
               *(f"{summarise(taken[variant.name]) / plain:.2f}" for variant in chosen[1:])]


def main():
    parser = argparse.ArgumentParser(description="What profiling costs a program for Windows.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--runs", type=int, default=10, help="runs of each variant")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    work, cache = bench.folders(build)
    work = bench.new_folder(work, "windows")
    os.environ.update(LC_ALL="C", WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree=;mshtml=",
                      WINEPREFIX=os.environ.get("WINEPREFIX", f"{build}/testsuite/windows/prefix"))
    chosen = variants(build, work)
    results = {
        "tiny": measure("tiny", [os.path.join(bench.HERE, "tiny.c")], [TINY_ROUNDS], chosen, work,
                        arguments.runs),
        "lua": measure("lua", lua_sources(cache),
                       [os.path.join(bench.HERE, "..", "real", "inputs", "workload.lua"), LUA_SIZE],
                       chosen, work, arguments.runs),
    }
    for variant in chosen:
        print(f"  {variant.name:12} {variant.note}")
    head = ["", "plain", *(variant.name for variant in chosen[1:])]
    bench.table("CPU time, minimum, over plain", head, list(rows(results, chosen, min)))
    bench.table("CPU time, 20th percentile, over plain", head,
                list(rows(results, chosen, lambda values: bench.percentile(values, 20))))


if __name__ == "__main__":
    main()
