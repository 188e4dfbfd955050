#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what it costs to load and unload a library beside many others: CPU time of a dlopen and
a dlclose, in a program without bbprof, with counters, and under bbprof record.

    loads.py --build FOLDER [--libraries N] [--runs N]

The library has no counters, or has them; the names of all libraries are absolute, or relative.
Prints a table, decides nothing.  The variants take turns.
"""

import argparse
import os
import subprocess

import bench

SOURCE = "int f (int x) { return x + 1; }\n"
TIMES = 50  # in one process


def compile_to(folder, name, *words):
    subprocess.run(["gcc", "-O2", *words, "-o", os.path.join(folder, name)], check=True, cwd=folder)


def make(folder, build, libraries):
    """Libraries of different build ids, as different ones have, and the program in two forms."""
    with open(os.path.join(folder, "f.c"), "w", encoding="ascii") as file:
        file.write(SOURCE)
    counters = ["-pg", f"-fplugin={build}/gcc-plugin/bbprof.so"]
    shared = ["-shared", "-fPIC", "f.c"]
    compile_to(folder, "f.o", "-c", "-fPIC", "f.c")
    for i in range(1, libraries + 1):
        compile_to(folder, f"lib{i}.so", "-shared", "f.o", f"-Wl,--build-id=0x{i:040x}")
    compile_to(folder, "lib0-plain.so", *shared)
    compile_to(folder, "lib0-counted.so", *counters, *shared)
    source = os.path.join(bench.HERE, "loads.c")
    compile_to(folder, "plain", source)
    compile_to(folder, "counted", *counters, source, f"{build}/runtime/libbbprof.a")


def nanoseconds(command, folder):
    done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return [int(line) for line in done.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description="What loading a library costs beside many.")
    parser.add_argument("--build", required=True, help="build folder of bbprof")
    parser.add_argument("--libraries", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=7, help="processes of each variant")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    os.environ.update(LC_ALL="C", BBPROF_WRITER=f"{build}/collect/bbprof-writer")
    folder = bench.new_folder(bench.folders(build)[0], "loads")
    make(folder, build, arguments.libraries)
    bench.keep_alone()
    programs = {"plain": ["./plain"], "counted": ["./counted"],
                "record": [f"{build}/tools/bbprof", "record", "-q", "--", "./plain"]}
    rows = []
    for library in "plain", "counted":
        link = os.path.join(folder, "lib0.so")
        if os.path.exists(link):
            os.remove(link)
        os.link(os.path.join(folder, f"lib0-{library}.so"), link)
        for names in folder, ".":
            # A library with counters needs the run-time library.
            chosen = {name: [*command, names, str(arguments.libraries), str(TIMES)]
                      for name, command in programs.items() if library == "plain"
                      or name == "counted"}
            taken = {name: [] for name in chosen}
            for _ in range(arguments.runs):
                for name, command in chosen.items():
                    taken[name] += nanoseconds(command, folder)
            kind = "relative" if names == "." else "absolute"
            for name, values in taken.items():
                rows.append([f"{library} library, {kind} names: {name}",
                             f"{min(values) / 1e6:.3f}",
                             f"{bench.percentile(values, 20) / 1e6:.3f}"])
    bench.table(f"dlopen and dlclose beside {arguments.libraries} libraries, milliseconds",
                ["", "minimum", "20 %"], rows)


if __name__ == "__main__":
    main()
