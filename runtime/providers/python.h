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
   code object CODE, which is entered when it is first seen; 0: it is none.  SEEN: of this sample,
   in which no code object changes.  Signal. */
enum { PYTHON_SEEN = 32 };
struct python_seen {
  const char *address[PYTHON_SEEN];
  unsigned long number[PYTHON_SEEN];
};
#define PYTHON_NO_ROOM (~0UL) /* in place of a number: the table is full */
unsigned long python_code_number (struct provider_pages *, struct python_seen *seen,
                                  const char *code);
/* Describes code NUMBER at the byte OFFSET of its instructions; 0: it is not known.  Any. */
int python_code_describe (unsigned long number, unsigned offset, struct bbprof_function *);

/* python_text.c: where the characters of the str TEXT are, as many as are kept; false: it is none.
   Signal. */
struct python_part {
  const char *start;
  size_t n; /* bytes */
};
bool python_text_find (struct provider_pages *, const char *text, struct python_part *);
/* A copy of it as UTF-8; null: it is none, or there is no room.  Signal. */
const char *python_text_keep (struct provider_pages *, const char *text);

/* python_lines.c: the line at the byte OFFSET of the code, by the N bytes of its table, for code
   that begins at the line FIRST; 0: none.  Any. */
unsigned python_line_at (const unsigned char *table, size_t n, unsigned first, unsigned offset);

#endif
