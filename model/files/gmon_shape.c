/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apart from the reader: the file of a program is read with libbfd, a profile without. */
#include "config.h"

#include "model/files/gmon_read.h"

struct gmon_shape
gmon_shape_of (const struct image *im)
{
  struct gmon_shape shape = { .pointer_bytes = im->pointer_bytes,
                              .big_endian = im->big_endian,
                              .counts_of_4_bytes = im->is_pe,
                              .code_low = im->code_low,
                              .code_high = im->code_high,
                              .segment_high = im->segment_high };
  /* The start file of -pg starts profiling with these two symbols. */
  shape.has_default = image_find (im, "__executable_start", &shape.default_low)
                      && image_find (im, "etext", &shape.default_high);
  return shape;
}
