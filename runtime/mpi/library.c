/* SPDX-License-Identifier: MIT */
/* Finds the run-time library in the process, by its note.  The first object that has one has
   the copy that is active (second_copy.c).  Knows no MPI.  Context: MPI_Init. */
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "include/bbprof-control.h"
#include "runtime/base/elf_note.h"
#include "runtime/mpi/library.h"

const struct bbm_library *library;

/* The content of the note of TYPE in the segment; null: it has none. */
static const char *
find_note (const char *p, const char *end, uint32_t type)
{
  while (p < end)
    {
      const ElfW (Nhdr) *note = (const ElfW (Nhdr) *) p;
      const char *name = p + sizeof *note, *content = name + ((note->n_namesz + 3) & -4U);
      if (note->n_type == type && note->n_namesz == sizeof BBP_NOTE_NAME
          && memcmp (name, BBP_NOTE_NAME, sizeof BBP_NOTE_NAME) == 0)
        return content;
      p = content + ((note->n_descsz + 3) & -4U);
    }
  return NULL;
}

/* Not 0: the search ends. */
static int
look (struct dl_phdr_info *info, size_t size, void *unused)
{
  bool has_library = false;
  (void) size, (void) unused;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      const char *notes = (const char *) (info->dlpi_addr + segment->p_vaddr);
      if (segment->p_type != PT_NOTE || segment->p_align > 4)
        continue;
      has_library |= find_note (notes, notes + segment->p_memsz, BBP_NOTE_LIBRARY) != NULL;
      const char *content = find_note (notes, notes + segment->p_memsz, BBM_NOTE_TYPE);
      if (content)
        library = (const struct bbm_library *) (content + *(const int32_t *) content);
    }
  return has_library;
}

void
library_find (void)
{
  library = NULL;
  dl_iterate_phdr (look, NULL);
}
