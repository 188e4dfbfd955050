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

/* NAME from FROM on, up to a bracket that has no partner before. */
static const char *
behind_template (const char *from, const char *end)
{
  int depth = 0;
  for (; from < end; from++)
    {
      depth += (*from == '<') - (*from == '>');
      if (depth == 0)
        return from + 1;
    }
  return end;
}

/* The first LENGTH bytes of NAME without the arguments of templates, and without the type that a template's function returns; an
   operator's name stays as it is.  In fresh memory; null: there is none. */
static char *
without_templates (const char *name, size_t length)
{
  static const char operator[] = "operator";
  const char *end = name + length;
  char *bare = malloc (length + 1), *to = bare;
  int depth = 0;
  while (bare && name < end)
    if (strncmp (name, operator, sizeof operator - 1) == 0)
      {
        memcpy (to, name, (size_t) (end - name));
        to += end - name;
        break;
      }
    else if (*name == '<')
      name = behind_template (name, end);
    else
      {
        depth += (*name == '(' || *name == '{') - (*name == ')' || *name == '}');
        if (*name == ' ' && depth == 0)
          to = bare;
        else
          *to++ = *name;
        name++;
      }
  if (bare)
    *to = '\0';
  return bare;
}

static bool
is_bare_name (const char *pattern, const char *name)
{
  char *bare = without_templates (name, without_parameters (name));
  bool is = bare && is_prefix (pattern, bare, strlen (bare));
  free (bare);
  return is;
}

bool
pattern_is_function (const char *pattern, const char *symbol, const char *name)
{
  return is_prefix (pattern, symbol, strlen (symbol)) || is_prefix (pattern, symbol, strcspn (symbol, "."))
         || (name
             && (is_prefix (pattern, name, strlen (name)) || is_prefix (pattern, name, without_parameters (name))
                 || is_bare_name (pattern, name)));
}
