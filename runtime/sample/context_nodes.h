/* SPDX-License-Identifier: MIT */
/* context_nodes.c: the tree of calling contexts (struct bbp_context), while it grows.  Signal. */
#ifndef BBP_CONTEXT_NODES_H
#define BBP_CONTEXT_NODES_H

#include "runtime/unwind/unwind.h"

#pragma GCC visibility push(hidden)

uint32_t bbp_context_enter (uint32_t parent, const struct bbp_frame *); /* 0: no memory */
void bbp_context_count (uint32_t node, unsigned ticks);
/* Whether NODE has this key. */
bool bbp_context_is (uint32_t node, uint32_t parent, const struct bbp_frame *);

#pragma GCC visibility pop

#endif
