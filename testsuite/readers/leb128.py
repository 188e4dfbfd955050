# SPDX-License-Identifier: GPL-3.0-or-later
"""Unsigned LEB128, and folded differences."""

from readers import Unreadable, need


class Numbers:
    """Reads one number after the other."""

    def __init__(self, data, place=0):
        self.data = data
        self.place = place

    def next(self):
        value = shift = 0
        while True:
            if self.place >= len(self.data):
                raise Unreadable("torn numbers")
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def word(self):
        """A number of four bytes."""
        self.place += 4
        if self.place > len(self.data):
            raise Unreadable("torn numbers")
        return int.from_bytes(self.data[self.place - 4:self.place], "little")

    def rest(self):
        return self.data[self.place:]


def decode(content):
    """All of them, as a list."""
    numbers, value, shift = [], 0, 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    need(shift == 0, "torn numbers")
    return numbers


def encode(*numbers):
    content = bytearray()
    for number in numbers:
        while number > 127:
            content.append(number & 127 | 128)
            number >>= 7
        content.append(number)
    return bytes(content)


def fold(number):
    return 2 * number if number >= 0 else -2 * number - 1


def unfold(number):
    return -(number + 1 >> 1) if number & 1 else number >> 1
