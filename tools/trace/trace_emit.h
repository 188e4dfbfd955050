/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How `bbprof trace' shows a trace: one file for each format, each behind these functions.  */
#ifndef BBPROF_TRACE_EMIT_H
#define BBPROF_TRACE_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/decode/trace_read.h"

struct trace_emitter;
struct trace_format {
  /* Its events come next. */
  bool (*thread) (struct trace_emitter *, const struct trace_thread *);
  bool (*event) (struct trace_emitter *, const struct trace_event *);
  /* After the last one; null: there is nothing more to be said. */
  bool (*end) (struct trace_emitter *, struct error *);
  void (*free) (struct trace_emitter *);
};

/* Each format's own begins with this.  THREAD and EVENT return false if memory is short. */
struct trace_emitter {
  const struct trace_format *format;
  FILE *out;
  struct trace *trace;
  uint64_t window; /* only the last so many blocks of each thread; 0: all */
};

/* Its heading, in text: trace_text.c. */
void trace_print_thread (const struct trace_emitter *, const struct trace_thread *);

/* Null: no memory. */
struct trace_emitter *trace_emit_text (FILE *, struct trace *, uint64_t window, bool fold);
struct trace_emitter *trace_emit_functions (FILE *, struct trace *, uint64_t window);
struct trace_emitter *trace_emit_json (FILE *, struct trace *, uint64_t window, bool functions);
struct trace_emitter *trace_emit_chrome (FILE *, struct trace *, size_t most, uint64_t window);
struct trace_emitter *trace_emit_counts (FILE *, struct trace *, const char *path, size_t most,
                                         uint64_t window, bool json);
/* PROFILE: the gmon.out that the counts should be those of. */
struct trace_emitter *trace_emit_check (FILE *, struct trace *, const char *profile);

#endif
