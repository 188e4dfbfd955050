/* SPDX-License-Identifier: MIT */
/* Records of gmon.out: header, arcs, block counts; and the encoding of numbers. */
#ifndef BBP_RECORDS_H
#define BBP_RECORDS_H

#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

enum bbp_tag { BBP_TAG_HISTOGRAM = 0, BBP_TAG_ARC = 1, BBP_TAG_BLOCKS = 2 };

/* The lowest BYTES of VALUE: both the machine and the file are little-endian. */
static inline void
bbp_put (struct bbp_out *out, uint64_t value, size_t bytes)
{
  bbp_out_bytes (out, &value, bytes);
}

void bbp_record_header (struct bbp_out *, uint64_t run, uint32_t moment);
/* Virtual addresses, as in all records. */
void bbp_record_arc (struct bbp_out *, const struct bbp_count *);
/* SELF: the block's address */
void bbp_record_blocks (struct bbp_out *, const struct bbp_count *, size_t n);

#pragma GCC visibility pop

#endif
