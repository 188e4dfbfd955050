/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in words. */
#ifndef BBPROF_PLURAL_H
#define BBPROF_PLURAL_H

#include <stdint.h>
#include <stdio.h>

/* What a noun has behind it: "%zu thread%s". */
static inline const char *
plural (uint64_t n)
{
  return n == 1 ? "" : "s";
}

/* "3 threads killed", "1 thread killed": THINGS, visible already, begins with a noun in the
   plural, or with a word that has none. */
void plural_print (FILE *, uint64_t n, const char *things);

#endif
