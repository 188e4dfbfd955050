#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a random profile of a program to stdout: other counts than any run would give, and cases
that runs seldom have (no time, no calls, huge counts, zero counts, odd bins, repeated records,
blocks, no caller).

    gmon.py PROGRAM SEED [BLOCKS]

With BLOCKS it has so many block records, of few different counts.  The same seed gives the same
bytes.
"""

import sys

from readers import elf, write

NO_TIME, NO_CALLS, WITH_BLOCKS = 1, 2, 3  # of six kinds


class Maker(write.Draw):
    def __init__(self, program, seed):
        super().__init__(seed)
        self.form = write.Gmon(*elf.numbers(program))
        symbols = elf.nm(program, "-n")
        self.code = [symbol.address for symbol in symbols if symbol.kind in "tTwW"]
        value = elf.values(program)
        self.low, self.high = value["__executable_start"] & ~3, value["etext"] + 3 & ~3
        # Most of a profile is about few functions, as in life.
        self.busy = [self.one_of(self.code) for _ in range(1 + self.below(min(len(self.code), 40)))]

    def place(self):
        return self.one_of(self.busy if self.chance(.9) else self.code)

    def bins(self, bytes_per_bin):
        size = self.high - self.low
        bins = [0] * (size // bytes_per_bin + (self.below(4) if self.chance(.3) else 0))
        for _ in range(0 if self.chance(.1) else self.below(60)):
            address = self.place() + (self.below(40) if self.chance(.5) else 0)
            number = int((address - self.low) / size * len(bins))
            if 0 <= number < len(bins):
                bins[number] = 1 + self.below(3) if self.chance(.5) else self.below(65536)
        return bins

    def histograms(self, bytes_per_bin, rate, unit):
        bins = self.bins(bytes_per_bin)
        record = self.form.histogram(self.low, self.high, bins, rate, unit)
        return record * (2 if self.chance(.2) else 1)

    def call_count(self):
        if self.chance(.1):
            return 0
        return 1 + self.below(10) if self.chance(.5) else self.below(1 << 32)

    def calls(self):
        for _ in range(self.below(120)):
            start = 0 if self.chance(.05) else self.place() + self.below(20)
            count = self.call_count()
            yield self.form.arc(start, self.place() + self.below(6), count)

    def some_blocks(self):
        return self.form.blocks([(self.place(), self.below(1000000))
                                 for _ in range(self.below(10))])

    def many_blocks(self, number):
        counts = (0, 0, 1, 2, 30, 4 * 10**9, 5 * 10**12)
        return self.form.blocks([(self.place() + self.one_of((0, self.below(80))),
                                  self.one_of(counts)) for _ in range(number)])

    def profile(self, blocks):
        bytes_per_bin = self.one_of((2, 4, 4, 8, 3))
        rate = self.one_of((100, 100, 100, 1000, 250, 997, 1))
        unit = "wall_clock_ticks" if self.chance(.1) else "seconds"
        kind = self.below(6)
        yield self.form.header()
        if kind != NO_TIME:
            yield self.histograms(bytes_per_bin, rate, unit)
        if kind != NO_CALLS:
            yield from self.calls()
        if kind == WITH_BLOCKS:
            yield self.some_blocks()
        if blocks:
            yield self.many_blocks(blocks)


def main(program, seed, blocks="0"):
    for part in Maker(program, int(seed)).profile(int(blocks)):
        sys.stdout.buffer.write(part)


if __name__ == "__main__":
    main(*sys.argv[1:])
