/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stddef.h>
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

/* Adds the ticks of X's nodes, whose addresses are the model's, to their innermost frames of a
   language.  A node's parent is before it. */
static bool
add_ticks (struct languages *l, const struct bbx_stacks *x, uint64_t *innermost)
{
  for (size_t i = 0; i < x->nnodes; i++)
    {
      const struct bbx_node *n = &x->nodes[i];
      innermost[i] = n->kind == BBX_FRAME_LANGUAGE ? n->address
                     : n->parent > 0               ? innermost[n->parent - 1]
                                                   : 0;
      if (n->ticks == 0 || innermost[i] == 0)
        continue;
      if (!array_grow (&l->lines, l->nlines, &l->room_lines, sizeof *l->lines))
        return false;
      l->lines[l->nlines++] = (struct language_line) { innermost[i], n->ticks };
    }
  return true;
}

bool
languages_enter (struct languages *l, struct bbx_stacks *x)
{
  bool ok = true;
  for (size_t i = 0; ok && i < x->nnodes; i++)
    if (x->nodes[i].kind == BBX_FRAME_LANGUAGE)
      ok = (x->nodes[i].address = move (l, &x->languages, x->nodes[i].address)) != 0;
  uint64_t *innermost = malloc ((x->nnodes + 1) * sizeof *innermost);
  ok = ok && innermost && add_ticks (l, x, innermost);
  free (innermost);
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
  size_t n = 0;
  if (!array_sort (l->functions, l->nfunctions, sizeof *l->functions, compare_addresses, NULL)
      || !array_sort_by_number (l->lines, l->nlines, sizeof *l->lines,
                                offsetof (struct language_line, address)))
    return false;
  for (size_t i = 0; i < l->nlines; i++)
    if (n > 0 && l->lines[n - 1].address == l->lines[i].address)
      l->lines[n - 1].ticks += l->lines[i].ticks;
    else
      l->lines[n++] = l->lines[i];
  l->nlines = n;
  return true;
}

const struct language_function *
languages_function (const struct languages *l, uint64_t address)
{
  return &l->functions[ARRAY_BEFORE (i, l->nfunctions, l->functions[i].address < address)];
}

size_t
languages_lines (const struct languages *l, uint64_t address, const struct language_line **first)
{
  size_t from = ARRAY_BEFORE (i, l->nlines, l->lines[i].address < address),
         to = ARRAY_BEFORE (i, l->nlines, l->lines[i].address < address + LANGUAGE_FUNCTION_SIZE);
  *first = &l->lines[from];
  return to - from;
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
  free (l->lines);
  free (l->names);
  memset (l, 0, sizeof *l);
}
