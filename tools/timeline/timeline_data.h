/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON of a timeline in pages for browsers. */
#ifndef BBPROF_TIMELINE_DATA_H
#define BBPROF_TIMELINE_DATA_H

#include "tools/timeline/timeline_emit.h"

/* The numbers of stacks in a page that has a tree of them: stack I's is NUMBERS[I - 1]; UINT32_MAX:
   it is not in the page. */
struct timeline_nodes {
  const uint32_t *numbers;
  size_t n;
};

/* Writes one JSON object for a script element.  NODES: null, if the object shall have the stacks
   itself.  False: out of memory. */
bool timeline_put_data (FILE *, const struct timeline_view *, const struct timeline_nodes *);

#endif
