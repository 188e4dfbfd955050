/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses functions by a word of the user's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/arguments/name_choice.h"
#include "tools/view/short_name.h"

void
name_choice_begin (struct name_choice *c, const char *word)
{
  *c = (struct name_choice) { .word = word, .similar = { .word = word } };
}

void
name_choice_free (struct name_choice *c)
{
  similar_names_free (&c->similar);
}

void
name_choice_consider (struct name_choice *c, const char *symbol, const char *name)
{
  enum pattern_match is = pattern_match (c->word, symbol, name);
  if (is > c->best)
    c->best = is;
  if (c->best != PATTERN_NOT || *symbol == '[')
    return;
  const char *whole = name ? name : symbol;
  char *bare = pattern_bare_name (whole);
  if (bare)
    similar_names_consider (&c->similar, whole, bare, pattern_last_component (bare));
  free (bare);
}

bool
name_choice_is (const struct name_choice *c, const char *symbol, const char *name)
{
  return c->best != PATTERN_NOT && pattern_match (c->word, symbol, name) >= c->best;
}

bool
name_choice_refuse (struct name_choice *c, const char *kind, struct error *err)
{
  char names[160] = "";
  size_t length = 0;
  for (size_t i = 0; i < c->similar.count && length < sizeof names; i++)
    {
      char *name = short_name (c->similar.names[i], SHORT_NAME);
      length += (size_t) snprintf (names + length, sizeof names - length, "%s%s",
                                   i ? ", " : "; did you mean ", name ? name : "");
      free (name);
    }
  if (c->similar.count > 0 && length < sizeof names)
    snprintf (names + length, sizeof names - length, "?");
  else if (c->similar.count == 0)
    snprintf (names, sizeof names, "; bbprof report -n 0 lists the functions");
  return error_set (err, NULL, ERROR_NO_OFFSET, "no %s matches '%.60s'%s", kind, c->word, names);
}
