#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes random C or C++ programs that count themselves (harness.h), two units of each.

    generate.py SEED c|c++ FOLDER       writes FOLDER/one.c, FOLDER/two.c (.cc)

The programs have every construct of control flow of compiled code: loops, switches, goto,
computed goto, asm goto, setjmp and longjmp, exceptions, cleanups, early returns, recursion,
direct, indirect and tail calls, callbacks, signal handlers, functions that do not return,
endless loops that a jump leaves.  Every program ends, because rounds and depth are limited, and its
output depends on the seed only.
"""

import random
import sys

MAXIMAL_DEPTH = 5


class Program:
    """What holds for the whole program: its features, functions and places."""

    def __init__(self, seed, language):
        self.random = random.Random(f"{seed} {language}")
        self.cxx = language == "c++"
        chance = self.chance
        self.functions = self.random.randint(3, 12)
        self.soft = {n for n in range(1, self.functions) if chance(25)} if chance(50) else set()
        self.leaves = chance(30)
        self.threads = 0 if self.leaves else self.random.choice([0, 0, 0, 1, 2])
        self.signal = chance(30)
        self.throws = self.cxx
        self.jumps = not self.cxx or chance(30)
        self.guards = not (self.cxx and self.jumps) and chance(60)
        self.places = 0

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def place(self):
        self.places += 1
        return f"PLACE ({self.places - 1});"

    def signature(self, number):
        linkage = "static " if number in self.soft else ""
        hard = "" if number in self.soft else "HARD "
        return f"{linkage}{hard}unsigned {self.name(number)} (unsigned argument, int depth)"

    def name(self, number):
        return f"s{number}" if number in self.soft else f"f{number}"

    def unit(self, number):
        """Divides the program's functions between two units; soft ones are static, so in both."""
        here = [n for n in range(self.functions) if n % 2 == number and n not in self.soft]
        soft = sorted(self.soft) if number == 0 else []
        lines = ['#include "harness.h"', ""]
        if self.cxx:
            lines.append('extern "C" {')
        lines += [f"{self.signature(n)};" for n in range(self.functions) if n not in self.soft]
        lines += [f"{self.signature(n)};" for n in soft]
        lines.append("")
        if self.guards:
            lines += self.guard(number)
        callable_here = [n for n in range(self.functions) if number == 0 or n not in self.soft]
        for n in sorted(here + soft):
            lines += Function(self, n, callable_here).text()
        lines += self.frame() if number == 0 else self.callbacks()
        if self.cxx:
            lines.append("}")
        return "\n".join(lines) + "\n"

    def guard(self, number):
        name = f"guard{number}"
        return [f"static void {name} (unsigned *x)", "{", "  if (*x & 1)",
                f"    {{ {self.place()} }}", "  else",
                f"    {{ {self.place()} }}", "}", ""]

    def frame(self):
        return [f"extern const int program_threads = {self.threads};",
                "extern const int program_runs = 20;",
                f"extern const int program_signal = {int(self.signal)};", "",
                "HARD unsigned program (unsigned x)", "{",
                f"  {self.place()}", "  truth.arc[OUTSIDE][PROGRAM]++;",
                *(["  truth.catching++;", "  try {"] if self.throws else []),
                "  x = CALL (PROGRAM, 0, f0 (x, 0));",
                *(["  } catch (unsigned e) {", f"    {self.place()}", "    x ^= e;", "  }"]
                  if self.throws else []),
                f"  {self.place()}", "  return x;", "}", ""]

    def callbacks(self):
        return ["HARD unsigned program_order (unsigned x, unsigned y)", "{",
                "  truth.arc[OUTSIDE][ORDER]++;",
                f"  if (x > y) {{ {self.place()} return 1; }}", f"  {self.place()}", "  return 0;",
                "}", "",
                "HARD void program_handler (int number)", "{", "  truth.arc[OUTSIDE][HANDLER]++;",
                f"  if (truth.handled++ & number) {{ {self.place()} return; }}",
                f"  {self.place()}", "}", ""]


