#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recovers copies of a live file that are cut short or have changed bytes and words, in heads and
contents.  Each time that ends soon, with a profile or with one line.

    recover-damage.py BBPROF FILE ROUNDS
"""

import os
import re
import struct
import subprocess
import sys

from readers.live import MAGIC, PAGE
from readers.write import Draw

COPY = "gmon.out.999999.live"
RECOVER = 'ulimit -f 200000; exec timeout 10 "$0" recover -o damaged.out "$1"'
WORDS = (0, 1, 7, 31, 4096, 1 << 31, 1 << 32, 1 << 47, -1, -4096, -1 << 31, -1 << 63)
CUT, HEADS, BEGINNINGS, ANYWHERE = range(4)


class Damage:
    def __init__(self, whole, seed):
        self.whole, self.draw = whole, Draw(seed)
        self.slices = [place for place in range(0, len(whole), PAGE)
                       if whole.startswith(MAGIC, place)]

    def place(self, kind):
        """Heads, and what says how many there are, is at the beginning of slices."""
        start = self.draw.one_of(self.slices)
        if kind == HEADS:
            return start + 8 * self.draw.below(8)
        if kind == BEGINNINGS:
            return start + 64 + 8 * self.draw.below(32)
        return 8 * self.draw.below(len(self.whole) // 8)

    def copy(self):
        kind = self.draw.below(4)
        if kind == CUT:
            return self.whole[:self.draw.below(len(self.whole))]
        data = bytearray(self.whole)
        for _ in range(1 + self.draw.below(3)):
            place = self.place(kind)
            if place + 8 > len(data):
                continue
            if self.draw.chance(.5):
                struct.pack_into("<q", data, place, self.draw.one_of(WORDS))
            else:
                bit = self.draw.below(64)
                data[place + bit // 8] ^= 1 << bit % 8
        return data


def recover(bbprof):
    """Status, and what was said."""
    got = subprocess.run(["sh", "-c", RECOVER, bbprof, COPY], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors="replace")
    return got.returncode, got.stdout


def main(bbprof, path, rounds):
    with open(path, "rb") as file:
        damage = Damage(file.read(), 7)
    ended = [0, 0]  # by status
    for number in range(1, int(rounds) + 1):
        with open(COPY, "wb") as file:
            file.write(damage.copy())
        status, said = recover(bbprof)
        if status not in (0, 1) or "signal" in said or not re.fullmatch(r"([^\n]+\n){1,2}", said):
            sys.exit(f"round {number}: status {status}: {said}")
        ended[status] += 1
        if os.path.exists(COPY):
            os.unlink(COPY)
    good, bad = ended
    if not good or not bad:
        sys.exit(f"all {rounds} are {good}, {bad}")
    print(f"{good} recovered, {bad} refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
