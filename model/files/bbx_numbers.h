/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in the lists of a sidecar: unsigned LEB128; differences are zigzag-coded, so that small
   ones of either sign are short. */
#ifndef BBPROF_BBX_NUMBERS_H
#define BBPROF_BBX_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the number at *NEXT, and moves *NEXT behind it.  False: no number up to STOP. */
static inline bool
bbx_number (const unsigned char **next, const unsigned char *stop, uint64_t *value)
{
  *value = 0;
  for (unsigned shift = 0; shift < 64 && *next < stop; shift += 7)
    {
      unsigned char byte = *(*next)++;
      *value |= (uint64_t) (byte & 127) << shift;
      if (byte < 128)
        return true;
    }
  return false;
}

static inline uint64_t
bbx_unfold (uint64_t value)
{
  return value >> 1 ^ -(value & 1);
}

static inline uint64_t
bbx_fold (uint64_t difference)
{
  return difference << 1 ^ -(difference >> 63);
}

#endif
