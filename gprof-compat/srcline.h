/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source positions of addresses, from the debug information of programs and libraries. */
#ifndef BBPROF_SRCLINE_H
#define BBPROF_SRCLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "objects.h"

struct srcline {
  const char *file;     /* as the compiler gave it; lives as long as the image */
  const char *function; /* mangled; the innermost one, inlined or not */
  unsigned line;
};

/* False if ADDRESS, one of the model's inside of the object, has no known file, function and line. */
bool srcline_find (const struct object *, uint64_t address, struct srcline *);

/* The part behind the last slash. */
const char *srcline_base (const char *file);

#endif
