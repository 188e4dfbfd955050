/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/lines/debug_functions.h"

/* The longest chain of references to a function's description; damaged ones may form a circle. */
#define ORIGINS_MOST 100

/* The path down to an entry of the tree. */
struct level {
  Dwarf_Die die;
  uint32_t parent; /* the enclosing function */
};

struct walk {
  struct level *levels;
  size_t depth, room;
};

/* A function's name as libbfd finds it: the linker's name if there is one, else the first plain
   name. */
struct name {
  const char *text;
  bool is_linker_name;
  bool is_plain;   /* the unit's language has plain names only */
  bool has_origin; /* only one is followed, so that damaged ones cannot fork without end */
  unsigned depth;
};

/* The ranges of one function; adjacent ones are united. */
struct range {
  uint64_t low, high;
};

struct ranges {
  struct range *list;
  size_t count, room;
};

/* Languages with plain linker names for functions, as binutils 2.40 knows them. */
static bool
is_plain_language (int language)
{
  switch (language)
    {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Cobol74:
    case DW_LANG_Cobol85:
    case DW_LANG_Fortran77:
    case DW_LANG_Pascal83:
    case DW_LANG_PLI:
    case DW_LANG_UPC:
    case DW_LANG_Mips_Assembler:
    case 0x8004: /* numbers of vendors: HP's Basic, */
    case 0x8006: /* IMacro */
    case 0x8007: /* and assembler; */
    case 0x8765: /* old UPC */ return true;
    default: return false;
    }
}

static bool
is_plain_unit (Dwarf_Die *die)
{
  Dwarf_Die unit;
  return dwarf_diecu (die, &unit, NULL, NULL) && is_plain_language (dwarf_srclang (&unit));
}

static int read_name (Dwarf_Attribute *, void *name);

/* The name of the entry that A refers to.  libbfd does not search units of types. */
static struct name
read_origin (Dwarf_Attribute *a, unsigned depth)
{
  Dwarf_Die origin;
  struct name name = { .depth = depth };
  if (depth < ORIGINS_MOST && dwarf_whatform (a) != DW_FORM_ref_sig8
      && dwarf_formref_die (a, &origin))
    {
      name.is_plain = is_plain_unit (&origin);
      dwarf_getattrs (&origin, read_name, &name, 0);
    }
  return name;
}

static int
read_name (Dwarf_Attribute *a, void *context)
{
  struct name *name = context, origin;
  switch (dwarf_whatattr (a))
    {
    case DW_AT_abstract_origin:
    case DW_AT_specification:
      if (name->has_origin)
        break;
      name->has_origin = true;
      origin = read_origin (a, name->depth + 1);
      if (origin.text)
        {
          name->text = origin.text;
          name->is_linker_name = origin.is_linker_name;
        }
      break;
    case DW_AT_name:
      if (!name->text && (name->text = dwarf_formstring (a)))
        name->is_linker_name = name->is_plain;
      break;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
      name->text = dwarf_formstring (a);
      name->is_linker_name = name->text != NULL;
      break;
    default: break;
    }
  return DWARF_CB_OK;
}

static bool
add_range (struct ranges *r, uint64_t low, uint64_t high)
{
  if (low >= high)
    return true;
  for (size_t i = 0; i < r->count; i++)
    if (r->list[i].high == low)
      {
        r->list[i].high = high;
        return true;
      }
    else if (r->list[i].low == high)
      {
        r->list[i].low = low;
        return true;
      }
  if (!array_grow (&r->list, r->count, &r->room, sizeof *r->list))
    return false;
  r->list[r->count++] = (struct range) { low, high };
  return true;
}

static bool
read_ranges (struct ranges *r, Dwarf_Die *die)
{
  Dwarf_Addr base, low, high;
  r->count = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges (die, at, &base, &low, &high)) > 0;)
    if (!add_range (r, low, high))
      return false;
  return true;
}

