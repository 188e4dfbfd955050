/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

/* The first LENGTH bytes of NAME.  Out of memory: no. */
static bool
is_prefix (const char *pattern, const char *name, size_t length)
{
  char *copy = strndup (name, length);
  bool is = copy && (strcmp (pattern, copy) == 0 || fnmatch (pattern, copy, 0) == 0);
  free (copy);
  return is;
}

/* How much of NAME is before its last parentheses. */
static size_t
without_parameters (const char *name)
{
  const char *p = strrchr (name, ')');
  int depth = 0;
  for (; p && p > name; p--)
    {
      depth += (*p == ')') - (*p == '(');
      if (depth == 0)
        return (size_t) (p - name);
    }
  return strlen (name);
}

bool
pattern_is_function (const char *pattern, const char *symbol, const char *name)
{
  return is_prefix (pattern, symbol, strlen (symbol)) || is_prefix (pattern, symbol, strcspn (symbol, "."))
         || (name && (is_prefix (pattern, name, strlen (name)) || is_prefix (pattern, name, without_parameters (name))));
}
