# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the stacks of a language in a profile with those that the program has noted itself:

    languages.py LANGUAGE gmon.out TRUTH [--innermost=N]

TRUTH has lines "TICKS FUNCTION:LINE;...", the outermost first.  --innermost: the profile has this
many frames of each stack at most.
"""

import argparse
import collections
import sys

from readers.stacks import Stacks


def read_truth(path, most):
    truth = collections.Counter()
    for line in open(path, encoding="utf-8"):
        ticks, stack = line.rstrip("\n").split(" ", 1)
        frames = stack.split(";")
        truth[tuple(frames[-most:]), len(frames) > most] += int(ticks)
    return truth


def read_stacks(profile, language):
    """Of each stack: its frames of the language, and whether outer ones are cut off."""
    read, found = Stacks(profile), collections.Counter()
    for frames, ticks in read.ticks().items():
        spoken = [i for i, frame in enumerate(frames) if frame.startswith(f"[{language}]:")]
        if spoken:
            parts = [frames[i].split(":", 1)[1].rsplit(":", 2) for i in spoken]
            found[tuple(f"{name}:{line}" for name, _, line in parts),
                  frames[spoken[0] - 1] == "[cut]"] += ticks
    facts, = (facts for name, facts in read.languages if name == language)
    return found, facts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("language")
    parser.add_argument("profile")
    parser.add_argument("truth")
    parser.add_argument("--innermost", type=int, default=1 << 30)
    arguments = parser.parse_args()
    truth = read_truth(arguments.truth, arguments.innermost)
    found, facts = read_stacks(arguments.profile, arguments.language)
    ticks = sum(found.values())
    if facts[0] != ticks:
        sys.exit(f"{facts[0]} ticks by the language, {ticks} in its stacks")
    if facts[2] != sum(n for (_, cut), n in found.items() if cut):
        sys.exit(f"{facts[2]} cut stacks by the language, another number in the tree")
    for stack in truth | found:
        if truth[stack] != found[stack]:
            sys.exit(f"{found[stack]} ticks instead of {truth[stack]} in {stack}")
    print(ticks, "ticks in", len(found), "stacks;", *facts)


if __name__ == "__main__":
    main()
