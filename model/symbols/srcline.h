/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source positions of addresses, from the debug information of programs and libraries.  Gives the
   answers of libbfd's bfd_find_nearest_line, by tables that are made once for each object. */
#ifndef BBPROF_SRCLINE_H
#define BBPROF_SRCLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/symbols/objects.h"

struct symbol;

struct srcline {
  const char *file;     /* as the compiler recorded it; valid as long as the object */
  const char *function; /* mangled; the innermost one, inlined or not */
  unsigned line;
  /* From srcline_inlined: entry address, in the model, of this copy of an inlined function; else
     0. */
  uint64_t entry;
};

/* False: ADDRESS, one of the model's inside of the object, has no known file, function and line.
   If the debug information lacks the linker's name of a function, then, as with libbfd, its name
   is that of the symbol around the address at the first lookup; later only if the symbol begins
   where the function does. */
bool srcline_find (const struct object *, uint64_t address, struct srcline *);

/* The first address above ADDRESS, at most END, at which srcline_find may give another answer. */
uint64_t srcline_end (const struct object *, uint64_t address, uint64_t end);

/* The functions around ADDRESS that are inlined into each other, innermost first; the last one is
   not inlined.  File and line of the first are those of ADDRESS, of the others those of the call.
   Returns their number; stores at most ROOM. */
size_t srcline_inlined (const struct object *, uint64_t address, struct srcline *frames,
                        size_t room);

/* The same for an address in SYMBOL, which may also be a function of a language: a line of it, or
   its first one where the line is unknown. */
size_t srcline_of_symbol (const struct symbol *, uint64_t address, struct srcline *frames,
                          size_t room);

/* The part behind the last slash. */
const char *srcline_base (const char *file);

/* An object's tables of lines: made with the object, filled at the first lookup.  Null: out of
   memory. */
struct srcline_tables *srcline_tables_new (void);
void srcline_tables_free (struct srcline_tables *);

#endif
