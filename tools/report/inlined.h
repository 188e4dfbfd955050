/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that have been inlined into others: nobody counts their calls, but the blocks that
   they became part of are counted, and the debug information says where each begins. */
#ifndef BBPROF_INLINED_H
#define BBPROF_INLINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/blocks/blocks.h"
#include "model/model.h"

/* One function in another, at all places where it was inlined. */
struct inlined {
  const struct symbol *into;
  const char *function; /* as the debug information has it, mangled; lives as long as the objects */
  /* Executions of the places where it begins; 0: the debug information does not say where. */
  uint64_t entered;
  double samples; /* of its code there, with what is inlined into that */
};

struct inlined_list {
  /* By the symbols' addresses, then the most samples first, then the most often entered. */
  struct inlined *list;
  size_t count, room;
};

/* WANTED: of each symbol of the model, whether it is asked for.  False: no memory; inlined_free
   is right in both cases. */
bool inlined_find (struct inlined_list *, const struct model *, const struct blocks *,
                   const bool *wanted);
void inlined_free (struct inlined_list *);

/* Those in SYMBOL; how many there are. */
size_t inlined_into (const struct inlined_list *, const struct symbol *symbol,
                     const struct inlined **first);

#endif
