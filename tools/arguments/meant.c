/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/arguments/meant.h"
#include "tools/view/short_name.h"

void
meant_begin (struct meant *m, const char *word)
{
  *m = (struct meant) { .word = word, .similar = { .word = word } };
}

void
meant_free (struct meant *m)
{
  similar_names_free (&m->similar);
}

void
meant_consider (struct meant *m, const char *symbol, const char *name)
{
  enum pattern_match is = pattern_match (m->word, symbol, name);
  if (is > m->best)
    m->best = is;
  if (m->best != PATTERN_NOT || *symbol == '[')
    return;
  const char *whole = name ? name : symbol;
  char *bare = pattern_bare_name (whole);
  if (bare)
    similar_names_consider (&m->similar, whole, bare, pattern_last_component (bare));
  free (bare);
}

bool
meant_is (const struct meant *m, const char *symbol, const char *name)
{
  return m->best != PATTERN_NOT && pattern_match (m->word, symbol, name) >= m->best;
}

bool
meant_refuse (struct meant *m, const char *kind, struct error *err)
{
  char names[160] = "";
  size_t length = 0;
  for (size_t i = 0; i < m->similar.count && length < sizeof names; i++)
    {
      char *name = short_name (m->similar.names[i], SHORT_NAME);
      length += (size_t) snprintf (names + length, sizeof names - length, "%s%s",
                                   i ? ", " : "; there is ", name ? name : "");
      free (name);
    }
  return error_set (err, NULL, ERROR_NO_OFFSET, "no %s matches '%.60s'%s", kind, m->word, names);
}
