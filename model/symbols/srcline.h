/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source positions of addresses, from the debug information of programs and libraries: what
   libbfd's bfd_find_nearest_line would answer, by tables that are made once for each object. */
#ifndef BBPROF_SRCLINE_H
#define BBPROF_SRCLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/symbols/objects.h"

struct srcline {
  const char *file;     /* as the compiler gave it; lives as long as the object */
  const char *function; /* mangled; the innermost one, inlined or not */
  unsigned line;
  /* Of srcline_inlined: address in the model at which this copy of an inlined function is
     entered; else 0. */
  uint64_t entry;
};

/* False if ADDRESS, one of the model's inside of the object, has no known file, function and
   line.  As with libbfd, the name of a function that the debug information does not name as the
   linker does is that of the symbol around the address when it is asked for the first time, and
   after that only if the symbol begins where the function does. */
bool srcline_find (const struct object *, uint64_t address, struct srcline *);

/* The first address above ADDRESS, at most END, at which srcline_find may answer something else. */
uint64_t srcline_end (const struct object *, uint64_t address, uint64_t end);

/* The functions around ADDRESS that are inlined into each other, innermost first; the last is no
   inlined one.  File and line of the first are those of ADDRESS, of the others those of the
   call.  How many there are; at most ROOM are stored. */
size_t srcline_inlined (const struct object *, uint64_t address, struct srcline *frames,
                        size_t room);

/* The part behind the last slash. */
const char *srcline_base (const char *file);

/* What an object knows of its lines: made with the object, filled when the first line is asked
   for.  Null if memory is short. */
struct srcline_tables *srcline_tables_new (void);
void srcline_tables_free (struct srcline_tables *);

#endif
