/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "model/elf/elf_variables.h"

struct elf_variables {
  int fd;
  Elf *elf;
  struct elf_variable *list; /* by address; of one address the smallest first */
  size_t count, room;
};

static bool
add_symbols (struct elf_variables *v, Elf_Data *data, size_t names)
{
  GElf_Sym sym;
  for (int i = 0; gelf_getsym (data, i, &sym); i++)
    {
      const char *name = elf_strptr (v->elf, names, sym.st_name);
      if (!name || !*name || GELF_ST_TYPE (sym.st_info) != STT_OBJECT || sym.st_size == 0
          || sym.st_shndx == SHN_UNDEF)
        continue;
      if (!array_grow (&v->list, v->count, &v->room, sizeof *v->list))
        return false;
      v->list[v->count++]
          = (struct elf_variable) { .address = sym.st_value, .size = sym.st_size, .name = name };
    }
  return true;
}

static int
compare (const void *a, const void *b, void *context)
{
  const struct elf_variable *x = a, *y = b;
  (void) context;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->size < y->size ? -1 : x->size > y->size;
}

/* False: out of memory. */
static bool
add_table (struct elf_variables *v, unsigned type)
{
  GElf_Shdr header;
  Elf_Scn *s = NULL;
  while ((s = elf_nextscn (v->elf, s)))
    {
      if (!gelf_getshdr (s, &header) || header.sh_type != type)
        continue;
      Elf_Data *data = elf_getdata (s, NULL);
      return !data || add_symbols (v, data, header.sh_link);
    }
  return true;
}

struct elf_variables *
elf_variables_open (const char *path)
{
  struct elf_variables *v = calloc (1, sizeof *v);
  if (!v)
    return NULL;
  elf_version (EV_CURRENT);
  v->fd = open (path, O_RDONLY | O_CLOEXEC);
  v->elf = v->fd >= 0 ? elf_begin (v->fd, ELF_C_READ, NULL) : NULL;
  if (!v->elf
      || (add_table (v, SHT_SYMTAB) && (v->count > 0 || add_table (v, SHT_DYNSYM))
          && array_sort (v->list, v->count, sizeof *v->list, compare, NULL)))
    return v;
  elf_variables_close (v);
  return NULL;
}

void
elf_variables_close (struct elf_variables *v)
{
  if (!v)
    return;
  free (v->list);
  elf_end (v->elf);
  if (v->fd >= 0)
    close (v->fd);
  free (v);
}

const struct elf_variable *
elf_variables_find (const struct elf_variables *v, uint64_t address)
{
  enum { BACK = 8 }; /* number of symbols that may lie inside of a larger one */
  size_t n = ARRAY_BEFORE (i, v->count, v->list[i].address <= address);
  for (size_t left = BACK; n > 0 && left > 0; n--, left--)
    if (address - v->list[n - 1].address < v->list[n - 1].size)
      return &v->list[n - 1];
  return NULL;
}
