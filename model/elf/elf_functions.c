/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "model/elf/elf_functions.h"

struct elf_functions {
  int fd;
  Elf *elf;
  uint64_t text;             /* address of .text */
  size_t text_index;         /* its number */
  struct elf_function *list; /* by address, those at the same address in the order of the file */
  size_t count, room;
  const struct elf_function *last; /* the last result */
};

/* Assemblers' labels that mark the kind of the bytes behind them: $x, $d.1. */
static bool
is_mark (const char *name)
{
  return name[0] == '$' && name[1] != '\0' && strchr ("adtx", name[1])
         && (name[2] == '\0' || name[2] == '.');
}

static bool
is_candidate (const struct elf_functions *f, const GElf_Sym *sym, const char *name)
{
  unsigned type = GELF_ST_TYPE (sym->st_info);
  bool is_note = sym->st_size == 0 && type == STT_NOTYPE && GELF_ST_BIND (sym->st_info) == STB_LOCAL
                 && GELF_ST_VISIBILITY (sym->st_other) == STV_HIDDEN;
  return sym->st_shndx == f->text_index && type != STT_SECTION && type != STT_FILE
         && type != STT_OBJECT && type != STT_TLS && type != STT_COMMON && !is_note
         && !is_mark (name);
}

static bool
read_symbols (struct elf_functions *f, Elf_Data *data, size_t names)
{
  GElf_Sym sym;
  for (int i = 0; gelf_getsym (data, i, &sym); i++)
    {
      const char *name = elf_strptr (f->elf, names, sym.st_name);
      if (!name || !is_candidate (f, &sym, name))
        continue;
      if (!array_grow (&f->list, f->count, &f->room, sizeof *f->list))
        return false;
      f->list[f->count++]
          = (struct elf_function) { .offset = sym.st_value - f->text,
                                    .size = sym.st_size > 0 ? sym.st_size : 1,
                                    .address = sym.st_value,
                                    .name = name,
                                    .is_function = GELF_ST_TYPE (sym.st_info) == STT_FUNC
                                                   && sym.st_size > 0 };
    }
  return true;
}

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct elf_function *x = a, *y = b;
  (void) context;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool
find_text (struct elf_functions *f)
{
  size_t names;
  GElf_Shdr header;
  Elf_Scn *s = NULL;
  if (elf_getshdrstrndx (f->elf, &names) != 0)
    return false;
  while ((s = elf_nextscn (f->elf, s)))
    {
      const char *name = gelf_getshdr (s, &header) ? elf_strptr (f->elf, names, header.sh_name)
                                                   : NULL;
      if (name && strcmp (name, ".text") == 0)
        {
          f->text = header.sh_addr;
          f->text_index = elf_ndxscn (s);
          return true;
        }
    }
  return false;
}

static bool
read_file (struct elf_functions *f, const char *path)
{
  GElf_Shdr header;
  Elf_Scn *s = NULL;
  elf_version (EV_CURRENT);
  f->fd = open (path, O_RDONLY | O_CLOEXEC);
  f->elf = f->fd >= 0 ? elf_begin (f->fd, ELF_C_READ, NULL) : NULL;
  if (!f->elf || !find_text (f))
    return false;
  while ((s = elf_nextscn (f->elf, s)))
    {
      if (!gelf_getshdr (s, &header) || header.sh_type != SHT_SYMTAB)
        continue;
      Elf_Data *data = elf_getdata (s, NULL);
      return data && read_symbols (f, data, header.sh_link)
             && array_sort (f->list, f->count, sizeof *f->list, compare_functions, NULL);
    }
  return true;
}

struct elf_functions *
elf_functions_open (const char *path)
{
  struct elf_functions *f = calloc (1, sizeof *f);
  if (!f || read_file (f, path))
    return f;
  elf_functions_close (f);
  return NULL;
}

void
elf_functions_close (struct elf_functions *f)
{
  if (!f)
    return;
  free (f->list);
  elf_end (f->elf);
  if (f->fd >= 0)
    close (f->fd);
  free (f);
}

static bool
reaches (const struct elf_function *f, uint64_t offset)
{
  return offset - f->offset < f->size;
}

/* Of two functions at one address, is LATER the better one for OFFSET? */
static bool
is_better (const struct elf_function *later, const struct elf_function *kept, uint64_t offset)
{
  if (!reaches (kept, offset))
    return later->size > kept->size;
  if (!reaches (later, offset))
    return false;
  if (later->is_function != kept->is_function)
    return later->is_function;
  return later->is_function ? later->size < kept->size : later->size > kept->size;
}

/* The number of functions that begin at OFFSET or below. */
static size_t
count_to (const struct elf_functions *f, uint64_t offset)
{
  return ARRAY_BEFORE (i, f->count, f->list[i].offset <= offset);
}

static void
end_at (uint64_t *end, uint64_t address)
{
  if (address < *end)
    *end = address;
}

const struct elf_function *
elf_functions_find (struct elf_functions *f, uint64_t address, uint64_t *end)
{
  uint64_t offset = address - f->text;
  if (f->last && reaches (f->last, offset))
    {
      end_at (end, f->last->address + f->last->size);
      return f->last;
    }
  size_t n = count_to (f, offset);
  f->last = n > 0 ? &f->list[n - 1] : NULL;
  if (n < f->count && f->list[n].address > address)
    end_at (end, f->list[n].address);
  if (!f->last)
    return NULL;
  while (n > 1 && f->list[n - 2].offset == f->last->offset)
    n--;
  f->last = &f->list[n - 1];
  for (; n < f->count && f->list[n].offset == f->last->offset; n++)
    if (is_better (&f->list[n], f->last, offset))
      f->last = &f->list[n];
  if (reaches (f->last, offset))
    end_at (end, f->last->address + f->last->size);
  return f->last;
}
