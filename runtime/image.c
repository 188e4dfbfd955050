/* SPDX-License-Identifier: MIT */
/* Where the executable lies in memory.  Context: cold, before the program's threads. */
#include <link.h>

#include "internal.h"

/* The first object that dl_iterate_phdr names is the executable. */
static int
take_first (struct dl_phdr_info *info, size_t size, void *data)
{
  struct bbp_image *image = data;
  (void) size;
  image->bias = info->dlpi_addr;
  image->start = image->text_start = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      if (segment->p_type != PT_LOAD)
        continue;
      uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
      if (start < image->start)
        image->start = start;
      if (end > image->end)
        image->end = end;
      if (!(segment->p_flags & PF_X))
        continue;
      if (start < image->text_start)
        image->text_start = start;
      if (end > image->text_end)
        image->text_end = end;
    }
  return 1;
}

void
bbp_image_find (struct bbp_image *image)
{
  *image = (struct bbp_image) { 0 };
  dl_iterate_phdr (take_first, image);
}
