/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that were inlined into others.  Their calls are not counted, but the blocks that
   they became part of are.  The debug information tells where each inlined copy begins. */
#ifndef BBPROF_INLINED_H
#define BBPROF_INLINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/blocks/blocks.h"
#include "model/model.h"

/* One function inlined into another, all copies together. */
struct inlined {
  const struct symbol *into;
  /* linkage name (mangled) from the debug information; lives as long as the objects */
  const char *function;
  /* Executions of the blocks in which the copies begin; 0: the debug information does not tell
     where. */
  uint64_t entered;
  double samples; /* of the copies' code, with what is inlined into that */
};

struct inlined_list {
  /* Sorted by the symbols' addresses, then by samples (most first), then by entries. */
  struct inlined *list;
  size_t count, room;
};

/* WANTED: for each symbol of the model, whether to search its code.  False: no memory; call
   inlined_free in both cases. */
bool inlined_find (struct inlined_list *, const struct model *, const struct blocks *,
                   const bool *wanted);
void inlined_free (struct inlined_list *);

/* The functions inlined into SYMBOL; returns their number. */
size_t inlined_into (const struct inlined_list *, const struct symbol *symbol,
                     const struct inlined **first);

#endif
