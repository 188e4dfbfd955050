/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block as people know it: its function and its place in the source. */
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

/* Looks up names and line of ROW's block, in the files of the objects; of code without symbols
   or debug information, in what it says itself.  False: no memory.  The function's name is the
   caller's to free. */
bool block_row_describe (struct block_row *row, const struct model *);

enum { BLOCK_ROW_PLACE = 32 }; /* columns of file:line, if that is enough */

/* FILE:LINE, without the folders if it would be long. */
void block_row_place (char *to, size_t size, const struct block_row *row);

/* The address in its object's own file. */
static inline uint64_t
block_address (const struct block *b)
{
  return b->object ? b->start - b->object->base : b->start;
}

#endif
