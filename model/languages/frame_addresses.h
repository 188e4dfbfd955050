/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in the code the frames of sampled stacks are. */
#ifndef BBPROF_FRAME_ADDRESSES_H
#define BBPROF_FRAME_ADDRESSES_H

#include <stdint.h>

#include "model/files/bbx_stacks.h"

/* For each of X's nodes, by index, the address of the frame's instruction; of a frame that made a
   call, one inside of the call.  In new memory.  Null: out of memory. */
uint64_t *frame_addresses (const struct bbx_stacks *x);

#endif
