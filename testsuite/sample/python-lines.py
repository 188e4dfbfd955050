# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the lines that the provider for Python reads from tables of lines with the interpreter's
own:

    python-lines.py LIBRARY FILE...

LIBRARY is python_lines.c.  All code of the FILEs, all offsets.
"""

import ctypes
import sys
import types


def codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


def main(library, files):
    line_at = ctypes.CDLL(library).python_line_at
    line_at.argtypes = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_uint
    compared = 0
    for path in files:
        with open(path, "rb") as file:
            top = compile(file.read(), path, "exec")
        for code in codes(top):
            table = code.co_linetable
            for start, end, line in code.co_lines():
                for offset in range(start, end, 2):
                    ours = line_at(table, len(table), code.co_firstlineno, offset)
                    compared += 1
                    if ours != (line or 0):
                        sys.exit(f"{path}: {code.co_qualname}, offset {offset}: line {ours} "
                                 f"instead of {line}")
    print(compared, "instructions of", len(files), "files")


main(sys.argv[1], sys.argv[2:])
