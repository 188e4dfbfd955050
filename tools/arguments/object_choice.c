/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fnmatch.h>
#include <stddef.h>

#include "common/visible.h"
#include "tools/arguments/object_choice.h"

bool
object_choice_is (const char *pattern, const char *name, const char *path)
{
  return !pattern || fnmatch (pattern, name, 0) == 0 || fnmatch (pattern, path, 0) == 0;
}

bool
object_choice_refuse (const char *pattern, struct error *err)
{
  return error_set (err, NULL, ERROR_NO_OFFSET,
                    "no function that ran is in an object that matches '%.60s'; bbprof report "
                    "lists the objects",
                    visible (pattern));
}
