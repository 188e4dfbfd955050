# SPDX-License-Identifier: GPL-3.0-or-later
"""Two halves of one comparison of stacks.

In gdb (gdb -x by_gdb.py): stops the program whenever its handler counts a sample, and writes down,
into the file that GDB_LOG names, the number of the node and the frames that gdb finds from the
interrupted instruction outwards.

By itself (by_gdb.py LOG gmon.out): compares them, address by address, with the stack that the
profile has for that node."""

import os
import sys

try:
    import gdb
except ImportError:
    gdb = None


def frames_of_gdb():
    """Program counters, the innermost first; those of inlined functions, and of callers by a jump,
    are no frames of the machine.  Those to which handlers return have the letter t."""
    frame = gdb.newest_frame()
    while frame is not None and frame.type() != gdb.SIGTRAMP_FRAME:
        frame = frame.older()
    found = []
    frame = frame.older() if frame is not None else None
    while frame is not None:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            found.append(("t" if frame.type() == gdb.SIGTRAMP_FRAME else "") + hex(frame.pc()))
        frame = frame.older()
    return found


def in_gdb():
    log = open(os.environ["GDB_LOG"], "w")

    class Counted(gdb.Breakpoint):
        def stop(self):
            number = int(gdb.parse_and_eval("$edi"))
            print(number, *frames_of_gdb(), file=log, flush=True)
            return False

    for command in ("set pagination off", "set confirm off", "set breakpoint pending on",
                    "set backtrace past-main on", "set backtrace limit 1000",
                    "set startup-with-shell off", "handle all nostop noprint pass",
                    "handle SIGTRAP stop nopass"):
        gdb.execute(command)
    for name in "LD_PRELOAD", "BBPROF_OPTIONS":
        gdb.execute(f"set environment {name} {os.environ['GDB_' + name]}")
    Counted("bbp_context_count")
    gdb.execute("run")


def virtual(stacks, pcs):
    """As the profile has them; without the frames of the profiler's own, which it leaves out: it
    passes signals on to the program's handlers."""
    for pc in pcs:
        where = [item for item in stacks.objects if item.start <= pc - item.bias < item.end]
        if not where:
            yield None
        elif where[0].name != "libbbprof.so":
            yield pc - where[0].bias + where[0].base


def compare(log, profile):
    from readers import stacks as reader
    stacks, equal, depth, wrong = reader.Stacks(profile), 0, 0, []
    for line in open(log):
        number, *pcs = line.split()
        theirs = list(virtual(stacks, (int(pc, 16) for pc in pcs if pc[0] != "t")))
        # which belongs to no function: either way
        returns = set(virtual(stacks, (int(pc[1:], 16) for pc in pcs if pc[0] == "t")))
        ours, node = [], int(number)
        while node:
            if stacks.nodes[node].kind in (reader.CODE, reader.INTERRUPTED, reader.ANONYMOUS):
                ours.append(stacks.nodes[node].address)
            elif stacks.nodes[node].kind == reader.CUT:
                ours.append(None)
            node = stacks.nodes[node].parent
        ours = [address for address in ours if address not in returns]
        if ours == theirs:
            equal += 1
            depth = max(depth, len(ours))
        else:
            wrong.append((ours, theirs))
    for ours, theirs in wrong[:3]:
        for what, frames in ("ours", ours), ("gdb's", theirs):
            print(what, *(stacks.code(address - (i > 0)) if address else "-"
                          for i, address in enumerate(frames)))
    print(f"{equal} stacks equal, {len(wrong)} not, up to {depth} frames deep")
    return 1 if wrong or not equal else 0


if gdb:
    in_gdb()
else:
    sys.exit(compare(*sys.argv[1:]))
