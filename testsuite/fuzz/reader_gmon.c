/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of gmon.out, for programs of each byte order and pointer size. */
#include <stdlib.h>

#include "model/files/gmon_read.h"
#include "testsuite/fuzz/reader.h"

#define FILE_NAME "input"

static void
read_as (const struct gmon_shape *shape)
{
  static struct gmon_move move
      = { .start = 0x100001000, .end = 0x100003000, .distance = 0x500000000 };
  const struct gmon_moves moves = { &move, 1 };
  struct profile p = { .nhistograms = 0 };
  struct gmon_file f;
  struct error err;
  if (!gmon_open (&f, FILE_NAME, shape, &err) || !gmon_read (&p, &f, shape, &moves, &err))
    reader_check_error (&err);
  else if (!profile_finish (&p))
    abort ();
  gmon_close (&f);
  profile_free (&p);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const struct gmon_shape shapes[] = {
    { .pointer_bytes = 8,
      .code_low = 0x1000,
      .code_high = 0x3000,
      .has_default = true,
      .default_low = 0,
      .default_high = 0x2f00 },
    { .pointer_bytes = 4, .big_endian = true, .code_low = 0x1000, .code_high = 0x3000 },
    { .pointer_bytes = 8, .code_low = 0x1000, .code_high = 0x3000, .format = GMON_BSD },
    { .pointer_bytes = 4, .code_low = 0x1000, .code_high = 0x3000, .format = GMON_44BSD },
  };
  reader_put (FILE_NAME, data, size);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    read_as (&shapes[i]);
  return 0;
}
