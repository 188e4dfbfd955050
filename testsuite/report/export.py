#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The stacks in a file of bbprof export, whatever its format, as sorted lines

    TICKS TIME THREAD;OUTERMOST;...;INNERMOST

TIME is in nanoseconds, or - if the format has none.

    export.py FORMAT FILE

pprof is read by `go tool pprof -raw'.
"""
import collections
import json
import re
import subprocess
import sys


def folded(path):
    for line in open(path, encoding="utf-8"):
        stack, ticks = line.rstrip("\n").rsplit(" ", 1)
        yield int(ticks), "-", stack


def speedscope(path):
    page = json.load(open(path, encoding="utf-8"))
    names = [frame["name"] for frame in page["shared"]["frames"]]
    for thread in page["profiles"]:
        assert thread["unit"] == "nanoseconds", thread["unit"]
        assert sum(thread["weights"]) == thread["endValue"], thread["name"]
        assert len(thread["weights"]) == len(thread["samples"]), thread["name"]
        for stack, weight in zip(thread["samples"], thread["weights"]):
            yield None, weight, ";".join([thread["name"]] + [names[frame] for frame in stack])


def firefox(path):
    page = json.load(open(path, encoding="utf-8"))
    for thread in page["threads"]:
        text, functions = thread["stringArray"], thread["funcTable"]
        stacks, frames, samples = thread["stackTable"], thread["frameTable"], thread["samples"]
        for table in stacks, frames, samples, functions, thread["resourceTable"]:
            assert all(len(column) == table["length"] for column in table.values()
                       if isinstance(column, list)), table
        before = 0
        for stack, weight, time in zip(samples["stack"], samples["weight"], samples["time"]):
            path = []
            while stack is not None:
                function = frames["func"][stacks["frame"][stack]]
                path.append(text[functions["name"][function]])
                stack = stacks["prefix"][stack]
            yield weight, (time - before) * 1e6, ";".join([thread["name"]] + path[::-1])
            before = time


def model(path):
    page = json.load(open(path, encoding="utf-8"))
    for stack in page["stacks"]:
        names = []
        for place in stack["places"]:
            lines = [] if place is None else page["places"][place]["lines"]
            names += [page["functions"][line["function"]]["name"] for line in lines] \
                or ["[unknown]"]
        thread = "[other threads]" if stack["thread"] is None \
            else page["threads"][stack["thread"]]["name"]
        yield (stack["samples"], stack["samples"] * page["sample_nanoseconds"],
               ";".join([thread] + names[::-1]))


def pprof(path):
    """Samples are lines of values and numbers of locations, with labels below; a location that has
    several functions has the innermost first, the others on lines of their own."""
    text = subprocess.run(["go", "tool", "pprof", "-raw", path], check=True, capture_output=True,
                          text=True, env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"}).stdout
    samples, _, places = text.partition("\nLocations\n")
    places, _, _ = places.partition("\nMappings\n")
    names, number = collections.defaultdict(list), None
    for line in places.splitlines():
        found = re.match(r" *(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(.*)", line)
        number, rest = found.groups() if found else (number, line)
        rest = re.sub(r" \S*:\d+(?::\d+)? s=\d+.*", "", rest.strip())
        names[number].append(rest)
    stack = None
    for line in samples.splitlines():
        found = re.match(r" *(\d+) +(\d+)( +\d+)*: (.*)", line)
        thread = re.match(r" *thread:\[(.*)\]", line)
        if found:
            stack = int(found[1]), int(found[2]), found[4].split()
        elif thread and stack:
            frames = [name for place in stack[2] for name in names[place]]
            yield stack[0], stack[1], ";".join([thread[1]] + frames[::-1])


readers = {"folded": folded, "speedscope": speedscope, "firefox": firefox, "json": model,
           "pprof": pprof}
ticks, times = collections.Counter(), collections.Counter()
for n, time, stack in readers[sys.argv[1]](sys.argv[2]):
    if n is None:
        n = 0
    ticks[stack] += n
    times[stack] = "-" if time == "-" else times[stack] + time
for stack in sorted(ticks):
    time = times[stack] if times[stack] == "-" else round(times[stack])
    print(ticks[stack] or "-", time, stack)
