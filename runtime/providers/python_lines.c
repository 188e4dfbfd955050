/* SPDX-License-Identifier: MIT */
/* The table of lines of CPython 3.11.  An entry begins with a byte with the highest bit set: four
   bits of kind, and three of its instructions' number, less 1.  The kind says what follows, and how
   the line differs from that of the entry before.  Context: any. */
#include "runtime/providers/python.h"

enum kind { SHORT_LAST = 9, LINE_0 = 10, LINE_2 = 12, NO_COLUMNS = 13, LONG = 14, NO_LINE = 15 };
enum { UNIT = 2 }; /* bytes of an instruction */

/* Six bits in each byte, the lower ones first; the next bit: more follow. */
static unsigned
take_number (const unsigned char **next, const unsigned char *end)
{
  unsigned value = 0, byte = 0x40;
  for (unsigned shift = 0; byte & 0x40 && *next < end && shift < 32; shift += 6)
    {
      byte = *(*next)++;
      value |= (byte & 0x3f) << shift;
    }
  return value;
}

/* The sign is the lowest bit. */
static int
take_signed (const unsigned char **next, const unsigned char *end)
{
  const unsigned value = take_number (next, end);
  return value & 1 ? -(int) (value >> 1) : (int) (value >> 1);
}

static int
line_difference (unsigned kind, const unsigned char **next, const unsigned char *end)
{
  if (kind >= LINE_0 && kind <= LINE_2)
    return (int) kind - LINE_0;
  return kind == NO_COLUMNS || kind == LONG ? take_signed (next, end) : 0;
}

unsigned
python_line_at (const unsigned char *table, size_t n, unsigned first, unsigned offset)
{
  const unsigned char *next = table, *const end = table + n;
  int line = (int) first;
  unsigned at = 0;
  while (next < end)
    {
      const unsigned byte = *next++, kind = byte >> 3 & 15;
      at += ((byte & 7) + 1) * UNIT;
      line += line_difference (kind, &next, end);
      if (offset < at)
        return kind == NO_LINE || line < 0 ? 0 : (unsigned) line;
      while (next < end && !(*next & 0x80)) /* columns */
        next++;
    }
  return 0;
}
