#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares jumps with executions: jumps-sums.py gmon.out [THREADS].  Without returns as many jumps
lead to a block as it has executions, and as many lead away from it, but for threads that end there.
Of THREADS that ran meanwhile each may have jumped and not arrived, or be in a block and before the
point at its head.  Prints the variant, and the number of jumps from outside of what was recorded.
"""

import collections
import sys

from readers import need
from readers.profile import Profile


def main():
    read = Profile(sys.argv[1])
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    executed = read.executions()
    need(len(read.jumps) == 1, f"{len(read.jumps)} lists of jumps")
    (variant, _), jumps = read.jumps[0]
    into, away = collections.Counter(), collections.Counter()
    for (source, target), count in jumps.items():
        into[target] += count
        away[source] += count
    for address in set(into) | set(executed):
        need(abs(into[address] - executed[address]) <= threads,
             f"{read.place(address)}: executed {executed[address]}, jumped to {into[address]}")
        need(variant or threads or away[address] <= executed[address],
             f"{read.place(address)}: executed {executed[address]}, jumped from {away[address]}")
    print(f"variant {variant}, {away[0]} from outside")


if __name__ == "__main__":
    main()
