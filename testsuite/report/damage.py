#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes FILE to stdout with one to nine bytes changed at random.

    damage.py FILE SEED [HEAD]        each second one of them in the first HEAD bytes
"""

import random
import sys


def main(path, seed, head="0"):
    draw = random.Random(int(seed))
    with open(path, "rb") as file:
        data = bytearray(file.read())
    for _ in range(1 + draw.randrange(9)):
        inside = int(head) and draw.random() < .5
        data[draw.randrange(int(head) if inside else len(data))] = draw.randrange(256)
    sys.stdout.buffer.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
