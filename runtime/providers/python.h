/* SPDX-License-Identifier: MIT */
/* The parts of the provider for CPython 3.11. */
#ifndef BBP_PYTHON_H
#define BBP_PYTHON_H

#include "include/bbprof.h"
#include "runtime/providers/memory.h"

/* Types of the interpreter, by which its objects are recognised. */
struct python_types {
  const void *code, *text, *bytes;
};
extern struct python_types python_types;

/* python_code.c: what is kept of code objects, which the interpreter may free.  The number of the
   code object CODE, which is entered when it is first seen; 0: it is none.  Signal. */
#define PYTHON_NO_ROOM (~0UL) /* in place of a number: the table is full */
unsigned long python_code_number (struct provider_pages *, const char *code);
/* What is kept of code NUMBER, at the byte OFFSET of its instructions; 0: there is none.  Any. */
int python_code_describe (unsigned long number, unsigned offset, struct bbprof_function *);

/* python_text.c: a copy of the str TEXT as UTF-8; null: it is none, or there is no room.
   Signal. */
const char *python_text_keep (struct provider_pages *, const char *text);

/* python_lines.c: the line at the byte OFFSET of the code, by the N bytes of its table, for code
   that begins at the line FIRST; 0: none.  Any. */
unsigned python_line_at (const unsigned char *table, size_t n, unsigned first, unsigned offset);

#endif
