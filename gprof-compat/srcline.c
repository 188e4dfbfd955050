/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <string.h>

#include "srcline.h"

bool
srcline_find (const struct image *im, uint64_t address, struct srcline *found)
{
  /* libbfd adds the section's address again: whatever section it is, the place is the same. */
  bfd_vma offset = address - bfd_section_vma (im->text);
  found->file = found->function = NULL;
  found->line = 0;
  return bfd_find_nearest_line (im->bfd, im->text, im->raw, offset, &found->file, &found->function, &found->line)
         && found->file && found->function && found->line != 0;
}

const char *
srcline_base (const char *file)
{
  const char *slash = strrchr (file, '/');
  return slash ? slash + 1 : file;
}
