/* SPDX-License-Identifier: MIT */
/* The parts of CPython 3.11's objects that the provider reads, by their offsets: the interpreter's
   own headers are not needed to build it.  testsuite/sample/python-layout.c compares them with
   these. */
#ifndef BBP_PYTHON_LAYOUT_H
#define BBP_PYTHON_LAYOUT_H

#define PYTHON_VERSION 0x030bUL /* the upper 16 bits of Py_Version */

enum {
  PYTHON_OBJECT_TYPE = 8,
  /* PyThreadState, _PyCFrame, PyInterpreterState */
  PYTHON_THREAD_INTERPRETER = 16,
  PYTHON_THREAD_CFRAME = 56,
  PYTHON_CFRAME_FRAME = 8,
  PYTHON_CFRAME_PREVIOUS = 16,
  PYTHON_INTERPRETER_COLLECTING = 848,
  /* _PyInterpreterFrame */
  PYTHON_FRAME_CODE = 32,
  PYTHON_FRAME_PREVIOUS = 48,
  PYTHON_FRAME_INSTRUCTION = 56,
  PYTHON_FRAME_IS_ENTRY = 68,
  PYTHON_FRAME_BYTES = 80,
  /* PyCodeObject */
  PYTHON_CODE_FIRST_LINE = 72,
  PYTHON_CODE_FILE = 112,
  PYTHON_CODE_NAME = 128, /* the qualified one */
  PYTHON_CODE_LINES = 136,
  PYTHON_CODE_CODE = 184,
  /* bytes, str */
  PYTHON_BYTES_SIZE = 16,
  PYTHON_BYTES_DATA = 32,
  PYTHON_TEXT_LENGTH = 16,
  PYTHON_TEXT_STATE = 32,
  PYTHON_TEXT_ASCII = 48, /* the characters, of ASCII text; of other text: */
  PYTHON_TEXT_DATA = 72
};

/* Of a str's state: bytes of a character; its characters follow; they are ASCII. */
#define PYTHON_TEXT_KIND(state) ((state) >> 2 & 7)
#define PYTHON_TEXT_IS_COMPACT(state) ((state) >> 5 & 1)
#define PYTHON_TEXT_IS_ASCII(state) ((state) >> 6 & 1)

#endif
