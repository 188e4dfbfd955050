/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An emitter writes one part of bbprof-gprof's output.  It only reads the report, but for the
   buffers of the source line lookup, and for its warnings. */
#ifndef BBPROF_EMIT_H
#define BBPROF_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "gprof-compat/report.h"

struct emitter {
  bool (*body) (FILE *, struct report *, struct error *);
  void (*explain) (FILE *); /* how to read it; left out if brief; or null */
  bool unbroken;            /* no form feed belongs before it, or it comes from the emitter */
};

extern const struct emitter emit_flat, emit_graph, emit_index, emit_counts, emit_source,
    emit_function_order, emit_file_order;

#endif
