/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/array.h"
#include "model/files/bbx_write.h"
#include "model/sums/sum_languages.h"

struct sum_function {
  char *key;
  uint32_t id;
  UT_hash_handle hh;
};

void
sum_languages_free (struct sum_languages *s)
{
  struct sum_function *f, *next;
  HASH_ITER (hh, s->functions, f, next)
  {
    HASH_DEL (s->functions, f);
    free (f->key);
    free (f);
  }
  bbx_languages_free (&s->all);
}

/* Its number, from 1; 0: there is none. */
static uint32_t
find_language (const struct sum_languages *s, const char *name)
{
  size_t i = 0;
  while (i < s->all.n && strcmp (s->all.list[i].name, name) != 0)
    i++;
  return i < s->all.n ? (uint32_t) i + 1 : 0;
}

static void
unite (struct bbx_language *kept, const struct bbx_language *other)
{
  kept->ticks += other->ticks;
  kept->collecting += other->collecting;
  kept->cut += other->cut;
  kept->late += other->late;
  kept->delays += other->delays;
  if (kept->delay_most < other->delay_most)
    kept->delay_most = other->delay_most;
  kept->missed += other->missed;
  kept->unknown += other->unknown;
  kept->unlisted += other->unlisted;
}

bool
sum_languages_add (struct sum_languages *s, const struct bbx_languages *x)
{
  for (size_t i = 0; i < x->n; i++)
    {
      uint32_t number = find_language (s, x->list[i].name);
      if (number > 0)
        unite (&s->all.list[number - 1], &x->list[i]);
      else if (array_grow (&s->all.list, s->all.n, &s->all.room, sizeof *s->all.list))
        s->all.list[s->all.n++] = x->list[i];
      else
        return false;
    }
  return true;
}

/* Adds a copy of F, of the language NUMBER. */
static bool
add_function (struct sum_languages *s, const struct bbx_spoken *f, uint32_t number)
{
  struct bbx_languages *all = &s->all;
  size_t n = strlen (f->name) + 1;
  struct bbx_spoken new
      = { .number = (uint32_t) all->nfunctions + 1, .language = number, .line = f->line };
  if (!array_grow (&all->functions, all->nfunctions, &all->room_functions, sizeof *all->functions)
      || !(new.name = malloc (n + strlen (f->file) + 1)))
    return false;
  strcpy (new.name, f->name);
  new.file = strcpy (new.name + n, f->file);
  all->functions[all->nfunctions++] = new;
  return true;
}

/* The id of F, of the language NUMBER; 0: out of memory. */
static uint32_t
take_function (struct sum_languages *s, const struct bbx_spoken *f, uint32_t number)
{
  struct sum_function *found;
  char *key = NULL;
  if (asprintf (&key, "%" PRIu32 "\n%s\n%s\n%" PRIu32, number, f->name, f->file, f->line) < 0)
    return 0;
  HASH_FIND_STR (s->functions, key, found);
  if (found)
    {
      free (key);
      return found->id;
    }
  found = malloc (sizeof *found);
  if (!found || !add_function (s, f, number))
    {
      free (found);
      free (key);
      return 0;
    }
  *found = (struct sum_function) { .key = key, .id = (uint32_t) s->all.nfunctions };
  HASH_ADD_KEYPTR (hh, s->functions, found->key, strlen (found->key), found);
  return found->id;
}

uint64_t
sum_languages_move (struct sum_languages *s, const struct bbx_languages *x, uint64_t address)
{
  const struct bbx_spoken *f = bbx_languages_find (x, bbx_language_number (address));
  if (!f)
    return BBX_LANGUAGE_ADDRESS (BBX_FUNCTIONS_MOST - 1, bbx_language_line (address));
  uint32_t number = find_language (s, x->list[f->language - 1].name),
           id = take_function (s, f, number);
  return id ? BBX_LANGUAGE_ADDRESS (id, bbx_language_line (address)) : 0;
}

/* The end. */

static int
compare_languages (const void *a, const void *b, void *context)
{
  const struct bbx_language *x = a, *y = b;
  (void) context;
  return strcmp (x->name, y->name);
}

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct bbx_spoken *x = a, *y = b;
  (void) context;
  int order = x->language < y->language ? -1 : x->language > y->language;
  order = order ? order : strcmp (x->name, y->name);
  order = order ? order : strcmp (x->file, y->file);
  return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

/* Sorts the languages, and gives the functions their languages' new numbers. */
static bool
sort_languages (struct bbx_languages *all)
{
  struct bbx_language *before = malloc ((all->n + 1) * sizeof *before);
  bool ok = before != NULL;
  if (ok && all->n > 0)
    memcpy (before, all->list, all->n * sizeof *before);
  ok = ok && array_sort (all->list, all->n, sizeof *all->list, compare_languages, NULL);
  for (size_t i = 0; ok && i < all->nfunctions; i++)
    {
      uint32_t k = 0;
      while (strcmp (all->list[k].name, before[all->functions[i].language - 1].name) != 0)
        k++;
      all->functions[i].language = k + 1;
    }
  free (before);
  return ok;
}

uint32_t *
sum_languages_finish (struct sum_languages *s)
{
  struct bbx_languages *all = &s->all;
  uint32_t *numbers = calloc (all->nfunctions + 1, sizeof *numbers);
  bool ok = numbers && sort_languages (all)
            && array_sort (all->functions, all->nfunctions, sizeof *all->functions,
                           compare_functions, NULL);
  for (size_t i = 0; ok && i < all->nfunctions; i++)
    {
      numbers[all->functions[i].number] = (uint32_t) i + 1;
      all->functions[i].number = (uint32_t) i + 1;
    }
  if (ok)
    return numbers;
  free (numbers);
  return NULL;
}

bool
sum_languages_write (const struct sum_languages *s, struct output *o)
{
  bool ok = true;
  for (size_t i = 0; ok && i < s->all.n; i++)
    ok = bbx_write_language (o, &s->all.list[i]);
  for (size_t i = 0; ok && i < s->all.nfunctions; i++)
    ok = bbx_write_spoken (o, &s->all.functions[i]);
  return ok;
}
