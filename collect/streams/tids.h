/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of a chunk, numbered from 0 in the order in which they first appear in it. */
#ifndef BBPROF_TIDS_H
#define BBPROF_TIDS_H

#include "collect/streams/bytes.h"

struct tids {
  uint32_t *tids; /* by number */
  size_t n;
  uint32_t *finder; /* when writing: 1 + number, by a hash of the tid; 0: free */
  size_t places;    /* of these: a power of two */
};

/* Room for MOST of them; WRITE: with what finds them.  False if memory is short; tids_free is
   right in both cases. */
bool tids_begin (struct tids *, size_t most, bool write);
void tids_free (struct tids *);

/* The number of a thread.  A new one gets the next number, and goes into the list NEW, which
   needs room for it. */
size_t tids_write (struct tids *, uint32_t tid, struct bytes *new);

/* There is a thread with NUMBER then: the one behind all that are known comes from the list NEW.
   As many different ones as there is room for.  False: damaged. */
bool tids_read (struct tids *, uint64_t number, struct reading *new);

#endif
