/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A location in the program that the user names: a function, a line or a block. */
#ifndef BBPROF_LOCATION_H
#define BBPROF_LOCATION_H

#include <stdbool.h>

#include "common/error.h"
#include "tools/decode/lines.h"
#include "tools/decode/thread_blocks.h"

enum location_kind {
  LOCATION_FUNCTION, /* visited when the function is entered */
  /* visited when control reaches the line; from one block of the line to another is no visit */
  LOCATION_LINE,
  LOCATION_BLOCK, /* visited when the block is executed */
};

struct location {
  enum location_kind kind;
  char *text; /* as the user typed it */
  /* of each block of the trace: does it belong to the location? */
  bool *blocks;
  /* the line that was found: the last one up to the user's on which a block begins */
  unsigned line;
  const struct name_choice *choice; /* private: used while searching */
};

/* TEXT: 0x and the address of a byte in a block; FILE:LINE, FILE with or without its folders; or
   a word that chooses functions (name_choice.h).  Error: the program has none of them.
   Call location_free in both cases. */
bool location_find (struct location *, struct lines *, const char *text, struct error *);
void location_free (struct location *);

/* Is the block of PLACE, executed behind BEFORE (null: none), a visit? */
bool location_visited (const struct location *, const struct thread_block *before,
                       const struct thread_block *place);

#endif
