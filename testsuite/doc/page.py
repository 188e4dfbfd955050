#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the commands of a page of the documentation in order, and compares what they print.

    page.py PAGE

The commands run in one shell, in the current folder.  A fenced block is, by its language:

    console    lines `$ COMMAND' (continued after a backslash) and the output that the page shows
    sh         commands without output on the page; each has to succeed
    others     the content of a file, if the line before the fence is <!-- file: NAME -->

In a shown output a line `...' stands for any number of lines.  Other lines are compared word by
word.  Whole numbers have to be equal.  Numbers with a decimal point, addresses, dates and bars are
compared by shape: another number of this kind may stand there.  Of absolute paths, the last part
is compared.  Comments before a fence:

    <!-- shape -->            whole numbers too are compared by shape
    <!-- status: N -->        the last command of the block ends with N; by default, with 0
    <!-- not run: REASON -->  the block is left out

Exit status: 0 if all is as on the page; 1 with a line for the first difference.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```\s*(\w*)")
COMMENT = re.compile(r"^<!-- (file|shape|status|not run)(?:: (.*?))? -->$")
MARK = "--page.py--"
SECONDS = 600
SHAPES = [
    (re.compile(r"\d{4}-\d\d-\d\d"), "DATE"),
    (re.compile(r"\d\d:\d\d:\d\d"), "TIME"),
    (re.compile(r"(?<!\S)(/[^\s/]+)+/"), ""),
    (re.compile(r"0x[0-9a-f]+"), "ADDRESS"),
    (re.compile(r"(?<=\s)\d+\.\d+ +\d+\.\d+%(?=\s)"), ""),  # a line that was sampled, or not
    (re.compile(r"[+-]?\d+\.\d+(%?)[~!]?"), r"NUMBER\1"),
    (re.compile("[\u2580-\u259f]+"), "BAR"),
]


class Block:
    """A fenced block: where it begins, what comments precede it, its lines."""

    def __init__(self, line, language, marks):
        self.line = line
        self.language = language
        self.marks = marks
        self.lines = []


def blocks(page):
    found, block, marks = [], None, {}
    with open(page, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            fence = FENCE.match(line)
            comment = COMMENT.match(line)
            if block:
                if line == "```":
                    found.append(block)
                    block = None
                else:
                    block.lines.append(line)
            elif fence:
                block, marks = Block(number, fence[1], marks), {}
            elif comment:
                marks[comment[1]] = comment[2]
            elif line:
                marks = {}
    return found


def steps(block):
    """The commands of a block, each with the lines that it prints, or None if none are shown."""
    if block.language == "sh":
        return [("\n".join(block.lines), None)]
    found, continued = [], False
    for line in block.lines:
        if continued:
            found[-1][0] += "\n" + line
        elif line.startswith("$ "):
            found.append([line[2:], []])
        elif not found:
            sys.exit(f"line {block.line}: output without a command: {line}")
        else:
            found[-1][1].append(line)
            continue
        continued = line.endswith("\\")
    return [tuple(step) for step in found]


def words(line, whole):
    for pattern, shape in SHAPES:
        line = pattern.sub(shape, line)
    if whole:
        line = re.sub(r"\d+", "N", line)
    return line.split()


def difference(shown, printed, whole):
    """None, or the first line of the page that the output does not have where it should be."""
    at, gap = 0, False
    for line in shown:
        if line.strip() == "...":
            gap = True
            continue
        wanted = words(line, whole)
        if gap:
            while at < len(printed) and words(printed[at], whole) != wanted:
                at += 1
        if at == len(printed) or words(printed[at], whole) != wanted:
            return line
        at, gap = at + 1, False
    rest = [line for line in printed[at:] if line.strip()]
    return None if gap or not rest else f"(the end; but: {rest[0]})"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    page, script, todo = sys.argv[1], ["exec 2>&1"], []
    for block in blocks(page):
        if "not run" in block.marks:
            continue
        if "file" in block.marks:
            text = "\n".join(block.lines)
            script.append(f"cat >{block.marks['file']} <<'{MARK}'\n{text}\n{MARK}")
        elif block.language in ("console", "sh"):
            its = steps(block)
            for step in its:
                last = step is its[-1]
                todo.append((block, *step, int(block.marks.get("status", 0)) if last else 0))
                script.append(f"{step[0]}\nprintf '\\n{MARK} %s\\n' $?")
    if not todo:
        sys.exit(f"{page}: no commands")
    with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as file, \
            tempfile.TemporaryFile() as output:
        file.write("\n".join(script) + "\n")
        file.flush()
        shell = subprocess.Popen(["bash", file.name], stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        try:
            shell.wait(SECONDS)
        except subprocess.TimeoutExpired:
            print(f"{page}: not at its end after {SECONDS} s")
        try:
            os.killpg(shell.pid, signal.SIGKILL)  # with what the page left in the background
        except ProcessLookupError:
            pass
        output.seek(0)
        printed = output.read().decode(errors="replace")
    outputs = re.split(rf"\n{MARK} (\d+)\n", printed)
    for number, (block, command, shown, status) in enumerate(todo):
        text = outputs[2 * number]
        where = f"{page}:{block.line}: {command}"
        if 2 * number + 1 == len(outputs):
            sys.exit(f"{where}\nended the shell; it printed\n{text}")
        if int(outputs[2 * number + 1]) != status:
            sys.exit(f"{where}\nended with {outputs[2 * number + 1]}; it printed\n{text}")
        if shown is not None:
            line = difference(shown, text.split("\n"), "shape" in block.marks)
            if line is not None:
                sys.exit(f"{where}\nprinted\n{text}\nwhich lacks, or has elsewhere:\n{line}")
    print(f"{page}: {len(todo)} commands, as on the page")


main()
