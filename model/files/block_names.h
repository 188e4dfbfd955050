/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program's own tables say of blocks that have no debug information
   (include/bbprof-file.h, struct bbx_block). */
#ifndef BBPROF_BLOCK_NAMES_H
#define BBPROF_BLOCK_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"

struct block_name {
  uint64_t address; /* in the model */
  const struct bbx_run_block *said;
};

struct block_names {
  struct block_name *names; /* after block_names_finish by address */
  size_t count, room;
};

/* Adds those of one run, which has to stay; MOVES: from its addresses to the model's.  False: no
   memory. */
bool block_names_add_run (struct block_names *, const struct bbx *, const struct gmon_moves *moves);
/* After the last run.  False: no memory. */
bool block_names_finish (struct block_names *);
void block_names_free (struct block_names *);

/* Of the block at ADDRESS; null if nobody says anything. */
const struct bbx_run_block *block_names_find (const struct block_names *, uint64_t address);

#endif
