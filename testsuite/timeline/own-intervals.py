# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges what a program read of its own threads (own-intervals.c) by what these know themselves.

    own-intervals.py FILE SCENE BY
"""

import sys
from collections import defaultdict

UNKNOWN, RUNNING, READY, SLEEPING = range(4)
MS = 1000000


def read(path):
    found = defaultdict(list)
    threads = defaultdict(list)
    for line in open(path):
        kind, *words = line.split()
        if kind == "interval":
            tid, begin, end, state, cpu, by, lasts = map(int, words[:-1])
            threads[tid].append((begin, end, state, cpu, by, lasts, words[-1]))
        else:
            found[kind].append(words)
    return found, threads


def check_lists(threads, by):
    """Each interval begins where the one before it ends; only the last one may last."""
    for tid, intervals in threads.items():
        for (_, end, state, *_), (begin, _, state_then, *_) in zip(intervals, intervals[1:]):
            assert end == begin, (tid, end, begin)
            assert state != state_then or state == RUNNING or by == 2, (tid, begin, state)
        for begin, end, state, cpu, how, _, _ in intervals:
            assert begin <= end and how == by and (cpu >= 0) == (state == RUNNING), (tid, begin)
        assert not any(i[5] for i in intervals[:-1]), tid


def spent(intervals, begin, end, state):
    return sum(max(0, min(i[1], end) - max(i[0], begin)) for i in intervals if i[2] == state)


def judge_turns(found, threads, tolerance):
    stolen = int(found["stolen"][0][0])
    stolen += 20 * MS if stolen else 0  # it is counted in ticks
    for tid, cpu, begin, end in (map(int, words) for words in found["turn"]):
        # What was before the start of the observation is not there.
        first = threads[tid][0][0]
        assert threads[tid][-1][1] >= end and not threads[tid][-1][5], tid
        ran = spent(threads[tid], begin, end, RUNNING)
        late = max(0, first - begin)
        # The clock also has the switches themselves, but for some microseconds of each.
        switches = 10000 * sum(i[2] == RUNNING for i in threads[tid])
        assert cpu - late - tolerance - switches <= ran <= cpu + tolerance + stolen, \
            (tid, ran, cpu, late, stolen)


def judge_sleeps(found, threads):
    """Each sleep is one interval, between the thread's own time stamps.  Now and then the kernel
    wakes a thread up too early and lets it sleep on."""
    n = whole = 0
    for tid, before, after in (map(int, words) for words in found["sleep"]):
        if before < threads[tid][0][0]:
            continue
        inside = [i for i in threads[tid]
                  if i[2] == SLEEPING and before <= i[0] and i[1] <= after]
        slept = sum(i[1] - i[0] for i in inside)
        # A signal of the profiler's may have cut it short.
        least = 4 * MS - MS // 10 if after - before >= 4 * MS else 1
        assert least <= slept <= after - before, (tid, before, after, inside)
        n += 1
        whole += len(inside) == 1
    assert n >= 200 and whole >= 0.9 * n, (n, whole)


def judge_spinners(threads):
    """On one processor only one runs at a time; the others are ready, and none sleeps."""
    turns = sorted((i[0], i[1]) for t in threads.values() for i in t if i[2] == RUNNING)
    assert all(a[1] <= b[0] for a, b in zip(turns, turns[1:])), turns
    for tid, intervals in threads.items():
        whole = intervals[-1][1] - intervals[0][0]
        ready = spent(intervals, 0, 1 << 63, READY)
        sleeping = spent(intervals, 0, 1 << 63, SLEEPING)
        assert ready > whole / 3 and sleeping < whole / 20, (tid, whole, ready, sleeping)
        assert intervals[0][2] == READY, tid  # from its birth on


def main():
    path, scene, by = sys.argv[1], sys.argv[2], int(sys.argv[3])
    found, threads = read(path)
    assert found["by"] and all(words == [str(by)] for words in found["by"]), found["by"]
    check_lists(threads, by)
    if scene == "workers":
        assert len(threads) == 4, list(threads)
        judge_turns(found, threads, MS if by == 1 else 20 * MS)
        if by == 1:
            judge_sleeps(found, threads)
    elif scene == "spinners":
        judge_turns(found, threads, MS)
        judge_spinners(threads)
    elif scene == "waits":
        assert len(found["waits"]) == 7, found
        for tid, why in found["waits"]:
            *_, last = threads[int(tid)]
            assert last[2] == SLEEPING and last[5] and last[6] == why, (tid, why, last)
    elif scene == "lost":
        (intervals,) = threads.values()
        states = [i[2] for i in intervals]
        assert UNKNOWN in states, len(states)
        last = [i for i in intervals if i[2] == SLEEPING][-10:]
        assert len(last) == 10 and all(i[1] - i[0] > 2 * MS for i in last), last
        # What is not known is not taken for a long turn.
        longest = max(i[1] - i[0] for i in intervals if i[2] == RUNNING)
        gap = max(i[1] - i[0] for i in intervals if i[2] == UNKNOWN)
        assert gap > 0, (longest, gap)
    elif scene == "forked":
        assert found["child"] == [["-22"]] and found["stop"] == [["0"]], found
        assert found["parent"] == [["1"]], found
        (intervals,) = threads.values()
        assert sum(i[2] == SLEEPING and i[1] - i[0] > 4 * MS for i in intervals) == 2, intervals


main()
