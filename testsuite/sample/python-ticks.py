# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes samples at known places: tick (N) sends the signal of the profiler's timer N times, and
notes the Python stack.  At the end all stacks are printed: "TICKS FUNCTION:LINE;...", the outermost
first."""

import asyncio
import collections
import ctypes
import gc
import os
import sys
import threading

SYS_SETITIMER, SYS_TIMER_DELETE, SYS_TGSIGQUEUEINFO = 38, 226, 297
ITIMER_PROF, SIGPROF, SI_KERNEL = 2, 27, 0x80
holding, releasing = ctypes.PyDLL(None).syscall, ctypes.CDLL(None).syscall  # the interpreter's lock
info = (ctypes.c_int * 32)(SIGPROF, 0, SI_KERNEL)
truth, collecting = collections.Counter(), False


def note(frame, line):
    """The stack of FRAME, which is in LINE."""
    stack = []
    while frame:
        stack.append(f"{frame.f_code.co_qualname}:{line}")
        frame = frame.f_back
        line = frame and frame.f_lineno
    return ";".join(reversed(stack)) + (";[garbage collection]:0" if collecting else "")


def tick(n, call=holding):
    truth[note(sys._getframe(), tick.__code__.co_firstlineno + 4)] += n
    where = os.getpid(), threading.get_native_id(), SIGPROF, info
    for _ in range(n):
        call(SYS_TGSIGQUEUEINFO, *where)


def recurse(n):
    if n == 0:
        return tick(2)
    return recurse(n - 1)


def numbers(n):
    for i in range(n):
        tick(1)
        yield i


def delegate(n):
    yield from numbers(n)
    tick(1, releasing)


def fail(n):
    try:
        if n == 0:
            raise ValueError(n)
        fail(n - 1)
    except ValueError:
        tick(1)
        raise
    finally:
        tick(1, releasing)


class Ordered:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        tick(1)
        return self.value < other.value

    @property
    def doubled(self): return tick(1) or 2 * self.value


class Cycle:
    def __init__(self):
        self.itself = self

    def __del__(self):
        global collecting
        collecting = True
        tick(3)
        collecting = False


async def wait(n):
    await asyncio.sleep(0)
    tick(n)


async def tasks():
    await asyncio.gather(*(wait(i) for i in range(4)))


def größe():
    tick(1)


def same_address():
    """New code objects, which get the addresses of earlier ones."""
    for i in range(200):
        names = {"tick": tick}
        blank = "\n" * (i % 7)
        exec(compile(f"def f{i}():\n{blank}  tick(1)\nf{i}()", f"file{i}.py", "exec"), names)


def all_kinds():
    recurse(30)
    list(delegate(3))
    try:
        fail(3)
    except ValueError:
        pass
    sorted([Ordered(i) for i in (3, 1, 2)])
    list(map(lambda i: tick(i), range(3)))
    [Ordered(i).doubled for i in range(3)]
    größe()
    Cycle()
    gc.collect()
    asyncio.run(tasks())
    same_address()
    (tick
     (2))


holding(SYS_SETITIMER, ITIMER_PROF, (ctypes.c_long * 4)(), None)  # behind the library's back
for timer in range(16):
    holding(SYS_TIMER_DELETE, timer)
gc.disable()
all_kinds()
threads = [threading.Thread(target=all_kinds) for _ in range(3)]
for thread in threads:
    thread.start()
    thread.join()
for stack, ticks in truth.items():
    print(ticks, stack)
