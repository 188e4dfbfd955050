#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares profiles with the programs' own counts (places.h).

    judge.py [--no-calls] SOURCES FOLDER...

Each FOLDER holds the files of one run: profiles, truth.*, and recovered if SIGKILL stopped all
threads at the instant of the profile.  SOURCES is the folder of the sources that are not in the
working folder.  With --no-calls the profiles have no arcs, and only places are compared.

A place is found in the machine code by the instruction that increments its counter.  Calls cut a
block into segments; the first segment has run as often as the block, any other one as often as the
call that ends it, if that one is an arc.  Then, exactly:

  - a place has been passed as often as its segments (the compiler may have copied it) have run;
  - a direct call of an instrumented function has as many arcs as its segment has run;
  - a function with FROM places has been called by those callers only, as often as they say;
  - a function has been called as often as its first block has run.

Exit status: 0 all equal, 1 differences, 2 something cannot be read.
"""

import collections
import glob
import math
import os
import re
import struct
import subprocess
import sys

from readers import Unreadable
from readers.elf import Program
from readers.profile import Profile

HOOKS = {"mcount", "__fentry__", "__bb_thread_func", "__bb_indirect_func", "__bb_site_func",
         "__bb_init_func"}
RETURNS_TWICE = {"setjmp", "_setjmp", "__sigsetjmp", "getcontext", "vfork"}
UNCONDITIONAL = re.compile(r"(?:bnd |notrack |repz? )*(?:ret|jmp|ud2|hlt)")
OUTSIDE = "outside"


def plain_names(names):
    """C++ names without their parameters, and without the suffixes of the compiler's copies."""
    text = subprocess.run(["c++filt", "-p"], input="\n".join(names), capture_output=True,
                          text=True, check=True).stdout
    return [re.sub(r"^.* thunk to |(?<=\w)[ .(\[].*", "", name) for name in text.split("\n")]


class Segment:
    """A part of a block that ends with a call: its places, the call's return address and callee."""

    def __init__(self, block, function):
        self.block, self.function = block, function
        self.first = self.twice = self.goes_on = False
        self.places = []
        self.back = self.callee = None


class Module:
    """The machine code of the executable or a library."""

    def __init__(self, path):
        self.program = Program(path)
        self.low = self.program.low
        self.mapped = self.program.blocks
        self.instrumented = {self.program.function(block) for block in self.mapped}
        names = [text for _, text in self.program.functions.values()]
        self.names = dict(zip(self.program.functions, plain_names(names)))
        self.names.update((start, "main") for start, (_, text) in self.program.functions.items()
                          if text == "whole")  # see lib.sh
        # Thunks adjust `this' and continue in the function behind them, which their callers call.
        self.thunks = {start for start, (_, text) in self.program.functions.items()
                       if re.match("_ZT[hvc]", text)}
        self.callees = {self.program.functions[start][1]: start for start in self.instrumented}

    def jumps(self):
        for address in self.program.text:
            target = self.program.jump_target(address)
            if target is not None:
                yield address, target

    def split(self, function):
        """Whether it is a part of another function, with a name of its own."""
        return ".cold" in self.program.functions[function][1]

    def home(self, address):
        return self.names.get(self.program.function(address))

    def caller(self, address):
        """The start of the function that has the call or jump of an arc's from-address; or None."""
        start = self.program.function(self.program.before.get(address, address))
        return start if start in self.instrumented else None

    def segments(self, arrays):
        """All segments of the code; ARRAYS: (link-time address, source, number of places)."""
        return [segment for number, block in enumerate(self.mapped)
                for segment in self._block(block, self.mapped[number + 1:number + 2], arrays)]

    def _block(self, block, following, arrays):
        text, function = self.program.text, self.program.function(block)
        segment = Segment(block, function)
        segment.first, twice, last, address = True, False, block, block
        while (address in text and [address] != following
               and self.program.function(address) == function):
            segment.places += self._place(text[address], arrays)
            after = self.program.after[address]
            if self.program.is_call(address):
                callee = self._callee(text[address])
                if callee not in HOOKS:
                    segment.back, segment.callee = after, callee
                    yield segment
                    segment = Segment(block, function)
                    twice = segment.twice = twice or callee in RETURNS_TWICE
            last, address = address, after
            if UNCONDITIONAL.match(text[last]):
                break
        segment.goes_on = self._goes_on(last, text[last], function)
        yield segment

    def _goes_on(self, address, text, function):
        """Whether a block's last instruction leads only to other blocks of the function."""
        target = self.program.jump_target(address)
        if target is None:
            return not UNCONDITIONAL.match(text)
        return self.home(target) == self.names[function] and target != function

    @staticmethod
    def _place(text, arrays):
        match = re.match(r"lock (?:addq|incq).*?(?:# |,|\s)(?:0x)?([0-9a-f]+)(?: <[^>]*>)?$", text)
        if match:
            place = int(match[1], 16)
            for start, source, lines in arrays:
                if start <= place < start + 8 * lines:
                    yield source, (place - start) // 8

    @staticmethod
    def _callee(text):
        """The callee of a direct call: itself, through the PLT or through a slot of the GOT."""
        match = re.search(r"<([^>+]+)>$", text)
        return re.sub(r"@.*", "", match[1]) if match else None


