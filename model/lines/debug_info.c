/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/array.h"
#include "model/lines/debug_info.h"

struct debug_unit {
  Dwarf_Die die;
  Dwarf_Half version; /* of DWARF */
  uint64_t lines_offset;
  bool is_read, is_good;
  struct line_table lines;
  struct debug_functions functions;
};

struct debug_info {
  int fd;
  Elf *elf;
  Dwarf *dwarf;
  struct line_sections sections;
  struct debug_unit *units; /* in the order of the file */
  size_t nunits, room;
  struct cover cover; /* owners: units; the first is the best */
};

/* Opening. */

/* The section .NAME, or .zNAME, which libdw has decompressed. */
static struct dwarf_section
find_section (Elf *elf, const char *name)
{
  size_t names;
  Elf_Scn *s = NULL;
  GElf_Shdr header;
  if (elf_getshdrstrndx (elf, &names) == 0)
    while ((s = elf_nextscn (elf, s)))
      {
        const char *its = gelf_getshdr (s, &header) ? elf_strptr (elf, names, header.sh_name)
                                                    : NULL;
        if (!its || its[0] != '.' || strcmp (its + 1 + (its[1] == 'z'), name) != 0)
          continue;
        Elf_Data *data = elf_getdata (s, NULL);
        if (data && data->d_buf)
          return (struct dwarf_section) { data->d_buf, data->d_size };
      }
  return (struct dwarf_section) { 0 };
}

static void
read_unit (struct debug_info *d, struct debug_unit *u)
{
  Dwarf_Attribute a;
  u->is_read = true;
  u->is_good = line_table_read (&u->lines, &d->sections, u->lines_offset,
                                dwarf_formstring (dwarf_attr (&u->die, DW_AT_comp_dir, &a)))
               && debug_functions_read (&u->functions, &u->die);
}

/* The code of the unit NUMBER: its own ranges, else those of its lines.  In DWARF 2 a unit can
   name one range only, and may have more code, for example in .text.startup, which its lines
   know. */
static bool
cover_unit (struct debug_info *d, uint32_t number)
{
  struct debug_unit *u = &d->units[number];
  Dwarf_Addr base, low, high;
  bool says_where = false;
  for (ptrdiff_t at = 0; (at = dwarf_ranges (&u->die, at, &base, &low, &high)) > 0;
       says_where = true)
    if (!cover_add (&d->cover, low, high, number, number))
      return false;
  if (says_where && u->version > 2)
    return true;
  read_unit (d, u);
  for (size_t i = 0; u->is_good && i < u->lines.nsequences; i++)
    if (!cover_add (&d->cover, u->lines.sequences[i].low, u->lines.sequences[i].high,
                    d->nunits + number, number))
      return false;
  return true;
}

/* A unit without lines is ignored. */
static bool
read_units (struct debug_info *d)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  Dwarf_Half version;
  uint8_t type;
  while (dwarf_get_units (d->dwarf, unit, &unit, &version, &type, &die, NULL) == 0)
    {
      Dwarf_Attribute a;
      Dwarf_Word offset;
      if (type == DW_UT_type
          || dwarf_formudata (dwarf_attr (&die, DW_AT_stmt_list, &a), &offset) != 0)
        continue;
      if (d->nunits >= COVER_NONE || !array_grow (&d->units, d->nunits, &d->room, sizeof *d->units))
        return false;
      d->units[d->nunits++]
          = (struct debug_unit) { .die = die, .version = version, .lines_offset = offset };
    }
  for (uint32_t i = 0; i < d->nunits; i++)
    if (!cover_unit (d, i))
      return false;
  return cover_finish (&d->cover);
}

static bool
open_file (struct debug_info *d, const char *path)
{
  GElf_Ehdr header;
  elf_version (EV_CURRENT);
  d->fd = open (path, O_RDONLY | O_CLOEXEC);
  d->elf = d->fd >= 0 ? elf_begin (d->fd, ELF_C_READ, NULL) : NULL;
  if (!d->elf || !gelf_getehdr (d->elf, &header)
      || !(d->dwarf = dwarf_begin_elf (d->elf, DWARF_C_READ, NULL)))
    return false;
  d->sections = (struct line_sections) { .line = find_section (d->elf, "debug_line"),
                                         .line_str = find_section (d->elf, "debug_line_str"),
                                         .str = find_section (d->elf, "debug_str"),
                                         .big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB };
  return true;
}

struct debug_info *
debug_info_open (const char *path)
{
  struct debug_info *d = calloc (1, sizeof *d);
  if (!d || (open_file (d, path) && read_units (d) && d->nunits > 0))
    return d;
  debug_info_close (d);
  return NULL;
}

void
debug_info_close (struct debug_info *d)
{
  if (!d)
    return;
  for (size_t i = 0; i < d->nunits; i++)
    if (d->units[i].is_read)
      {
        line_table_free (&d->units[i].lines);
        debug_functions_free (&d->units[i].functions);
      }
  free (d->units);
  cover_free (&d->cover);
  dwarf_end (d->dwarf);
  elf_end (d->elf);
  if (d->fd >= 0)
    close (d->fd);
  free (d);
}

bool
debug_info_find (struct debug_info *d, uint64_t address, struct debug_place *p, uint64_t *end)
{
  uint32_t number = cover_find (&d->cover, address, end);
  /* Possibly padding that only the lines assign to the unit. */
  if (number == COVER_NONE)
    number = cover_before (&d->cover, address);
  if (number == COVER_NONE)
    return false;
  struct debug_unit *u = &d->units[number];
  if (!u->is_read)
    read_unit (d, u);
  if (!u->is_good)
    return false;
  *p = (struct debug_place) { .files = &u->lines.files,
                              .functions = &u->functions,
                              .row = line_table_find (&u->lines, address, end),
                              .function = cover_find (&u->functions.cover, address, end) };
  return p->row || p->function != NO_FUNCTION;
}
