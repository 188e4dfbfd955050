/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An emitter writes one part of bbprof-gprof's output.  It changes only the report's warnings and
   the buffers of the source line lookup. */
#ifndef BBPROF_EMIT_H
#define BBPROF_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "gprof-compat/report.h"

struct emitter {
  bool (*body) (FILE *, struct report *, struct error *);
  void (*explain) (FILE *); /* prints how to read the part, unless brief; or null */
  bool unbroken;            /* no form feed before it, or the emitter writes that itself */
};

extern const struct emitter emit_flat, emit_graph, emit_index, emit_counts, emit_source,
    emit_function_order, emit_file_order;

#endif
