/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/array.h"
#include "model/elf/pe.h"

/* The file while it is written.  libelf reads the contents at the end. */
struct maker {
  const struct image *im;
  Elf *elf;
  char *names; /* of sections and functions */
  size_t used, room;
  void **contents; /* to be freed */
  size_t ncontents, room_contents;
  Elf64_Sym *symbols;
  size_t nsymbols, room_symbols;
  size_t text_index;
};

/* The offset of a name; 0: out of memory, or it is empty. */
static size_t
add_name (struct maker *m, const char *name)
{
  size_t at = m->used, n = strlen (name) + 1;
  while (m->room < at + n)
    if (!array_grow (&m->names, m->room, &m->room, 1))
      return 0;
  memcpy (m->names + at, name, n);
  m->used += n;
  return at;
}

static Elf_Scn *
add_section (struct maker *m, const char *name, Elf64_Word type, uint64_t address, void *bytes,
             size_t size)
{
  Elf_Scn *section = elf_newscn (m->elf);
  Elf_Data *data = section ? elf_newdata (section) : NULL;
  Elf64_Shdr *header = section ? elf64_getshdr (section) : NULL;
  if (!data || !header)
    return NULL;
  *data = (Elf_Data) { .d_buf = bytes,
                       .d_size = size,
                       .d_align = 1,
                       .d_type = type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE,
                       .d_version = EV_CURRENT };
  header->sh_name = (Elf64_Word) add_name (m, name);
  header->sh_type = type;
  header->sh_addr = address;
  return section;
}

static bool
add_text (struct maker *m)
{
  const asection *text = m->im->text;
  Elf_Scn *section
      = add_section (m, ".text", SHT_NOBITS, bfd_section_vma (text), NULL, bfd_section_size (text));
  if (!section)
    return false;
  elf64_getshdr (section)->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  m->text_index = elf_ndxscn (section);
  return true;
}

/* False, too, if there are none. */
static bool
add_dwarf (struct maker *m)
{
  for (const asection *s = m->im->bfd->sections; s; s = s->next)
    {
      uint64_t address;
      size_t size;
      if (strncmp (bfd_section_name (s), ".debug_", 7) != 0)
        continue;
      void *bytes = image_section (m->im, bfd_section_name (s), &address, &size);
      if (!bytes)
        continue;
      if (!array_grow (&m->contents, m->ncontents, &m->room_contents, sizeof *m->contents))
        {
          free (bytes);
          return false;
        }
      m->contents[m->ncontents++] = bytes;
      if (!add_section (m, bfd_section_name (s), SHT_PROGBITS, 0, bytes, size))
        return false;
    }
  return m->ncontents > 0;
}

static int
compare_symbols (const void *a, const void *b, void *context)
{
  const Elf64_Sym *x = a, *y = b;
  (void) context;
  return x->st_value < y->st_value ? -1 : x->st_value > y->st_value;
}

static bool
add_function (struct maker *m, struct bfd_symbol *raw)
{
  size_t name = add_name (m, bfd_asymbol_name (raw));
  if (!name || !array_grow (&m->symbols, m->nsymbols, &m->room_symbols, sizeof *m->symbols))
    return false;
  unsigned bind = raw->flags & BSF_LOCAL ? STB_LOCAL : STB_GLOBAL;
  m->symbols[m->nsymbols++] = (Elf64_Sym) { .st_name = (Elf64_Word) name,
                                            .st_info = ELF64_ST_INFO (bind, STT_FUNC),
                                            .st_shndx = (Elf64_Section) m->text_index,
                                            .st_value = bfd_asymbol_value (raw) };
  return true;
}

/* PE has no sizes of functions: each reaches up to the next. */
static bool
collect_functions (struct maker *m)
{
  uint64_t end = bfd_section_vma (m->im->text) + bfd_section_size (m->im->text);
  for (size_t i = 0; i < m->im->nraw; i++)
    if ((m->im->raw[i]->flags & BSF_FUNCTION) && bfd_asymbol_section (m->im->raw[i]) == m->im->text
        && !add_function (m, m->im->raw[i]))
      return false;
  if (!array_sort (m->symbols, m->nsymbols, sizeof *m->symbols, compare_symbols, NULL))
    return false;
  for (size_t i = m->nsymbols; i-- > 0; end = m->symbols[i].st_value)
    m->symbols[i].st_size = end - m->symbols[i].st_value;
  return true;
}

/* Symbols, then all names, which are complete only then. */
static bool
add_tables (struct maker *m)
{
  Elf_Scn *table, *names;
  if (!collect_functions (m)
      || !(table = add_section (m, ".symtab", SHT_SYMTAB, 0, m->symbols,
                                m->nsymbols * sizeof *m->symbols))
      || !(names = add_section (m, ".strtab", SHT_STRTAB, 0, NULL, 0)))
    return false;
  Elf64_Shdr *header = elf64_getshdr (table);
  header->sh_link = (Elf64_Word) elf_ndxscn (names);
  header->sh_entsize = sizeof *m->symbols;
  Elf_Data *data = elf_getdata (names, NULL);
  data->d_buf = m->names;
  data->d_size = m->used;
  elf64_getehdr (m->elf)->e_shstrndx = (Elf64_Half) elf_ndxscn (names);
  return true;
}

static bool
write_file (struct maker *m)
{
  Elf64_Ehdr *header = elf64_newehdr (m->elf);
  if (!header)
    return false;
  header->e_ident[EI_DATA] = ELFDATA2LSB;
  header->e_type = ET_EXEC;
  header->e_machine = EM_X86_64;
  header->e_version = EV_CURRENT;
  add_name (m, "");
  return add_text (m) && add_dwarf (m) && add_tables (m) && elf_update (m->elf, ELF_C_WRITE) > 0;
}

int
pe_debug_file (const struct image *im)
{
  struct maker m = { .im = im };
  int file = memfd_create ("debug", MFD_CLOEXEC);
  elf_version (EV_CURRENT);
  m.elf = file >= 0 ? elf_begin (file, ELF_C_WRITE, NULL) : NULL;
  bool ok = m.elf && write_file (&m);
  elf_end (m.elf);
  for (size_t i = 0; i < m.ncontents; i++)
    free (m.contents[i]);
  free (m.contents);
  free (m.symbols);
  free (m.names);
  if (!ok && file >= 0)
    close (file);
  return ok ? file : -1;
}
