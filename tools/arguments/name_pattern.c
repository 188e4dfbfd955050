/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/arguments/name_pattern.h"

/* Does PATTERN match the first LENGTH bytes of NAME?  Out of memory: no. */
static enum pattern_match
match_prefix (const char *pattern, const char *name, size_t length)
{
  char *copy = strndup (name, length);
  enum pattern_match is = !copy                             ? PATTERN_NOT
                          : strcmp (pattern, copy) == 0     ? PATTERN_EXACT
                          : fnmatch (pattern, copy, 0) == 0 ? PATTERN_GLOB
                                                            : PATTERN_NOT;
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

/* The first LENGTH bytes of NAME without the arguments of templates, and without the type that a
   template's function returns; an operator's name stays as it is.  In fresh memory; null: there
   is none. */
static char *
without_templates (const char *name, size_t length)
{
  static const char operator[] = "operator";
  const char *end = name + length;
  char *bare = malloc (length + 1), *to = bare;
  int depth = 0;
  while (bare && name < end)
    if (strncmp (name, operator, sizeof operator- 1) == 0)
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

char *
pattern_bare_name (const char *name)
{
  return without_templates (name, without_parameters (name));
}

const char *
pattern_last_component (const char *bare)
{
  static const char operator[] = "operator";
  const char *last = bare;
  int depth = 0;
  for (const char *p = bare; *p; p++)
    {
      depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
      if (depth != 0)
        continue;
      if (p[0] == ':' && p[1] == ':')
        last = p + 2;
      else if (p[0] == '.' && p > bare && p[1] != '\0') /* Ada, D */
        last = p + 1;
      else if (p == last && strncmp (p, operator, sizeof operator - 1) == 0
               && !isalnum ((unsigned char) p[sizeof operator - 1])
               && p[sizeof operator - 1] != '_')
        break;
    }
  return last;
}

static enum pattern_match
better (enum pattern_match a, enum pattern_match b)
{
  return a > b ? a : b;
}

static enum pattern_match
match_symbol (const char *pattern, const char *symbol)
{
  return better (match_prefix (pattern, symbol, strlen (symbol)),
                 match_prefix (pattern, symbol, strcspn (symbol, ".")));
}

static enum pattern_match
match_name (const char *pattern, const char *name)
{
  char *bare = pattern_bare_name (name);
  enum pattern_match is = better (match_prefix (pattern, name, strlen (name)),
                                  match_prefix (pattern, name, without_parameters (name)));
  if (bare)
    is = better (is, match_prefix (pattern, bare, strlen (bare)));
  if (bare && is == PATTERN_NOT)
    {
      const char *last = pattern_last_component (bare);
      is = match_prefix (pattern, last, strlen (last)) == PATTERN_NOT ? PATTERN_NOT : PATTERN_LAST;
    }
  free (bare);
  return is;
}

static bool
is_stub (const char *symbol)
{
  const char *at = strrchr (symbol, '@');
  return at && strcmp (at, "@plt") == 0;
}

enum pattern_match
pattern_match (const char *pattern, const char *symbol, const char *name)
{
  if (is_stub (symbol) && !strchr (pattern, '@'))
    return PATTERN_NOT;
  enum pattern_match is = match_symbol (pattern, symbol);
  return name && is != PATTERN_EXACT && strcmp (name, symbol) != 0
             ? better (is, match_name (pattern, name))
             : is;
}

enum pattern_match
pattern_match_spoken (const char *pattern, const char *shown, const char *name)
{
  enum pattern_match is = better (match_prefix (pattern, name, strlen (name)),
                                  match_prefix (pattern, shown, strlen (shown)));
  const char *last = name + strlen (name);
  while (last > name && !strchr (".#", last[-1]))
    last--;
  bool fits = match_prefix (pattern, last, strlen (last)) != PATTERN_NOT;
  return is != PATTERN_NOT || !fits ? is : PATTERN_LAST;
}
