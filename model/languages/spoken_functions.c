/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/array.h"
#include "model/languages/spoken_functions.h"

/* Functions of one language, name, file and line are one. */
struct language_key {
  char *key;
  uint64_t address;
  UT_hash_handle hh;
};

/* The index of the language NAME; SIZE_MAX: out of memory. */
static size_t
enter_language (struct languages *l, const char *name)
{
  char *own = NULL;
  size_t i = 0;
  if (asprintf (&own, "[%s]", name) < 0)
    return SIZE_MAX;
  while (i < l->n && strcmp (l->names[i], own) != 0)
    i++;
  if (i == l->n && array_grow (&l->names, l->n, &l->room, sizeof *l->names))
    {
      l->names[l->n++] = own;
      return i;
    }
  free (own);
  return i < l->n ? i : SIZE_MAX;
}

static char *
make_name (const struct bbx_spoken *f)
{
  char *name = NULL;
  const char *slash = strrchr (f->file, '/'), *file = slash ? slash + 1 : f->file;
  int n = !*f->file  ? asprintf (&name, "%s", f->name)
          : !f->line ? asprintf (&name, "%s (%s)", f->name, file)
                     : asprintf (&name, "%s (%s:%u)", f->name, file, f->line);
  return n < 0 ? NULL : name;
}

static bool
add_function (struct languages *l, size_t language, const struct bbx_spoken *f, uint64_t *address)
{
  if (!array_grow (&l->functions, l->nfunctions, &l->room_functions, sizeof *l->functions))
    return false;
  struct language_function new
      = { .address
          = LANGUAGES_BASE + language * LANGUAGE_SIZE
            + l->nfunctions % (LANGUAGE_SIZE / LANGUAGE_FUNCTION_SIZE) * LANGUAGE_FUNCTION_SIZE,
          .name = make_name (f),
          .text = malloc (strlen (f->name) + strlen (f->file) + 2),
          .line = f->line };
  if (new.text)
    new.file = strcpy (stpcpy (new.text, f->name) + 1, f->file);
  l->functions[l->nfunctions++] = new;
  *address = new.address;
  return new.name &&new.text;
}

/* The address of F, which is added if it is new; 0: out of memory. */
static uint64_t
enter_function (struct languages *l, const char *language, const struct bbx_spoken *f)
{
  struct language_key *found;
  char *key = NULL;
  size_t i = enter_language (l, language);
  if (i == SIZE_MAX || asprintf (&key, "%zu\n%s\n%s\n%u", i, f->name, f->file, f->line) < 0)
    return 0;
  HASH_FIND_STR (l->keys, key, found);
  if (found)
    {
      free (key);
      return found->address;
    }
  found = malloc (sizeof *found);
  uint64_t address = 0;
  if (!found || !add_function (l, i, f, &address))
    {
      free (found);
      free (key);
      return 0;
    }
  *found = (struct language_key) { .key = key, .address = address };
  HASH_ADD_KEYPTR (hh, l->keys, found->key, strlen (found->key), found);
  return address;
}

static uint64_t
move (struct languages *l, const struct bbx_languages *x, uint64_t address)
{
  static const struct bbx_spoken unknown
      = { .name = (char *) BBX_FUNCTION_UNKNOWN, .file = (char *) "" };
  const struct bbx_spoken *f = bbx_languages_find (x, bbx_language_number (address));
  uint64_t start = f ? enter_function (l, x->list[f->language - 1].name, f)
                     : enter_function (l, "language", &unknown);
  uint32_t line = bbx_language_line (address);
  return start ? start + (line < LANGUAGE_FUNCTION_SIZE ? line : 0) : 0;
}

bool
languages_enter (struct languages *l, struct bbx_stacks *x)
{
  bool ok = true;
  for (size_t i = 0; ok && i < x->nnodes; i++)
    if (x->nodes[i].kind == BBX_FRAME_LANGUAGE)
      ok = (x->nodes[i].address = move (l, &x->languages, x->nodes[i].address)) != 0;
  return ok;
}

const char *
languages_at (const struct languages *l, uint64_t address)
{
  uint64_t i = (address - LANGUAGES_BASE) / LANGUAGE_SIZE;
  return address >= LANGUAGES_BASE && i < l->n ? l->names[i] : NULL;
}

static int
compare_addresses (const void *a, const void *b, void *context)
{
  const struct language_function *x = a, *y = b;
  (void) context;
  return x->address < y->address ? -1 : x->address > y->address;
}

bool
languages_sort (struct languages *l)
{
  return array_sort (l->functions, l->nfunctions, sizeof *l->functions, compare_addresses, NULL);
}

void
languages_free (struct languages *l)
{
  struct language_key *key, *next;
  HASH_ITER (hh, l->keys, key, next)
  {
    HASH_DEL (l->keys, key);
    free (key->key);
    free (key);
  }
  for (size_t i = 0; i < l->nfunctions; i++)
    {
      free (l->functions[i].name);
      free (l->functions[i].text);
    }
  for (size_t i = 0; i < l->n; i++)
    free (l->names[i]);
  free (l->functions);
  free (l->names);
  memset (l, 0, sizeof *l);
}
