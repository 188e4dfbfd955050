/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <string.h>

#include "srcline.h"

bool
srcline_find (const struct object *o, uint64_t address, struct srcline *found)
{
  static struct bfd_symbol *none[] = { NULL };
  const struct image *im = &o->image;
  found->file = found->function = NULL;
  found->line = 0;
  if (!im->bfd)
    return false;
  /* libbfd adds the section's address again: whatever section it is, the place is the same. */
  bfd_vma offset = address - o->base - bfd_section_vma (im->text);
  return bfd_find_nearest_line (im->bfd, im->text, im->raw ? im->raw : none, offset, &found->file, &found->function,
                                &found->line)
         && found->file && found->function && found->line != 0;
}

const char *
srcline_base (const char *file)
{
  const char *slash = strrchr (file, '/');
  return slash ? slash + 1 : file;
}
