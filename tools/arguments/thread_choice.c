/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/arguments/thread_choice.h"

bool
thread_choice_is_list (const char *list)
{
  size_t length = strlen (list);
  return length > 0 && list[0] != ',' && list[length - 1] != ',' && !strstr (list, ",,");
}

static bool
is_number (const char *word, int64_t number)
{
  char text[24];
  snprintf (text, sizeof text, "%" PRId64, number);
  return strcmp (word, text) == 0;
}

static bool
is_meant (const char *word, const char *name, int64_t number, int64_t tid)
{
  return fnmatch (word, name, 0) == 0 || (number >= 0 && is_number (word, number))
         || (tid != 0 && is_number (word, tid));
}

bool
thread_choice_is (const char *list, const char *name, int64_t number, int64_t tid)
{
  bool found = is_meant (list, name, number, tid);
  char *copy = strdup (list), *rest = copy, *word;
  while (copy && !found && (word = strsep (&rest, ",")))
    found = is_meant (word, name, number, tid);
  free (copy);
  return found;
}
