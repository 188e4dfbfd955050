/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/folded.h"
#include "model/symbols/line_symbols.h"
#include "model/symbols/object_symbols.h"
#include "model/symbols/stacks.h"
#include "model/symbols/symbol_file.h"
#include "model/symbols/symbol_sources.h"
#include "model/symbols/symtab.h"

/* Histograms end before: their ends are rounded up, but to less. */
#define END_ROUND 4096

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
  uintptr_t x = (uintptr_t) * (const char *const *) a, y = (uintptr_t) * (const char *const *) b;
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

bool
symtab_is_helper_name (const char *name)
{
  static const char *const helpers[]
      = { "_gprof_mcount", "mcount", "_mcount", "__mcount", "__mcount_internal", "__mcleanup" };
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
    if (strcmp (name, helpers[i]) == 0)
      return true;
  return false;
}

static bool
is_function (struct bfd_symbol *raw)
{
  return (raw->flags & (BSF_FUNCTION | BSF_GNU_INDIRECT_FUNCTION)) != 0
         && (bfd_section_flags (bfd_asymbol_section (raw)) & SEC_CODE) != 0
         && *bfd_asymbol_name (raw) != '\0';
}

/* Does GNU gprof fold RAW into the symbol before it? */
static bool
is_folded (struct bfd_symbol *raw, const struct names *names)
{
  int class = bfd_decode_symclass (raw);
  return class != 'T' && class != 'W'
         && !(class == 't' && symtab_static_name_counts (names, bfd_asymbol_name (raw)));
}

static bool
is_wanted (struct bfd_symbol *raw, const struct symtab_choice *choice, bool folded)
{
  if ((raw->flags & BSF_LOCAL)
      && (choice->no_static || (choice->only_functions && !(raw->flags & BSF_FUNCTION))))
    return false;
  if (choice->parts)
    return is_function (raw);
  return !folded || (choice->executed && is_function (raw));
}

