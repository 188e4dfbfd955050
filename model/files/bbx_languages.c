/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/files/bbx_languages.h"
#include "model/files/bbx_stacks.h"

/* A process has a few, a sum of different programs some more. */
#define LANGUAGES_MOST 1024

const char *
bbx_languages_add (struct bbx_languages *l, const char *content, size_t size)
{
  struct bbx_language new;
  if (size < sizeof new)
    return "damaged description of a language";
  memcpy (&new, content, sizeof new);
  bbx_stacks_end_name (new.name, sizeof new.name);
  if (!*new.name || l->n == LANGUAGES_MOST)
    return "damaged description of a language";
  if (!array_grow (&l->list, l->n, &l->room, sizeof *l->list))
    return bbx_stacks_no_memory;
  l->list[l->n++] = new;
  return NULL;
}

const char *
bbx_languages_add_function (struct bbx_languages *l, const char *content, size_t size)
{
  static const char damaged[] = "damaged description of a function of a language";
  struct bbx_function fixed;
  if (size < sizeof fixed)
    return damaged;
  memcpy (&fixed, content, sizeof fixed);
  const char *name = content + sizeof fixed, *end = content + size;
  size_t n = strnlen (name, (size_t) (end - name)) + 1;
  if (fixed.number == 0 || fixed.number >= BBX_FUNCTIONS_MOST || n > (size_t) (end - name) || n == 1
      || !memchr (name + n, '\0', (size_t) (end - name) - n))
    return damaged;
  struct bbx_spoken new
      = { .number = fixed.number, .language = fixed.language, .line = fixed.line };
  if (!array_grow (&l->functions, l->nfunctions, &l->room_functions, sizeof *l->functions)
      || !(new.name = malloc ((size_t) (end - name))))
    return bbx_stacks_no_memory;
  memcpy (new.name, name, (size_t) (end - name));
  new.file = new.name + n;
  l->functions[l->nfunctions++] = new;
  return NULL;
}

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct bbx_spoken *x = a, *y = b;
  (void) context;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Keeps one function for each number, of a language that is known. */
bool
bbx_languages_finish (struct bbx_languages *l)
{
  size_t kept = 0;
  if (!array_sort (l->functions, l->nfunctions, sizeof *l->functions, compare_functions, NULL))
    return false;
  for (size_t i = 0; i < l->nfunctions; i++)
    {
      const struct bbx_spoken *f = &l->functions[i];
      if (f->language - 1 < l->n && (kept == 0 || f->number != l->functions[kept - 1].number))
        l->functions[kept++] = *f;
      else
        free (f->name);
    }
  l->nfunctions = kept;
  return true;
}

const struct bbx_spoken *
bbx_languages_find (const struct bbx_languages *l, uint32_t number)
{
  size_t before = ARRAY_BEFORE (i, l->nfunctions, l->functions[i].number < number);
  return before < l->nfunctions && l->functions[before].number == number ? &l->functions[before]
                                                                         : NULL;
}

void
bbx_languages_free (struct bbx_languages *l)
{
  for (size_t i = 0; i < l->nfunctions; i++)
    free (l->functions[i].name);
  free (l->functions);
  free (l->list);
  memset (l, 0, sizeof *l);
}
