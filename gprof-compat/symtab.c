/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "symtab.h"

/* The name behind NAME in the string table, whose end is at END; null if there is none. */
static const char *
next_name (const struct names *t, const char *end)
{
  size_t low = 0, high = t->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if ((uintptr_t) t->names[middle] <= (uintptr_t) end)
        low = middle + 1;
      else
        high = middle;
    }
  return low < t->count && t->names[low] == end + 1 ? t->names[low] : NULL;
}

/* Skips the parts behind dots at P; null if one of them is not good. */
static const char *
skip_parts (const char *p)
{
  static const char *const words[] = { ".clone.", ".constprop." };
  while (*p == '.')
    {
      for (int i = 0; i < 2; i++)
        {
          size_t n = strlen (words[i]);
          if (strncmp (p, words[i], n) == 0 && p[n] != '\0')
            {
              p += n - 1;
              break;
            }
        }
      const char *digits = ++p;
      while (isdigit ((unsigned char) *p))
        p++;
      if (*p != '\0' && (*p != '.' || p == digits))
        return NULL;
    }
  return p;
}

bool
symtab_static_name_counts (const struct names *t, const char *name)
{
  if (*name == '\0' || strncmp (name, "__gnu_compiled", 14) == 0)
    return false;
  while (name)
    {
      name += strcspn (name, "$.");
      if (*name == '$')
        return false;
      if (*name == '\0')
        return true;
      name = skip_parts (name);
      if (!name)
        return false;
      name = next_name (t, name);
    }
  return true;
}

static int
compare_pointers (const void *a, const void *b, void *context)
{
  uintptr_t x = (uintptr_t) *(const char *const *) a, y = (uintptr_t) *(const char *const *) b;
  (void) context;
  return x < y ? -1 : x > y;
}

static bool
collect_names (struct names *t, const struct image *im)
{
  t->names = malloc (im->nraw * sizeof *t->names);
  if (!t->names)
    return false;
  t->count = im->nraw;
  for (size_t i = 0; i < im->nraw; i++)
    t->names[i] = bfd_asymbol_name (im->raw[i]);
  return array_sort (t->names, t->count, sizeof *t->names, compare_pointers, NULL);
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

static bool
is_wanted (struct bfd_symbol *raw, enum symtab_rule rule, const struct names *names)
{
  const char *name = bfd_asymbol_name (raw);
  int class = bfd_decode_symclass (raw);
  if (rule == SYMTAB_PARTS)
    return (raw->flags & (BSF_FUNCTION | BSF_GNU_INDIRECT_FUNCTION)) != 0
           && (bfd_section_flags (bfd_asymbol_section (raw)) & SEC_CODE) != 0 && *name != '\0';
  return class == 'T' || class == 'W' || (class == 't' && symtab_static_name_counts (names, name));
}

static struct symbol
convert (struct bfd_symbol *raw)
{
  const char *name = bfd_asymbol_name (raw);
  return (struct symbol) { .address = bfd_asymbol_value (raw),
                           .name = name,
                           .is_function = (raw->flags & BSF_FUNCTION) != 0,
                           .is_static = (raw->flags & BSF_LOCAL) != 0,
                           .is_helper = is_helper_name (name) };
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

static bool
collect_symbols (struct symtab *t, const struct image *im, enum symtab_rule rule)
{
  struct names names = { 0 };
  t->symbols = malloc (im->nraw * sizeof *t->symbols);
  bool ok = t->symbols && collect_names (&names, im);
  for (size_t i = 0; ok && i < im->nraw; i++)
    if (is_wanted (im->raw[i], rule, &names))
      t->symbols[t->count++] = convert (im->raw[i]);
  free (names.names);
  return ok && array_sort (t->symbols, t->count, sizeof *t->symbols, compare_symbols, NULL);
}

bool
symtab_load (struct symtab *t, const struct image *im, enum symtab_rule rule, struct error *err)
{
  memset (t, 0, sizeof *t);
  if (!collect_symbols (t, im, rule))
    return error_no_memory (err);
  if (t->count == 0)
    return error_set (err, im->path, ERROR_NO_OFFSET, "has symbols, but none of a function");
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
