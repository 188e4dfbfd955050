/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How `bbprof timeline' shows it: one file for each format, each behind one function. */
#ifndef BBPROF_TIMELINE_EMIT_H
#define BBPROF_TIMELINE_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/intervals/timeline.h"
#include "tools/view/style.h"

/* What is to be seen of it. */
struct timeline_view {
  const struct timeline *timeline;
  uint64_t from, to;       /* window, within the timeline's; from < to */
  const uint32_t *threads; /* indices of rows, from above */
  size_t nthreads;
  bool by_cpu;        /* a row for each processor, too */
  bool details;       /* text: waits one by one, too */
  bool ascii;         /* text: no character but ASCII */
  size_t most;        /* text: rows at most, of those that ran most; 0: all */
  struct style style; /* text */
};

/* False: ERR says why: no memory, or nothing can be written to OUT. */
typedef bool timeline_emitter (FILE *out, const struct timeline_view *, struct error *err);
timeline_emitter timeline_emit_text, timeline_emit_svg, timeline_emit_html, timeline_emit_chrome,
    timeline_emit_json;

#endif
