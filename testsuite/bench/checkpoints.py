#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many checkpoints of one process, as a server makes them in months: with keep=3 neither the disk
nor the memory grows.  Prints both in the course of the run, and the time of a checkpoint.

    checkpoints.py --build FOLDER [--checkpoints N]

The program counts between two checkpoints, so each is written.
"""

import argparse
import os
import subprocess
import tempfile
import time

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include "include/bbprof.h"
__attribute__ ((noinline)) void work (int i) { __asm__ volatile ("" : : "r" (i)); }
static long resident (void)
{
  long size, pages = 0;
  FILE *in = fopen ("/proc/self/statm", "r");
  if (!in || fscanf (in, "%ld %ld", &size, &pages) != 2)
    exit (2);
  fclose (in);
  return pages * 4;
}
int main (int argc, char **argv)
{
  long n = atol (argv[1]);
  for (long i = 1; i <= n; i++)
    {
      work ((int) i);
      if (bbprof_dump () != 0)
        return 1;
      if (i % (n / 10) == 0)
        {
          printf ("%ld %ld\n", i, resident ());
          fflush (stdout);
        }
    }
  return 0;
}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--checkpoints", type=int, default=100000)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/program.c", "w", encoding="utf-8") as out:
            out.write(PROGRAM)
        subprocess.run(["gcc", "-O2", "-g", f"-I{source}", "-pg",
                        f"-fplugin={build}/gcc-plugin/bbprof.so", "program.c",
                        f"{build}/runtime/libbbprof.a", "-o", "program"], cwd=folder, check=True)
        os.mkdir(f"{folder}/out")
        began = time.monotonic()
        process = subprocess.Popen([f"{folder}/program", str(options.checkpoints)],
                                   cwd=f"{folder}/out", stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "BBPROF_OPTIONS": "output=p.%n:keep=3"})
        print("checkpoints, resident KB, files, KB of files")
        for line in process.stdout:
            sizes = []
            for name in os.listdir(f"{folder}/out"):
                try:
                    sizes.append(os.path.getsize(f"{folder}/out/{name}"))
                except FileNotFoundError:
                    pass # removed meanwhile
            print(f"  {line.strip()} {len(sizes)} {sum(sizes) // 1024}", flush=True)
        seconds = time.monotonic() - began
        if process.wait() != 0:
            raise SystemExit(f"status {process.returncode}")
        print(f"{1e3 * seconds / options.checkpoints:.2f} ms for a checkpoint")


main()
