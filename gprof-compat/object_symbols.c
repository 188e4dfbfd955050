/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "object_symbols.h"

/* Functions begin at multiples of this: less between two of them is padding. */
#define ALIGNMENT 16

/* A symbol of the text at ADDRESS that has no name: [libx.so], with OFFSET [libx.so+0x123]. */
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
  struct symbol s = { .address = o->base + address, .name = text, .object = o, .source = NO_SOURCE, .is_function = true };
  return symtab_add (t, &s);
}

/* The table for the linker, .dynsym: all that a stripped library has.  Most functions are missing in it, so here, and
   only here, a function ends where its size says.  */

struct function {
  uint64_t start, end;
  const char *name;
};

struct functions {
  struct function *list;
  size_t count, room;
};

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct function *x = a, *y = b;
  (void) context;
  return x->start < y->start ? -1 : x->start > y->start;
}

static bool
is_function (const struct object *o, const Elf64_Sym *sym, const char *names, size_t names_size)
{
  return ELF64_ST_TYPE (sym->st_info) == STT_FUNC && sym->st_shndx != SHN_UNDEF && sym->st_value >= o->text_start
         && sym->st_value < o->text_end && sym->st_size <= o->text_end - sym->st_value && sym->st_name < names_size
         && names[sym->st_name] != '\0' && memchr (names + sym->st_name, '\0', names_size - sym->st_name);
}

static bool
read_functions (struct functions *f, const struct object *o, const char *names, size_t names_size)
{
  uint64_t address;
  size_t size;
  unsigned char *table = image_section (&o->image, ".dynsym", &address, &size);
  bool ok = true;
  for (size_t at = 0; ok && size - at >= sizeof (Elf64_Sym); at += sizeof (Elf64_Sym))
    {
      Elf64_Sym sym;
      memcpy (&sym, table + at, sizeof sym);
      if (!is_function (o, &sym, names, names_size))
        continue;
      ok = array_grow (&f->list, f->count, &f->room, sizeof *f->list);
      if (ok)
        f->list[f->count++] = (struct function) { .start = sym.st_value,
                                                  .end = sym.st_value + sym.st_size,
                                                  .name = names + sym.st_name };
    }
  free (table);
  return ok && array_sort (f->list, f->count, sizeof *f->list, compare_functions, NULL);
}

/* The functions, and what lies between them. */
static bool
add_functions (struct symtab *t, const struct object *o, const struct functions *f)
{
  uint64_t end = 0; /* of all that have been added */
  for (size_t i = 0; i < f->count; i++)
    {
      const struct function *x = &f->list[i];
      struct symbol s
          = { .address = o->base + x->start, .name = x->name, .object = o, .source = NO_SOURCE, .is_function = true };
      if (!symtab_add (t, &s))
        return false;
      uint64_t next = i + 1 < f->count ? f->list[i + 1].start : o->text_end;
      if (x->end > end)
        end = x->end;
      if ((end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT < next && !add_nameless (t, o, end, true))
        return false;
    }
  return true;
}

static bool
add_dynamic (struct symtab *t, const struct object *o)
{
  uint64_t address;
  size_t size;
  struct functions functions = { 0 };
  char *names = (char *) image_section (&o->image, ".dynstr", &address, &size);
  if (!names)
    return true;
  bool ok = symtab_keep (t, names) && read_functions (&functions, o, names, size) && add_functions (t, o, &functions);
  free (functions.list);
  return ok;
}

bool
object_symbols_add (struct symtab *t, const struct object *o, const struct symtab_choice *choice)
{
  size_t first = t->count;
  bool ok = true;
  if (o->text_start >= o->text_end)
    return true;
  if (o->image.nraw > 0)
    ok = symtab_add_image (t, &o->image, o, choice);
  else if (o->debug.nraw > 0)
    ok = symtab_add_image (t, &o->debug, o, choice);
  else if (o->image.bfd)
    ok = add_dynamic (t, o);
  for (size_t i = first; ok && i < t->count; i++)
    if (t->symbols[i].address == o->base + o->text_start)
      return true;
  return ok && add_nameless (t, o, o->text_start, false);
}
