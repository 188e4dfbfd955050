/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the traces that belong to the profiles of a model.  A trace is optional, so a faulty one
   is only a warning. */
#ifndef BBPROF_PROFILE_TRACE_H
#define BBPROF_PROFILE_TRACE_H

#include "model/model.h"
#include "tools/decode/trace_read.h"

struct profile_trace {
  struct trace *trace; /* null: no usable trace */
  char *path;          /* of the file */
};

/* Opens the trace of RUN's profile (the profile's name with `.bbt' appended) if it is of that
   run.  Prints warnings with COMMAND as prefix.  False: no memory. Call profile_trace_close
   in both cases. */
bool profile_trace_open (struct profile_trace *, const struct run *, const char *command);
void profile_trace_close (struct profile_trace *);

/* Maps addresses of a trace to the profile's model. */
struct trace_match {
  const struct model *model;
  const char *path;            /* private: path of the object that was looked up last */
  const struct object *object; /* private: that object in the profile, or null */
};

/* The address in the model of block INDEX of the function; 0: the profile does not have its
   object. */
uint64_t trace_match_address (struct trace_match *, const struct trace_function *, unsigned index);

#endif