class Function:
    """One function: a row of stretches with labels in front, each a few statements."""

    def __init__(self, program, number, callees):
        self.program = program
        self.random = program.random
        self.chance = program.chance
        self.place = program.place
        self.number = number
        self.callees = callees
        self.stretches = self.random.randint(2, 5)
        self.budget = self.random.randint(6, 30)
        self.counters = 0
        self.closed = 0  # depth of blocks that control must not leave by a jump
        self.loops = 0   # depth of loops inside the innermost closed block
        self.switches = 0
        self.setjmps = False
        self.ways = False

    def text(self):
        body = []
        for n in range(self.stretches):
            body += [f" l{n}: __attribute__ ((unused));", f"  {self.place()}"]
            body += self.statements("  ", 0)
        last = self.last_words()
        volatile = "volatile " if self.setjmps else ""
        counters = [f"  unsigned i{n};" for n in range(self.counters)]
        return [self.program.signature(self.number), "{", f"  {volatile}unsigned x = argument;",
                *counters,
                *([f"  static void *const way[] = {{"
                   f" {', '.join(f'&&l{n}' for n in range(self.stretches))} }};"] if self.ways
                  else []),
                *body, *last, "}", ""]

    def last_words(self):
        if self.chance(40):
            return [f"  if (depth < {MAXIMAL_DEPTH} && truth.fuel > 0)",
                    f"    return {self.direct_call()};", "  return x;"]
        return ["  return x;"]

    def statements(self, indent, level):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(indent, level)
        return lines

    def block(self, indent, level):
        """A block in braces that begins with a place."""
        return [f"{indent}{{", f"{indent}  {self.place()}",
                *self.statements(indent + "  ", level + 1), f"{indent}}}"]

    def statement(self, indent, level):
        self.budget -= 1
        if self.budget < 0 or level > 4:
            return [indent + self.assignment()]
        kinds = {"assign": 4, "if": 6, "ternary": 2, "for": 4, "tight": 2, "endless": 2, "do": 2,
                 "switch": 3, "call": 5,
                 "guarded_call": 2, "indirect": 3, "callback": 1, "vla": 1}
        if not self.closed:
            kinds.update({"goto": 3, "way": 2, "asm": 2, "return": 2})
        if self.loops:
            kinds.update({"break": 2, "continue": 2})
        if self.program.jumps:
            kinds.update({"setjmp": 2, "longjmp": 2})
        if self.program.throws:
            kinds.update({"try": 3, "throw": 3})
        if self.program.guards:
            kinds["guard"] = 2
        if self.program.leaves:
            kinds["leave"] = 2
        kind = self.random.choices(list(kinds), kinds.values())[0]
        return getattr(self, "make_" + kind)(indent, level)

    # Expressions

    def assignment(self):
        n = self.random.randint(1, 99)
        return self.random.choice([f"x = x * 1664525u + {n}u;", f"x ^= x >> {n % 13 + 1};",
                                   f"x += {n}u;",
                                   f"x = (x << 7 | x >> 25) - {n}u;"])

    def condition(self, depth=0):
        n = self.random.randint(1, 9)
        simple = [f"x & {1 << n}u", f"x % {n + 1} == {n // 2}", f"x > {n}u << 28",
                  f"(x >> {n}) % 3", "BURN"]
        if depth < 2 and self.chance(30):
            return (f"({self.condition(depth + 1)}) {self.random.choice(['&&', '||'])} "
                    f"({self.condition(depth + 1)})")
        return self.random.choice(simple)

    def call(self, number, name):
        caller = "SOFT" if self.number in self.program.soft else self.number
        return f"CALL ({caller}, {number}, {name} (x, depth + 1))"

    def direct_call(self):
        """Never of itself: the compiler might make a loop of it."""
        callee = self.random.choice([n for n in self.callees if n != self.number])
        return self.call("SOFT" if callee in self.program.soft else callee,
                         self.program.name(callee))

    def counter(self):
        self.counters += 1
        return f"i{self.counters - 1}"

    # Statements

    def make_assign(self, indent, _):
        return [indent + self.assignment()]

    def make_if(self, indent, level):
        lines = [f"{indent}if ({self.condition()})", *self.block(indent + "  ", level)]
        while self.chance(20):
            lines += [f"{indent}else if ({self.condition()})", *self.block(indent + "  ", level)]
        if self.chance(50):
            lines += [f"{indent}else", *self.block(indent + "  ", level)]
        return lines + ([indent + self.place()] if self.chance(60) else [])

    def make_ternary(self, indent, _):
        return [f"{indent}x = {self.condition()} ? x * 3u : x + 5u;"]

    def loop_body(self, indent, level):
        self.loops += 1
        lines = self.block(indent, level)
        self.loops -= 1
        return lines

    def make_for(self, indent, level):
        i = self.counter()
        burn = " && BURN" if level > 1 or self.chance(50) else ""
        rounds = self.random.choice(["3", "4", "7", "x % 5", "x % 9"])
        limit = f"{i} < {rounds}{burn}" if "x" not in rounds else f"{i} < 9 && {i} < {rounds}{burn}"
        return [f"{indent}for ({i} = 0; {limit}; {i}++)", *self.loop_body(indent + "  ", level),
                indent + self.place()]

    def make_tight(self, indent, _):
        """A loop that the compiler likes to unroll, to vectorise, or to make one instruction of."""
        i = self.counter()
        size = self.random.choice([4, 8, 16, 40])
        n = self.random.choice([str(size), f"(x % {size})"])
        return [f"{indent}{{", f"{indent}  unsigned a[{size}];",
                f"{indent}  for ({i} = 0; {i} < {size}; {i}++)",
                f"{indent}    a[{i}] = x + {i};", f"{indent}  for ({i} = 0; {i} < {n}; {i}++)",
                f"{indent}    x += a[{i}] * 3u;",
                f"{indent}}}", indent + self.place()]

    def make_endless(self, indent, level):
        way_out = ["break;"] + ([] if self.closed
                                else ["return x;",
                                      f"goto l{self.random.randrange(self.stretches)};"])
        return [f"{indent}for (;;)", f"{indent}  {{", f"{indent}    {self.place()}",
                f"{indent}    {self.assignment()}",
                f"{indent}    if (!BURN)",
                f"{indent}      {{ {self.place()}"
                f" {'break;' if self.closed else self.random.choice(['break;', 'return x;'])} }}",
                f"{indent}    if ({self.condition()})",
                f"{indent}      {{ {self.place()} {self.guarded_way(self.random.choice(way_out))}"
                f" }}",
                *self.loop_body(indent + "    ", level), f"{indent}  }}"]

    @staticmethod
    def guarded_way(way):
        """A jump to a label may lead back."""
        return f"if (BURN) {way}" if way.startswith("goto") else way

    def make_do(self, indent, level):
        return [f"{indent}do", *self.loop_body(indent + "  ", level),
                f"{indent}while (BURN && ({self.condition()}));",
                indent + self.place()]

    def make_switch(self, indent, level):
        cases = self.random.choice([3, 5, 9, 24])
        scale = self.random.choice([1, 1, 1, 37])
        lines = [f"{indent}switch (x % {cases + 2} * {scale})", f"{indent}  {{"]
        # In a switch, break ends the switch: generate neither break nor continue inside.
        loops, self.loops = self.loops, 0
        for n in range(cases):
            lines += [f"{indent}  case {n * scale}:", f"{indent}    {self.place()}"]
            lines += (self.statements(indent + "    ", level + 1) if self.chance(30)
                      else [f"{indent}    x += {self.random.randrange(99)};"])
            if self.chance(70):
                lines.append(f"{indent}    break;")
        self.loops = loops
        if self.chance(70):
            lines += [f"{indent}  default:", f"{indent}    {self.place()}"]
        return [*lines, f"{indent}    ;", f"{indent}  }}", indent + self.place()]

    def make_call(self, indent, _):
        return [f"{indent}if (depth < {MAXIMAL_DEPTH} && BURN)",
                f"{indent}  {{ {self.place()} x += {self.direct_call()}; {self.place()} }}"]

    def make_guarded_call(self, indent, _):
        """Two calls in one block."""
        return [f"{indent}if (depth < {MAXIMAL_DEPTH} && ({self.condition()}))",
                f"{indent}  {{ x += {self.direct_call()}; x ^= {self.direct_call()}; }}"]

    def make_indirect(self, indent, _):
        targets = [self.random.choice(self.callees)
                   for _ in range(self.random.choice([1, 2, 4, 6]))]
        number = len(targets)
        tail = not self.closed and self.chance(30)
        names = ", ".join(map(self.program.name, targets))
        numbers = ", ".join("SOFT" if n in self.program.soft else str(n) for n in targets)
        call = self.call("numbers[which]", "targets[which]")
        return [f"{indent}if (depth < {MAXIMAL_DEPTH} && BURN)", f"{indent}  {{",
                f"{indent}    static unsigned (*volatile const targets[]) (unsigned, int) = {{"
                f" {names} }};",
                f"{indent}    static const int numbers[] = {{ {numbers} }};",
                f"{indent}    unsigned which = x % {number};",
                f"{indent}    {self.place()}",
                f"{indent}    " + (f"return {call};" if tail else f"x -= {call};"), f"{indent}  }}"]

    def make_callback(self, indent, _):
        return [f"{indent}if (BURN)",
                f"{indent}  {{ {self.place()} x ^= sorted (x); {self.place()} }}"]

    def make_vla(self, indent, _):
        i = self.counter()
        return [f"{indent}{{",
                f"{indent}  unsigned *a = (unsigned *)__builtin_alloca ((x % 7 + 1) * sizeof *a);",
                f"{indent}  for ({i} = 0; {i} < x % 7 + 1 && {i} < 7; {i}++)",
                f"{indent}    {{ {self.place()} a[{i}] = x; }}",
                f"{indent}  __asm__ volatile (\"\" : : \"r\"(a) : \"memory\");", f"{indent}}}"]

    def make_goto(self, indent, _):
        return [f"{indent}if (BURN && ({self.condition()}))",
                f"{indent}  {{ {self.place()} goto l{self.random.randrange(self.stretches)}; }}"]

    def make_way(self, indent, _):
        self.ways = True
        return [f"{indent}if (BURN && ({self.condition()}))",
                f"{indent}  {{ {self.place()} goto *way[x % {self.stretches}]; }}"]

    def make_asm(self, indent, _):
        label = f"l{self.random.randrange(self.stretches)}"
        return [f"{indent}if (BURN)",
                f"{indent}  __asm__ goto (JUMP_IF_ANY : : \"r\"(x),"
                f" \"i\"({1 << self.random.randrange(9)}) : JUMP_CHANGES : {label});",
                indent + self.place()]

    def make_return(self, indent, _):
        return [f"{indent}if ({self.condition()})", f"{indent}  {{ {self.place()} return x; }}"]

    def make_break(self, indent, _):
        return [f"{indent}if ({self.condition()})", f"{indent}  {{ {self.place()} break; }}"]

    def make_continue(self, indent, _):
        return [f"{indent}if ({self.condition()})", f"{indent}  {{ {self.place()} continue; }}"]

    def closed_block(self, indent, level):
        loops, self.loops = self.loops, 0
        self.closed += 1
        lines = self.block(indent, level)
        self.closed -= 1
        self.loops = loops
        return lines

    def make_setjmp(self, indent, level):
        self.setjmps = True
        return [f"{indent}{{", f"{indent}  jmp_buf here;",
                f"{indent}  jmp_buf *volatile outer = truth.env;",
                f"{indent}  volatile int catching = truth.catching;",
                f"{indent}  truth.env = &here;", f"{indent}  if (setjmp (here) == 0)",
                *self.closed_block(indent + "    ", level),
                f"{indent}  else",
                f"{indent}    {{ {self.place()} x += 17u; truth.catching = catching; }}",
                f"{indent}  truth.env = outer;",
                f"{indent}  {self.place()}", f"{indent}}}"]

    def make_longjmp(self, indent, _):
        return [f"{indent}if (truth.env && ({self.condition()}))",
                f"{indent}  {{ {self.place()} longjmp (*truth.env, 1); }}"]

    def make_try(self, indent, level):
        again = ([f"{indent}    if (truth.catching && ({self.condition()})) throw;"]
                 if self.chance(20) else [])
        return [f"{indent}{{", f"{indent}  jmp_buf *volatile outer = truth.env;",
                f"{indent}  truth.catching++;", f"{indent}  try",
                *self.closed_block(indent + "    ", level), f"{indent}  catch (unsigned e)",
                f"{indent}  {{", f"{indent}    {self.place()}", f"{indent}    truth.env = outer;",
                f"{indent}    x ^= e;",
                f"{indent}    truth.catching--;", *again, f"{indent}    truth.catching++;",
                f"{indent}  }}",
                f"{indent}  truth.catching--;", f"{indent}  {self.place()}", f"{indent}}}"]

    def make_throw(self, indent, _):
        return [f"{indent}if (truth.catching && ({self.condition()}))",
                f"{indent}  {{ {self.place()} throw (unsigned)x; }}"]

    def make_guard(self, indent, level):
        unit = 0 if self.number in self.program.soft else self.number % 2
        return [f"{indent}{{",
                f"{indent}  unsigned guarded __attribute__ ((cleanup (guard{unit}))) = x;",
                *self.block(indent + "  ", level), f"{indent}}}"]

    def make_leave(self, indent, _):
        return [f"{indent}if (x % {self.random.choice([97, 1009, 4099])} == 1)",
                f"{indent}  {{ {self.place()} leave ({self.random.randrange(3)}); }}"]


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in ("c", "c++"):
        sys.exit("usage: generate.py SEED c|c++ FOLDER")
    seed, language, folder = sys.argv[1:]
    program = Program(seed, language)
    for number, name in enumerate(("one", "two")):
        with open(f"{folder}/{name}.{'c' if language == 'c' else 'cc'}", "w") as file:
            file.write(program.unit(number))


if __name__ == "__main__":
    main()
