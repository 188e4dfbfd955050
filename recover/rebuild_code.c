/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code and linkage tables of the objects that were loaded, read from their files if those have
   not changed.  For the contents of a slot the loader's rule is applied: the first object, in
   load order, that defines the name. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

#include "recover/decoders.h"
#include "recover/rebuild_state.h"
#include "runtime/base/base.h"
#include "runtime/objects/objects.h"

/* The file of an object.  An unusable one has no bytes. */
struct file {
  const struct bbp_object *object;
  const unsigned char *data;
  size_t bytes;
  UT_hash_handle hh;
};

/* A name and the first object that defines it. */
struct name {
  uintptr_t address; /* run-time */
  UT_hash_handle hh;
  char text[];
};

struct slot {
  uintptr_t address, content; /* run-time */
  UT_hash_handle hh;
};

extern const ElfW (Ehdr) __ehdr_start __attribute__ ((visibility ("hidden")));

static struct file *files;
static struct name *names;
static struct slot *slots;
static bool all_read; /* the names and slots of all objects */

/* N items of BYTES at OFFSET, or null. */
static const void *
at (const struct file *file, uint64_t offset, uint64_t n, uint64_t bytes)
{
  if (offset > file->bytes || n > (file->bytes - offset) / bytes || offset % 8)
    return NULL;
  return file->data + offset;
}

static const ElfW (Ehdr) * header_of (const struct file *file)
{
  const ElfW (Ehdr) *header = at (file, 0, 1, sizeof *header);
  return header && memcmp (header->e_ident, ELFMAG, SELFMAG) == 0
                 && header->e_ident[EI_CLASS] == ELFCLASS64
                 && header->e_phentsize == sizeof (ElfW (Phdr))
                 && header->e_shentsize == sizeof (ElfW (Shdr))
             ? header
             : NULL;
}

/* Is it still the file that was loaded?  Compares address bounds and build id, which it finds in
   the notes by the program headers. */
static bool
is_same (const struct file *file)
{
  const ElfW (Ehdr) *header = header_of (file);
  const ElfW (Phdr) *segments
      = header ? at (file, header->e_phoff, header->e_phnum, sizeof *segments) : NULL;
  if (!segments)
    return false;
  struct bbp_object found = { 0 };
  uintptr_t first = UINTPTR_MAX;
  for (int i = 0; i < header->e_phnum; i++)
    {
      const ElfW (Phdr) *segment = &segments[i];
      if (segment->p_offset > file->bytes || segment->p_filesz > file->bytes - segment->p_offset)
        return false;
      if (segment->p_type == PT_LOAD && segment->p_offset == 0)
        first = segment->p_vaddr;
    }
  const struct dl_phdr_info info = { .dlpi_addr = (uintptr_t) file->data - first,
                                     .dlpi_phdr = segments,
                                     .dlpi_phnum = header->e_phnum };
  bbp_identity_bounds (&found, &info);
  found.bias = file->object->bias;
  if (first != UINTPTR_MAX)
    found.build_id = bbp_identity_build_id (&info, &found.build_id_bytes);
  return bbp_identity_stays (file->object, &found);
}

static void
open_file (struct file *file)
{
  struct stat st;
  int fd = open (file->object->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size > 0)
    {
      void *data = mmap (NULL, (size_t) st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      file->data = data;
      file->bytes = data != MAP_FAILED ? (size_t) st.st_size : 0;
      if (!is_same (file))
        file->bytes = 0;
    }
  if (fd >= 0)
    close (fd);
}

/* Null: out of memory, or the file is unusable. */
static const struct file *
file_of (const struct bbp_object *object)
{
  struct file *file;
  HASH_FIND_PTR (files, &object, file);
  if (!file && (file = calloc (1, sizeof *file)))
    {
      file->object = object;
      open_file (file);
      HASH_ADD_PTR (files, object, file);
    }
  return file && file->bytes ? file : NULL;
}

/* The program's; this machine's, if its file is unusable, as no code is read then.  Null: not
   known. */
static const struct processor *
processor (void)
{
  static const struct processor *found;
  static bool searched;
  if (!searched)
    {
      const struct file *program = file_of (bbp_object_executable ());
      found = processor_find (program ? header_of (program)->e_machine : __ehdr_start.e_machine);
      searched = true;
    }
  return found;
}

bool
rebuild_code_is_known (void)
{
  return processor () != NULL;
}

const struct bbp_decoder *
rebuild_decoder (void)
{
  return processor ()->decoder;
}

const unsigned char *
rebuild_code_at (uintptr_t address, size_t *n)
{
  const struct bbp_object *object = bbp_object_at (address);
  const struct file *file = object ? file_of (object) : NULL;
  if (!file)
    return NULL;
  const ElfW (Ehdr) *header = header_of (file);
  const ElfW (Phdr) *segment = at (file, header->e_phoff, header->e_phnum, sizeof *segment);
  for (int i = 0; i < header->e_phnum; i++, segment++)
    {
      uintptr_t distance = address - object->bias - segment->p_vaddr;
      if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && distance < segment->p_filesz)
        {
          *n = segment->p_filesz - distance;
          return file->data + segment->p_offset + distance;
        }
    }
  return NULL;
}

