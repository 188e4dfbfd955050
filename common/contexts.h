/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calling context tree: a node is a frame below the frame that called it.  The same path is the
   same node.  The tree does not interpret addresses. */
#ifndef BBPROF_CONTEXTS_H
#define BBPROF_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct context {
  uint64_t address;
  uint64_t ticks;  /* samples that ended here */
  uint32_t parent; /* lower than its own number; 0: none */
  uint32_t kind;   /* enum bbx_frame */
  bool by_pointer; /* in some stack it was found by the frame pointer; set after entering */
  /* After contexts_sort: the first child, the next child of the same parent; 0: none. */
  uint32_t first, next;
};

struct contexts {
  /* After the first contexts_enter.  nodes[0] is the parent of all roots. */
  struct context *nodes;
  size_t count, room; /* includes nodes[0] */
  uint32_t *table;    /* private: hash table of node numbers; 0: free */
  size_t table_size;
};

/* Makes an empty tree with room for N nodes beside the root; it may become larger.  Optional: a
   tree of zeros is empty, too.  False: out of memory; the tree is unchanged. */
bool contexts_reserve (struct contexts *, size_t n);

/* Returns the node of this frame below PARENT (0: a root); adds it if it is new.  0: out of
   memory. */
uint32_t contexts_enter (struct contexts *, uint32_t parent, uint32_t kind, uint64_t address);

/* Links the children, sorted by kind and address.  Afterwards no frame may be entered.  Addresses
   may be changed before.  False: out of memory. */
bool contexts_sort (struct contexts *);

/* After contexts_sort: the node behind NODE in preorder; 0: none.  Start with NODE 0. */
uint32_t contexts_next (const struct contexts *, uint32_t node);
/* The same in the subtree of ROOT.  Start with ROOT itself. */
uint32_t contexts_next_below (const struct contexts *, uint32_t root, uint32_t node);

/* For each node the ticks of its subtree, in a new array; null: out of memory. */
uint64_t *contexts_totals (const struct contexts *);

void contexts_free (struct contexts *);

#endif
