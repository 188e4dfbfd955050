#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sum of all ranks costs: MPI_Finalize with and without the shim, by number of ranks; a
call of MPI with and without; and `bbprof merge' of many profiles, alone and by ranks.

    mpi.py --build FOLDER [--runs N] [--files N]

Ranks spin while they wait, so with more ranks than processors the times of MPICH are those of the
scheduler.
"""

import argparse
import glob
import os
import shutil
import statistics
import subprocess
import tempfile
import time

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
__attribute__ ((noinline)) void work (int i) { __asm__ volatile ("" : : "r" (i)); }
int main (int argc, char **argv)
{
  int rank, flag = 0;
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 100000 * (rank + 1); i++)
    work (i);
  double began = now ();
  for (int i = 0; i < 200000; i++)
    MPI_Send (&flag, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  double call = (now () - began) / 200000;
  MPI_Barrier (MPI_COMM_WORLD);
  began = now ();
  MPI_Finalize ();
  if (rank == 0)
    printf ("%g %g\n", now () - began, call);
  return 0;
}
"""


def run(command, environment, folder):
    result = subprocess.run(command, env={**os.environ, **environment}, cwd=folder,
                            capture_output=True, text=True, timeout=300, check=True)
    return result.stdout


def finalize(build, mpi, folder, runs):
    plugin = f"-fplugin={build}/gcc-plugin/bbprof.so"
    with open(f"{folder}/program.c", "w", encoding="utf-8") as out:
        out.write(PROGRAM)
    run([f"mpicc.{mpi}", "-O2", "-g", "-pg", plugin, "program.c", f"{build}/runtime/libbbprof.a",
         "-o", "program"], {}, folder)
    print(f"{mpi}: ranks, MPI_Finalize in ms without and with the sum, a call in ns without and "
          "with")
    for ranks in 2, 4, 8, 16:
        times = {"": [], f"{build}/runtime/libbbprof-{mpi}.so": []}
        for _ in range(runs):
            for shim, found in times.items():
                text = run([f"mpirun.{mpi}", "-n", str(ranks), "env", f"LD_PRELOAD={shim}",
                            "./program"], {}, folder)
                found.append([float(word) for word in text.split()])
        medians = [[statistics.median(column) for column in zip(*found)]
                   for found in times.values()]
        print(f"  {ranks:3d}  {1e3 * medians[0][0]:8.1f} {1e3 * medians[1][0]:8.1f}   "
              f"{1e9 * medians[0][1]:7.0f} {1e9 * medians[1][1]:7.0f}")
    size = sum(os.path.getsize(f"{folder}/gmon.out{suffix}") for suffix in ("", ".bbx"))
    print(f"  the sum of 16 ranks: {size} bytes")


def cpu_of(times):
    """Seconds of processor time of the children, in what the shell's times prints."""
    words = times.splitlines()[1].replace("s", "").split()
    return sum(60 * float(minutes) + float(seconds)
               for minutes, seconds in (word.split("m") for word in words))


def merge(build, mpi, folder, files):
    """Times of merging copies of the profile of one rank.  On a machine with other work the
    processor time of the busiest process says what ranks save."""
    many = f"{folder}/many"
    os.mkdir(many)
    run([f"mpirun.{mpi}", "-n", "8", "env", f"LD_PRELOAD={build}/runtime/libbbprof-{mpi}.so",
         f"BBPROF_OPTIONS=keep-ranks=1:output={folder}/part%r:sum={folder}/sum", "./program"], {},
        folder)
    for i in range(files):
        for suffix in "", ".bbx":
            shutil.copyfile(f"{folder}/part{i % 8}{suffix}", f"{many}/{i}{suffix}")
    for ranks in 0, 1, 2:
        start = [f"mpirun.{mpi}", "-n", str(ranks)] if ranks else []
        began = time.monotonic()
        run([*start, "sh", "-c", '"$@"; times >cpu.$$', "sh", f"{build}/tools/bbprof", "merge",
             *(["--mpi"] if ranks else []), "-o", "all", many], {}, folder)
        elapsed, cpu = time.monotonic() - began, []
        for name in glob.glob(f"{folder}/cpu.*"):
            with open(name, encoding="utf-8") as file:
                cpu.append(cpu_of(file.read()))
            os.unlink(name)
        print(f"  bbprof merge of {files} profiles, {ranks or 'no'} ranks: {elapsed:.2f} s; CPU of "
              f"all {sum(cpu):.2f} s, of the busiest {max(cpu):.2f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--files", type=int, default=20000)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    os.environ.update(BBPROF_COMMAND=f"{build}/tools/bbprof", OMPI_ALLOW_RUN_AS_ROOT="1",
                      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                      OMPI_MCA_mpi_yield_when_idle="1")
    for mpi in "openmpi", "mpich":
        if not shutil.which(f"mpirun.{mpi}"):
            print(f"{mpi}: not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            finalize(build, mpi, folder, options.runs)
            merge(build, mpi, folder, options.files)


main()
