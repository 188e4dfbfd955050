#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills killed.c at random moments, and compares what is recovered with what the program says that
it has done:

    judge_killed.py BBPROF PROGRAM SOURCE ROUNDS

For each call and each block, the sum of what the threads have done is what the profile says, but
for what chunk OPEN of the sidecar marks; a thread that was between two words of its own may be one
off in them.  No function has been called more often than its first block was executed.  bbprof's
reports show these marks.  In some round a count has to be wrong without its mark: else the judge
has seen nothing.  In an emulator, in which that is rarer, it need not."""
import collections, glob, json, os, random, re, signal, struct, subprocess, sys, time

from readers.elf import Program
from readers.profile import Profile

bbprof, program, source, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
EMULATOR = os.environ.get("EMULATOR", "").split()  # what runs programs for another processor
THREADS, LINES = 3, 400
WORDS = 2 * LINES + 2  # that a thread says
HOOKS = re.compile(r"<(__bb_|_?mcount|__fentry__)")


def expect(condition, text):
    if not condition:
        sys.exit(text)


def read_source():
    """Line of each call -> caller and callee."""
    calls, function = {}, None
    with open(source) as file:
        for number, line in enumerate(file, 1):
            if found := re.match(r"(\w+) \(", line):
                function = found[1]
            if function and (found := re.search(r" (CALL|OUTSIDE) \((?:/\* )?(\w+)", line)):
                calls[number] = "outside" if found[1] == "OUTSIDE" else function, found[2]
    return calls


def read_places(elf):
    """Line of each place -> the blocks that it is in, each as often as the compiler has copied it
    there, and not behind a call."""
    places = collections.defaultdict(list)
    for address, line in struct.iter_unpack("<QQ", elf.section("places")[1]):
        block = elf.block(address)
        at = block
        while at < address and not (elf.is_call(at) and not HOOKS.search(elf.text[at])):
            at = elf.after[at]
        places[line].append(block if at >= address else None)
    return {line: blocks for line, blocks in places.items() if None not in blocks}


elf, CALLS = Program(program), read_source()
PLACES = read_places(elf)
expect(len(CALLS) > 12 and len(PLACES) > 20, f"{len(CALLS)} calls, {len(PLACES)} places")


class Counts:
    """What the recovered profile says: counts of arcs, by names, and of blocks; and what is marked
    of each."""

    def __init__(self):
        profile = Profile("gmon.out")
        self.count, self.more, self.fewer = collections.Counter(), collections.Counter(
            ), collections.Counter()
        for (start, to), count in profile.arcs.items():
            self.count[self.arc(start, to)] += count
        for block, count in profile.blocks:
            self.count[block] += count
        self.threads = set()
        for thread, which, marks in profile.open:
            expect((thread, which) not in self.threads, f"thread {thread} is marked twice")
            self.threads.add((thread, which))
            for (start, to), count in marks.items():
                expect(count == 1, f"thread {thread}: {count} in {start:#x} {to:#x}")
                if which < 2:
                    (self.fewer if which else self.more)[to if start == to
                                                         else self.arc(start, to)] += count

    @staticmethod
    def arc(start, to):
        caller = elf.function(start - 1) if start else None
        return elf.functions[caller][1] if caller else "outside", elf.functions[elf.function(to)][1]


def all_have_begun():
    """Has each thread come somewhere?"""
    bytes_each = 8 * WORDS
    if not os.path.exists("truth") or os.path.getsize("truth") < bytes_each * THREADS:
        return False
    with open("truth", "rb") as file:
        return all(any(file.read(bytes_each)) for _ in range(THREADS))


def truth():
    """How often calls were made, and blocks executed; and how many threads were between two
    words."""
    data = struct.unpack(f"<{WORDS * THREADS}q", open("truth", "rb").read())
    done, moving = collections.Counter(), 0
    for thread in range(THREADS):
        passed, arrived = data[WORDS * thread:][:LINES], data[WORDS * thread + LINES:][:LINES]
        moving += not data[WORDS * thread + WORDS - 1]
        for line, call in CALLS.items():
            done[call] += arrived[line]
        for line in PLACES:
            done[line] += passed[line]
    return done, moving


def name(key):
    return " -> ".join(key) if isinstance(key,
                                          tuple) else f"line {key}: " + " + ".join(
                                              map(elf.name, PLACES[key]))


def judge(seed):
    """How many counts were judged exactly, were right by their marks only, and are marked at
    all."""
    counts, (done, moving) = Counts(), truth()
    judged = needed = 0
    for key, true in done.items():
        parts = [key] if isinstance(key, tuple) else PLACES[key]
        count, more, fewer = (sum(which[part] for part in parts)
                              for which in (counts.count, counts.more, counts.fewer))
        expect(count - fewer - moving <= true <= count + more + moving,
               f"round {seed}: {name(key)}: {count} -{fewer} +{more}, and it was {true} ({moving} "
               f"threads moving)")
        judged += not moving
        needed += not moving and count != true
    for (caller, callee) in set(CALLS.values()):
        entry = min((block for block in elf.blocks
                     if elf.functions[elf.function(block)][1] == callee), default=0)
        calls = sum(count for key, count in counts.count.items() if isinstance(key, tuple)
                    and key[1] == callee)
        expect(calls <= counts.count[entry], f"round {seed}: {calls} calls of {callee}, which was "
                                             f"entered {counts.count[entry]} times")
    marks = {key for which in (counts.more, counts.fewer) for key, count in which.items() if count}
    return judged, needed, len(marks), sum(count > 0 for count in counts.count.values())


def shown(*words):
    return json.loads(subprocess.check_output([bbprof, *words], text=True))


def marks_shown(items, key, name):
    return {(key(item), way): item[f"{name}_{way}"] for item in items for way in ("more", "fewer")
            if item[f"{name}_{way}"] > 0}


def compare_reports(seed):
    """What has a count is shown with its mark."""
    counts = Counts()
    ways = (("more", counts.more), ("fewer", counts.fewer))
    arcs = {(key, way): n for way, marks in ways for key, n in marks.items()
            if isinstance(key, tuple) and counts.count[key]}
    blocks = {(key, way): n for way, marks in ways for key, n in marks.items()
              if not isinstance(key, tuple) and counts.count[key]}
    report = {}
    for function in shown("report", "--json", program)["functions"]:
        called = [item for item in function["callers"] if item["calls"] > 0]
        report.update(marks_shown(called, lambda item: (item["function"] or "outside",
                                                        function["function"]), "calls"))
    expect(report == arcs, f"round {seed}: bbprof report has {report}, the sidecar {arcs}")
    rows = marks_shown(shown("blocks", "--json", "-n", "0", program)["blocks"],
                       lambda item: int(item["address"], 0), "executions")
    expect(rows == blocks, f"round {seed}: bbprof blocks has {rows}, the sidecar {blocks}")
    rows, named = {}, {callee for _, callee in CALLS.values()}
    for function in sorted(named):
        found = shown("annotate", "--json", program, function)["functions"][0]["blocks"]
        rows.update(marks_shown([item for item in found if item["executions"]],
                                lambda item: int(item["address"], 0), "executions"))
    expected = {key: n for key, n in blocks.items()
                if elf.functions[elf.function(key[0])][1] in named}
    expect(rows == expected, f"round {seed}: bbprof annotate has {rows}, the sidecar {expected}")


total = collections.Counter()
for seed in range(4 * rounds):
    if seed >= rounds and (total["needed"] or EMULATOR):
        break
    for path in ["truth", "gmon.out", "gmon.out.bbx"] + glob.glob("*.live"):
        if os.path.exists(path):
            os.unlink(path)
    process = subprocess.Popen([*EMULATOR, program, "truth", str(THREADS)],
                               env={**os.environ, "BBPROF_OPTIONS": "live=1"})
    patience = time.monotonic() + 20
    while not all_have_begun() and time.monotonic() < patience:
        time.sleep(0.001)
    time.sleep(0.01 + random.Random(seed).random() * 0.03)
    process.send_signal(signal.SIGKILL)
    process.wait()
    expect(all_have_begun(), f"round {seed}: the program does not begin")
    said = subprocess.run([bbprof, "recover"], capture_output=True, text=True)
    expect(said.returncode == 0, said.stdout + said.stderr)
    if not os.path.exists("gmon.out"):
        continue
    judged, needed, marks, executed = judge(seed)
    if seed % 10 == 0:
        compare_reports(seed)
    total.update(kills=1, exact=judged > 0, judged=judged, needed=needed, marks=marks,
                 executed=executed)
expect(total["kills"] > rounds // 2 and total["exact"] > rounds // 4
       and (total["needed"] or EMULATOR),
       f"{dict(total)} of {rounds} rounds")
print(f"{total['kills']} kills, {total['exact']} with all threads at rest; {total['judged']} "
      f"counts judged exactly, {total['needed']} right by their marks; "
      f"{total['marks']} of {total['executed']} counts marked")
