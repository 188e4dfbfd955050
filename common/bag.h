/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Things that add up: equal ones become one now and then, so that any number of them needs the
   room of what differs. */
#ifndef BBPROF_BAG_H
#define BBPROF_BAG_H

#include <stdbool.h>
#include <stddef.h>

struct bag {
  size_t size; /* of an item; set by the user, like the next two */
  int (*compare) (const void *, const void *, void *); /* as for array_sort */
  /* Of two equal ones, the second of which is dropped then; null: both stay. */
  void (*unite) (void *kept, void *other);
  void *items;                /* after bag_unite in order, each once */
  size_t count, room, united; /* united: how many, at the front, are so already */
};

/* Takes *ITEM; on false, for want of memory, it stays the caller's. */
bool bag_add (struct bag *, const void *item);
bool bag_unite (struct bag *);

/* The items have been changed: none is in order any more. */
void bag_disorder (struct bag *);

#endif
