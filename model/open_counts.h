/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By how much counts may be wrong, because the positions of threads are unknown when their
   process was killed. */
#ifndef BBPROF_OPEN_COUNTS_H
#define BBPROF_OPEN_COUNTS_H

#include "model/blocks/blocks.h"
#include "model/model.h"

void open_blocks (struct blocks *, const struct model *); /* fills in the open counts of blocks */
/* As in struct edge. */
struct open_count open_edge (const struct model *, uint64_t from, uint64_t to);
/* Of all calls that return to POINT. */
struct open_count open_calls_from (const struct model *, uint64_t point);
/* FROM null: from outside. */
struct open_count open_calls (const struct model *, const struct symbol *from,
                              const struct symbol *to);
struct open_count open_sum (struct open_count, struct open_count);
struct open_count open_less (struct open_count, struct open_count); /* of a difference */

/* COUNT as text for users: 5, 5+0..1 (5 or 6), 5-0..1, 5-1..+2.  Written to BUFFER, which is
   returned. */
#define OPEN_COUNT_TEXT 72
char *open_count_text (char buffer[OPEN_COUNT_TEXT], uint64_t count, struct open_count);

#endif
