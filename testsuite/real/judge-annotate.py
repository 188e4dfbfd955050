#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what `bbprof annotate' says of all functions of a program with others' words, about the
very same run.

    judge-annotate.py BBPROF PROGRAM gmon.out callgrind.out    compiled in any way; the options of
                                                               callgrind: see readers/callgrind.py
    judge-annotate.py BBPROF PROGRAM gmon.out FOLDER           compiled at -O0, for gcov as well;
                                                               FOLDER: where the .gcda files are
    judge-annotate.py --executed BBPROF PROGRAM gmon.out FILE  FILE: what ports/executed.c prints of
                                                               an emulator

Machine code: the instructions of each function are those that objdump has there, address by
address.

callgrind, emulator: executions of each instruction.  Behind a call in the same block they may be
less than we say, because it may not have returned.  Nothing else of the functions was executed, but
code that is said to be left out.

gcov: executions of each line.  Of lines that are not one whole statement, the compiler's debug
information and gcov may think differently (judge-gcov.py says which); so they may of some others
(spoilt_lines).  These are counted, and listed with --all.

Exit status: 0 all equal, 1 differences (the first ones are listed), 2 something cannot be read.
"""

import importlib
import json
import os
import re
import subprocess
import sys

from readers import Unreadable, executed
from readers.callgrind import Callgrind
from readers.elf import Program
from readers.verdict import Verdict

gcov = importlib.import_module("judge-gcov")


def annotations(bbprof, program, gmon):
    """One document for each source file that a block of the program is from."""
    def run(*arguments):
        return subprocess.run([bbprof, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
    blocks = json.loads(run("blocks", "--json", "-n", "0", program, gmon).stdout)["blocks"]
    for file in sorted({block["file"] for block in blocks} - {None}):
        done = run("annotate", "--json", program, file, gmon)
        if done.returncode == 0:
            yield json.loads(done.stdout)
        elif b"no function and no source file" not in done.stderr:  # of a header all may be inlined
            raise Unreadable(f"bbprof annotate {file}: {done.stderr.decode()}")


def plain(text):
    """An instruction without what differs between the two: names of places, and how numbers of
    places are written."""
    text = re.sub(r" *(<.*|#.*)$", "", text)
    return re.sub(r"\s+", " ", text).replace("0x", "").strip()


def judge_code(program, functions, verdict):
    differences = []
    checked = 0
    for function in functions:
        before = None
        for code in function["instructions"]:
            address = int(code["address"], 16)
            checked += 1
            if plain(program.text.get(address, "nothing")) != plain(code["text"]):
                differences.append(f"{program.name(address)}: {code['text']}, objdump: "
                                   f"{program.text.get(address)}")
            skipped = before
            while (skipped is not None and skipped < address
                   and "nop" in program.text.get(skipped, "")
                   + "nop" * (re.match(r"xchg +%ax,%ax|data16|int3",
                                       program.text.get(skipped, "")) is not None)):
                skipped = program.after[skipped]
            if before is not None and skipped != address:
                differences.append(f"{program.name(before)}: left out before {address:#x}")
            before = address + code["size"]
    verdict.report("instructions of the machine code", checked, differences)


def judge_instructions(program, functions, executions, who, verdict):
    equal = 0
    differences, above = [], []
    shown, left_out = set(), []
    ours = theirs = 0
    for function in functions:
        block, called = None, False
        left_out += [(int(b["address"], 16), int(b["end"], 16)) for b in function["blocks"]
                     if b["kind"] == "outline"]
        for code in function["instructions"]:
            address = int(code["address"], 16)
            called = called and code["block"] == block
            block = code["block"]
            shown.add(address)
            if code["executions"] is not None and not program.is_repeated(address):
                times = executions[address]
                ours += code["executions"]
                theirs += times
                equal += times == code["executions"]
                if times != code["executions"]:
                    text = f"{program.name(address)}: {code['executions']}, {who} {times}"
                    (above if called and times < code["executions"]
                     else differences).append(text)
            called = called or program.is_call(address)
    verdict.report(f"instructions with {who}'s executions", equal, differences)
    print(f"  {len(above):,} instructions behind calls that did not all come back; {ours:,} "
          f"executions, {who} {theirs:,}")
    if len(above) * 100 > equal:
        verdict.report("instructions behind calls", len(above), above)
    ranges = [(int(f["blocks"][0]["address"], 16), int(f["blocks"][-1]["end"], 16))
              for f in functions]
    differences = [f"{program.name(address)}: executed {times} times, not shown"
                   for address, times in executions.items()
                   if times and address not in shown
                   and any(low <= address < high for low, high in ranges)
                   and not any(low <= address < high for low, high in left_out)]
    verdict.report("functions of which all that was executed is shown", len(functions), differences)


def spoilt_lines(program, documents):
    """Lines with code of which gcov thinks differently: only behind a call, that may not have
    returned, in some block; only gcov's own counter; a computed goto, which the compiler has made
    one of all."""
    counter = re.compile(r"<__gcov|^(add|adc) +\$0x[01],%r|^incq|^jmp|^nop")
    spoilt, blocks = set(), {}
    called = None
    for frames, code in ((document["places"][code["place"]], code) for document in documents
                         for function in document["functions"]
                         for code in function["instructions"]):
        if frames:
            place = os.path.basename(frames[0]["file"]), frames[0]["line"]
            text = program.text[int(code["address"], 16)]
            fair = called != code["block"] and not counter.search(text)
            blocks[place, code["block"]] = blocks.get((place, code["block"]), False) or fair
            if re.match(r"(notrack )?jmp +\*", text):
                spoilt.add(place)
        if "call" in code["text"]:
            called = code["block"]
    return spoilt | {place for (place, _), fair in blocks.items() if not fair}


def judge_lines(program, documents, folder, verdict, everything):
    ours = {}
    for document in documents:
        for line in document["lines"]:
            if line["executions"] is not None:
                ours[os.path.basename(line["file"]), line["line"]] = line["executions"]
    whole, _ = gcov.gcov_lines(folder)
    spoilt = spoilt_lines(program, documents)
    exact = {place: count for place, count in whole.items() if place in ours
             and place not in spoilt}
    differences = [f"{file}:{number}: {ours[file, number]}, gcov {count}"
                   for (file, number), count in exact.items()
                   if ours[file, number] != count]
    verdict.report("lines of one whole statement with gcov's executions", len(exact), differences)
    every = gcov.gcov_lines(folder, every=True)[0]
    others = [(place, count) for place, count in sorted(every.items()) if place in ours
              and place not in exact]
    apart = [(place, count) for place, count in others if ours[place] != count]
    print(f"  {len(others):,} other lines, of which {len(apart):,} have another count than gcov's")
    for (file, number), count in apart if everything else []:
        print(f"    {file}:{number}: {ours[file, number]}, gcov {count}")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument not in ("--all", "--executed")]
    if len(arguments) != 4:
        print("usage: judge-annotate.py [--all] [--executed] BBPROF PROGRAM gmon.out "
              "callgrind.out|FOLDER|FILE", file=sys.stderr)
        return 2
    bbprof, path, gmon, judge = arguments
    verdict = Verdict()
    try:
        program = Program(path)
        documents = list(annotations(bbprof, path, gmon))
        functions = [function for document in documents for function in document["functions"]]
        judge_code(program, functions, verdict)
        if os.path.isdir(judge):
            judge_lines(program, documents, judge, verdict, "--all" in sys.argv)
        elif "--executed" in sys.argv:
            judge_instructions(program, functions, executed.read(judge), "emulator", verdict)
        else:
            judge_instructions(program, functions, Callgrind(judge, program).executions,
                               "callgrind", verdict)
    except (OSError, Unreadable, subprocess.CalledProcessError) as error:
        print(f"judge-annotate: {error}", file=sys.stderr)
        return 2
    return 1 if verdict.bad or not functions else 0


if __name__ == "__main__":
    sys.exit(main())
