/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "common/array.h"
#include "common/bag.h"

/* Fewer new items than this are not sorted. */
#define SORT_AT_LEAST 65536

bool
bag_unite (struct bag *b)
{
  if (b->count == b->united)
    return true;
  if (!array_sort (b->items, b->count, b->size, b->compare, NULL))
    return false;
  char *kept = b->items, *end = kept + b->count * b->size;
  for (char *item = kept + b->size; item < end; item += b->size)
    if (b->unite && b->compare (kept, item, NULL) == 0)
      b->unite (kept, item);
    else
      memmove (kept += b->size, item, b->size);
  b->count = b->united = (size_t) (kept - (char *) b->items) / b->size + 1;
  return true;
}

bool
bag_add (struct bag *b, const void *item)
{
  if (b->count >= SORT_AT_LEAST + 2 * b->united && !bag_unite (b))
    return false;
  if (!array_grow (&b->items, b->count, &b->room, b->size))
    return false;
  memcpy ((char *) b->items + b->count++ * b->size, item, b->size);
  return true;
}

void
bag_disorder (struct bag *b)
{
  b->united = 0;
}
