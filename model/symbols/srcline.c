/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/elf/debug_file.h"
#include "model/elf/elf_functions.h"
#include "model/elf/pe.h"
#include "model/lines/debug_info.h"
#include "model/symbols/srcline.h"
#include "model/symbols/symtab.h"

struct srcline_tables {
  bool is_read;
  bool ask_bfd;                    /* old formats of debug information */
  struct debug_info *info;         /* null: none */
  struct elf_functions *functions; /* null: none */
};

struct srcline_tables *
srcline_tables_new (void)
{
  return calloc (1, sizeof (struct srcline_tables));
}

void
srcline_tables_free (struct srcline_tables *t)
{
  if (!t)
    return;
  debug_info_close (t->info);
  elf_functions_close (t->functions);
  free (t);
}

static bool
has_old_lines (const struct image *im)
{
  return bfd_get_flavour (im->bfd) != bfd_target_elf_flavour
         || bfd_get_section_by_name (im->bfd, ".stab")
         || bfd_get_section_by_name (im->bfd, ".line");
}

/* The debug file of a stripped object was searched already. */
static void
open_debug_file (struct srcline_tables *t, const struct object *o)
{
  char *found = o->image.nraw > 0 ? debug_file_find (&o->image) : NULL;
  const char *path = found ? found : o->debug_path;
  t->info = path ? debug_info_open (path) : NULL;
  free (found);
}

static void
open_pe (struct srcline_tables *t, const struct image *im)
{
  char path[32];
  int file = pe_debug_file (im);
  if (file < 0)
    return;
  snprintf (path, sizeof path, "/proc/self/fd/%d", file);
  t->info = debug_info_open (path);
  t->functions = t->info ? elf_functions_open (path) : NULL;
  close (file);
}

static void
open_elf (struct srcline_tables *t, const struct object *o)
{
  t->info = debug_info_open (o->image.path);
  if (!t->info)
    open_debug_file (t, o);
  t->functions = t->info ? elf_functions_open (o->debug.nraw > 0 ? o->debug_path : o->image.path)
                         : NULL;
}

static struct srcline_tables *
tables_of (const struct object *o)
{
  struct srcline_tables *t = o->lines;
  if (!t || t->is_read || !o->image.bfd)
    return o->image.bfd ? t : NULL;
  t->is_read = true;
  if (o->image.is_pe)
    open_pe (t, &o->image);
  else
    open_elf (t, o);
  t->ask_bfd = !t->info && has_old_lines (&o->image);
  return t;
}

static bool
ask_bfd (const struct object *o, uint64_t address, struct srcline *found)
{
  static struct bfd_symbol *none[] = { NULL };
  const struct image *im = &o->image;
  /* libbfd adds the section's address again, so the section does not matter. */
  bfd_vma offset = address - o->base - bfd_section_vma (im->text);
  return bfd_find_nearest_line (im->bfd, im->text, im->raw ? im->raw : none, offset, &found->file,
                                &found->function, &found->line)
         && found->file && found->function && found->line != 0;
}

/* The name of the function at P; remembers the result. */
static const char *
function_name (struct srcline_tables *t, const struct debug_place *p, uint64_t address,
               uint64_t *end)
{
  struct debug_function *f = p->function != NO_FUNCTION ? &p->functions->list[p->function] : NULL;
  if (f && f->is_linker_name)
    return f->name;
  const struct elf_function *symbol = t->functions ? elf_functions_find (t->functions, address, end)
                                                   : NULL;
  if (!f)
    return symbol ? symbol->name : NULL;
  if (symbol && symbol->address == f->low)
    f->name = symbol->name;
  f->is_linker_name = true;
  return symbol ? symbol->name : NULL;
}

/* *END: as in srcline_end, but of the object. */
static bool
find (const struct object *o, uint64_t address, struct srcline *found, uint64_t *end)
{
  struct debug_place p;
  struct srcline_tables *t = tables_of (o);
  *found = (struct srcline) { 0 };
  if (!t)
    return false;
  if (t->ask_bfd)
    {
      *end = address - o->base + 1;
      return ask_bfd (o, address, found);
    }
  if (!t->info)
    return false;
  if (!debug_info_find (t->info, address - o->base, &p, end))
    return false;
  found->function = function_name (t, &p, address - o->base, end);
  if (!p.row || p.row->line == 0)
    return false;
  found->file = line_files_path (p.files, line_row_file_of_libbfd (p.row));
  found->line = p.row->line;
  return found->file && found->function;
}

bool
srcline_find (const struct object *o, uint64_t address, struct srcline *found)
{
  uint64_t end = UINT64_MAX;
  return find (o, address, found, &end);
}

uint64_t
srcline_end (const struct object *o, uint64_t address, uint64_t end)
{
  struct srcline found;
  end -= o->base;
  find (o, address, &found, &end);
  return end + o->base;
}

size_t
srcline_inlined (const struct object *o, uint64_t address, struct srcline *frames, size_t room)
{
  struct debug_place p;
  struct srcline line = { 0 };
  uint64_t end = UINT64_MAX;
  size_t n = 0;
  if (!srcline_find (o, address, &line))
    return 0;
  if (!o->lines->info || !debug_info_find (o->lines->info, address - o->base, &p, &end)
      || p.function == NO_FUNCTION)
    {
      if (room > 0)
        frames[0] = line;
      return 1;
    }
  if (p.row)
    line.file = line_files_path (p.files, line_row_file (p.row));
  for (uint32_t i = p.function; i != NO_FUNCTION; i = p.functions->list[i].parent)
    {
      const struct debug_function *f = &p.functions->list[i];
      line.function = f->name ? f->name : line.function;
      line.entry = f->is_inlined ? f->entry + o->base : 0;
      if (n < room)
        frames[n] = line;
      n++;
      if (!f->is_inlined)
        break;
      line.file = line_files_path (p.files, f->call_file);
      line.line = f->call_line;
    }
  return n;
}

size_t
srcline_of_symbol (const struct symbol *s, uint64_t address, struct srcline *frames, size_t room)
{
  if (!s->file)
    return srcline_inlined (s->object, address, frames, room);
  unsigned line = address > s->address ? (unsigned) (address - s->address) : s->line;
  if (!*s->file || line == 0 || room == 0)
    return 0;
  frames[0] = (struct srcline) { .file = s->file, .function = s->name, .line = line };
  return 1;
}

const char *
srcline_base (const char *file)
{
  const char *slash = strrchr (file, '/');
  return slash ? slash + 1 : file;
}
