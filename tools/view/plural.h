/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plural forms in messages. */
#ifndef BBPROF_PLURAL_H
#define BBPROF_PLURAL_H

#include <stdint.h>
#include <stdio.h>

/* The ending of a noun: "%zu thread%s". */
static inline const char *
plural (uint64_t n)
{
  return n == 1 ? "" : "s";
}

/* "3 threads killed", "1 thread killed".  THINGS is printable and begins with a plural noun, or
   with a word that has no plural. */
void plural_print (FILE *, uint64_t n, const char *things);

#endif
