#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""judge-extents.py WHOLE STRIPPED MAP: are the functions of MAP (from `bbprof symbols' and the
program STRIPPED) those that readelf finds in STRIPPED's call frame information, and those of the
table of symbols of WHOLE, the same program before it was stripped?  Prints how many there are, and
each fault; status 1 if there are any."""
import re
import subprocess
import sys

whole, stripped, map_name = sys.argv[1:4]
faults = []


def readelf(*arguments):
    return subprocess.run(["readelf", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout.splitlines()


def fault(text, addresses):
    if addresses:
        faults.append(f"{text}: {len(addresses)}, as "
                      f"{', '.join(hex(a) for a in sorted(addresses)[:5])}")


# Sections with code: .text AX.
sections = []
for line in readelf("-SW", stripped):
    found = re.match(
        r"\s*\[ *\d+\] \S+\s+PROGBITS\s+([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +(\w+)", line)
    if found and "X" in found[3]:
        sections.append((int(found[1], 16), int(found[1], 16) + int(found[2], 16)))

frames = {}
for line in readelf("--debug-dump=frames", stripped):
    found = re.search(r"FDE cie=\S+ pc=([0-9a-f]+)\.\.([0-9a-f]+)", line)
    if found:
        frames[int(found[1], 16)] = int(found[2], 16)

known = set()
for line in readelf("-sW", whole):
    words = line.split()
    if len(words) >= 8 and words[3] in ("FUNC", "IFUNC") and words[6] != "UND":
        known.add(int(words[1], 16))

ours = {}
for line in open(map_name):
    address, kind, name = line.split(None, 2)
    if any(low <= int(address, 16) < high for low, high in sections):
        ours[int(address, 16)] = name.strip()
nameless = {a for a, name in ours.items() if name.startswith("[")}

fault("descriptions of call frames that begin no function", frames.keys() - ours.keys())
fault("functions of the table of symbols, with call frames, that are not there",
      (known & frames.keys()) - ours.keys())
ends = set(frames.values()) | {low for low, high in sections}
fault("functions without names that begin nowhere",
      {a for a in nameless if a not in frames and a not in ends})
inside = set()
for start, end in frames.items():
    inside |= {a for a in nameless if start < a < end}
fault("functions without names inside of another's extent", inside)
fault("sections whose beginning is in no function", {low for low, high in sections} - ours.keys())
if not frames or not known:
    faults.append("readelf finds nothing to judge by")

print(f"{len(ours)} functions, {len(nameless)} without names; readelf: {len(frames)} call frames, "
      f"{len(known)} symbols")
for text in faults:
    print(text)
sys.exit(1 if faults else 0)
