#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares all sums that the views of the timeline in FOLDER give: judge_sums.py BBPROF FOLDER.
The truth are the intervals of the JSON for times, and sums that have to add up for switches; all
views have to have these."""
import json, os, random, subprocess, sys
from browser import Browser

STATES = ["running_ns", "ready_ns", "sleeping_ns", "unknown_ns"]
SWITCHES = ["voluntary", "involuntary", "migrations"]
bbprof, folder = sys.argv[1:]


def show(*options):
    return subprocess.run([bbprof, "timeline", *options], cwd=folder, check=True,
                          stdout=subprocess.PIPE).stdout.decode()


def expect(what, found, wanted):
    assert found == wanted, f"{what}: {found} instead of {wanted}"


def cut(low, high):
    return ["--from", f"{low}ns", "--to", f"{high}ns"]


def document(low, high):
    d = json.loads(show("--json", *cut(low, high)))
    assert (d["from_ns"], d["to_ns"]) == (low, high), (d["from_ns"], d["to_ns"], low, high)
    return d


def sums_of(d):
    """By tid; a tid may be given again."""
    threads = {}
    for t in d["threads"]:
        reasons = {}
        for i in t["intervals"]:
            if i["state"] == "sleeping":
                reasons[i["reason"]] = reasons.get(i["reason"], 0) + i["end_ns"] - i["start_ns"]
        threads.setdefault(t["tid"], []).append(([t["sums"][s] for s in STATES],
                                                 [t["sums"][s] for s in SWITCHES], reasons))
    return threads


def page_sums(low, high):
    """By the page's functions; a thread that is not there in the window has nothing but zeros."""
    lines = page.value(f"threads.map((t) => "
                       f"{{ const s = sumsOf(t, {low}, {high}); return [t.tid, s.time, s.switches, "
                       "[...s.reasons].map(([r, time]) => [data.reasons[r], time])]; })")
    threads = {}
    for tid, time, switches, reasons in lines:
        merged = {}
        for reason, ns in reasons:
            merged[reason] = merged.get(reason, 0) + ns
        if sum(time) > 0:
            threads.setdefault(tid, []).append((time, switches, merged))
    return threads


def table():
    """What a reader of the page sees: switches by tid."""
    rows = page.value("[...sums.tBodies[0].rows].map((row) => [...row.cells].map((cell) => "
                      "cell.textContent))")
    return [(int(row[1]), [int(cell) for cell in row[9:12]]) for row in rows]


def text(low, high):
    """Switches by tid, as the page of text says them."""
    lines, rows = show("--width", "200", "--ascii", *cut(low, high)).splitlines(), []
    head = next(i for i, line in enumerate(lines) if line.startswith("thread ") and "migr" in line)
    places = {name: lines[head].index(name) + len(name) for name in ("tid", "vol", "invol", "migr")}
    for line in lines[head + 1:]:
        if not line:  # tables of locks follow
            break
        cells = [line[:places[name]].split()[-1] for name in ("tid", "vol", "invol", "migr")]
        if not line.startswith("all threads"):
            rows.append((int(cells[0]), [int(cell) for cell in cells[1:]]))
    return rows


def flat(threads):
    return sorted((tid, switches) for tid, lives in threads.items() for _, switches, _ in lives)


def check(low, high, cut_page):
    d = document(low, high)
    wanted = sums_of(d)
    expect(f"text from {low} to {high}", sorted(text(low, high)), flat(wanted))
    if cut_page:
        with open(os.path.join(folder, "page.html"), "w", encoding="utf-8") as out:
            out.write(show("--html", *cut(low, high)))
        page.load(os.path.join(folder, "page.html"))
        expect(f"table of the page cut from {low} to {high}", sorted(table()), flat(wanted))
    expect(f"page from {low} to {high}", page_sums(low, high), wanted)
    return d


def choose_windows(d):
    """Between moments at which something changes, and beside these."""
    edges = sorted({i["start_ns"] for t in d["threads"] for i in t["intervals"]} - {d["from_ns"]})
    chance = random.Random(16)
    low, high = edges[len(edges) // 3], edges[2 * len(edges) // 3]
    windows = [(low, high), (low + 1, high + 1), (low - 1, high), (d["from_ns"], low),
               (low, d["to_ns"])]
    return windows + [tuple(sorted(chance.sample(range(d["from_ns"], d["to_ns"]), 2)))
                      for _ in range(3)]


def add_up(parts):
    total = {}
    for d in parts:
        for tid, switches in flat(sums_of(d)):
            total[tid] = [a + b for a, b in zip(total.get(tid, [0, 0, 0]), switches)]
    return total


page = Browser(os.path.join(folder, "profile"))
try:
    whole = json.loads(show("--json"))
    check(whole["from_ns"], whole["to_ns"], True)
    windows = choose_windows(whole)
    for window in windows:
        page.load(os.path.join(folder, "page.html"), f"#{window[0]}-{window[1]}")
        check(*window, False)
        page.value(f"setWindow({window[0]}, {window[1]})")
        page.settle()
        lives = {t["tid"] for t in document(*window)["threads"]}
        expect("the table of the page's window", sorted(row for row in table() if row[0] in lives),
               flat(sums_of(document(*window))))
    third = windows[0]
    parts = [document(whole["from_ns"], third[0]), document(*third),
             document(third[1], whole["to_ns"])]
    expect("the sum of three parts", sorted(add_up(parts).items()),
           [(tid, s) for tid, s in flat(sums_of(whole))])
    for window in windows[:3]:
        check(*window, True)
    expect("complaints of the page", page.errors, [])
finally:
    page.close()
woken = sum(a["state"] == "running" and b["state"] == "ready" and not b["preempted"]
            for t in whole["threads"] for a, b in zip(t["intervals"], t["intervals"][1:]))
print(f"{len(whole['threads'])} threads, {sum(s[0] + s[1] for _, s in flat(sums_of(whole)))} "
      f"switches; {woken} sleeps were all wait")
