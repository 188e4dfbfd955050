#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the calls of MPI in a timeline:

    judge-timeline.py RANKS RANK [PAGE]

For each rank N there is told.N, which timed.c has written; timeline.N, JSON; said.N, of
readers.samples; text.N, the page of text; picture.N.  report.json is of all ranks.  PAGE is of
RANK; cut.json and cut.svg are of a window.
"""

import collections
import json
import os
import re
import sys
from xml.etree import ElementTree


def told_calls(path):
    """By thread: function, before, after; in order."""
    calls = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for tid, name, before, after in map(str.split, file):
            calls[int(tid)].append((name, int(before), int(after)))
    return calls


def shown_calls(timeline):
    return {t["tid"]: [(c["call"], c["start_ns"], c["end_ns"]) for c in t["mpi_calls"]]
            for t in timeline["threads"] if t["mpi_calls"]}


def check_moments(told, shown):
    """When the run began is not told; but one such moment has to be right for all calls."""
    early, late = -(1 << 62), 1 << 62
    assert shown.keys() == told.keys(), (list(shown), list(told))
    for tid, calls in told.items():
        assert [name for name, _, _ in shown[tid]] == [name for name, _, _ in calls], tid
        for (_, start, end), (_, before, after) in zip(shown[tid], calls):
            assert start <= end, (start, end)
            early, late = max(early, before - start), min(late, after - end)
        assert all(a[2] <= b[1] for a, b in zip(shown[tid], shown[tid][1:])), "calls overlap"
    assert early <= late, (early, late)


def check_sums(shown, report):
    """To the nanosecond, as far as the report's seconds have digits."""
    found, reported = collections.Counter(), collections.Counter()
    for calls in shown:
        for name, start, end in calls:
            found[name, "ns"] += end - start
            found[name, "calls"] += 1
    for call in report["calls"]:
        reported[call["call"], "ns"] += call["seconds"] * 1e9
        reported[call["call"], "calls"] += call["calls"]
    assert found.keys() == reported.keys(), (found, reported)
    for key, number in found.items():
        assert abs(number - reported[key]) < 1, (key, number, reported[key])


def check_reader(shown, path):
    said = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("mpi "):
                _, time, length, tid, name = line.split()
                said[int(tid)].append((name, int(time), int(time) + int(length)))
    assert {tid: sorted(calls, key=lambda c: c[1]) for tid, calls in said.items()} == shown


def check_text(shown, path):
    found = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if len(words) == 6 and words[1].startswith("MPI_"):
                found[words[1]] += int(words[2])
    assert found == collections.Counter(call[0] for calls in shown.values() for call in calls)


def drawn_columns(path):
    """The columns of pixels that the line covers, which is 3 pixels high."""
    at = high = 0
    columns = set()
    for step, way in re.findall(r"([hv])(-?\d+)", path):
        if step == "v":
            high -= int(way)
        else:
            columns |= set(range(at, at + int(way))) if high else set()
            at += int(way)
        assert high in (0, 3), path
    return columns


def check_picture(timeline, path):
    """A line where the thread was in MPI, in the row's order, and the texts of long calls."""
    svg = "{http://www.w3.org/2000/svg}"
    begin, span = timeline["from_ns"], timeline["to_ns"] - timeline["from_ns"]
    picture = ElementTree.parse(path).getroot()
    groups = [g for g in picture.iter(svg + "g") if g.get("class") is None]
    assert len(groups) == len(timeline["threads"])
    for group, thread in zip(groups, timeline["threads"]):
        wanted, titles = set(), []
        for call in thread["mpi_calls"]:
            start, end = max(call["start_ns"] - begin, 0), min(call["end_ns"] - begin, span)
            # Column i begins at span * i // 1000.
            wanted |= {i for i in range(start * 1000 // span, min(end * 1000 // span + 1, 1000))
                       if span * i // 1000 < end and span * (i + 1) // 1000 > start}
            if (end - start) * 1000 / span >= 4.1:
                titles.append(call["call"])
        lines = [p.get("d") for p in group.iter(svg + "path") if p.get("class") == "c"]
        assert len(lines) == (1 if wanted else 0), lines
        assert wanted == (drawn_columns(lines[0]) if lines else set()), thread["name"]
        texts = [t.text for t in group.iter(svg + "title")]
        shown = [text.split()[1] for text in texts if text.startswith("in MPI_")]
        assert set(titles) <= set(shown) and len(titles) <= len(shown), (titles, shown)
    assert "in a function of MPI" in [t.text for t in picture.iter(svg + "text")]


def check_page(shown, path):
    from browser import Browser
    page = Browser(os.path.abspath("profile"))
    page.load(path)
    rows = page.value("threads.map((t) => [t.tid, [...t.mpi.starts].map((start, i) => "
                      "[data.names[t.mpi.names[i]], start, t.mpi.ends[i]])])")
    assert {tid: [tuple(call) for call in calls] for tid, calls in rows if calls} == shown
    assert not page.value("part('mpi-legend').hidden")
    # The longest barrier, in the middle of the window: the line above its row, and the words.
    index, (name, start, end) = max(
        ((i, call) for i, (_, calls) in enumerate(rows) for call in calls
         if call[0] == "MPI_Barrier"), key=lambda found: found[1][2] - found[1][1])
    length = end - start
    page.value(f"(view.from = {start - length}, view.to = {end + length}, frame.scrollTop = 0, "
               f"draw(), 0)")
    y = page.value(f"headHeight() + rowsBelow().findIndex((r) => r.index === {index}) * ROW + 1")
    x = page.value(f"Math.round(xOf({(start + end) / 2}))")
    pixel = page.value("(() => { const c = new OffscreenCanvas(1, 1).getContext('2d'); "
                       f"c.drawImage(picture, -{x}, -{y}); "
                       "return [...c.getImageData(0, 0, 1, 1).data]; })()")
    wanted = page.value("(() => { const c = new OffscreenCanvas(1, 1).getContext('2d'); "
                        "c.fillStyle = colours.mpi; c.fillRect(0, 0, 1, 1); "
                        "return [...c.getImageData(0, 0, 1, 1).data]; })()")
    assert pixel == wanted, (pixel, wanted)
    words = page.value(f"mpiLines(threads[{index}], {(start + end) / 2}).map((l) => "
                       "l.textContent).join()")
    assert words.startswith(f"in {name} for "), words
    page.close()


def check_rank(rank):
    """Returns what is shown."""
    with open(f"timeline.{rank}", encoding="utf-8") as file:
        timeline = json.load(file)
    assert timeline["watched"]["lost_mpi_calls"] == 0
    shown = shown_calls(timeline)
    check_moments(told_calls(f"told.{rank}"), shown)
    check_reader(shown, f"said.{rank}")
    check_text(shown, f"text.{rank}")
    check_picture(timeline, f"picture.{rank}")
    return shown


def main():
    ranks = [check_rank(rank) for rank in range(int(sys.argv[1]))]
    with open("report.json", encoding="utf-8") as file:
        all_calls = [calls for shown in ranks for calls in shown.values()]
        check_sums(all_calls, json.load(file))
    with open("cut.json", encoding="utf-8") as file:
        check_picture(json.load(file), "cut.svg")
    if len(sys.argv) > 3:
        check_page(ranks[int(sys.argv[2])], sys.argv[3])
    print(sum(map(len, all_calls)), "calls", "and the page" if len(sys.argv) > 3 else "")


main()
