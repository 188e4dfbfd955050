/* SPDX-License-Identifier: MIT */
/* A file may change while it is read, so it is copied, never mapped, and each position in it is
   checked.  Context: cold; no lock is held. */
#include <elf.h>
#include <errno.h>
#include <link.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"
#include "runtime/self/loaded_symbols.h"

/* Part of a file in memory of its own. */
struct part {
  char *bytes; /* null: none */
  size_t n;
};

static struct part
read_part (int fd, uint64_t offset, uint64_t n)
{
  struct part part = { n && n <= (uint64_t) 1 << 32 ? bbp_pages_map (n) : NULL, n };
  for (uint64_t done = 0; part.bytes && done < n;)
    {
      long got = bbp_sys_read_at (fd, part.bytes + done, n - done, offset + done);
      if (got <= 0)
        {
          bbp_pages_unmap (part.bytes, n);
          part.bytes = NULL;
        }
      done += got > 0 ? (uint64_t) got : 0;
    }
  return part;
}

static void
drop (struct part *part)
{
  bbp_pages_unmap (part->bytes, part->n);
  part->bytes = NULL;
}

static bool
same_bytes (const void *a, const void *b, size_t n)
{
  const unsigned char *p = a, *q = b;
  while (n && *p == *q)
    p++, q++, n--;
  return n == 0;
}

enum { HEAD_BYTES = 65536 };

/* True if NOTES are in HEAD, where distances in the file are those in memory. */
static bool
is_in_head (const struct bbp_object *object, struct part head, const Elf64_Phdr *notes)
{
  return notes->p_offset <= head.n && notes->p_memsz <= head.n - notes->p_offset
         && notes->p_vaddr - notes->p_offset == object->start;
}

/* True if the build id in HEAD, the first bytes of the file, is that of OBJECT. */
static bool
has_build_id (const struct bbp_object *object, struct part head)
{
  const Elf64_Ehdr *elf = (const Elf64_Ehdr *) head.bytes;
  Elf64_Phdr *segment = (Elf64_Phdr *) (head.bytes + elf->e_phoff);
  size_t bytes;
  if (elf->e_phoff > head.n || elf->e_phnum > (head.n - elf->e_phoff) / sizeof *segment)
    return false;
  for (size_t i = 0; i < elf->e_phnum; i++)
    if (segment[i].p_type == PT_NOTE && !is_in_head (object, head, &segment[i]))
      segment[i].p_type = PT_NULL;
  const struct dl_phdr_info info = { .dlpi_addr = (uintptr_t) head.bytes - object->start,
                                     .dlpi_phdr = segment,
                                     .dlpi_phnum = elf->e_phnum };
  const unsigned char *id = bbp_identity_build_id (&info, &bytes);
  return id && bytes == object->build_id_bytes && same_bytes (id, object->build_id, bytes);
}

static bool
is_same_file (const struct bbp_object *object, int fd, struct part head)
{
  struct stat st;
  if (object->build_id_bytes)
    return has_build_id (object, head);
  return bbp_sys_fstat (fd, &st) == 0 && object->file[0] == st.st_dev
         && object->file[1] == st.st_ino && object->file[2] == (uint64_t) st.st_size;
}

/* The table of OBJECT's file that has symbols, and their names.  WHOLE: not only those that other
   objects may use. */
struct table {
  struct part symbols, names;
  bool whole;
};

static struct table
read_table (int fd, const Elf64_Ehdr *elf)
{
  struct table table = { .whole = false };
  struct part part = read_part (fd, elf->e_shoff, elf->e_shnum * sizeof (Elf64_Shdr));
  const Elf64_Shdr *sections = (const Elf64_Shdr *) part.bytes, *found = NULL;
  for (size_t i = 0; sections && i < elf->e_shnum; i++)
    if (sections[i].sh_type == SHT_SYMTAB || (sections[i].sh_type == SHT_DYNSYM && !found))
      found = &sections[i];
  if (found && found->sh_link < elf->e_shnum)
    {
      table.symbols = read_part (fd, found->sh_offset, found->sh_size);
      table.whole = found->sh_type == SHT_SYMTAB;
      table.names
          = read_part (fd, sections[found->sh_link].sh_offset, sections[found->sh_link].sh_size);
    }
  drop (&part);
  return table;
}

