#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""judge.py SCENE TIMELINE.json KNOWN: does the timeline say what the threads of truth.c know of
themselves?"""
import json
import sys

MS = 1000000


def near(is_, should, least, share):
    return abs(is_ - should) <= max(least, share * should)


def check(what, good, *values):
    if not good:
        sys.exit(f"{what}: {' '.join(map(str, values))}")


def runs(thread):
    return [(i["start_ns"], i["end_ns"], i.get("cpu")) for i in thread["intervals"]
            if i["state"] == "running"]


def check_whole(thread):
    """Whatever it is, it is one thing at each time of its life."""
    time = thread["begun_ns"]
    for i in thread["intervals"]:
        check("hole", i["start_ns"] == time and i["end_ns"] > time, i)
        time = i["end_ns"]
    check("end", time == thread["ended_ns"], thread["tid"])
    s = thread["sums"]
    total = s["running_ns"] + s["ready_ns"] + s["sleeping_ns"] + s["unknown_ns"]
    check("sum", total == thread["ended_ns"] - thread["begun_ns"], s)


def check_counts(thread):
    """The counts of all its life are those of its intervals."""
    s, is_, cpu = thread["sums"], {"voluntary": 0, "involuntary": 0, "migrations": 0}, None
    for before, i in zip([{"state": None}] + thread["intervals"], thread["intervals"]):
        if before["state"] == "running" and i["state"] != "running":
            is_["involuntary" if i["state"] == "ready" and i["preempted"] else "voluntary"] += 1
        if i["state"] == "running":
            is_["migrations"] += cpu is not None and i["cpu"] != cpu
            cpu = i["cpu"]
    check("counts", all(s[name] == n for name, n in is_.items()), thread["tid"], s, is_)


def overlap(a, b):
    n = i = k = 0
    while i < len(a) and k < len(b):
        n += max(0, min(a[i][1], b[k][1]) - max(a[i][0], b[k][0]))
        if a[i][1] < b[k][1]:
            i += 1
        else:
            k += 1
    return n


def handoff(threads, known, polls):
    a, b = (threads[tid] for tid in known)
    both, all_ = overlap(runs(a), runs(b)), a["sums"]["running_ns"] + b["sums"]["running_ns"]
    check("both run", both < 0.01 * all_, both, all_)
    # A thread that has run for a while is followed by the other one.  More turns than were taken: a
    # thread that woke the other one was delayed before it waited.
    order = sorted((start, name) for name, t in (("a", a), ("b", b)) for start, end, _ in runs(t)
                   if end - start > MS // 10)
    turns = sum(1 for i in range(1, len(order)) if order[i][1] != order[i - 1][1])
    check("turns", 99 <= turns < 120, turns)
    for t in (a, b):
        why = t["sums"]["why_ns"]
        check("why", t["watched"]["reasons"] == "none"
              or why.get("lock", 0) > 0.9 * t["sums"]["sleeping_ns"], why)
    return f"{turns} turns, both run {100 * both / all_:.3f} % of the time"


def spinners(threads, known, polls):
    for tid, k in known.items():
        s, life = threads[tid]["sums"], threads[tid]["ended_ns"] - threads[tid]["begun_ns"]
        check("waits", s["ready_ns"] > 0.2 * life, s, life)
        # On a busy machine polls come late: what they have not seen may be wait, too.
        unseen = k["wall"] - s["running_ns"] - s["ready_ns"] - s["sleeping_ns"] if polls else 0
        wait = min(max(s["ready_ns"], k["wait"] - max(unseen, 0)), k["wait"])
        check("wait by the kernel",
              near(s["ready_ns"], wait, 3 * MS * (4 if polls else 1), 0.02), s, k)
        check("sleeps", s["sleeping_ns"] < 0.02 * life, s)
    return "ready for " + ", ".join(f"{100 * threads[t]['sums']['ready_ns'] / k['wall']:.1f} %"
                                    for t, k in known.items())


def short(threads, known, polls):
    (tid, k), = known.items()
    t = threads[tid]
    share = 100 * t["sums"]["running_ns"] / (t["ended_ns"] - t["begun_ns"])
    check("share", 4.5 < share < 5.5, share)
    check("clock", near(t["sums"]["running_ns"], k["cpu"], MS // 10, 0.05 if polls else 0.01),
          t["sums"], k)
    return f"{share:.2f} %, {t['sums']['running_ns']} ns of {k['cpu']} by its clock"


def clocks(threads, known, polls):
    worst = 0
    for tid, k in known.items():
        if polls and tid not in threads:
            continue
        s = threads[tid]["sums"]
        if polls and threads[tid]["ended_ns"] - threads[tid]["begun_ns"] < 50 * MS:
            continue
        # A thread reads its clock for the last time before its end, which takes a moment; a later
        # reader of the clock sees that moment.
        clock = k["cpu"] if polls else threads[tid]["cpu_clock_ns"]
        check("the end", polls or -MS // 10 < clock - k["cpu"] < 4 * MS, tid, clock, k)
        check("clock", near(s["running_ns"], clock, 6 * MS if polls else MS // 10,
                            0.2 if polls else 0.01), tid, s, clock, k)
        worst = max(worst, abs(s["running_ns"] - clock))
    return f"{len(known)} threads, at most {worst / 1000:.0f} us off their clocks"


def switches(threads, known, polls):
    return clocks(threads, known, polls)


def counts(threads, known, polls):
    told = []
    for tid in known:
        t = threads[tid]
        mark = [m for m in t["marks"] if m["text"].startswith("counts")][-1]
        seen = [0, 0]
        for before, i in zip(t["intervals"], t["intervals"][1:]):
            if (before["state"] == "running" and i["state"] != "running"
                    and i["start_ns"] < mark["time_ns"]):
                seen[i["state"] == "ready" and i["preempted"]] += 1
        check("switches", f"counts {seen[0]} {seen[1]}" == mark["text"], tid, seen, mark)
        check("all is known", t["sums"]["unknown_ns"] == 0, t["sums"])
        told.append(f"{seen[0]}+{seen[1]}")
    return "switches " + ", ".join(told)


def moments(threads, known, polls):
    (tid, _), = known.items()
    t = threads[tid]
    marks = [m["time_ns"] for m in t["marks"]]
    check("marks", len(marks) == 200, len(marks))
    check("life", t["begun_ns"] < marks[0] and marks[-1] < t["ended_ns"], t["begun_ns"],
          t["ended_ns"], marks[0], marks[-1])
    asleep = 0
    for before, after in zip(marks[::2], marks[1::2]):
        # Asleep, then maybe ready. A run ends when the kernel charged it, which is some
        # microseconds before it tells of the switch.
        inside = [i for i in t["intervals"] if i["state"] != "running"
                  and i["start_ns"] > before - 5000 and i["end_ns"] < after]
        check("asleep between two marks",
              sum(i["end_ns"] - i["start_ns"] for i in inside) > 0.9 * MS, before, after)
        asleep += 1
    return f"{asleep} sleeps are between their marks"


def pinned(threads, known, polls):
    for tid, k in known.items():
        s = threads[tid]["sums"]
        cpus = {cpu for _, _, cpu in runs(threads[tid])}
        if k["on"] >= 0:
            check("stays", cpus == {k["on"]} and s["migrations"] == 0, cpus, s)
        else:
            check("moves", len(cpus) == 2 and s["migrations"] >= 40, cpus, s)
    return ", ".join(f"{threads[t]['sums']['migrations']} migrations" for t in known)


def main():
    scene, timeline, known = sys.argv[1:]
    with open(timeline, encoding="utf-8") as f:
        t = json.load(f)
    rows = {}
    with open(known, encoding="utf-8") as f:
        for words in map(str.split, f):
            rows[int(words[1])] = dict(zip(words[3::2], map(int, words[4::2])))
    check("nothing was lost", t["watched"]["lost_switches"] == 0, t["watched"])
    threads = {}
    for thread in t["threads"]:
        check_whole(thread)
        if t["watched"]["how"] == "events" and thread["sums"]["unknown_ns"] == 0:
            check_counts(thread)
        thread["watched"] = t["watched"]
        thread["marks"] = [m for m in t["marks"] if m["tid"] == thread["tid"]]
        threads[thread["tid"]] = thread
    print(globals()[scene](threads, rows, t["watched"]["how"] == "polls"))


main()
