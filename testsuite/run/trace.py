#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Says whether the pieces that trace-writer.c has written are what trace.c says that it did.

    trace.py TRACE TRUTH [OPTION...]

Options: cut (the process was killed: the truth may go on), lost (pieces may be missing where the
trace says so), tail (the trace begins in the middle), explicit=N (at most N returns have a token),
expected=N (at least N entries have none).
"""

import collections
import sys

from readers.pieces import END_NOT, END_STREAM, EVENT, LOST, STREAM, read_trace


def fail(*words):
    print("FAIL:", *words)
    sys.exit(1)


def read_truth(path):
    """By thread, by stream: events.  An event: kind, address, way, level."""
    truth = collections.OrderedDict()
    for line in open(path):
        tid, stream, kind, address, way, level = line.split()
        truth.setdefault((int(tid), int(stream)),
                         []).append((kind, int(address), int(way), int(level)))
    return truth


def check_marks(piece):
    last = (0, 0, piece.started_tsc)
    for mark in piece.mark:
        if any(a > b for a, b in zip(last, mark)):
            fail("marks fall", last, mark)
        last = mark
    if piece.end != END_NOT and not piece.started <= piece.ended:
        fail("time falls")
    if piece.marks < piece.tokens // 256 - 1 or piece.marks < piece.words // 8 - 1:
        fail("too few marks:", piece.marks)


class Reader:
    """The bits and tokens of a stream, and where they come from."""
    def __init__(self, pieces):
        self.pieces, self.i, self.b, self.t = pieces, 0, 0, 0
        self.boundary = True

    def piece(self):
        return self.pieces[self.i] if self.i < len(self.pieces) else None

    def step(self):
        """To the piece that has the next bit; true: that one is another one."""
        moved = False
        while self.piece() and self.b >= len(self.piece().bits):
            if self.piece().end != END_NOT and self.t != len(self.piece().token):
                fail("tokens left", self.t, len(self.piece().token))
            self.i, self.b, self.t, moved = self.i + 1, 0, 0, True
        return moved

    def place(self):
        return self.piece() and (self.piece().sequence, self.b)

    def bit(self):
        value = self.piece().bits[self.b]
        self.b += 1
        return value == "1"

    def token(self):
        if self.t >= len(self.piece().token):
            fail("a token is missing")
        self.t += 1
        return self.piece().token[self.t - 1]


def follows(reader, events, n):
    """Whether what comes in the piece are the events from N on, as far as a glance tells."""
    piece, b, t = reader.piece(), reader.b, reader.t
    for kind, address, way, level in events[n:n + 3000]:
        if b >= len(piece.bits):
            return True
        if kind in "HFJD":
            continue
        bit = piece.bits[b] == "1"
        b += 1
        if kind == "B" and bit != bool(way) or kind in "LT" and not bit:
            return False
        if kind != "B" and bit:
            if t >= len(piece.token) or piece.token[t] != address | (0 if kind == "T"
                                                                     else level << 48):
                return False
            t += 1
    return True


def find(reader, events, n):
    """The event, from N on, with which the piece begins that reader has come to."""
    while n < len(events) and not (events[n][0] in "ELC" and follows(reader, events, n)):
        n += 1
    if n == len(events):
        fail("a piece begins nowhere")
    return n


def check_stream(pieces, events, options, where):
    """Returns how many returns have a token, how many entries have none, and where handlers came
    in between: (sequence, bits)."""
    for before, piece in zip(pieces, pieces[1:]):
        if piece.sequence != before.sequence + 1 and "tail" not in options:
            fail(where, "sequence", before.sequence, piece.sequence)
    for piece in pieces:
        check_marks(piece)
    first = pieces[0]
    wanted = (LOST,) if events[0][0] == "F" else (STREAM,)
    if first.start not in wanted and "tail" not in options and "anew" not in options:
        fail(where, "begins with", first.start)
    reader, told, untold, handlers = Reader(pieces), 0, 0, []
    n = 0
    while n < len(events):
        kind, address, way, level = events[n]
        n += 1
        if kind in "FJD":
            continue
        here = reader.place()
        moved = reader.step() or (reader.i == 0 and reader.b == 0)
        piece = reader.piece()
        if kind == "H":
            handlers.append(here)
            continue
        if not piece:
            if "cut" in options:
                return told, untold, handlers
            fail(where, "ends too early, at", n, "of", len(events), events[n - 1])
        if moved and ("tail" in options and reader.i == 0 or piece.start == LOST
                      and "lost" in options):
            n = find(reader, events, n - 1) + 1
            kind, address, way, level = events[n - 1]
        absolute = moved and piece.start in (STREAM, LOST, EVENT)
        if absolute and kind not in "ELC":
            fail(where, "a piece begins with", kind)
        bit = reader.bit()
        if kind == "B":
            if bit != bool(way):
                fail(where, "event", n, "bit", bit)
            continue
        if not bit:
            called = kind == "E" and n > 1 and events[n - 2][:2] == ("D", address)
            if not (kind == "C" or called) or absolute:
                fail(where, "event", n, kind, "is a 0")
            untold += called
            continue
        token, should = reader.token(), address | (0 if kind == "T" else level << 48)
        if token != should:
            fail(where, "event", n, kind, "token %x instead of %x" % (token, should))
        told += kind == "C"
    if reader.step() or reader.piece() and reader.b < len(reader.piece().bits):
        if reader.piece():
            fail(where, "goes on behind the end")
    return told, untold, handlers


def main():
    options = dict(o.partition("=")[::2] for o in sys.argv[3:])
    (streams, lost), truth = read_trace(sys.argv[1]), read_truth(sys.argv[2])
    threads = [s for s in streams if not s[0].parent]
    handlers = [s for s in streams if s[0].parent]
    told, untold, seen, parents = 0, 0, set(), {}
    for pieces in threads:
        tid = pieces[0].tid
        if (tid, 0) not in truth:
            fail("a stream of thread", tid, "that says nothing")
        seen.add((tid, 0))
        n, none, parents[pieces[0].stream] = check_stream(pieces, truth[tid, 0], options,
                                                          "thread %d:" % tid)
        told += n
        untold += none
    calls = iter(sorted(key for key in truth if key[1]))
    for pieces in handlers:
        key = next(calls)
        seen.add(key)
        told += check_stream(pieces, truth[key], options, "handler %d:" % key[1])[0]
        p = pieces[0]
        at = parents[p.parent].pop(0) if parents.get(p.parent) else None
        if (p.parent_sequence, p.parent_words * 64 + p.parent_rest) != at:
            fail("handler", key, "came at", p.parent_sequence, p.parent_words, p.parent_rest,
                 "and not at", at)
        if pieces[-1].end != END_STREAM:
            fail("a handler's stream ends with", pieces[-1].end)
    if set(truth) - seen:
        fail("no stream of", set(truth) - seen)
    if "explicit" in options and told > int(options["explicit"]):
        fail(told, "returns are told by a token")
    if untold < int(options.get("expected", 0)):
        fail("only", untold, "entries have no token")
    if ("lost" in options) != (lost > 0):
        fail(lost, "pieces are said to be lost")
    print(len(threads), "threads,", len(handlers), "handlers,", sum(map(len, streams)), "pieces,",
          told, "returns told")


main()
