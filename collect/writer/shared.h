/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's side of the memory that it shares with the traced process
   (include/bbprof-pieces.h).  The process may have written anything there: each number is read
   once and checked. */
#ifndef BBPROF_SHARED_H
#define BBPROF_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/streams/pieces_read.h"
#include "collect/writer/traced_process.h"
#include "include/bbprof-pieces.h"

struct shared {
  struct bbq_head *head;
  size_t bytes;
  char *first; /* piece */
  size_t pieces, bytes_of_piece;
  struct process process;
};

/* False: FD is not such memory, or of another version. */
bool shared_open (struct shared *, int fd);

struct bbq_piece *shared_piece (const struct shared *, size_t i);

/* Waits until the counter of submissions differs from SEEN, or for some milliseconds. */
void shared_wait (struct shared *, unsigned seen, unsigned milliseconds);

/* Takes a full piece from the process.  False: with a window, the process already refills it. */
bool shared_claim (struct bbq_piece *);

/* Gives the piece back to the process. */
void shared_free (struct shared *, struct bbq_piece *);

/* Tells the process that the ending number ENDING is done. */
void shared_end (struct shared *, unsigned ending);

/* A copy of a piece's content.  IN_USE: the process still fills it. */
struct shared_copy {
  struct bbt_piece head;
  uint64_t words[BBQ_BITS + 1];
  uint64_t tokens[BBQ_TOKENS];
  struct bbt_mark marks[BBQ_MARKS];
  struct piece piece; /* points into the fields above */
};
/* False: the piece is empty, or was taken for another stream meanwhile. */
bool shared_copy (const struct bbq_piece *, bool in_use, struct shared_copy *);

#endif
