# SPDX-License-Identifier: GPL-3.0-or-later
"""Script for gdb: steps through a program instruction by instruction.  At each instruction of
the program's own text it checks the return address and the frame address that the call frame
information gives.  The walk itself knows the right ones: a call leaves the return address on the
stack, at an address that stays the same for the function.

    gdb -nx -batch -ex "python LIMIT = 1000" -x frames.py ./prog

Prints WALKED STEPS FUNCTIONS, and lines that begin with WRONG.  After LIMIT instructions of a
function, the rest of it runs without checks, except in main."""

import collections

import gdb

LIMIT = globals()["LIMIT"]  # by gdb's -ex


def number(text):
    return int(gdb.parse_and_eval(text)) & 0xffffffffffffffff


def text_sections():
    """The address ranges of the program's own code, without PLT stubs and the run-time library."""
    for line in gdb.execute("info files", to_string=True).splitlines():
        words = line.split()
        if len(words) == 5 and words[3] == "is" and words[4].startswith(".text"):
            yield int(words[0], 16), int(words[2], 16)


class Walk:
    def __init__(self):
        self.sections = list(text_sections())
        self.calls = []  # of the active functions: address of the return address, and its value
        self.functions = collections.Counter()  # instructions seen
        self.steps = 0
        self.leaving = None  # a function that a nonlocal goto leaves: its frame is gone already
        self.look_at_exceptions()
        stack = number("$rsp")
        self.calls.append((stack, number(f"*(unsigned long *) {stack}")))

    def look_at_exceptions(self):
        """The personality routine passes the landing pad to libgcc: stop there."""
        self.set_ip = None
        try:
            self.set_ip = number("(unsigned long) &_Unwind_SetIP")
            gdb.Breakpoint(f"*{self.set_ip}", internal=True)
        except gdb.error:
            pass  # the program does not use libgcc

    def inside(self, pc):
        return any(start <= pc < end for start, end in self.sections)

    def check(self, pc):
        place, target = self.calls[-1]
        frame = gdb.newest_frame()
        if frame.name() == self.leaving:
            return 0
        self.leaving = None
        caller = frame.older()
        if caller is None:
            print(f"WRONG: no caller at {pc:#x} in {frame.name()}")
        elif caller.pc() != target:
            print(f"WRONG: return to {caller.pc():#x} instead of {target:#x} at {pc:#x}"
                  f" in {frame.name()}")
        elif int(caller.read_register("rsp")) & 0xffffffffffffffff != place + 8:
            print(f"WRONG: the frame begins at {int(caller.read_register('rsp')):#x}"
                  f" instead of {place + 8:#x} at {pc:#x} in {frame.name()}")
        self.functions[frame.name()] += 1
        return self.functions[frame.name()]

    def step(self, pc):
        frame = gdb.newest_frame()
        text = frame.architecture().disassemble(pc)[0]["asm"]
        is_call = "call" in text.split()[:2]  # notrack call, addr32 call
        name = frame.name()
        before = number("$rsp")
        gdb.execute("stepi", to_string=True)
        stack = number("$rsp")
        if is_call and stack == before - 8:
            target = number(f"*(unsigned long *) {stack}")
            self.calls.append((stack, target))
            if "setjmp" in (gdb.newest_frame().name() or ""):
                gdb.Breakpoint(f"*{target}", internal=True)  # where longjmp leads to
        if self.drop(stack) and "ret" not in text:
            self.leaving = name
        while self.calls and not self.inside(number("$pc")):
            if abs(number("$pc") - number("$rsp")) < 0x10000:
                # A trampoline on the stack, which calls a nested function.
                gdb.execute("stepi", to_string=True)
            else:
                self.come_back()

    def come_back(self):
        """Runs to the end of the last function: by a return, an exception, longjmp."""
        place, target = self.calls[-1]
        breakpoints = [gdb.Breakpoint(f"*{target}", internal=True)]
        while number("$rsp") <= place:
            gdb.execute("continue", to_string=True)
            if not gdb.selected_inferior().pid:
                self.calls.clear()  # exit
                return
            if number("$pc") == self.set_ip:
                breakpoints.append(gdb.Breakpoint(f"*{number('$rsi')}", internal=True))
        for item in breakpoints:
            item.delete()
        self.drop(number("$rsp"))

    def drop(self, stack):
        """Removes the functions that have ended; true if there are any."""
        number_before = len(self.calls)
        while self.calls and self.calls[-1][0] < stack:
            self.calls.pop()
        return len(self.calls) < number_before

    def go(self):
        while self.calls:
            pc = number("$pc")
            if self.check(pc) < LIMIT or len(self.calls) == 1:
                self.step(pc)
            else:
                self.come_back()
            self.steps += 1
        print("WALKED", self.steps, len(self.functions))


gdb.execute("set pagination off")
gdb.execute("set backtrace past-main on")
gdb.execute("handle SIGPROF nostop noprint pass", to_string=True)
gdb.execute("break *main")
gdb.execute("run >/dev/null")
Walk().go()
