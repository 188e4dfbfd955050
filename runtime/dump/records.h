/* SPDX-License-Identifier: MIT */
/* Records of gmon.out: its header, arcs, block counts; and how numbers are written in it. */
#ifndef BBP_RECORDS_H
#define BBP_RECORDS_H

#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

enum bbp_tag { BBP_TAG_HISTOGRAM = 0, BBP_TAG_ARC = 1, BBP_TAG_BLOCKS = 2 };

/* The lowest BYTES of VALUE: the machine is little-endian, as the file is. */
static inline void
bbp_put (struct bbp_out *out, uint64_t value, size_t bytes)
{
  bbp_out_bytes (out, &value, bytes);
}

void bbp_record_header (struct bbp_out *, uint64_t run, uint32_t moment);
/* Of virtual addresses, as all. */
void bbp_record_arc (struct bbp_out *, const struct bbp_count *);
void bbp_record_blocks (struct bbp_out *, const struct bbp_count *, size_t n); /* SELF: the block */

#pragma GCC visibility pop

#endif