/* The next section of FILE of TYPE with entries of SIZE bytes. */
static const ElfW (Shdr)
    * next_section (const struct file *file, const ElfW (Shdr) * section, uint32_t type,
                    size_t size)
{
  const ElfW (Ehdr) *header = header_of (file);
  const ElfW (Shdr) *first = at (file, header->e_shoff, header->e_shnum, sizeof *first),
                    *stop = first + header->e_shnum;
  for (section = section ? section + 1 : first; first && section < stop; section++)
    if (section->sh_type == type && section->sh_entsize == size
        && at (file, section->sh_offset, section->sh_size / size, size))
      return section;
  return NULL;
}

static const ElfW (Shdr) * section_numbered (const struct file *file, uint32_t number)
{
  const ElfW (Ehdr) *header = header_of (file);
  const ElfW (Shdr) *first = at (file, header->e_shoff, header->e_shnum, sizeof *first);
  return first && number < header->e_shnum ? first + number : NULL;
}

/* Symbol NUMBER of TABLE, and its name; null: there is none. */
static const ElfW (Sym)
    * symbol_of (const struct file *file, const ElfW (Shdr) * table, uint64_t number,
                 const char **name)
{
  const ElfW (Shdr) *strings = section_numbered (file, table->sh_link);
  const ElfW (Sym) *symbols
      = at (file, table->sh_offset, table->sh_size / sizeof *symbols, sizeof *symbols);
  if (!symbols || number >= table->sh_size / sizeof *symbols || !strings
      || strings->sh_offset > file->bytes || strings->sh_size > file->bytes - strings->sh_offset
      || symbols[number].st_name >= strings->sh_size)
    return NULL;
  *name = (const char *) file->data + strings->sh_offset + symbols[number].st_name;
  bool ends = memchr (*name, '\0', strings->sh_size - symbols[number].st_name);
  return ends ? &symbols[number] : NULL;
}

static void
add_name (const char *text, uintptr_t address)
{
  struct name *name;
  HASH_FIND_STR (names, text, name);
  if (name || !(name = malloc (sizeof *name + strlen (text) + 1)))
    return;
  name->address = address;
  strcpy (name->text, text);
  HASH_ADD_STR (names, text, name);
}

static void
read_names (const struct file *file)
{
  const ElfW (Shdr) *table = next_section (file, NULL, SHT_DYNSYM, sizeof (ElfW (Sym)));
  for (uint64_t i = 1; table && i < table->sh_size / sizeof (ElfW (Sym)); i++)
    {
      const char *text;
      const ElfW (Sym) *symbol = symbol_of (file, table, i, &text);
      if (symbol && symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE (symbol->st_info) == STT_FUNC
          && ELF64_ST_BIND (symbol->st_info) != STB_LOCAL)
        add_name (text, file->object->bias + symbol->st_value);
    }
}

/* The value that the loader wrote for RELOCATION; 0: unknown type. */
static uintptr_t
content_of (const struct file *file, const ElfW (Shdr) * symbols, const ElfW (Rela) * relocation)
{
  const char *text;
  struct name *name = NULL;
  const struct processor *p = processor ();
  const uint32_t type = ELF64_R_TYPE (relocation->r_info);
  if (type == p->relative)
    return file->object->bias + (uintptr_t) relocation->r_addend;
  if (type != p->address[0] && type != p->address[1])
    return 0;
  if (symbols && symbol_of (file, symbols, ELF64_R_SYM (relocation->r_info), &text))
    HASH_FIND_STR (names, text, name);
  return name ? name->address : 0;
}

static void
add_slot (uintptr_t address, uintptr_t content)
{
  struct slot *slot = calloc (1, sizeof *slot);
  if (!slot)
    return;
  slot->address = address;
  slot->content = content;
  HASH_ADD (hh, slots, address, sizeof slot->address, slot);
}

static void
read_slots (const struct file *file)
{
  const ElfW (Shdr) *table = NULL;
  while ((table = next_section (file, table, SHT_RELA, sizeof (ElfW (Rela)))))
    {
      const ElfW (Rela) *relocation
          = at (file, table->sh_offset, table->sh_size / sizeof *relocation, sizeof *relocation);
      const ElfW (Shdr) *symbols = section_numbered (file, table->sh_link);
      for (uint64_t i = 0; i < table->sh_size / sizeof *relocation; i++, relocation++)
        {
          uintptr_t content = content_of (file, symbols, relocation);
          if (content)
            add_slot (file->object->bias + relocation->r_offset, content);
        }
    }
}

static void
read_all (void)
{
  const struct file *file;
  all_read = true;
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    if (object->presence != BBP_UNLOADED && (file = file_of (object)))
      read_names (file);
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    if (object->presence != BBP_UNLOADED && (file = file_of (object)))
      read_slots (file);
}

bool
rebuild_code_slot (uintptr_t address, uintptr_t *content)
{
  struct slot *slot;
  if (!all_read)
    read_all ();
  HASH_FIND (hh, slots, &address, sizeof address, slot);
  if (slot)
    *content = slot->content;
  return slot;
}
