/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that are similar to a mistyped word, for "did you mean". */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/arguments/similar_names.h"

enum { LONGEST = 63, FARTHEST = 2 };

static size_t
least (size_t a, size_t b, size_t c)
{
  size_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* The edit distance (Levenshtein): insertions, deletions and changes of one letter.  B has at
   most LONGEST letters. */
static size_t
distance (const char *a, const char *b)
{
  size_t row[LONGEST + 1], n = strlen (b);
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++)
    {
      size_t corner = row[0];
      row[0] = i;
      for (size_t j = 1; j <= n; j++)
        {
          size_t above = row[j];
          row[j] = least (above + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1]));
          corner = above;
        }
    }
  return row[n];
}

/* Edit distance from the word to TEXT; SIZE_MAX: not similar. */
static size_t
away_from (const struct similar_names *similar, const char *text)
{
  size_t length = strlen (similar->word), far = length < 3 ? 1 : FARTHEST;
  bool part = length >= 3 && strstr (text, similar->word);
  size_t away = length <= LONGEST && strlen (text) <= LONGEST ? distance (similar->word, text)
                                                              : SIZE_MAX;
  if (part && away > far)
    away = far;
  return away > far || away >= length ? SIZE_MAX : away;
}

/* The index at which a name with this distance is inserted; SIMILAR_NAMES_MOST: it is not. */
static size_t
place_of (const struct similar_names *similar, const char *name, size_t away)
{
  for (size_t i = 0; i < similar->count; i++)
    if (strcmp (similar->names[i], name) == 0)
      return SIMILAR_NAMES_MOST;
  size_t place = similar->count;
  while (place > 0 && similar->distances[place - 1] > away)
    place--;
  return place;
}

void
similar_names_consider (struct similar_names *similar, const char *name, const char *bare,
                        const char *last)
{
  size_t away
      = least (away_from (similar, name), away_from (similar, bare), away_from (similar, last));
  size_t place = away == SIZE_MAX ? SIMILAR_NAMES_MOST : place_of (similar, name, away);
  char *copy = place < SIMILAR_NAMES_MOST ? strdup (name) : NULL;
  if (!copy)
    return;
  if (similar->count < SIMILAR_NAMES_MOST)
    similar->count++;
  else
    free (similar->names[SIMILAR_NAMES_MOST - 1]);
  for (size_t i = similar->count - 1; i > place; i--)
    {
      similar->names[i] = similar->names[i - 1];
      similar->distances[i] = similar->distances[i - 1];
    }
  similar->names[place] = copy;
  similar->distances[place] = away;
}

void
similar_names_free (struct similar_names *similar)
{
  for (size_t i = 0; i < similar->count; i++)
    free (similar->names[i]);
}
