/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces beside the profiles of a model: a welcome addition to them, so what is wrong with one
   is a warning. */
#ifndef BBPROF_PROFILE_TRACE_H
#define BBPROF_PROFILE_TRACE_H

#include "model/model.h"
#include "tools/decode/trace_read.h"

struct profile_trace {
  struct trace *trace; /* null: there is none that can be used */
  char *path;          /* of the file */
};

/* Opens the trace beside the profile of RUN, which has its name and `.bbt' behind it, if it is
   of that run; warns in COMMAND's name.  False: no memory.  profile_trace_close is right in both
   cases. */
bool profile_trace_open (struct profile_trace *, const struct run *, const char *command);
void profile_trace_close (struct profile_trace *);

/* What the places of a trace are in a profile. */
struct trace_match {
  const struct model *model;
  const char *path;            /* private: of the object that was looked for last */
  const struct object *object; /* private: what it is in the profile, or null */
};

/* The address in the model of the function's block number INDEX; 0: the profile does not know
   its object. */
uint64_t trace_match_address (struct trace_match *, const struct trace_function *, unsigned index);

#endif
