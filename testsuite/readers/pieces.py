# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the pieces of a trace as the traced process hands them to its writer
(include/bbprof-pieces.h), from a file of consecutive pieces."""

import collections
import struct

from readers import need

BITS, TOKENS, MARKS = 1024, 14336, 256
PIECE = struct.Struct("<IIIIIIIIIIII QQQQQQ 16s IIII Q")
PIECE_SIZE = PIECE.size + 8 * (BITS + 1) + 8 * TOKENS + 16 * MARKS + 16
MAGIC = 0x6262702d71756575
LOST_PIECES = 8280  # where the head says it
STREAM, NEXT, LOST, EVENT = range(4)
END_NOT, END_NEXT, END_PC, END_STREAM = range(4)
FIELDS = ("state stream sequence tid start end depth parent parent_sequence parent_words "
          "parent_tokens parent_rest parent_pc pc started ended started_tsc ended_tsc name words "
          "tokens marks rest lost").split()


class Piece:
    def __init__(self, data, at):
        for name, value in zip(FIELDS, PIECE.unpack_from(data, at)):
            setattr(self, name, value)
        end_words, end_tokens, end_bits = struct.unpack_from("<IIQ", data, at + PIECE_SIZE - 16)
        if self.end != END_NOT:
            self.words, self.tokens = end_words, end_tokens
        at += PIECE.size
        words = struct.unpack_from("<%dQ" % (BITS + 1), data, at)
        at += 8 * (BITS + 1)
        self.token = list(struct.unpack_from("<%dQ" % self.tokens, data, at))
        at += 8 * TOKENS
        self.mark = [struct.unpack_from("<IIQ", data, at + 16 * i) for i in range(self.marks)]
        text = "".join(format(word, "064b") for word in words[:self.words])
        if self.rest and self.end != END_NOT:
            text += format(end_bits, "0%db" % self.rest)
        self.bits = text


def read_trace(path):
    """The pieces of each stream; and how many are said to be lost."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, head = struct.unpack_from("<QII", data)
    need(magic == MAGIC and version == 2, "no trace")
    lost, = struct.unpack_from("<Q", data, LOST_PIECES)
    streams = collections.defaultdict(dict)
    for at in range(head, len(data) - PIECE_SIZE + 1, PIECE_SIZE):
        p = Piece(data, at)
        streams[p.stream][p.sequence] = p  # a later one of the same number is the longer one
    return [[s[i] for i in sorted(s)] for _, s in sorted(streams.items())], lost
