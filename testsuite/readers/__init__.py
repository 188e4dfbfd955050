# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers for tests: the files of bbprof, and the output of other tools about a program.

These readers are independent.  They follow doc/reference/files and the headers in include/, and
share no line with bbprof's own readers and writers: so they can judge them.  They check everything
that they read: sizes, order, checksums, ranges.

    leb128        numbers of variable length
    gmon          gmon.out: the file, and its content for one program
    chunks        the frame of the files below: a header, then chunks with checksums
    sidecar       gmon.out.bbx
    profile       both together, by names                   python3 -m readers.profile gmon.out
    stacks        the sampled stacks of gmon.out.bbx        python3 -m readers.stacks gmon.out
    samples       gmon.out.bbs: which thread ran when       python3 -m readers.samples gmon.out
    live          the live file of a process                python3 -m readers.live PROGRAM FILE
    pieces        the trace as the process hands it over
    elf           an ELF file: symbols, instructions
    block_map     the section bbprof_map of an ELF file: blocks, calls, counters
    flow          the equations of a flow graph
    callgrind     callgrind's counts
    transfers     the same from block to block
    verdict       prints the differences that a judge has found
    write         some of these formats, written: for made-up profiles

testsuite/lib.sh puts the folder above this one into PYTHONPATH; a script that runs without it
does so itself.
"""


class Unreadable(SystemExit):
    """A file is not what it should be.  Where nobody catches this, it ends the program with its
    text on stderr and status 1."""


def need(condition, text):
    if not condition:
        raise Unreadable(text)