static void
drop_table (struct table *table)
{
  drop (&table->symbols);
  drop (&table->names);
}

static bool
is_elf (struct part head)
{
  const Elf64_Ehdr *elf = (const Elf64_Ehdr *) head.bytes;
  return head.bytes && same_bytes (elf->e_ident, ELFMAG, SELFMAG)
         && elf->e_ident[EI_CLASS] == ELFCLASS64 && elf->e_shentsize == sizeof (Elf64_Shdr);
}

/* The executable's file may have been removed, or have another name. */
static const char *
path_of (const struct bbp_object *object)
{
  return object == bbp_object_executable () ? "/proc/self/exe" : object->path;
}

/* False: there is no table, or the file is not that of OBJECT. */
static bool
open_table (const struct bbp_object *object, struct table *table)
{
  long fd = object->path[0] == '[' ? -1 : bbp_open_high (path_of (object), O_RDONLY);
  struct stat st;
  struct part head = { 0 };
  if (fd < 0)
    return false;
  if (bbp_sys_fstat ((int) fd, &st) == 0 && st.st_size >= (long) sizeof (Elf64_Ehdr))
    head = read_part ((int) fd, 0, st.st_size < HEAD_BYTES ? (uint64_t) st.st_size : HEAD_BYTES);
  *table = is_elf (head) && is_same_file (object, (int) fd, head)
               ? read_table ((int) fd, (const Elf64_Ehdr *) head.bytes)
               : (struct table) { .whole = false };
  drop (&head);
  bbp_sys_close ((int) fd);
  bool good = table->symbols.bytes && table->names.bytes && !table->names.bytes[table->names.n - 1];
  if (!good)
    drop_table (table);
  return good;
}

static const char *
name_of (const struct table *table, const Elf64_Sym *symbol)
{
  return symbol->st_name < table->names.n ? table->names.bytes + symbol->st_name : "";
}

static bool
is_function (const Elf64_Sym *symbol)
{
  unsigned type = ELF64_ST_TYPE (symbol->st_info);
  return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

static bool
is_local (const Elf64_Sym *symbol)
{
  return ELF64_ST_BIND (symbol->st_info) == STB_LOCAL;
}

static struct part
symbols_in (const struct table *table)
{
  return (struct part) { table->symbols.bytes, table->symbols.n / sizeof (Elf64_Sym) };
}

static void
put (struct bbp_symbol *symbol, const struct table *table, const Elf64_Sym *found)
{
  struct bbp_text text = { .buffer = symbol->name, .size = sizeof symbol->name };
  symbol->start = found->st_value;
  symbol->end = found->st_value + found->st_size;
  bbp_text_string (&text, name_of (table, found));
}

static bool
same_text (const char *a, const char *b)
{
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

int
bbp_symbol_find (const struct bbp_object *object, const char *name, struct bbp_symbol *symbol)
{
  struct table table;
  if (!open_table (object, &table))
    return -ENODATA;
  const Elf64_Sym *found = NULL, *next = (const Elf64_Sym *) table.symbols.bytes;
  bool several = false;
  for (size_t left = symbols_in (&table).n; left--; next++)
    if (is_function (next) && same_text (name_of (&table, next), name)
        && (!found || !is_local (next) || is_local (found)))
      {
        several = found && is_local (found) && is_local (next)
                  && (several || found->st_value != next->st_value);
        found = next;
      }
  if (found)
    put (symbol, &table, found);
  drop_table (&table);
  return several ? -ENOTUNIQ : found ? 0 : table.whole ? -ENOENT : -ENODATA;
}

int
bbp_symbol_at (const struct bbp_object *object, uintptr_t address, struct bbp_symbol *symbol)
{
  struct table table;
  if (!open_table (object, &table))
    return -ENODATA;
  const Elf64_Sym *found = NULL, *next = (const Elf64_Sym *) table.symbols.bytes;
  for (size_t left = symbols_in (&table).n; left--; next++)
    if (is_function (next)
        && (address == next->st_value || address - next->st_value < next->st_size)
        && (!found || is_local (found)))
      found = next;
  if (found)
    put (symbol, &table, found);
  drop_table (&table);
  return found ? 0 : table.whole ? -ENOENT : -ENODATA;
}
