/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/image_symbols.h"

/* The name behind NAME in the string table, which ends at END; null: none. */
static const char *
next_name (const struct names *t, const char *end)
{
  size_t before = ARRAY_BEFORE (i, t->count, (uintptr_t) t->names[i] <= (uintptr_t) end);
  return before < t->count && t->names[before] == end + 1 ? t->names[before] : NULL;
}

/* Skips the parts behind dots at P; null: a part is not allowed. */
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
image_symbols_static_name_counts (const struct names *t, const char *name)
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
         && !(class == 't' && image_symbols_static_name_counts (names, bfd_asymbol_name (raw)));
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

/* Is RAW's address in O?  (gprof never checks that for the executable.) */
static bool
is_inside (const struct object *o, struct bfd_symbol *raw)
{
  return object_is_executable (o)
         || (bfd_asymbol_value (raw) >= o->start && bfd_asymbol_value (raw) < o->end);
}

/* The name of RAW; null: out of memory.  Names in libraries have a version, which is irrelevant
   for time. */
static const char *
name_of (struct symtab *t, const struct object *o, struct bfd_symbol *raw)
{
  const char *name = bfd_asymbol_name (raw);
  size_t n = strcspn (name, "@");
  if (object_is_executable (o) || !object_is_file (o) || name[n] == '\0' || n == 0)
    return name;
  char *plain = strndup (name, n);
  return symtab_keep (t, plain) ? plain : NULL;
}

bool
image_symbols_add (struct symtab *t, const struct image *im, const struct object *o,
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
