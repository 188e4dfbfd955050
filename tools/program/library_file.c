/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/program/library_file.h"
#include "tools/program/part.h"

const char *
library_file (struct error *err)
{
  const char *path = getenv ("BBPROF_LIBRARY");
  if (!path)
    path = part_beside ("/../runtime/libbbprof.so");
  if (!path)
    path = BBP_LIBRARY;
  if (access (path, R_OK) != 0)
    return error_set (err, path, ERROR_NO_OFFSET,
                      "the run-time library is not there (BBPROF_LIBRARY names another)"),
           NULL;
  if (strpbrk (path, ": $"))
    return error_set (err, path, ERROR_NO_OFFSET, "the loader cannot preload a file of that name"),
           NULL;
  return path;
}
