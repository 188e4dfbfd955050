/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "reader.h"

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

void
reader_check_error (const struct error *err)
{
  if (err->text[0] == '\0' || strchr (err->text, '\n'))
    abort ();
}
