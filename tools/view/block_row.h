/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block with its names: function, file and line. */
#ifndef BBPROF_BLOCK_ROW_H
#define BBPROF_BLOCK_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/blocks/blocks.h"
#include "model/model.h"

struct block_row {
  const struct block *block;
  char *function;   /* demangled; null: not known */
  const char *file; /* null: not known */
  unsigned line;
};

/* Fills in function, file and line of ROW's block from the symbols and the debug information of
   the objects.  Code without them keeps its address.  False: no memory.  The caller frees the
   function's name. */
bool block_row_describe (struct block_row *row, const struct model *);

enum { BLOCK_ROW_PLACE = 32 }; /* columns that file:line normally needs */

/* FILE:LINE, without the folders if it would be too long. */
void block_row_place (char *to, size_t size, const struct block_row *row);

/* The link-time address in the object. */
static inline uint64_t
block_address (const struct block *b)
{
  return b->object ? b->start - b->object->base : b->start;
}

#endif
