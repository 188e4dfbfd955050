/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "collect/outside/object_file.h"
#include "collect/outside/output_name.h"
#include "runtime/base/base.h"

static bool
check_letters (const char *pattern, struct error *err)
{
  for (const char *letter = "npr"; *letter; letter++)
    if (bbp_name_has (pattern, *letter))
      return error_set (err, pattern, ERROR_NO_OFFSET,
                        "%%%c is known in the program only; use %%h (host), %%b (build id), %%e "
                        "(program), %%t (time), %%%%",
                        *letter);
  return true;
}

char *
output_name (const char *pattern, const char *executable, const char *name, struct error *err)
{
  char expanded[PATH_MAX] = "", id[BUILD_ID_TEXT];
  struct build_id build;
  struct utsname system;
  struct bbp_text text = { .buffer = expanded, .size = sizeof expanded };
  if (!check_letters (pattern, err))
    return NULL;
  const struct bbp_name_facts facts
      = { .host = uname (&system) == 0 ? system.nodename : "localhost",
          .program = name,
          .build = bbp_name_has (pattern, 'b') && object_file_build_id (executable, &build)
                       ? build_id_text (&build, id)
                       : "none",
          .start = (uint64_t) time (NULL) };
  bbp_name_expand (&text, pattern, &facts);
  char *copy = text.cut ? NULL : strdup (expanded);
  if (text.cut)
    error_set (err, pattern, ERROR_NO_OFFSET, "the name is too long");
  else if (!copy)
    error_no_memory (err);
  return copy;
}