class Truth:
    """The counts of one module of one process: places[source, line]."""

    def __init__(self, paths):
        self.arrays, self.places = [], {}
        for path in paths:
            source = path.split(":")[2]
            with open(path, "rb") as file:
                counts = [count for count, in struct.iter_unpack("<q", file.read())]
            self.arrays.append((counts[0], source, len(counts)))
            self.places.update(((source, line), count) for line, count in enumerate(counts) if line
                               and count)


class Source:
    """The words of a source: labels and kinds of its places, functions that run, sums."""

    def __init__(self, path):
        self.labels, self.callers, self.running, self.stopped, self.sums = {}, {}, {}, {}, []
        with open(path) as file:
            for number, line in enumerate(file, 1):
                match = re.search(r"\b(AT|FROM) \((.*?)\);", line)
                if match:
                    (self.callers if match[1] == "FROM" else self.labels)[number] = match[2]
                match = re.search(r"// (\w+) (\w+) by (\d+)$", line)
                if match:
                    {"running": self.running,
                     "stopped": self.stopped}[match[1]][match[2]] = int(match[3])
                match = re.search(r"// sum (.*) = (.*)", line)
                if match:
                    self.sums.append([side.split(" + ") for side in match.groups()])


class Judge:
    def __init__(self, sources, calls):
        self.folder, self.calls = sources, calls
        self.modules, self.sources = {}, {}
        self.differences = []
        self.placed = set()  # blocks that have a place
        self.checked = collections.Counter()

    def source(self, name):
        if name not in self.sources:
            self.sources[name] = Source(name if os.path.exists(name)
                                        else os.path.join(self.folder, name))
        return self.sources[name]

    def module(self, path):
        if path not in self.modules:
            self.modules[path] = Module(path)
        return self.modules[path]

    def need(self, condition, text):
        if not condition:
            self.differences.append(f"{self.where}: {text}")

    def process(self, path):
        """All of one profile."""
        profile = Profile(path)
        folder = os.path.dirname(path)
        self.where, self.killed = path, os.path.exists(os.path.join(folder, "recovered"))
        self.forked = not path.endswith("gmon.out")  # begins in the middle of its parent's calls
        truths = collections.defaultdict(list)
        for truth in glob.glob(os.path.join(folder, f"truth.{profile.process}:*")):
            truths[truth.split(":")[1]].append(truth)
        self.need(truths, f"nothing is known of process {profile.process}")
        objects = [item for item in profile.objects if item.name in truths]
        arcs = self.arcs(profile, objects)
        self.need(self.calls or not any(calls for _, _, calls in arcs.values()), "arcs")
        for item in objects:
            blocks = collections.Counter()
            for address, count in profile.blocks:
                if item.holds(address):
                    blocks[address - item.base] += count
            # By block: how often control went from its end to other blocks.
            self.behind = collections.Counter()
            for (source, target), count in profile.edges.items():
                if target and item.holds(source):
                    self.behind[source - item.base] += count
            self.judge(self.module(item.path), Truth(truths[item.name]), blocks, arcs[item.name])
        self.losses(profile.lost)

    def losses(self, lost):
        """Ticks may be lost; counts only where they cannot be known, with a record of the loss."""
        for count, cause in lost:
            executions = "executions" in cause
            known = "ticks" in cause or "samples" in cause or "killed" in cause and self.killed
            self.need(not count or known or executions and self.killed, f"lost {count} {cause}")

    def arcs(self, profile, objects):
        """For each module: calls from its addresses, by return address and callee; and calls of its
        functions, by function's and caller's name, and by function."""
        def find(address):
            return next((item for item in objects if item.holds(address)), None)
        result = {item.name: (collections.Counter(), collections.Counter(), collections.Counter())
                  for item in objects}
        for (source, target), count in profile.arcs.items():
            to, back = find(target), find(source) if source else None
            if not to:
                continue
            module = self.module(to.path)
            function = module.program.function(target - to.base)
            result[to.name][2][function] += count
            origin = self.module(back.path) if back else None
            caller = origin.caller(source - back.base) if back else None
            if caller is None or caller not in origin.thunks:
                result[to.name][1][module.names[function], OUTSIDE if caller is None
                                   else origin.names[caller]] += count
            if back:
                result[back.name][0][source - back.base,
                                     module.program.functions[function][1]] += count
        return result

    def judge(self, module, truth, blocks, arcs):
        for address in blocks:
            self.need(address in module.mapped, f"{module.program.name(address)}: not in the map")
        truth.arrays = [(start + module.low, source, lines)
                        for start, source, lines in truth.arrays]
        # A function of that name may be in another module: then the call may or may not have arcs.
        callees = set().union(*(other.callees for other in self.modules.values() if self.calls))
        self.running, self.stopped = {}, {}
        for _, source, _ in truth.arrays:
            self.running.update(self.source(source).running)
            self.stopped.update(self.source(source).stopped)
        known = collections.defaultdict(list)
        for segment in module.segments(truth.arrays):
            self.segment(module, segment, blocks, arcs[0], callees, known)
        self.places(module, truth, known)
        if self.calls:
            self.callers(module, truth, known, arcs[1])
            self.entries(module, blocks, arcs[2])
        self.sums(truth, known)

    def segment(self, module, segment, blocks, calls, callees, known):
        """Finds the bounds LOW and HIGH of a segment's count, and enters them for its places."""
        block = blocks[segment.block]
        if not segment.first and (segment.twice or self.forked):
            block = math.inf  # what is behind the call may run more often
        low, high = (block, block) if segment.first else (0, block)
        if segment.callee in callees:
            called = calls[segment.back, segment.callee]
            if segment.first:
                self.checked["calls"] += 1
                self.need(abs(called - low) <= (self.slack(module, segment.function) if called
                                                and low else 0),
                          f"{module.program.name(segment.back)}: returns there from"
                          f" {segment.callee}: {called} arcs, but the "
                          f"block has run {low} times")
            else:
                low = high = called
                self.need(called <= block + self.slack(module, segment.function),
                          f"{module.program.name(segment.back)}: {called} arcs, but the block has"
                          f" run {block} times")
        elif segment.goes_on and not segment.first:
            low = high = self.behind[segment.block]
        if segment.first and segment.places:
            self.placed.add(segment.block)
        for place in segment.places:
            known[place].append((low, high, segment))

    def slack(self, module, function):
        """How many threads may be in flight between a function's counter and its place."""
        return self.slack_of(module.names[function])

    def slack_of(self, name):
        return max(self.running.get(name, 0), self.stopped.get(name, 0))

    def places(self, module, truth, known):
        for source, line in truth.places.keys() - known.keys():
            self.need(False, f"{source}:{line}: no code found, passed {truth.places[source, line]}"
                             f" times")
        for (source, line), pieces in known.items():
            count = truth.places.get((source, line), 0)
            low, high = sum(piece[0] for piece in pieces), sum(piece[1] for piece in pieces)
            self.checked["exact places" if low == high else "places within bounds"] += 1
            says = f"{low}" if low == high else f"{low} to {high}"
            if count:  # what has never been passed has no slack
                slack = sum(self.slack(module, function)
                            for function in {piece[2].function for piece in pieces})
                goes_on = not self.killed and any(module.names[piece[2].function] in self.running
                                                  for piece in pieces)
                low, high = low - slack, math.inf if goes_on else high + slack
            self.need(low <= count <= high,
                      f"{source}:{line}: passed {count} times, but the profile says {says}" +
                      "".join(f"; block {module.program.name(piece[2].block)}" for piece in pieces))

    def callers(self, module, truth, known, arcs):
        expected = collections.defaultdict(collections.Counter)
        for (source, line), pieces in known.items():
            if line in self.source(source).callers:
                caller = self.source(source).callers[line]
                for name in {module.names[piece[2].function] for piece in pieces}:
                    expected[name][caller] += truth.places.get((source, line), 0)
        measured = collections.defaultdict(collections.Counter)
        for (name, caller), count in arcs.items():
            measured[name][caller] += count
        for name, callers in expected.items():
            for caller in callers | measured[name]:
                self.checked["callers"] += 1
                slack = self.slack_of(name) if callers[caller] else 0
                self.need(abs(callers[caller] - measured[name][caller]) <= slack,
                          f"{caller} -> {name}: called {callers[caller]} times, but arcs say"
                          f" {measured[name][caller]}")

    def entries(self, module, blocks, called):
        """Except for functions that jump to their own first block."""
        # A jump from before the first block is the plugin's.
        jumped = {target for address, target in module.jumps()
                  if module.home(address) == module.home(target) and address > target}
        first = {}
        for block in module.mapped:
            first.setdefault(module.program.function(block), block)
        for function, block in first.items():
            if block not in jumped and not module.split(function):
                self.checked["entries"] += 1
                self.need(abs(called[function] - blocks[block]) <= self.slack(module, function),
                          f"{module.program.name(function)}: called {called[function]} times, its"
                          f" first block has run {blocks[block]} times")

    def sums(self, truth, known):
        for _, name, _ in truth.arrays:
            source = self.source(name)
            lines = {label: line for line, label in source.labels.items()}
            slack = max([0, *source.running.values(), *source.stopped.values()])
            for left, right in source.sums:
                left, right = ([sum(piece[0] for piece in known[name, lines[label]])
                                for label in side] for side in (left, right))
                self.checked["sums"] += 1
                self.need(abs(sum(left) - sum(right)) <= slack,
                          f"{name}: {left} is not the sum of {right}")


def main():
    calls = sys.argv[1] != "--no-calls"
    sources, *folders = sys.argv[1 if calls else 2:]
    judge = Judge(sources, calls)
    try:
        for folder in folders:
            profiles = [path for path in sorted(glob.glob(os.path.join(folder, "gmon.out*")))
                        if not path.endswith((".bbx", ".bbt"))]
            for path in profiles:
                judge.process(path)
            judge.where = folder
            judge.need(profiles, "no profile")
    except (OSError, Unreadable) as error:
        print(f"judge: {error}")
        return 2
    judge.need(judge.checked["exact places"], "no place has been compared")
    print("\n".join(judge.differences[:20]
                    or [", ".join(f"{count} {what}" for what, count in judge.checked.items())]))
    return 1 if judge.differences else 0


if __name__ == "__main__":
    sys.exit(main())
