/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The objects of a traced process: maps run-time addresses to addresses of the model
   (objects.h). */
#ifndef BBPROF_TRACE_OBJECTS_H
#define BBPROF_TRACE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/streams/pieces_read.h"
#include "common/error.h"
#include "model/symbols/objects.h"

/* The addresses of an object, and the time in which it was loaded. */
struct trace_range {
  uint64_t start, end;       /* addresses at run time */
  uint64_t distance;         /* offset to the model's addresses */
  uint64_t loaded, unloaded; /* ns since 1970; UINT64_MAX: still loaded */
  bool known;                /* its file was read */
};

struct trace_objects {
  struct trace_range *ranges;
  size_t nranges;
  char *program; /* the path of the program's file */
};

/* Opens the files of all traced objects and of the program into ALL.  If the program's file is not
   where it ran, one of its name beside the trace will do.  False: there is none, or it is another
   build than the traced one (unless ANY_BUILD); ERR has the reason.  Problems with other objects
   become warnings. */
bool trace_objects_open (struct trace_objects *, struct objects *all, const struct pieces *,
                         bool any_build, struct warnings *, struct error *);
void trace_objects_free (struct trace_objects *);

/* Looks up addresses of one moment.  Caches the last object. */
struct trace_lookup {
  const struct trace_objects *objects;
  uint64_t when;                  /* ns since 1970 */
  const struct trace_range *last; /* the last object, or null */
};

/* The address in the model; 0: no known file was at ADDRESS. */
uint64_t trace_address (struct trace_lookup *, uint64_t address);

#endif
