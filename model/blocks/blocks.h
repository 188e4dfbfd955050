/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The basic blocks of all objects in the profile: address, executions and samples of each. */
#ifndef BBPROF_BLOCKS_H
#define BBPROF_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "model/blocks/map.h"
#include "model/files/edges.h"
#include "model/files/profile.h"
#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

struct block {
  uint64_t start, end;    /* addresses, end exclusive */
  uint64_t count;         /* executions */
  struct open_count open; /* after open_blocks: by how much the counts may be wrong */
  double samples;
  const struct symbol *symbol; /* the function, or part of one, that contains it; or null */
  const struct object *object; /* or null */
  const struct map_block *map; /* or null: only the profile names it */
};

struct blocks {
  /* By address; also blocks that never ran, of objects with a map. */
  struct block *blocks;
  size_t count;
  size_t executed; /* blocks that ran */
  uint64_t total_executions;
  double total_samples; /* in the whole profile, inside of blocks or not */
  struct map map;       /* if empty, only blocks that the profile names are known */
};

/* SYMTAB must have the parts of functions, because a function ends where its last block ends. */
bool blocks_build (struct blocks *, const struct objects *, const struct symtab *,
                   const struct profile *, struct error *);
void blocks_free (struct blocks *);

/* The number of blocks that begin before ADDRESS. */
size_t blocks_before (const struct blocks *, uint64_t address);

/* The block that begins at ADDRESS, or null. */
const struct block *blocks_at (const struct blocks *, uint64_t address);

#endif
