/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <libiberty/demangle.h>

#include "model/elf/demangle.h"

char *
demangle_name (const struct image *im, const char *name)
{
  /* A fast exit for most names of C. */
  if (current_demangling_style != gnat_demangling && *name != '_' && *name != '.' && *name != '$')
    return NULL;
  return bfd_demangle (im->bfd, name, DMGL_PARAMS | DMGL_ANSI);
}

void
demangle_set_style (const char *style)
{
  cplus_demangle_set_style (cplus_demangle_name_to_style (style));
}
