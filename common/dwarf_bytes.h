/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the basic encodings of DWARF.  Reading past the end returns zeros and sets FAILED, which
   stays set. */
#ifndef BBPROF_DWARF_BYTES_H
#define BBPROF_DWARF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct dwarf_section {
  const unsigned char *data;
  size_t size;
};

struct dwarf_bytes {
  const unsigned char *at, *end;
  bool big_endian, failed;
};

static inline void
dwarf_skip (struct dwarf_bytes *b, uint64_t n)
{
  if (n <= (uint64_t) (b->end - b->at))
    b->at += n;
  else
    {
      b->at = b->end;
      b->failed = true;
    }
}

/* An integer of N bytes, at most 8. */
static inline uint64_t
dwarf_number (struct dwarf_bytes *b, size_t n)
{
  uint64_t value = 0;
  const unsigned char *from = b->at;
  dwarf_skip (b, n);
  for (size_t i = 0; !b->failed && i < n; i++)
    value = value << 8 | from[b->big_endian ? i : n - 1 - i];
  return value;
}

static inline uint64_t
dwarf_leb (struct dwarf_bytes *b, bool is_signed)
{
  uint64_t value = 0;
  unsigned shift = 0, byte = 0x80;
  for (; byte & 0x80 && !b->failed; shift += 7)
    {
      byte = (unsigned) dwarf_number (b, 1);
      if (shift < 64)
        value |= (uint64_t) (byte & 0x7f) << shift;
    }
  if (is_signed && byte & 0x40 && shift < 64)
    value |= UINT64_MAX << shift;
  return value;
}

static inline const char *
dwarf_string (struct dwarf_bytes *b)
{
  const unsigned char *from = b->at, *zero = memchr (from, 0, (size_t) (b->end - from));
  dwarf_skip (b, zero ? (uint64_t) (zero - from) + 1 : UINT64_MAX);
  return zero ? (const char *) from : "";
}

/* The string at OFFSET of a section of strings. */
static inline const char *
dwarf_string_at (const struct dwarf_section *s, uint64_t offset)
{
  bool is_there = offset < s->size && memchr (s->data + offset, 0, s->size - offset);
  return is_there ? (const char *) s->data + offset : "";
}

#endif
