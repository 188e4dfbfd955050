/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "symtab.h"

/* Skips WORD and the number behind it at *P; false if that is not there. */
static bool
skip_numbered (const char **p, const char *word)
{
  size_t n = strlen (word);
  if (strncmp (*p, word, n) != 0 || !isdigit ((unsigned char) (*p)[n]))
    return false;
  for (*p += n; isdigit ((unsigned char) **p); ++*p)
    ;
  return true;
}

bool
symtab_static_name_counts (const char *name)
{
  if (*name == '\0' || strchr (name, '$') || strncmp (name, "__gnu_compiled", 14) == 0)
    return false;
  const char *dot = strchr (name, '.');
  if (!dot)
    return true;
  /* Copies made for constant arguments and numbered local functions are functions; other parts are not. */
  while (skip_numbered (&dot, ".clone.") || skip_numbered (&dot, ".constprop.") || skip_numbered (&dot, "."))
    ;
  return *dot == '\0';
}

static bool
is_helper_name (const char *name)
{
  static const char *const helpers[]
      = { "_gprof_mcount", "mcount", "_mcount", "__mcount", "__mcount_internal", "__mcleanup" };
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
    if (strcmp (name, helpers[i]) == 0)
      return true;
  return false;
}

/* Fills SYM from RAW; false if it is none of those wanted. */
static bool
convert (struct symbol *sym, struct bfd_symbol *raw, enum symtab_rule rule)
{
  const char *name = bfd_asymbol_name (raw);
  int class = bfd_decode_symclass (raw);
  bool wanted = class == 'T' || class == 'W';
  bool is_static = class == 't';

  if (is_static)
    wanted = rule == SYMTAB_ALL ? *name != '\0' && *name != '.' : symtab_static_name_counts (name);
  if (rule == SYMTAB_ALL && (class == 'i' || class == 'W' || class == 'u'))
    wanted = (bfd_section_flags (bfd_asymbol_section (raw)) & SEC_CODE) != 0;
  if (!wanted)
    return false;
  *sym = (struct symbol) { .address = bfd_asymbol_value (raw),
                           .name = name,
                           .is_function = (raw->flags & BSF_FUNCTION) != 0,
                           .is_static = is_static,
                           .is_helper = is_helper_name (name) };
  return true;
}

/* By address; functions before labels, global before static. */
static int
compare_symbols (const void *a, const void *b, void *context)
{
  const struct symbol *x = a, *y = b;
  (void) context;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->is_function != y->is_function)
    return x->is_function ? -1 : 1;
  if (x->is_static != y->is_static)
    return x->is_static ? 1 : -1;
  return 0;
}

/* Of two symbols at one address, is the later the better name? */
static bool
better (const struct symbol *later, const struct symbol *kept)
{
  if (later->is_static != kept->is_static)
    return kept->is_static;
  if (later->is_function != kept->is_function)
    return later->is_function;
  if (kept->name[0] != '_')
    return false;
  return later->name[0] != '_' || (kept->name[1] == '_' && later->name[1] != '_');
}

static void
keep_one_per_address (struct symtab *t)
{
  size_t n = 0;
  for (size_t i = 1; i < t->count; i++)
    if (t->symbols[i].address != t->symbols[n].address)
      t->symbols[++n] = t->symbols[i];
    else if (better (&t->symbols[i], &t->symbols[n]))
      t->symbols[n] = t->symbols[i];
  t->count = n + 1;
}

bool
symtab_load (struct symtab *t, const struct image *im, enum symtab_rule rule, struct error *err)
{
  memset (t, 0, sizeof *t);
  t->symbols = malloc (im->nraw * sizeof *t->symbols);
  if (!t->symbols)
    return error_no_memory (err);
  for (size_t i = 0; i < im->nraw; i++)
    if (convert (&t->symbols[t->count], im->raw[i], rule))
      t->count++;
  if (t->count == 0)
    return error_set (err, im->path, ERROR_NO_OFFSET, "has symbols, but none of a function");
  if (!array_sort (t->symbols, t->count, sizeof *t->symbols, compare_symbols, NULL))
    return error_no_memory (err);
  keep_one_per_address (t);

  for (size_t i = 0; i + 1 < t->count; i++)
    t->symbols[i].end = t->symbols[i + 1].address - 1;
  t->symbols[t->count - 1].end = bfd_section_vma (im->text) + bfd_section_size (im->text) - 1;
  return true;
}

void
symtab_free (struct symtab *t)
{
  free (t->symbols);
  memset (t, 0, sizeof *t);
}

const struct symbol *
symtab_find (const struct symtab *t, uint64_t address)
{
  size_t low = 0, high = t->count; /* the last symbol not above ADDRESS is in [low - 1, high) */
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (t->symbols[middle].address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0 || t->symbols[low - 1].end < address)
    return NULL;
  return &t->symbols[low - 1];
}
