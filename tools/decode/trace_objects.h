/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The objects of a traced process: from an address at run time to one of the model (objects.h).  */
#ifndef BBPROF_TRACE_OBJECTS_H
#define BBPROF_TRACE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/streams/pieces_read.h"
#include "common/error.h"
#include "model/symbols/objects.h"

/* Where an object was, and when. */
struct trace_range {
  uint64_t start, end;       /* addresses at run time */
  uint64_t distance;         /* to the model's */
  uint64_t loaded, unloaded; /* ns since 1970; UINT64_MAX: not */
  bool known;                /* its file has been read */
};

struct trace_objects {
  struct trace_range *ranges;
  size_t nranges;
};

/* Opens the files of all traced objects, and of the program, into ALL.  False, with ERR's text,
   without the program's, or if it is another build than the one that was traced, unless
   ANY_BUILD; warnings tell of the others. */
bool trace_objects_open (struct trace_objects *, struct objects *all, const struct pieces *,
                         bool any_build, struct warnings *, struct error *);
void trace_objects_free (struct trace_objects *);

/* The addresses of one moment.  Remembers the last object. */
struct trace_places {
  const struct trace_objects *objects;
  uint64_t when;                  /* ns since 1970 */
  const struct trace_range *last; /* or null */
};

/* The address in the model, or 0 if no object whose file is known was there. */
uint64_t trace_place (struct trace_places *, uint64_t address);

#endif
