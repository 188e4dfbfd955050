#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills killed.c at random moments, and judges what is recovered: judge_killed.py BBPROF PROGRAM ROUNDS.  For each function that counts
its entries itself, what is said to have called it adds up to no more; and a caller's calls of it are no fewer than came back, and no more
than it has begun, but for what is marked as not known."""
import glob, json, os, random, signal, struct, subprocess, sys, time

bbprof, program, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
THREADS = 3
CALLERS = ["first", "second", "third"]


def symbols():
    found = {}
    for line in subprocess.check_output(["nm", "-S", program], text=True).splitlines():
        words = line.split()
        if len(words) == 4 and words[3] in CALLERS + ["leaf", "work", "run"]:
            found[words[3]] = (int(words[0], 16), int(words[0], 16) + int(words[1], 16))
    return found


FUNCTIONS = symbols()


def name_of(address):
    return next((name for name, (low, high) in FUNCTIONS.items() if low <= address - 1 < high), None)


def arcs_and_blocks():
    data, at, arcs, blocks = open("gmon.out", "rb").read(), 20, {}, {}
    while at < len(data):
        tag, at = data[at], at + 1
        if tag == 0:
            at += 40 + 2 * struct.unpack_from("<I", data, at + 16)[0]
        elif tag == 1:
            source, to, count = struct.unpack_from("<QQI", data, at)
            key = name_of(source), name_of(to + 1)
            arcs[key] = arcs.get(key, 0) + count
            at += 20
        else:
            n, at = struct.unpack_from("<I", data, at)[0], at + 4
            for _ in range(n):
                address, count = struct.unpack_from("<QQ", data, at)
                blocks[address] = blocks.get(address, 0) + count
                at += 16
    return arcs, blocks


def number(data, at):
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fold(value):
    return (value >> 1) ^ -(value & 1)


def open_arcs():
    """How many more calls there may have been, and how many fewer, by caller and callee: chunk OPEN."""
    data, at, more, fewer = open("gmon.out.bbx", "rb").read(), 24, {}, {}
    while at < len(data):
        kind, _, length = struct.unpack_from("<4sIQ", data, at)
        content, place, before = data[at + 16:at + 16 + length], 0, 0
        while kind == b"OPEN" and place < length:
            source, place = number(content, place)
            to, place = number(content, place)
            count, place = number(content, place)
            before = (before + fold(source)) % 2**64
            key = name_of(before), name_of((before + fold(to)) % 2**64 + 1)
            way, n = (more, count) if count < 2**63 else (fewer, 2**64 - count)
            way[key] = way.get(key, 0) + n
        at += 16 + (length + 7) // 8 * 8
    return more, fewer


def truth():
    words = struct.unpack(f"<{8 * THREADS}q", open("truth", "rb").read())
    return [[sum(words[8 * t + 3 * part + i] for t in range(THREADS)) for i in range(3)] for part in (0, 1)]


def expect(condition, text):
    if not condition:
        sys.exit(text)


def judge(seed):
    arcs, blocks = arcs_and_blocks()
    more, fewer = open_arcs()
    begun, back = truth()
    for callee in CALLERS + ["leaf", "work"]:
        low, high = FUNCTIONS[callee]
        entries = next((count for address, count in sorted(blocks.items()) if low <= address < high), 0)
        calls = sum(count for (_, to), count in arcs.items() if to == callee)
        expect(calls <= entries, f"round {seed}: {calls} calls of {callee}, which was entered {entries} times: {arcs}, may be {more} more, {fewer} fewer")
    for i, caller in enumerate(CALLERS):
        key = caller, "leaf"
        count = arcs.get(key, 0)
        least, most = count - fewer.get(key, 0), count + more.get(key, 0)
        expect(back[i] <= most, f"round {seed}: {caller} called leaf {most} times at most, and {back[i]} came back")
        expect(least <= begun[i], f"round {seed}: {caller} called leaf {least} times at least, and has begun {begun[i]}")
    return sum(arcs.values()), sum(more.values()) + sum(fewer.values())


def shown():
    """The same by bbprof report, of callers and callees."""
    report = json.loads(subprocess.check_output([bbprof, "report", "--json", program], text=True))
    pairs = [(f["function"], to["function"], to) for f in report["functions"] for to in f["callees"]]
    return tuple({(a, b): to[way] for a, b, to in pairs if to[way] > 0} for way in ("calls_more", "calls_fewer"))


calls = marked = done = 0
for seed in range(rounds):
    for path in ["truth", "gmon.out", "gmon.out.bbx"] + glob.glob("*.live"):
        if os.path.exists(path):
            os.unlink(path)
    process = subprocess.Popen([program, "truth", str(THREADS)], env={**os.environ, "BBPROF_OPTIONS": "live=1"})
    patience = time.monotonic() + 20
    while not (os.path.exists("truth") and os.path.getsize("truth")) and time.monotonic() < patience:
        time.sleep(0.001)
    time.sleep(0.01 + random.Random(seed).random() * 0.03)
    process.send_signal(signal.SIGKILL)
    process.wait()
    expect(os.path.exists("truth") and os.path.getsize("truth"), f"round {seed}: the program does not begin")
    said = subprocess.run([bbprof, "recover"], capture_output=True, text=True)
    expect(said.returncode == 0, said.stdout + said.stderr)
    if not os.path.exists("gmon.out"):
        continue
    n, m = judge(seed)
    if m > 0 and not done % 8:
        expect(shown() == open_arcs(), f"round {seed}: the report has {shown()}, the sidecar {open_arcs()}")
        text = subprocess.check_output([bbprof, "report", "--callers", "0", program], text=True)
        expect("+0.." in text or "-0.." in text or "..+" in text, f"round {seed}: nothing is open in the report")
    calls, marked, done = calls + n, marked + m, done + 1
expect(done > rounds // 2 and calls > 1000, f"{done} of {rounds} profiles, {calls} calls")
print(f"{done} kills, {calls} calls, {marked} marked as not known")
