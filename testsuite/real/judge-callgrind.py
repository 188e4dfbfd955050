#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a gmon.out with what callgrind counted in the very same run.

    judge-callgrind.py PROGRAM gmon.out callgrind.out

callgrind.out comes from: valgrind, with the options that readers/callgrind.py tells.

Blocks.  The count of a block is the number of executions of the instruction at its address.
Conversely, what the map in the program (section bbprof_map) calls a block and what was executed is
in gmon.out.  And the map is complete: wherever a jump that was executed leads to, inside an
instrumented function, a block begins.

Edges.  Control has gone from block to block, in a function, as often as over the jumps, or past
them, that lead there.

Arcs of functions that call a hook (arcs=call).  A function's arcs add up to the executions of its
call of the hook.  A call instruction of the program that callgrind saw calling the function has an
arc with its return address and the same count; calls from elsewhere have one arc from 0.  A
function that is also reached by a jump (a tail call) has more: its hook sees the return address of
an earlier call.  The surplus must then be as large as the number of those jumps, and stand only at
call instructions from which the function can be reached by jumps.

Arcs of all others (arcs=static).  Each call and each jump that callgrind saw lead from an
instrumented function to the function's entry is an arc, from the address behind the call, or from
the last byte of the jump, with the same count; entries from elsewhere are one arc from 0.

