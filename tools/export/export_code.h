/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All functions with counters, as bbprof annotate has them: shared by the formats of counted
   code. */
#ifndef BBPROF_EXPORT_CODE_H
#define BBPROF_EXPORT_CODE_H

#include "tools/annotate/annotate.h"
#include "tools/export/export_emit.h"

/* Annotates all functions with counters whose file is there.  annotate_free is right in both
   cases. */
bool export_code_read (struct annotation *, const struct export_view *, struct error *err);

/* The instruction at ADDRESS, or null. */
const struct annotated_instruction *export_code_at (const struct annotation *, uint64_t address);

/* The executions of an instruction; 0 if they are unknown. */
static inline uint64_t
export_code_count (const struct annotated_instruction *is)
{
  return is->count.known ? is->count.executions : 0;
}

/* The innermost frame of an instruction; null: unknown. */
static inline const struct srcline *
export_code_line (const struct annotation *a, const struct annotated_instruction *is)
{
  const struct annotated_origin *origin = &a->origins[is->origin];
  return origin->nframes > 0 ? &origin->frames[0] : NULL;
}

/* SYMBOL's name for people, in new memory.  Null: no memory. */
char *export_symbol_name (const struct model *, const struct symbol *);

/* File and line of the function that SYMBOL begins with, not of one inlined there.  False:
   unknown. */
bool export_function_line (const struct symbol *, struct srcline *);

#endif
