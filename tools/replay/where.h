/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A place in the program that a user names: a function, a line, a block. */
#ifndef BBPROF_WHERE_H
#define BBPROF_WHERE_H

#include <stdbool.h>

#include "common/error.h"
#include "tools/decode/lines.h"
#include "tools/decode/thread_places.h"

enum where_kind {
  WHERE_FUNCTION, /* it is entered */
  WHERE_LINE,     /* control comes to the line: from one block of it to another does not count */
  WHERE_BLOCK,    /* a block is executed */
};

struct where {
  enum where_kind kind;
  char *text;                       /* as the user said */
  bool *blocks;                     /* of each block of the trace: is it there? */
  unsigned line;                    /* that was found: the next one above that begins a block */
  const struct name_choice *choice; /* private: while it is being found */
};

/* TEXT: the address of a byte in a block, 0x...; FILE:LINE, FILE also without its folders; or
   a word that chooses functions (name_choice.h).  It is an error if the program has none of them.
   where_free is right in both cases. */
bool where_find (struct where *, struct lines *, const char *text, struct error *);
void where_free (struct where *);

/* Does the block of PLACE, which comes after BEFORE (null: nothing), count as a visit? */
bool where_visited (const struct where *, const struct place *before, const struct place *place);

#endif
