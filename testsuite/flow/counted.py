#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares all blocks of a profile with callgrind's, also those without a place.

    counted.py PROGRAM gmon.out callgrind.out

No arcs: callgrind does not see the callers of signal handlers, trampolines and functions that are
chosen at the start.
Exit status: 0 all equal, 1 differences.
"""

import importlib
import os
import sys

from readers.callgrind import Callgrind
from readers.elf import Program
from readers.gmon import OfProgram
from readers.verdict import Verdict

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
judge = importlib.import_module("judge-callgrind")

program, verdict = Program(sys.argv[1]), Verdict()
judge.judge_blocks(program, OfProgram(sys.argv[2], program), Callgrind(sys.argv[3], program),
                   verdict)
sys.exit(verdict.bad)
