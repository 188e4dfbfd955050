/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/arguments/near.h"

enum { LONGEST = 63 };

static size_t
least (size_t a, size_t b, size_t c)
{
  size_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* How many letters have to be put in, taken out or changed; B is no longer than LONGEST. */
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

/* Letters between the word and TEXT; SIZE_MAX: too far away. */
static size_t
away_from (const struct near *near, const char *text)
{
  size_t length = strlen (near->word), far = length / 3 + 1;
  bool part = length >= 3 && strstr (text, near->word);
  size_t away = length <= LONGEST && strlen (text) <= LONGEST ? distance (near->word, text)
                                                              : SIZE_MAX;
  if (part && away > far)
    away = far;
  return away > far || away >= length ? SIZE_MAX : away;
}

/* Where a name so far away belongs; NEAR_MOST: nowhere. */
static size_t
place_of (const struct near *near, const char *name, size_t away)
{
  for (size_t i = 0; i < near->count; i++)
    if (strcmp (near->names[i], name) == 0)
      return NEAR_MOST;
  size_t place = near->count;
  while (place > 0 && near->distances[place - 1] > away)
    place--;
  return place;
}

void
near_consider (struct near *near, const char *name, const char *bare, const char *last)
{
  size_t away = least (away_from (near, name), away_from (near, bare), away_from (near, last));
  size_t place = away == SIZE_MAX ? NEAR_MOST : place_of (near, name, away);
  char *copy = place < NEAR_MOST ? strdup (name) : NULL;
  if (!copy)
    return;
  if (near->count < NEAR_MOST)
    near->count++;
  else
    free (near->names[NEAR_MOST - 1]);
  for (size_t i = near->count - 1; i > place; i--)
    {
      near->names[i] = near->names[i - 1];
      near->distances[i] = near->distances[i - 1];
    }
  near->names[place] = copy;
  near->distances[place] = away;
}

void
near_free (struct near *near)
{
  for (size_t i = 0; i < near->count; i++)
    free (near->names[i]);
}
