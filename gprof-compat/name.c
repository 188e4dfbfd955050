/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <stdlib.h>

#include "name.h"

/* What libiberty's demangle.h calls DMGL_PARAMS | DMGL_ANSI: with argument types, const, volatile. */
#define DEMANGLE_PARAMETERS_ANSI 3

char *
name_demangle (const struct image *im, const char *name)
{
  return bfd_demangle (im->bfd, name, DEMANGLE_PARAMETERS_ANSI);
}

int
name_print (FILE *out, const struct image *im, const char *name)
{
  char *plain = name_demangle (im, name);
  int n = fprintf (out, "%s", plain ? plain : name);
  free (plain);
  return n > 0 ? n : 0;
}