static struct symbol
convert (struct bfd_symbol *raw, const char *name, const struct object *o, bool folded)
{
  return (struct symbol) { .address = o->base + bfd_asymbol_value (raw),
                           .name = name,
                           .object = o,
                           .source = NO_SOURCE,
                           .is_function = (raw->flags & BSF_FUNCTION) != 0,
                           .is_static = (raw->flags & BSF_LOCAL) != 0,
                           .is_helper = symtab_is_helper_name (name),
                           .is_folded = folded };
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
  if (later->is_folded != kept->is_folded) /* gprof's functions are better, lines are not */
    return later->is_folded ? kept->is_line : !later->is_line;
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
symtab_add (struct symtab *t, const struct symbol *s)
{
  if (!array_grow (&t->symbols, t->count, &t->room, sizeof *t->symbols))
    return false;
  t->symbols[t->count++] = *s;
  return true;
}

bool
symtab_keep (struct symtab *t, char *text)
{
  if (text && array_grow (&t->texts, t->ntexts, &t->room_texts, sizeof *t->texts))
    {
      t->texts[t->ntexts++] = text;
      return true;
    }
  free (text);
  return false;
}

/* Has O the place that RAW names?  (What the executable has, gprof never asks.) */
static bool
is_inside (const struct object *o, struct bfd_symbol *raw)
{
  return object_is_executable (o)
         || (bfd_asymbol_value (raw) >= o->start && bfd_asymbol_value (raw) < o->end);
}

/* The name of RAW; null if memory is short.  Those of libraries come with a version, which says
   nothing about time. */
static const char *
name_of (struct symtab *t, const struct object *o, struct bfd_symbol *raw)
{
  const char *name = bfd_asymbol_name (raw);
  size_t n = strcspn (name, "@");
  if (object_is_executable (o) || name[n] == '\0' || n == 0)
    return name;
  char *plain = strndup (name, n);
  return symtab_keep (t, plain) ? plain : NULL;
}

bool
symtab_add_image (struct symtab *t, const struct image *im, const struct object *o,
                  const struct symtab_choice *choice)
{
  struct names names = { 0 };
  bool ok = collect_names (&names, im);
  for (size_t i = 0; ok && i < im->nraw; i++)
    {
      bool folded = !choice->parts && is_folded (im->raw[i], &names);
      if (!is_wanted (im->raw[i], choice, folded) || !is_inside (o, im->raw[i]))
        continue;
      const char *name = name_of (t, o, im->raw[i]);
      const struct order_map_entry *mapped = name && choice->map && object_is_executable (o)
                                                 ? order_map_find (choice->map, name)
                                                 : NULL;
      if (mapped && !mapped->first)
        continue;
      struct symbol s = convert (im->raw[i], mapped ? mapped->file : name ? name : "", o, folded);
      s.is_mapped = mapped != NULL;
      ok = name && symtab_add (t, &s);
    }
  free (names.names);
  return ok;
}

/* Behind everything, so that no symbol of an object is the last one, which gprof treats unlike
   the others. */
static bool
add_end (struct symtab *t, const struct objects *all)
{
  struct symbol end = { .name = "[end]", .source = NO_SOURCE, .is_function = true };
  for (size_t i = 0; i < all->count; i++)
    if (all->all[i].has_data)
      end.address = (all->all[i].base + all->all[i].end + END_ROUND) / END_ROUND * END_ROUND;
  return symtab_add (t, &end);
}

static bool
add_others (struct symtab *t, const struct objects *all, const struct symtab_choice *choice)
{
  for (size_t i = 1; i < all->count; i++)
    if (all->all[i].has_data && !object_symbols_add (t, &all->all[i], choice))
      return false;
  if (choice->stacks && !stacks_add_symbols (choice->stacks, all, t))
    return false;
  bool is_gprofs = all->all[0].image.nraw > 0 && !choice->parts && !objects_are_many (all);
  return is_gprofs || add_end (t, all);
}

/* The last byte of the symbol that nothing follows.  gprof's ends with .text. */
static uint64_t
end_of_last (const struct symbol *s, const struct image *im)
{
  return s->is_folded ? s->object->base + s->object->text_end - 1
                      : bfd_section_vma (im->text) + bfd_section_size (im->text) - 1;
}

/* By address, one per address, each up to the next; functions keep their ends when lines are put
   between them. */
static bool
put_in_order (struct symtab *t, const struct image *im)
{
  if (!array_sort (t->symbols, t->count, sizeof *t->symbols, compare_symbols, NULL))
    return false;
  keep_one_per_address (t);
  for (size_t i = 0; i < t->count; i++)
    if (t->symbols[i].end == 0)
      t->symbols[i].end = i + 1 < t->count ? t->symbols[i + 1].address - 1
                                           : end_of_last (&t->symbols[i], im);
  return true;
}

/* Those of the objects' own tables. */
static bool
load_objects (struct symtab *t, const struct objects *all, const struct symtab_choice *choice,
              struct error *err)
{
  const struct image *im = &all->all[0].image;
  bool is_gprofs = im->nraw > 0 && !choice->parts;
  if (!(is_gprofs ? symtab_add_image (t, im, &all->all[0], choice)
                  : object_symbols_add (t, &all->all[0], choice)))
    return error_no_memory (err);
  if (t->count == 0)
    return error_set (err, im->path, ERROR_NO_OFFSET, "has symbols, but none of a function");
  bool ok = add_others (t, all, choice)
            && (!choice->executed || folded_choose (t, choice->executed))
            && (!choice->sources || symbol_sources_find (t)) && put_in_order (t, im)
            && (!choice->lines || (line_symbols_add (t, all) && put_in_order (t, im)));
  return ok || error_no_memory (err);
}

bool
symtab_load (struct symtab *t, const struct objects *all, const struct symtab_choice *choice,
             struct error *err)
{
  memset (t, 0, sizeof *t);
  if (!choice->file)
    return load_objects (t, all, choice, err);
  return symbol_file_add (t, all, choice->file, err)
         && (put_in_order (t, &all->all[0].image) || error_no_memory (err));
}

void
symtab_free (struct symtab *t)
{
  for (size_t i = 0; i < t->ntexts; i++)
    free (t->texts[i]);
  free (t->texts);
  free (t->symbols);
  symbol_sources_free (t);
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
