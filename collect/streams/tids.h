/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the threads of a chunk from 0, in the order of first appearance. */
#ifndef BBPROF_TIDS_H
#define BBPROF_TIDS_H

#include "collect/streams/bytes.h"

struct tids {
  uint32_t *tids; /* by number */
  size_t n;
  uint32_t *finder; /* when writing: hash table by tid; 1 + number; 0: free */
  size_t places;    /* slots of the finder: a power of two */
};

/* Makes room for MOST threads; WRITE: with a finder.  False: out of memory.  Call tids_free in
   both cases. */
bool tids_begin (struct tids *, size_t most, bool write);
void tids_free (struct tids *);

/* Returns the number of a thread.  A new one gets the next number and is added to the list NEW,
   which needs room for it. */
size_t tids_write (struct tids *, uint32_t tid, struct bytes *new);

/* Makes sure that NUMBER is known: the number behind the last known one is read from the list
   NEW.  Only as many threads as there is room for.  False: damaged. */
bool tids_read (struct tids *, uint64_t number, struct reading *new);

#endif
