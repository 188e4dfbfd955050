/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of calling contexts: a node is a frame beneath the frame that has called it; the same
   path is the same node, whoever enters it.  What an address means is the user's affair. */
#ifndef BBPROF_CONTEXTS_H
#define BBPROF_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct context {
  uint64_t address;
  uint64_t ticks;  /* that ended here */
  uint32_t parent; /* lower than its own number; 0: none */
  uint32_t kind;   /* enum bbx_frame */
  /* After contexts_sort: the first child, the next one of the same parent; 0: none. */
  uint32_t first, next;
};

struct contexts {
  /* After the first contexts_enter: [0] stands for what is above all roots. */
  struct context *nodes;
  size_t count, room; /* with that */
  uint32_t *table;    /* private: numbers of nodes by their hash; 0: free */
  size_t table_size;
};

/* The node of that frame beneath PARENT (0: a root), added if it is new; 0: no memory. */
uint32_t contexts_enter (struct contexts *, uint32_t parent, uint32_t kind, uint64_t address);

/* Links children, in the order of kind and address.  Nothing may be entered any more, but
   addresses may be changed before.  False: no memory. */
bool contexts_sort (struct contexts *);

/* After contexts_sort: the node that follows NODE, parents before their children; 0: there is
   none.  Begins with 0. */
uint32_t contexts_next (const struct contexts *, uint32_t node);

/* Of each node the ticks that ended in or beneath it, in fresh memory; null: there is none. */
uint64_t *contexts_totals (const struct contexts *);

void contexts_free (struct contexts *);

#endif
