/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/elf/frame_functions.h"
#include "model/elf/functions.h"
#include "model/elf/pe_functions.h"
#include "model/symbols/image_symbols.h"
#include "model/symbols/linked_functions.h"
#include "model/symbols/object_symbols.h"

/* Functions begin at multiples of this; a smaller gap between two of them is padding. */
#define ALIGNMENT 16

/* Adds a symbol without a name of its own for the text at ADDRESS: [libx.so], with OFFSET
   [libx.so+0x123]. */
static bool
add_nameless (struct symtab *t, const struct object *o, uint64_t address, bool offset)
{
  const char *name = object_name (o);
  size_t size = strlen (name) + sizeof "[+0x]" + 16;
  char *text = malloc (size);
  if (!symtab_keep (t, text))
    return false;
  if (!object_is_file (o))
    snprintf (text, size, "%s", name);
  else if (offset)
    snprintf (text, size, "[%s+0x%" PRIx64 "]", name, address);
  else
    snprintf (text, size, "[%s]", name);
  struct symbol s = { .address = o->base + address,
                      .name = text,
                      .object = o,
                      .source = NO_SOURCE,
                      .is_function = true };
  s.is_nameless = object_is_file (o);
  return symtab_add (t, &s);
}

static bool
add_named (struct symtab *t, const struct object *o, const struct function *f)
{
  struct symbol s = { .address = o->base + f->start,
                      .name = f->name,
                      .object = o,
                      .source = NO_SOURCE,
                      .is_function = true,
                      .is_static = f->is_static,
                      .is_helper = symtab_is_helper_name (f->name) };
  return symtab_add (t, &s);
}

/* Collecting the object's functions. */

/* The object's symbols, from FIRST on in the table.  libbfd does not give their sizes. */
static bool
collect_entered (struct functions *f, const struct symtab *t, size_t first, const struct object *o)
{
  bool ok = true;
  for (size_t i = first; ok && i < t->count; i++)
    ok = functions_add (f, &(struct function) { .start = t->symbols[i].address - o->base,
                                                .name = t->symbols[i].name,
                                                .is_entered = true });
  return ok;
}

static bool
collect_stubs (struct functions *f, const struct image *im)
{
  bool ok = true;
  for (size_t i = 0; ok && i < im->nstubs; i++)
    ok = functions_add (f, &(struct function) { .start = bfd_asymbol_value (&im->stubs[i]),
                                                .name = bfd_asymbol_name (&im->stubs[i]) });
  return ok;
}

static bool
keep_name (void *table, char *name)
{
  return symtab_keep (table, name);
}

/* Collects the table's symbols since FIRST, and the functions of all other sources, and sorts
   them. */
static bool
collect_functions (struct functions *f, struct symtab *t, size_t first, const struct object *o)
{
  bool has_table = o->image.nraw > 0 || o->debug.nraw > 0;
  return collect_entered (f, t, first, o)
         && (has_table || linked_functions_read (f, o->image.path, t))
         && collect_stubs (f, &o->image) && frame_functions_read (f, &o->image)
         && pe_functions_read (f, &o->image, keep_name, t) && functions_sort (f);
}

/* Laying out the functions. */

struct layout {
  struct symtab *table;
  const struct object *object;
  uint64_t low, high; /* addresses of the section */
  uint64_t end;       /* of the part that is laid out: all code before it belongs to a function */
  bool end_is_known;  /* else the last function may end earlier */
  uint64_t frame_end; /* of the unwinder's extents that have begun */
};

/* The gap up to END: code without a name, unless it is the padding behind a function. */
static bool
lay_gap (struct layout *l, uint64_t end)
{
  bool is_padding = l->end > l->low && (l->end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT >= end;
  return l->end >= end || is_padding || add_nameless (l->table, l->object, l->end, true);
}

/* The next function of the section. */
static bool
lay_function (struct layout *l, const struct function *f)
{
  if (!lay_gap (l, f->start))
    return false;
  if (!f->is_entered
      && !(f->name ? add_named (l->table, l->object, f)
                   : add_nameless (l->table, l->object, f->start, true)))
    return false;
  uint64_t end = f->end ? f->end : l->frame_end > f->start ? l->frame_end : l->high;
  l->end = l->end_is_known && l->end > end ? l->end : end;
  l->end_is_known = f->end != 0 || l->frame_end > f->start;
  return true;
}

/* An extent without a name: of the named function that begins there, or contains it; else a
   function of its own. */
static bool
lay_extent (struct layout *l, const struct function *f, bool at_name)
{
  if (f->end > l->frame_end)
    l->frame_end = f->end;
  if (at_name && !l->end_is_known)
    {
      l->end = f->end;
      l->end_is_known = true;
    }
  return at_name || f->start < l->end || lay_function (l, f);
}

/* The functions that begin in the section; the gaps before the first one and behind the last. */
static bool
lay_section (struct layout *l, const struct functions *f)
{
  const struct function *named = NULL;
  bool ok = true;
  l->end = l->frame_end = l->low;
  l->end_is_known = true;
  for (size_t i = functions_from (f, l->low); ok && i < f->count && f->list[i].start < l->high; i++)
    {
      const struct function *next = &f->list[i];
      ok = next->name ? lay_function (l, next)
                      : lay_extent (l, next, named && named->start == next->start);
      if (next->name)
        named = next;
    }
  return ok && lay_gap (l, l->high);
}

static bool
lay_sections (struct symtab *t, const struct object *o, const struct functions *f)
{
  struct layout l = { .table = t, .object = o };
  bool ok = true;
  for (const asection *s = o->image.bfd->sections; ok && s; s = s->next)
    {
      l.low = bfd_section_vma (s);
      l.high = l.low + bfd_section_size (s);
      if ((bfd_section_flags (s) & SEC_CODE) && l.low >= o->text_start && l.high <= o->text_end
          && l.low < l.high)
        ok = lay_section (&l, f);
    }
  return ok;
}

/* Adds all functions besides the symbols that the table has since FIRST. */
static bool
add_rest (struct symtab *t, size_t first, const struct object *o)
{
  struct functions f = { 0 };
  bool ok = collect_functions (&f, t, first, o) && lay_sections (t, o, &f);
  functions_free (&f);
  return ok;
}

bool
object_symbols_add (struct symtab *t, const struct object *o, const struct symtab_choice *choice)
{
  const struct image *im = o->image.nraw > 0 ? &o->image : &o->debug;
  struct symtab_choice mine = *choice;
  size_t first = t->count;
  if (o->text_start >= o->text_end)
    return true;
  mine.parts |= o->image.nraw == 0; /* gprof's selection applies to symbol tables only */
  bool ok = im->nraw == 0 || image_symbols_add (t, im, o, &mine);
  if (ok && o->image.bfd && mine.parts)
    ok = add_rest (t, first, o);
  for (size_t i = first; ok && i < t->count; i++)
    if (t->symbols[i].address == o->base + o->text_start)
      return true;
  return ok && add_nameless (t, o, o->text_start, false);
}
