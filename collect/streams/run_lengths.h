/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of how often a forecast was right in a row.  A byte below 255: so often, then wrong;
   255: so often, and on. */
#ifndef BBPROF_RUN_LENGTHS_H
#define BBPROF_RUN_LENGTHS_H

#include "collect/streams/bytes.h"

struct run {
  unsigned char right; /* in a row: so far (when writing), still to come (when reading) */
  bool wrong;          /* when reading: a wrong one comes behind those */
};

enum { RUN_ON = 255 };

/* One more forecast was RIGHT or not.  Room for a byte. */
static inline void
run_write (struct run *run, struct bytes *list, bool right)
{
  if (right && ++run->right < RUN_ON)
    return;
  list->data[list->size++] = run->right;
  run->right = 0;
}

/* Behind the last one.  Room for a byte. */
static inline void
run_end (struct run *run, struct bytes *list)
{
  list->data[list->size++] = run->right;
  run->right = 0;
}

/* False: the list has ended. */
static inline bool
run_read (struct run *run, struct reading *list, bool *right)
{
  while (run->right == 0 && !run->wrong)
    {
      if (list->next == list->stop)
        return false;
      run->right = *list->next++;
      run->wrong = run->right != RUN_ON;
    }
  *right = run->right > 0;
  if (*right)
    run->right--;
  else
    run->wrong = false;
  return true;
}

#endif
