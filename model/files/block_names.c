/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "common/array.h"
#include "model/files/block_names.h"

static uint64_t
move (const struct gmon_moves *moves, uint64_t address)
{
  for (size_t i = 0; i < moves->count; i++)
    if (address >= moves->moves[i].start && address < moves->moves[i].end)
      return address + moves->moves[i].distance;
  return address;
}

bool
block_names_add_run (struct block_names *b, const struct bbx *x, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < x->nblocks; i++)
    {
      if (!array_grow (&b->names, b->count, &b->room, sizeof *b->names))
        return false;
      const struct bbx_run_block *said = &x->blocks[i];
      b->names[b->count++]
          = (struct block_name) { .address = move (moves, said->address), .said = said };
    }
  return true;
}

static int
compare (const void *a, const void *b, void *context)
{
  uint64_t x = ((const struct block_name *) a)->address,
           y = ((const struct block_name *) b)->address;
  (void) context;
  return x < y ? -1 : x > y;
}

bool
block_names_finish (struct block_names *b)
{
  return array_sort (b->names, b->count, sizeof *b->names, compare, NULL);
}

void
block_names_free (struct block_names *b)
{
  free (b->names);
}

const struct bbx_run_block *
block_names_find (const struct block_names *b, uint64_t address)
{
  size_t before = ARRAY_BEFORE (i, b->count, b->names[i].address < address);
  return before < b->count && b->names[before].address == address ? b->names[before].said : NULL;
}
