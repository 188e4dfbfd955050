/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output formats of `bbprof trace': one file for each, behind these functions. */
#ifndef BBPROF_TRACE_EMIT_H
#define BBPROF_TRACE_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/decode/trace_read.h"
#include "tools/view/style.h"

struct trace_emitter;
struct trace_format {
  /* Begins a thread; its events follow. */
  bool (*thread) (struct trace_emitter *, const struct trace_thread *);
  bool (*event) (struct trace_emitter *, const struct trace_event *);
  /* Called after the last thread; null: nothing to do. */
  bool (*end) (struct trace_emitter *, struct error *);
  void (*free) (struct trace_emitter *);
};

/* Base of each format's own struct.  THREAD and EVENT return false if there is no memory. */
struct trace_emitter {
  const struct trace_format *format;
  FILE *out;
  struct trace *trace;
  uint64_t window; /* only so many last blocks of each thread; 0: all */
  /* Set after it was made, before the first thread. */
  const struct style *style;
  const char *function, *object; /* --filter and --object; null: all */
  const bool *wanted;            /* whether they choose it, of each function; null: all are */
};

/* Is the function of BLOCK chosen? */
static inline bool
trace_is_wanted (const struct trace_emitter *e, const struct trace_block *block)
{
  return !e->wanted || e->wanted[block->function->number];
}

/* trace_text.c: prints the heading. */
void trace_print_thread (const struct trace_emitter *, const struct trace_thread *);

/* Null: no memory. */
struct trace_emitter *trace_emit_text (FILE *, struct trace *, uint64_t window, bool fold);
struct trace_emitter *trace_emit_functions (FILE *, struct trace *, uint64_t window);
struct trace_emitter *trace_emit_json (FILE *, struct trace *, uint64_t window, bool functions);
struct trace_emitter *trace_emit_chrome (FILE *, struct trace *, size_t most, uint64_t window);
struct trace_emitter *trace_emit_counts (FILE *, struct trace *, const char *path, size_t most,
                                         uint64_t window, bool json);
/* PROFILE: the gmon.out to compare with. */
struct trace_emitter *trace_emit_check (FILE *, struct trace *, const char *profile);

#endif
