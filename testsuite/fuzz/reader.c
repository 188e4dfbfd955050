/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "common/error.h"
#include "include/bbprof-file.h"
#include "testsuite/fuzz/reader.h"

void
reader_put (const char *name, const uint8_t *data, size_t size)
{
  static int fd = -1;
  char target[40];
  if (fd < 0)
    {
      fd = memfd_create ("input", 0);
      snprintf (target, sizeof target, "/proc/self/fd/%d", fd);
      unlink (name);
      if (fd < 0 || symlink (target, name) != 0)
        abort ();
    }
  if (ftruncate (fd, 0) != 0 || pwrite (fd, data, size, 0) != (ssize_t) size)
    abort ();
}

static void
put_right (uint8_t *data, size_t size)
{
  struct bbx_chunk chunk;
  for (size_t at = sizeof (struct bbx_header); size > sizeof chunk && at <= size - sizeof chunk;)
    {
      memcpy (&chunk, data + at, sizeof chunk);
      if (chunk.length > size - at - sizeof chunk)
        return;
      uLong crc = crc32_z (0, (const unsigned char *) &chunk.type, sizeof chunk.type);
      crc = crc32_z (crc, (const unsigned char *) &chunk.length, sizeof chunk.length);
      chunk.crc = (uint32_t) crc32_z (crc, data + at + sizeof chunk, chunk.length);
      memcpy (data + at, &chunk, sizeof chunk);
      at += sizeof chunk + ((chunk.length + 7) & -8UL);
    }
}

void
reader_put_chunks (const char *name, const uint8_t *data, size_t size)
{
  uint8_t *right = malloc (size + 1);
  if (!right)
    return;
  memcpy (right, data, size);
  put_right (right, size);
  reader_put (name, right, size);
  free (right);
}

void
reader_check_error (const struct error *err)
{
  if (err->text[0] == '\0' || strchr (err->text, '\n'))
    abort ();
}
