/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing buffer of bytes, and numbers in it: unsigned LEB128, as in the sidecar. */
#ifndef BBPROF_BYTES_H
#define BBPROF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
  unsigned char *data;
  size_t size, room;
};

/* Makes room for N more bytes.  False: out of memory, and nothing changed. */
bool bytes_reserve (struct bytes *, size_t n);
void bytes_free (struct bytes *);

/* The functions below need room in the buffer. */

static inline void
bytes_put (struct bytes *b, const void *from, size_t n)
{
  memcpy (b->data + b->size, from, n);
  b->size += n;
}

#define BYTES_NUMBER_MOST 10 /* of one number */
static inline void
bytes_put_number (struct bytes *b, uint64_t value)
{
  for (; value > 127; value >>= 7)
    b->data[b->size++] = (unsigned char) (value | 128);
  b->data[b->size++] = (unsigned char) value;
}

/* Zigzag: maps small differences of either sign to small numbers. */
static inline uint64_t
bytes_fold (uint64_t difference)
{
  return difference << 1 ^ -(difference >> 63);
}

static inline uint64_t
bytes_unfold (uint64_t folded)
{
  return folded >> 1 ^ -(folded & 1);
}

/* A position in bytes that are read, and their end. */
struct reading {
  const unsigned char *next, *stop;
};

/* False: fewer than N bytes are left. */
static inline bool
reading_take (struct reading *r, void *to, size_t n)
{
  if (n > (size_t) (r->stop - r->next))
    return false;
  memcpy (to, r->next, n);
  r->next += n;
  return true;
}

static inline bool
reading_number (struct reading *r, uint64_t *value)
{
  *value = 0;
  for (unsigned shift = 0; shift < 64 && r->next < r->stop; shift += 7)
    {
      unsigned char byte = *r->next++;
      *value |= (uint64_t) (byte & 127) << shift;
      if (byte < 128)
        return true;
    }
  return false;
}

/* False: no number is left, or it is above MOST. */
static inline bool
reading_number_most (struct reading *r, uint64_t most, uint64_t *value)
{
  return reading_number (r, value) && *value <= most;
}

#endif
