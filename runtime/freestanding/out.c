/* SPDX-License-Identifier: MIT */
/* Passes bytes to the user's writer, in buffers of a reasonable size. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/freestanding/freestanding.h"

static struct {
  bbp_writer *writer;
  void *context;
} to;

void
bbp_out_begin (struct bbp_out *out, bbp_writer *writer, void *context)
{
  to.writer = writer;
  to.context = context;
  out->error = 0;
  out->used = 0;
}

static void
flush (struct bbp_out *out)
{
  if (out->used && !out->error
      && to.writer (to.context, out->buffer, out->used) != (long) out->used)
    out->error = EIO;
  out->used = 0;
}

void
bbp_out_bytes (struct bbp_out *out, const void *bytes, size_t n)
{
  const char *p = bytes;
  for (size_t i = 0; i < n; i++)
    {
      out->buffer[out->used++] = p[i];
      if (out->used == sizeof out->buffer)
        flush (out);
    }
}

int
bbp_out_end (struct bbp_out *out)
{
  flush (out);
  return -out->error;
}
