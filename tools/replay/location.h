/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A place in the program that a user names: a function, a line, a block. */
#ifndef BBPROF_LOCATION_H
#define BBPROF_LOCATION_H

#include <stdbool.h>

#include "common/error.h"
#include "tools/decode/lines.h"
#include "tools/decode/thread_blocks.h"

enum location_kind {
  LOCATION_FUNCTION, /* it is entered */
  LOCATION_LINE,     /* control comes to the line: from one block of it to another does not count */
  LOCATION_BLOCK,    /* a block is executed */
};

struct location {
  enum location_kind kind;
  char *text;                       /* as the user said */
  bool *blocks;                     /* of each block of the trace: is it there? */
  unsigned line;                    /* that was found: the next one above that begins a block */
  const struct name_choice *choice; /* private: while it is being found */
};

/* TEXT: the address of a byte in a block, 0x...; FILE:LINE, FILE also without its folders; or
   a word that chooses functions (name_choice.h).  It is an error if the program has none of them.
   location_free is right in both cases. */
bool location_find (struct location *, struct lines *, const char *text, struct error *);
void location_free (struct location *);

/* Does the block of PLACE, which comes after BEFORE (null: nothing), count as a visit? */
bool location_visited (const struct location *, const struct thread_block *before,
                       const struct thread_block *place);

#endif
