#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the stacks of a recorded program (readers.stacks) with what the program has measured
itself:

    judge.py STACKS TRUTH [--self] [--counts] [--wall] [--sum=PART] [--margin=PART]

TRUTH has lines "FUNCTION NANOSECONDS", of functions that exclude each other, and perhaps "all
NANOSECONDS": the time of the whole program.  Judged are the shares of these functions, with all
that they have called (or --self), by a chi-square test: chance makes one right program in a
thousand fail.  With --margin, a difference of no more than this part of the whole is none.  --sum:
how far the sum of all ticks may be from the time of the program, beyond a few ticks.  --counts:
TRUTH has numbers of samples, taken by another profiler, which chance has its part in, too.
"""

import argparse
import math
import sys


def tail(chi, degrees):
    """The chance of a chi-square of at least CHI: by Wilson and Hilferty for more than two degrees
    of freedom."""
    if degrees == 1:
        return math.erfc(math.sqrt(chi / 2))
    if degrees == 2:
        return math.exp(-chi / 2)
    third = 2 / (9 * degrees)
    return 0.5 * math.erfc(((chi / degrees) ** (1 / 3) - 1 + third) / math.sqrt(2 * third))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stacks")
    parser.add_argument("truth")
    parser.add_argument("--self", action="store_true")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--sum", type=float)
    parser.add_argument("--margin", type=float, default=0)
    arguments = parser.parse_args()
    truth = {name: int(ns) for name, ns in (line.split() for line in open(arguments.truth))}
    whole = truth.pop("all", None)
    wanted, counted = "self" if arguments.self else "total", dict.fromkeys(truth, 0)
    for line in open(arguments.stacks):
        fields = line.split()
        if fields[0] == "how":
            rate, ticks, samples = int(fields[4]), int(fields[5]), int(fields[6])
        elif fields[0] == wanted and fields[1].partition(":")[2] in counted:
            counted[fields[1].partition(":")[2]] += int(fields[2])
    ours, time = sum(counted.values()), sum(truth.values())
    if ours == 0:
        sys.exit(f"no ticks in any of {sorted(truth)}")
    weight = min(1, samples / ticks)  # of a tick: a sample that stands for several is one chance
    chi = sum((counted[name] - ours * ns / time) ** 2 / (ours * ns / time)
              for name, ns in truth.items()) * weight
    if arguments.counts:  # the variance of the difference of two counts is the sum of theirs
        chi /= 1 + ours / time
    p = tail(chi, len(truth) - 1) if len(truth) > 1 else 1
    worst = max(abs(counted[name] / ours - ns / time) for name, ns in truth.items())
    shares = ", ".join(f"{name} {counted[name] / ours:.3f} ({truth[name] / time:.3f})"
                       for name in truth)
    print(f"{ours} of {ticks} ticks at {rate}: {shares}; p {p:.4f}")
    if p < 0.001 and worst > arguments.margin:
        sys.exit("the shares are not the true ones")
    if arguments.sum is not None:
        expected = whole * rate / 1e9
        print(f"{ticks} ticks of {expected:.1f}")
        if abs(ticks - expected) > arguments.sum * expected + 5:
            sys.exit("the sum is not the true one")


if __name__ == "__main__":
    main()
