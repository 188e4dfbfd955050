/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A multiset that unites equal items now and then, so its memory depends on the number of
   different items. */
#ifndef BBPROF_BAG_H
#define BBPROF_BAG_H

#include <stdbool.h>
#include <stddef.h>

struct bag {
  size_t size; /* of an item: bytes; set by the user, like the next two */
  int (*compare) (const void *, const void *, void *); /* as for array_sort */
  /* Adds OTHER, which is dropped afterwards, to the equal item KEPT.  Null: both stay. */
  void (*unite) (void *kept, void *other);
  void *items;                /* after bag_unite: in order, each once */
  size_t count, room, united; /* united: number of items at the front that are in order */
};

/* Takes *ITEM over.  False: out of memory, and the item stays the caller's. */
bool bag_add (struct bag *, const void *item);
bool bag_unite (struct bag *);

/* Call after changing the items: none counts as in order any more. */
void bag_disorder (struct bag *);

#endif
