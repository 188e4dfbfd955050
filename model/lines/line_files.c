/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/array.h"
#include "model/lines/line_files.h"

/* The format of entries in DWARF 5's lists. */
struct format {
  struct {
    uint64_t what, form;
  } fields[256];
  unsigned count;
};

static bool
add_folder (struct line_files *l, const char *name)
{
  if (!array_grow (&l->folders, l->nfolders, &l->room_folders, sizeof *l->folders))
    return false;
  l->folders[l->nfolders++] = name;
  return true;
}

static bool
add_file (struct line_files *l, const char *name, uint64_t folder)
{
  if (!array_grow (&l->files, l->nfiles, &l->room_files, sizeof *l->files))
    return false;
  l->files[l->nfiles++] = (struct line_file) { .name = name, .folder = folder };
  return true;
}

bool
line_files_add (struct line_files *l, struct dwarf_bytes *b)
{
  const char *name = dwarf_string (b);
  uint64_t folder = dwarf_leb (b, false);
  dwarf_leb (b, false); /* time */
  dwarf_leb (b, false); /* size */
  return add_file (l, name, folder);
}

static bool
read_old_lists (struct line_files *l, struct dwarf_bytes *b)
{
  while (!b->failed && b->at < b->end && *b->at != 0)
    if (!add_folder (l, dwarf_string (b)))
      return false;
  dwarf_skip (b, 1);
  while (!b->failed && b->at < b->end && *b->at != 0)
    if (!line_files_add (l, b))
      return false;
  dwarf_skip (b, 1);
  return !b->failed;
}

static void
read_format (struct format *f, struct dwarf_bytes *b)
{
  f->count = (unsigned) dwarf_number (b, 1);
  for (unsigned i = 0; i < f->count; i++)
    {
      f->fields[i].what = dwarf_leb (b, false);
      f->fields[i].form = dwarf_leb (b, false);
    }
}

/* Reads one field: a string or a number.  Forms that no compiler uses here end the reading. */
static uint64_t
read_field (struct dwarf_bytes *b, uint64_t form, size_t offset_bytes,
            const struct line_sections *s, const char **string)
{
  switch (form)
    {
    case DW_FORM_string: *string = dwarf_string (b); return 0;
    case DW_FORM_line_strp:
      *string = dwarf_string_at (&s->line_str, dwarf_number (b, offset_bytes));
      return 0;
    case DW_FORM_strp:
      *string = dwarf_string_at (&s->str, dwarf_number (b, offset_bytes));
      return 0;
    case DW_FORM_udata: return dwarf_leb (b, false);
    case DW_FORM_data1: return dwarf_number (b, 1);
    case DW_FORM_data2: return dwarf_number (b, 2);
    case DW_FORM_data4: return dwarf_number (b, 4);
    case DW_FORM_data8: return dwarf_number (b, 8);
    case DW_FORM_data16: dwarf_skip (b, 16); return 0;
    case DW_FORM_block: dwarf_skip (b, dwarf_leb (b, false)); return 0;
    default: b->failed = true; return 0;
    }
}

/* Reads one list of DWARF 5, of folders or of files. */
static bool
read_list (struct line_files *l, struct dwarf_bytes *b, size_t offset_bytes,
           const struct line_sections *s, bool files)
{
  struct format format;
  read_format (&format, b);
  uint64_t count = dwarf_leb (b, false);
  if (format.count == 0 || count > (uint64_t) (b->end - b->at))
    return count == 0;
  for (uint64_t i = 0; i < count && !b->failed; i++)
    {
      const char *name = "";
      uint64_t folder = 0;
      for (unsigned k = 0; k < format.count; k++)
        {
          const char *string = NULL;
          uint64_t number = read_field (b, format.fields[k].form, offset_bytes, s, &string);
          if (format.fields[k].what == DW_LNCT_path && string)
            name = string;
          else if (format.fields[k].what == DW_LNCT_directory_index)
            folder = number;
        }
      if (!(files ? add_file (l, name, folder) : add_folder (l, name)))
        return false;
    }
  return !b->failed;
}

bool
line_files_read (struct line_files *l, const struct line_sections *s, uint64_t offset,
                 const char *unit_folder, struct dwarf_bytes *program)
{
  *l = (struct line_files) { .unit_folder = unit_folder };
  if (offset >= s->line.size)
    return false;
  struct dwarf_bytes b = { .at = s->line.data + offset,
                           .end = s->line.data + s->line.size,
                           .big_endian = s->big_endian };
  size_t offset_bytes = 4;
  uint64_t size = dwarf_number (&b, 4);
  if (size == UINT32_MAX)
    size = dwarf_number (&b, offset_bytes = 8);
  if (size > (uint64_t) (b.end - b.at))
    return false;
  b.end = b.at + size;
  l->version = (unsigned) dwarf_number (&b, 2);
  if (l->version < 2 || l->version > 5)
    return false;
  if (l->version == 5)
    dwarf_skip (&b, 2); /* bytes of an address, of a segment */
  uint64_t head = dwarf_number (&b, offset_bytes);
  *program = b;
  dwarf_skip (program, head);
  l->instruction_bytes = (unsigned) dwarf_number (&b, 1);
  l->operations = l->version >= 4 ? (unsigned) dwarf_number (&b, 1) : 1;
  dwarf_skip (&b, 1); /* is_stmt */
  l->line_base = (signed char) dwarf_number (&b, 1);
  l->line_range = (unsigned) dwarf_number (&b, 1);
  l->opcode_base = (unsigned) dwarf_number (&b, 1);
  for (unsigned i = 1; i < l->opcode_base; i++)
    l->arguments[i] = (unsigned char) dwarf_number (&b, 1);
  if (b.failed || program->failed || l->operations == 0 || l->line_range == 0)
    return false;
  if (l->version < 5)
    return read_old_lists (l, &b);
  return read_list (l, &b, offset_bytes, s, false) && read_list (l, &b, offset_bytes, s, true);
}

void
line_files_free (struct line_files *l)
{
  for (size_t i = 0; i < l->nfiles; i++)
    free (l->files[i].path);
  free (l->folders);
  free (l->files);
}

/* The folder NUMBER; null: none. */
static const char *
folder_of (const struct line_files *l, uint64_t number)
{
  uint64_t first = l->version < 5;
  return number >= first && number - first < l->nfolders ? l->folders[number - first] : NULL;
}

/* FIRST/SECOND/NAME, without those that are null. */
static char *
join (const char *first, const char *second, const char *name)
{
  size_t size
      = (first ? strlen (first) : 0) + (second ? strlen (second) : 0) + strlen (name) + sizeof "//";
  char *path = malloc (size);
  if (path)
    snprintf (path, size, "%s%s%s%s%s", first ? first : "", first ? "/" : "", second ? second : "",
              second ? "/" : "", name);
  return path;
}

const char *
line_files_path (struct line_files *l, uint64_t number)
{
  uint64_t first = l->version < 5;
  if (number < first || number - first >= l->nfiles)
    return "<unknown>";
  struct line_file *f = &l->files[number - first];
  if (f->name[0] == '/')
    return f->name;
  const char *folder = folder_of (l, f->folder);
  if (!f->path)
    f->path = join (folder && folder[0] == '/' ? NULL : l->unit_folder, folder, f->name);
  return f->path;
}
