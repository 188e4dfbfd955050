/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's side of the memory that it shares with the traced process
   (include/bbprof-pieces.h).  What the process has written there is not trusted: numbers are
   read once, and checked. */
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

/* False: FD is no such memory, or of another version. */
bool shared_open (struct shared *, int fd);

struct bbq_piece *shared_piece (const struct shared *, size_t i);

/* Waits until the process has submitted something since it had submitted SEEN, or some
   milliseconds. */
void shared_wait (struct shared *, unsigned seen, unsigned milliseconds);

/* A full piece becomes the writer's.  False: with a window, the process was faster, and fills it
   anew. */
bool shared_claim (struct bbq_piece *);

/* Gives it back. */
void shared_free (struct shared *, struct bbq_piece *);

/* An ending has been done. */
void shared_end (struct shared *, unsigned ending);

/* A copy of what is in a piece; IN_USE: it is still being filled. */
struct shared_copy {
  struct bbt_piece head;
  uint64_t words[BBQ_BITS + 1];
  uint64_t tokens[BBQ_TOKENS];
  struct bbt_mark marks[BBQ_MARKS];
  struct piece piece; /* made of these */
};
/* False: there is nothing in it, or it was taken for something else meanwhile. */
bool shared_copy (const struct bbq_piece *, bool in_use, struct shared_copy *);

#endif
