#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares all blocks of a profile with callgrind's, also those without a place.

    counted.py PROGRAM gmon.out callgrind.out

No arcs: callgrind does not see who calls signal handlers, trampolines and functions that are chosen at the start.
Exit status: 0 all equal, 1 differences.
"""

import os
import sys

sys.dont_write_bytecode = True  # the source folder may be read-only, and stays clean
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from elf import Program  # noqa: E402
from gmon import Profile  # noqa: E402
from verdict import Verdict  # noqa: E402
judge = __import__("judge-callgrind")

program, verdict = Program(sys.argv[1]), Verdict()
judge.judge_blocks(program, Profile(sys.argv[2], program), judge.Callgrind(sys.argv[3], program), verdict)
sys.exit(verdict.bad)
