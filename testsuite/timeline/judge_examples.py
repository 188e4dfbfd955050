#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""judge_examples.py EXAMPLE ILL.json CURED.json: is the illness to be seen, and gone when it is
cured?"""
import json
import sys

MS = 1000000


def read(name):
    with open(name, encoding="utf-8") as file:
        timeline = json.load(file)
    return timeline, {thread["name"]: thread for thread in timeline["threads"]}


def check(what, good, *values):
    if not good:
        sys.exit(f"{what}: {' '.join(map(str, values))}")


def within(thread, start, end, **what):
    """Nanoseconds from START to END in intervals that are such."""
    return sum(
        max(0, min(end, i["end_ns"]) - max(start, i["start_ns"]))
        for i in thread["intervals"]
        if all(i.get(key) == value for key, value in what.items())
    )


def waits_of_high(name):
    """While the program says that it waits: nanoseconds, of them asleep for a lock, of them with
    low at work, and with middle, which on a busy machine has to wait for a processor itself."""
    timeline, threads = read(name)
    sums = {"all": 0, "lock": 0, "low": 0, "middle": 0}
    times = {text: [m["time_ns"] for m in timeline["marks"] if m["text"] == text]
             for text in ("high wants it", "high has it")}
    check("marks", len(times["high wants it"]) == len(times["high has it"]) == 3, timeline["marks"])
    for start, end in zip(times["high wants it"], times["high has it"]):
        sums["all"] += end - start
        sums["lock"] += within(threads["high"], start, end, state="sleeping", why="lock")
        sums["low"] += within(threads["low"], start, end, state="running")
        sums["middle"] += sum(within(threads["middle"], start, end, state=state)
                              for state in ("running", "ready"))
    return sums


def inversion(ill, cured):
    before, after = waits_of_high(ill), waits_of_high(cured)
    # Three waits; by polls the end of each is known to some milliseconds.
    check("waits for the lock", before["lock"] > 0.75 * before["all"] > 30 * MS, before)
    check("middle runs meanwhile, or could",
          before["middle"] > before["all"] / 4 and before["middle"] > 3 * before["low"], before)
    check("low has the work that it has to do", 8 * MS < before["low"] < 24 * MS, before)
    check("cured", after["lock"] < before["lock"] / 20, before, after)
    return (f"high waits {before['lock'] / MS:.1f} ms, cured {after['lock'] / MS:.1f} ms; "
            f"meanwhile middle runs, or could, {before['middle'] / MS:.1f} ms")


def sleeps(name):
    """Of the four servers, milliseconds: for the lock; for the write, that is a timed sleep."""
    why = [thread["sums"]["why_ns"] for name, thread in read(name)[1].items()
           if name.startswith("server ")]
    check("servers", len(why) == 4, name)
    return sum(w.get("lock", 0) for w in why) / MS, sum(w.get("sleep", 0) for w in why) / MS


def convoy(ill, cured):
    (lock, write), (cured_lock, cured_write) = sleeps(ill), sleeps(cured)
    # Three of four wait while the fourth writes.
    check("waits for the lock", lock > 1.5 * write and lock > 100, lock, write)
    check("cured", cured_lock < cured_write / 4 and cured_lock < lock / 10, cured_lock,
          cured_write, lock)
    return (f"waits for the lock {lock:.1f} ms, for writes {write:.1f} ms; "
            f"cured {cured_lock:.1f} and {cured_write:.1f} ms")


if __name__ == "__main__":
    print({"inversion": inversion, "convoy": convoy}[sys.argv[1]](sys.argv[2], sys.argv[3]))
