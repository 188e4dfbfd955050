/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of `bbprof timeline': one file and one function for each. */
#ifndef BBPROF_TIMELINE_EMIT_H
#define BBPROF_TIMELINE_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/intervals/timeline.h"
#include "tools/view/style.h"

/* The part of a timeline that is shown. */
struct timeline_view {
  const struct timeline *timeline;
  uint64_t from, to;       /* window, within the timeline's; from < to */
  const uint32_t *threads; /* indices of the rows' threads, from the top */
  size_t nthreads;
  bool by_cpu;        /* also a row for each processor */
  bool details;       /* text: also waits one by one */
  bool ascii;         /* text: only ASCII characters */
  size_t most;        /* text: rows at most, those that ran most; 0: all */
  struct style style; /* text */
};

/* False: ERR says why: out of memory, or OUT cannot be written. */
typedef bool timeline_emitter (FILE *out, const struct timeline_view *, struct error *err);
timeline_emitter timeline_emit_text, timeline_emit_svg, timeline_emit_html, timeline_emit_chrome,
    timeline_emit_json;

#endif
