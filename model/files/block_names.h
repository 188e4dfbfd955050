/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of blocks without debug information, from the program's own tables
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

/* Adds the names of one run, which must stay valid.  MOVES: from its addresses to the model's.
   False: out of memory. */
bool block_names_add_run (struct block_names *, const struct bbx *, const struct gmon_moves *moves);
/* After the last run.  False: out of memory. */
bool block_names_finish (struct block_names *);
void block_names_free (struct block_names *);

/* The name of the block at ADDRESS; null: none. */
const struct bbx_run_block *block_names_find (const struct block_names *, uint64_t address);

#endif
