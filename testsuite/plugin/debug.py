# SPDX-License-Identifier: GPL-3.0-or-later
"""Script for gdb: steps through lines.cc with `step', as a user does, and prints each stop.
Leaves other code (a library, an inline function of the C++ library) by `finish'.

    gdb -nx -batch -x debug.py ./prog            prints FUNCTION LINE CALLERS VALUES"""

import gdb


def callers(frame):
    """The number of callers up to main; "?" if unwinding fails."""
    depth = 0
    while frame is not None:
        if frame.name() == "main":
            return depth
        depth, frame = depth + 1, frame.older()
    return "?"


def values(frame):
    """The arguments."""
    block = frame.block()
    while not block.function:
        block = block.superblock
    return " ".join(f"{symbol.name}={symbol.value(frame)}" for symbol in block
                    if symbol.is_argument and symbol.name in "xn")


gdb.execute("set pagination off")
gdb.execute("set startup-with-shell on")
gdb.execute("set environment LD_BIND_NOW=1")
# A tick between two steps would be a stop.
gdb.execute("handle SIGPROF nostop noprint nopass", to_string=True)
gdb.execute("break main")
gdb.execute("break after_exceptions")  # not every debugger finds its way through those
gdb.execute("run >/dev/null")
for number in range(3000):
    if not gdb.selected_inferior().pid:
        break
    frame = gdb.newest_frame()
    line = frame.find_sal()
    if line.symtab and line.symtab.filename.endswith("lines.cc"):
        print("STOP", frame.name(), line.line, callers(frame), values(frame))
        gdb.execute("step", to_string=True)
    elif frame.older() is None or callers(frame) == "?":
        break  # main has returned
    else:
        if not line.symtab or "/c++/" not in line.symtab.filename:
            print("IN", frame.name())  # the run-time library's hooks must not be seen
        gdb.execute("finish", to_string=True)
