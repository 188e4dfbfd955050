/* SPDX-License-Identifier: MIT */
/* Identity of an ELF object: its build id, or the file if it has none; and its bounds.  Context:
   cold. */
#include <link.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

/* Not libc's functions: a program may define them itself, and instrumented ones would try to take
   the lock. */
static bool
same_bytes (const void *a, const void *b, size_t n)
{
  const char *p = a, *q = b;
  while (n && *p == *q)
    p++, q++, n--;
  return n == 0;
}

/* Link-time bounds of INFO's segments. */
void
bbp_identity_bounds (struct bbp_object *object, const struct dl_phdr_info *info)
{
  object->bias = info->dlpi_addr;
  object->start = object->text_start = UINTPTR_MAX;
  object->end = object->text_end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      uintptr_t start = segment->p_vaddr, end = start + segment->p_memsz;
      if (segment->p_type != PT_LOAD)
        continue;
      object->start = start < object->start ? start : object->start;
      object->end = end > object->end ? end : object->end;
      if (!(segment->p_flags & PF_X))
        continue;
      object->text_start = start < object->text_start ? start : object->text_start;
      object->text_end = end > object->text_end ? end : object->text_end;
    }
}

/* The content of the note NAME of type TYPE between P and END, or null. */
static const unsigned char *
find_in_notes (const char *p, const char *end, size_t align, const char *name_wanted, uint32_t type,
               size_t *bytes)
{
  size_t name_bytes = bbp_string_bytes (name_wanted);
  while ((size_t) (end - p) >= sizeof (ElfW (Nhdr)))
    {
      const ElfW (Nhdr) *note = (const ElfW (Nhdr) *) p;
      size_t name = (note->n_namesz + align - 1) & -align,
             text = (note->n_descsz + align - 1) & -align;
      p += sizeof *note;
      if ((size_t) (end - p) < name || (size_t) (end - p) - name < note->n_descsz)
        return NULL;
      if (note->n_type == type && note->n_namesz == name_bytes
          && same_bytes (p, name_wanted, name_bytes))
        {
          *bytes = note->n_descsz;
          return (const unsigned char *) p + name;
        }
      if ((size_t) (end - p) - name < text)
        return NULL;
      p += name + text;
    }
  return NULL;
}

/* Tools that change ELF files may leave a program header for notes that are not loaded. */
static bool
is_in_memory (const struct dl_phdr_info *info, const ElfW (Phdr) * notes)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      uintptr_t distance = notes->p_vaddr - segment->p_vaddr;
      if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) && distance < segment->p_filesz
          && notes->p_memsz <= segment->p_filesz - distance)
        return true;
    }
  return false;
}

const unsigned char *
bbp_identity_note (const struct dl_phdr_info *info, const char *name, uint32_t type, size_t *bytes)
{
  *bytes = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      if (segment->p_type != PT_NOTE || !is_in_memory (info, segment))
        continue;
      const char *notes = (const char *) (info->dlpi_addr + segment->p_vaddr);
      const char *end = notes + segment->p_memsz;
      const unsigned char *content
          = find_in_notes (notes, end, segment->p_align == 8 ? 8 : 4, name, type, bytes);
      if (content)
        return content;
    }
  return NULL;
}

const unsigned char *
bbp_identity_build_id (const struct dl_phdr_info *info, size_t *bytes)
{
  const unsigned char *id = bbp_identity_note (info, "GNU", NT_GNU_BUILD_ID, bytes);
  if (*bytes > BBP_BUILD_ID_SIZE)
    *bytes = BBP_BUILD_ID_SIZE;
  return id;
}

static bool
may_be_same (const struct bbp_object *a, const struct bbp_object *b)
{
  return a->build_id_bytes == b->build_id_bytes && a->start == b->start && a->end == b->end
         && same_bytes (a->build_id, b->build_id, a->build_id_bytes);
}

/* The known OBJECT has not been unloaded, so the object that the loader FOUND at its address is
   probably the same.  For a file without build id, its path and identity cannot be looked up again:
   the loader's name may be relative to another folder, and the file may have been replaced. */
bool
bbp_identity_stays (const struct bbp_object *object, const struct bbp_object *found)
{
  return object->bias == found->bias && may_be_same (object, found);
}

bool
bbp_identity_same (const struct bbp_object *a, const struct bbp_object *b)
{
  if (!may_be_same (a, b) || a->build_id_bytes)
    return may_be_same (a, b);
  return same_bytes (a->file, b->file, sizeof a->file)
         && same_bytes (a->path, b->path, bbp_string_bytes (a->path));
}

/* FNV-1a: the same in every run, on every machine. */
static uint64_t
hash (uint64_t h, const void *bytes, size_t n)
{
  for (const unsigned char *p = bytes; n--; p++)
    h = (h ^ *p) * 0x100000001b3;
  return h;
}

uint64_t
bbp_identity_hash (const struct bbp_object *object)
{
  uint64_t h = 0xcbf29ce484222325;
  if (object->build_id_bytes)
    return hash (h, object->build_id, object->build_id_bytes);
  h = hash (h, object->path, bbp_string_bytes (object->path));
  return hash (h, object->file, sizeof object->file);
}

/* An object without build id must have its path set before. */
void
bbp_identity_complete (struct bbp_object *object)
{
  struct stat st;
  if (object->build_id_bytes || object->path[0] == '[' || bbp_sys_stat (object->path, &st) != 0)
    return;
  object->file[0] = st.st_dev;
  object->file[1] = st.st_ino;
  object->file[2] = (uint64_t) st.st_size;
  object->file[3] = (uint64_t) st.st_mtim.tv_sec * 1000000000 + (uint64_t) st.st_mtim.tv_nsec;
}
