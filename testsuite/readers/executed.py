# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what ports/executed.c prints: executions of each instruction, by an emulator."""

import collections


def read(path):
    """Address -> times."""
    times = collections.Counter()
    with open(path) as file:
        for line in file:
            address, count = line.split()
            times[int(address, 16)] = int(count)
    return times