static uint32_t
number_of (Dwarf_Die *die, unsigned attribute)
{
  Dwarf_Attribute a;
  Dwarf_Word value = 0;
  return dwarf_formudata (dwarf_attr (die, attribute, &a), &value) == 0 ? (uint32_t) value : 0;
}

static bool
is_function (int tag)
{
  return tag == DW_TAG_subprogram || tag == DW_TAG_entry_point || tag == DW_TAG_inlined_subroutine;
}

/* Adds the function DIE, if it has code, as number *NUMBER. */
static bool
add_function (struct debug_functions *f, struct ranges *ranges, Dwarf_Die *die, bool is_plain,
              uint32_t parent, uint32_t *number)
{
  struct name name = { .is_plain = is_plain };
  if (!read_ranges (ranges, die))
    return false;
  if (ranges->count == 0)
    return true;
  if (f->count >= NO_FUNCTION || !array_grow (&f->list, f->count, &f->room, sizeof *f->list))
    return false;
  dwarf_getattrs (die, read_name, &name, 0);
  bool is_inlined = dwarf_tag (die) == DW_TAG_inlined_subroutine;
  Dwarf_Addr entry = ranges->list[0].low;
  dwarf_entrypc (die, &entry);
  *number = (uint32_t) f->count++;
  f->list[*number]
      = (struct debug_function) { .name = name.text,
                                  .low = ranges->list[0].low,
                                  .entry = entry,
                                  .parent = parent,
                                  .call_file = is_inlined ? number_of (die, DW_AT_call_file) : 0,
                                  .call_line = is_inlined ? number_of (die, DW_AT_call_line) : 0,
                                  .is_inlined = is_inlined,
                                  .is_linker_name = name.is_linker_name };
  for (size_t i = 0; i < ranges->count; i++)
    {
      const struct range *r = &ranges->list[i];
      if (!cover_add (&f->cover, r->low, r->high, r->high - r->low, *number))
        return false;
    }
  return true;
}

/* Moves to the next entry behind DIE.  False: it was the last of its level.  Damaged entries must
   not lead back. */
static bool
next_entry (Dwarf_Die *die)
{
  Dwarf_Off before = dwarf_dieoffset (die);
  return dwarf_siblingof (die, die) == 0 && dwarf_dieoffset (die) > before;
}

static bool
go_down (struct walk *w, const Dwarf_Die *die, uint32_t parent)
{
  if (!array_grow (&w->levels, w->depth, &w->room, sizeof *w->levels))
    return false;
  w->levels[w->depth++] = (struct level) { *die, parent };
  return true;
}

static bool
walk (struct debug_functions *f, struct walk *w, struct ranges *ranges, Dwarf_Die *unit)
{
  bool is_plain = is_plain_unit (unit);
  Dwarf_Die child;
  bool ok = dwarf_child (unit, &child) != 0 || go_down (w, &child, NO_FUNCTION);
  while (ok && w->depth > 0)
    {
      struct level *l = &w->levels[w->depth - 1];
      Dwarf_Die die = l->die;
      uint32_t around = l->parent;
      if (!next_entry (&l->die))
        w->depth--;
      if (is_function (dwarf_tag (&die)))
        ok = add_function (f, ranges, &die, is_plain, around, &around);
      if (ok && dwarf_haschildren (&die) == 1 && dwarf_child (&die, &child) == 0)
        ok = go_down (w, &child, around);
    }
  return ok;
}

bool
debug_functions_read (struct debug_functions *f, Dwarf_Die *unit)
{
  struct walk w = { 0 };
  struct ranges ranges = { 0 };
  memset (f, 0, sizeof *f);
  bool ok = walk (f, &w, &ranges, unit) && cover_finish (&f->cover);
  free (w.levels);
  free (ranges.list);
  return ok;
}

void
debug_functions_free (struct debug_functions *f)
{
  free (f->list);
  cover_free (&f->cover);
}
