/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of how many predictions in a row were correct.  A byte below 255: so many, then a wrong
   one; 255: so many, and the run continues. */
#ifndef BBPROF_RUN_LENGTHS_H
#define BBPROF_RUN_LENGTHS_H

#include "collect/streams/bytes.h"

struct run {
  unsigned char right; /* correct predictions: so far (writing), still to come (reading) */
  bool wrong;          /* reading: a wrong prediction follows the correct ones */
};

enum { RUN_ON = 255 };

/* Records whether the next prediction was RIGHT.  Needs room for a byte. */
static inline void
run_write (struct run *run, struct bytes *list, bool right)
{
  if (right && ++run->right < RUN_ON)
    return;
  list->data[list->size++] = run->right;
  run->right = 0;
}

/* Records N predictions that were right.  Needs room for N bytes. */
static inline void
run_write_right (struct run *run, struct bytes *list, size_t n)
{
  for (n += run->right; n >= RUN_ON; n -= RUN_ON)
    list->data[list->size++] = RUN_ON;
  run->right = (unsigned char) n;
}

/* Ends the list.  Needs room for a byte. */
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
