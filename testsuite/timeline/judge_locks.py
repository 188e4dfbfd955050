#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares which locks a timeline shows with what the program (locks.c) knows: judge_locks.py SCENE
TIMELINE.json KNOWN.  What is marked as known must be so; what is inferred, mostly."""
import json
import sys

SLACK = 3_000_000  # ns: between a read of the clock and what it is about, on a busy machine
MOSTLY = 0.8
LONG = 200_000_000

scene, timeline, known = sys.argv[1:4]
d = json.load(open(timeline, encoding="utf-8"))
locks, threads, held = {}, {}, {}
for line in open(known, encoding="utf-8"):
    word, *rest = line.split()
    if word == "zero":
        zero = int(rest[0])
    elif word == "thread":
        threads[rest[1]] = int(rest[0])
    elif word == "lock":
        locks[rest[0]] = int(rest[1], 16)
    elif word == "held":
        held.setdefault(rest[0], []).append((int(rest[2]), int(rest[3]), int(rest[1])))
shift = zero - next(m["time_ns"] for m in d["marks"] if m["text"] == "zero")
by_id = {lock["id"]: lock for lock in d["locks"]}
by_events = d["watched"]["how"] == "events"


def waits_of(tid):
    """The intervals of the thread that have a lock, and these locks."""
    return [(i, by_id[i["lock"]["id"]]) for t in d["threads"] if t["tid"] == tid
            for i in t["intervals"] if "lock" in i]


def judge_each():
    kinds = {"reads": "read-write lock", "writes": "read-write lock", "condition": "condition",
             "semaphore": "semaphore", "join": "thread end", "word": "futex", "piword": "PI futex"}
    variables = {"pool": "pool+0x28", "reads": "written", "writes": "written",
                 "piword": "inherit_word", "heap": None, "stack": None, "join": None}
    memory = {"heap": "heap", "stack": "stack", "join": "thread"}
    holder = threads.pop("holder")
    for name, tid in threads.items():
        long = [w for w in waits_of(tid) if w[0]["end_ns"] - w[0]["start_ns"] > LONG]
        assert len(long) == 1, (name, "has no long wait, or several", long)
        wait, lock = long[0]
        assert wait["lock"]["source"] == "known", (name, wait)
        assert lock["kind"] == kinds.get(name, "mutex"), (name, lock)
        assert lock["variable"] == variables.get(name, name), (name, lock)
        assert lock["memory"] == memory.get(name, "variable"), (name, lock)
        if name in locks:
            distance = int(lock["address"], 16) - locks[name]
            assert distance == 0 or (name == "condition" and 0 < distance < 48), (name, lock)
        if name in ("condition", "semaphore", "word"):
            assert "holder" not in wait, (name, wait)
        else:
            assert wait["holder"]["source"] == "known", (name, wait)
            assert wait["holder"]["tid"] == holder, (name, wait)
        if name not in ("word", "piword"):
            assert wait["function"] in ("take", "wait_for_it"), (name, wait)
        if "waker" in wait:
            assert wait["waker"]["source"] == "inferred", (name, wait)
        if by_events and name == "join":
            assert wait["waker"]["tid"] == holder, (name, wait)
    return f"{len(threads)} locks"


def holds(tid, time):
    """Did the thread have the lock at this time of the timeline?"""
    return any(begin - SLACK <= time + shift <= end + SLACK
               for begin, end, by in held["turns"] if by == tid)


def share(right, all_of_them):
    assert all_of_them > 0 and right >= MOSTLY * all_of_them, (right, all_of_them)
    return f"{right} of {all_of_them}"


def judge_turns():
    lock = next(x for x in d["locks"] if int(x["address"], 16) == locks["turns"])
    assert lock["variable"] == ("word" if scene == "futex" else "normal"), lock
    counts = {"known": [0, 0], "inferred": [0, 0], "waker": [0, 0]}
    for tid in {by for _, _, by in held["turns"]}:
        for wait, of in waits_of(tid):
            if of["id"] != lock["id"]:
                continue
            if "holder" in wait:
                count = counts[wait["holder"]["source"]]
                time = wait["holder"]["at_ns"]
                if wait["holder"]["source"] == "inferred":  # at some time of the wait
                    right = any(by == wait["holder"]["tid"] and begin < wait["end_ns"] + shift
                                and end > wait["start_ns"] + shift
                                for begin, end, by in held["turns"])
                else:
                    right = holds(wait["holder"]["tid"], time)
                count[0] += right
                count[1] += 1
            if "waker" in wait:
                # The one whose turn ended last before the wait did.
                last = max((t for t in held["turns"] if t[1] - SLACK <= wait["end_ns"] + shift
                            and t[2] != tid), key=lambda t: t[1], default=(0, 0, 0))
                counts["waker"][0] += last[2] == wait["waker"]["tid"]
                counts["waker"][1] += 1
    right, number = counts["known"]
    if scene == "futex":
        assert number == 0, "a bare futex names no owner"
        words = [f"inferred holders: {share(*counts['inferred'])}"]
    else:
        assert number >= 10 and right == number, ("known holders", right, number)
        words = [f"known holders: {right}"]
    if by_events:
        words.append(f"wakers: {share(*counts['waker'])}")
    return ", ".join(words)


print(judge_each() if scene == "each" else judge_turns())