Exit status: 0 all equal, 1 differences (the first ones are listed), 2 something cannot be read.
"""

import collections
import re
import subprocess
import sys

from readers import Unreadable
from readers.block_map import ARCS
from readers.callgrind import Callgrind
from readers.elf import Program
from readers.gmon import OfProgram
from readers.sidecar import Sidecar
from readers.transfers import Transfers
from readers.verdict import Verdict

HOOKS = {"mcount", "_mcount", "__fentry__", "__mcount_internal"}


def judge_blocks(program, profile, callgrind, verdict):
    mapped = program.blocks
    differences = []
    for address, counts in profile.blocks.items():
        # Blocks without a byte of code share the address of the one they fall into, which runs most
        # often.
        executed = callgrind.block(address)
        if max(counts) != executed:
            differences.append(f"{program.name(address)}: gmon.out {max(counts)}, callgrind "
                               f"{executed}")
    verdict.report("blocks of gmon.out", len(profile.blocks), differences)

    differences = [f"{program.name(address)}: executed {callgrind.executions[address]} times, not "
                   f"in gmon.out"
                   for address in mapped if callgrind.executions[address]
                   and address not in profile.blocks]
    executed = sum(1 for address in mapped if callgrind.executions[address])
    verdict.report(f"executed blocks of the map ({len(mapped):,} blocks, {len(program.map):,} "
                   f"functions)",
                   executed, differences)

    differences = [f"{program.name(address)}: in gmon.out, not in the map"
                   for address in profile.blocks.keys() - set(mapped)]
    verdict.report("blocks of gmon.out that the map must know", len(profile.blocks), differences)


def judge_edges(program, edges, callgrind, verdict):
    transfers = Transfers(program, callgrind)
    verdict.report("instructions that belong to one block", len(callgrind.executions),
                   transfers.doubts)
    pairs = {pair for pair in transfers.between.keys() | edges.keys() if max(pair) < program.end}
    # it goes on more often than it is executed
    pairs -= {(block, 0) for block in program.returning_twice}
    differences = [f"{program.name(source) if source else 'outside'} -> "
                   f"{program.name(target) if target else 'outside'}: "
                   f"{edges[source, target]}, callgrind {transfers.between[source, target]}"
                   for source, target in pairs
                   if edges[source, target] != transfers.between[source, target]]
    verdict.report("edges from block to block, or from and to outside", len(edges), differences)


def judge_map(program, callgrind, verdict):
    """Where executed jumps lead to, inside functions that the map knows, blocks begin."""
    mapped = set(program.blocks)
    known = {program.function(address) for address in mapped}
    recording = out_of_line(program)
    checked = 0
    differences = []
    for address, times in callgrind.executions.items():
        target = program.jump_target(address)
        if not times or target is None or program.function(address) not in known:
            continue
        if program.function(target) not in known or in_hook_code(program, mapped, address, target):
            continue
        if address in recording or target in recording:
            continue
        # a tail call; the function's hook may stand before its first block
        if program.function(target) == target:
            continue
        checked += 1
        if behind_counter(program, mapped, target) not in mapped:
            differences.append(f"{program.name(target)}: no block, but a jump leads there from "
                               f"{program.name(address)}")
    verdict.report("targets of executed jumps that must be blocks", checked, differences)


def behind_counter(program, mapped, address):
    """Where inserted code leads to that counts the jump to it: the edge it is on has a counter of
    its own."""
    counted = False
    start = address
    while (address not in mapped and address in program.after
           and not re.match(r"ret|call", program.text[address])):
        counted = counted or re.match(r"(lock )?(inc|add)", program.text[address]) is not None
        target = program.jump_target(address)
        if target is not None:
            return target if counted else start
        address = program.after[address]
    return address if counted else start


def out_of_line(program):
    """Instructions that only recording threads execute: the zones of the map."""
    return {address for function in program.map for begin, size, _, _ in function.zones
            for address in range(begin, begin + size)}


def in_hook_code(program, mapped, address, target):
    """A short jump forward, over a call of the run-time library and over no beginning of a block:
    inserted code."""
    if not 0 < target - address < 64:
        return False
    crossed = False
    while address != target:
        address = program.after.get(address, target)
        if address in mapped or address > target:
            return False
        crossed = crossed or "<__bb_" in program.text.get(address, "")
    return crossed


def judge_arcs(program, profile, callgrind, hooked, verdict):
    # (return address or 0, function) -> calls by call instructions
    from_calls = collections.Counter()
    by_jump = collections.defaultdict(set)  # function -> functions that it jumps to
    callees = collections.defaultdict(set)  # return address -> functions called there
    for (site, target), count in callgrind.calls.items():
        if site is None or program.is_call(site):
            back = 0 if site is None else program.after.get(site)
            callees[back].add(program.function(target))
            if target in hooked:
                from_calls[back, target] += count
        else:
            by_jump[program.function(site)].add(program.function(target))

    measured = collections.Counter()
    differences = []
    for (start, itself), count in profile.arcs.items():
        function = program.function(itself)
        if function not in hooked:
            differences.append(f"arc {start:#x} -> {program.name(itself)}: the function calls no "
                               f"hook")
        elif start and not program.is_call(program.before.get(start)):
            differences.append(f"arc {start:#x} -> {program.name(itself)}: not a return address")
        measured[start, function] += count
    verdict.report("arcs with a return address or 0, to an instrumented function",
                   len(profile.arcs), differences)

    total = collections.Counter()
    for (_, function), count in measured.items():
        total[function] += count
    differences = []
    for function, hook in hooked.items():
        executed = callgrind.executions[hook]
        if total[function] != executed:
            differences.append(f"{program.name(function)}: arcs add up to {total[function]}, "
                               f"entered {executed} times")
    verdict.report("instrumented functions, number of entries", len(hooked), differences)

    called = collections.Counter()
    for (_, function), count in from_calls.items():
        called[function] += count
    differences = []
    exact = 0
    for pair in from_calls.keys() | measured.keys():
        start, function = pair
        jumps = callgrind.executions.get(hooked.get(function), 0) - called[function]
        surplus = measured[pair] - from_calls[pair]
        exact += surplus == 0
        if surplus == 0 or (surplus > 0 and 0 < surplus <= jumps
                            and may_reach(by_jump, callees[start], function)):
            continue
        place = "outside" if start == 0 else program.name(program.before.get(start, start))
        differences.append(f"{place} -> {program.name(function)}: gmon.out {measured[pair]}, "
                           f"callgrind {from_calls[pair]} (and {jumps} entries by jumps)")
    tails = len(from_calls.keys() | measured.keys()) - exact - len(differences)
    verdict.report(f"arcs from a call to a function ({tails:,} of them with tail calls)",
                   len(from_calls.keys() | measured.keys()), differences)


def judge_static_arcs(program, profile, callgrind, hooked, verdict):
    """Of functions that call no hook."""
    instrumented = {program.function(block.address) for function in program.map
                    if function.flags & ARCS
                    for block in function.blocks}
    entries = {function.entry for function in program.map if function.flags & ARCS} - hooked.keys()
    goals = thunks(program, callgrind)
    should = collections.Counter()
    for (site, target), count in callgrind.calls.items():
        if site is not None and program.function(site) in goals:
            continue
        target = goals.get(target, target)
        if target in entries:
            inside = site is not None and program.function(site) in instrumented
            should[start_of_arc(program, site) if inside else 0, target] += count
    is_ = collections.Counter()
    for (start, itself), count in profile.arcs.items():
        if program.function(itself) not in hooked:
            is_[behind_indirect_call(program, start), itself] += count
    differences = []
    for start, entry in should.keys() | is_.keys():
        if should[start, entry] != is_[start, entry]:
            place = program.name(program.before.get(start, start)) if start else "outside"
            differences.append(f"{place} -> {program.name(entry)}: gmon.out {is_[start, entry]}, "
                               f"callgrind {should[start, entry]}")
    verdict.report(f"arcs from a call or jump to a function, or from outside ({len(entries):,} "
                   f"functions)",
                   len(should.keys() | is_.keys()), differences)


def thunks(program, callgrind):
    """Where the compiler's thunks jump to, which make `this' point to the whole object and do
    nothing else: a call of a thunk means that function."""
    functions = {function.entry for function in program.map}
    return {program.function(site): target for site, target in callgrind.calls
            if site is not None and program.function(site) not in functions
            and re.match("_ZT[hvc]", program.name(site))}


def behind_indirect_call(program, address):
    """An arc that a hook has counted begins behind the call of that: the call that is meant is the
    next one."""
    if not re.search("<__bb_(indirect|site)_func", program.text.get(program.before.get(address),
                                                                    "")):
        return address
    while not re.search(r"\b(call|jmp)\b", program.text.get(address, "call")):
        address = program.after[address]
    return start_of_arc(program, address) if address in program.after else address


def start_of_arc(program, address):
    """Of the call or jump at ADDRESS.  What is behind a jump may be another function."""
    return program.after[address] - (not program.is_call(address))


def hooked_functions(program, profile, callgrind):
    """Executed functions that call a hook -> the address of that call."""
    hooked = {}
    for (site, target) in callgrind.calls:
        start = program.function(target)
        if site is not None and start == target and program.functions[start][1] in HOOKS:
            function = program.function(site)
            if function is not None and program.functions[function][1] not in HOOKS:
                hooked[function] = site
    entries = {function.entry for function in program.map}
    for itself in {itself for _, itself in profile.arcs} - entries:
        site = program.before.get(itself)
        function = program.function(itself)
        if function is not None and program.is_call(site):
            hooked.setdefault(function, site)
    return hooked


def may_reach(by_jump, functions, goal):
    """Whether a chain of jumps leads from one of FUNCTIONS to GOAL (or from outside: nothing is
    known then)."""
    seen = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function == goal:
            return True
        if function not in seen:
            seen.add(function)
            waiting.extend(by_jump.get(function, ()))
    return False


def main():
    if len(sys.argv) != 4:
        print("usage: judge-callgrind.py PROGRAM gmon.out callgrind.out", file=sys.stderr)
        return 2
    try:
        program = Program(sys.argv[1])
        profile = OfProgram(sys.argv[2], program)
        edges = Sidecar(sys.argv[2] + ".bbx").edges
        callgrind = Callgrind(sys.argv[3], program)
    except (OSError, Unreadable, subprocess.CalledProcessError) as error:
        print(f"judge-callgrind: {error}", file=sys.stderr)
        return 2
    verdict = Verdict()
    if profile.blocks or program.map:
        judge_blocks(program, profile, callgrind, verdict)
        judge_edges(program, edges, callgrind, verdict)
        judge_map(program, callgrind, verdict)
    hooked = hooked_functions(program, profile, callgrind)
    if hooked:
        judge_arcs(program, profile, callgrind, hooked, verdict)
    judge_static_arcs(program, profile, callgrind, hooked, verdict)
    if not profile.blocks and not profile.arcs:
        print("  gmon.out holds neither blocks nor arcs")
        return 1
    return 1 if verdict.bad else 0


if __name__ == "__main__":
    sys.exit(main())
