/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The provider's offsets are those of the interpreter's own headers: it compiles, or not. */
#define Py_BUILD_CORE 1
#include <Python.h>

#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>

#include "runtime/providers/python_layout.h"

#define IS(name, type, member) \
  _Static_assert(offsetof (type, member) == PYTHON_##name, #type "." #member)

IS (OBJECT_TYPE, PyObject, ob_type);
IS (THREAD_INTERPRETER, PyThreadState, interp);
IS (THREAD_CFRAME, PyThreadState, cframe);
IS (CFRAME_FRAME, _PyCFrame, current_frame);
IS (CFRAME_PREVIOUS, _PyCFrame, previous);
IS (INTERPRETER_COLLECTING, PyInterpreterState, gc.collecting);
IS (FRAME_CODE, _PyInterpreterFrame, f_code);
IS (FRAME_PREVIOUS, _PyInterpreterFrame, previous);
IS (FRAME_INSTRUCTION, _PyInterpreterFrame, prev_instr);
IS (FRAME_IS_ENTRY, _PyInterpreterFrame, is_entry);
IS (CODE_FIRST_LINE, PyCodeObject, co_firstlineno);
IS (CODE_FILE, PyCodeObject, co_filename);
IS (CODE_NAME, PyCodeObject, co_qualname);
IS (CODE_LINES, PyCodeObject, co_linetable);
IS (CODE_CODE, PyCodeObject, co_code_adaptive);
IS (BYTES_SIZE, PyVarObject, ob_size);
IS (BYTES_DATA, PyBytesObject, ob_sval);
IS (TEXT_LENGTH, PyASCIIObject, length);
IS (TEXT_STATE, PyASCIIObject, state);
_Static_assert(sizeof (PyASCIIObject) == PYTHON_TEXT_ASCII, "ASCII text");
_Static_assert(sizeof (PyCompactUnicodeObject) == PYTHON_TEXT_DATA, "other text");
_Static_assert(PY_VERSION_HEX >> 16 == PYTHON_VERSION, "the version");
