/* SPDX-License-Identifier: MIT */
/* Shell patterns for names: * for any characters, ? for one, [a-z] and [!a-z] for one of a set.
   Not libc's fnmatch, which depends on the locale.  Context: cold. */
#include "runtime/base/base.h"

/* True if C is in the set that begins at PATTERN, behind the bracket; *END: behind the set, or null
   if it has no end. */
static bool
is_in_set (const char *pattern, char c, const char **end)
{
  bool not = *pattern == '!' || *pattern == '^', in = false;
  const char *p = pattern + not, *first = p;
  for (; *p && (*p != ']' || p == first); p++)
    if (p[1] == '-' && p[2] && p[2] != ']')
      {
        in |= *p <= c && c <= p[2];
        p += 2;
      }
    else
      in |= *p == c;
  *end = *p ? p + 1 : NULL;
  return in != not ;
}

/* True if the first item of PATTERN matches C, which is not 0; *REST: the rest of the pattern. */
static bool
is_one (const char *pattern, char c, const char **rest)
{
  const char *end;
  *rest = pattern + 1;
  if (*pattern == '?')
    return true;
  if (*pattern == '[')
    {
      bool in = is_in_set (pattern + 1, c, &end);
      if (end)
        {
          *rest = end;
          return in;
        }
    }
  return *pattern == c;
}

/* After a mismatch only the last star has to match more: what precedes it was matched at the
   earliest position. */
bool
bbp_pattern_matches (const char *pattern, const char *text)
{
  const char *star = NULL, *from = NULL, *rest;
  while (*text)
    if (*pattern == '*')
      {
        star = ++pattern;
        from = text;
      }
    else if (*pattern && is_one (pattern, *text, &rest))
      {
        pattern = rest;
        text++;
      }
    else if (star)
      {
        pattern = star;
        text = ++from;
      }
    else
      return false;
  while (*pattern == '*')
    pattern++;
  return !*pattern;
}
