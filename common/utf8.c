/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

int
utf8_length (const unsigned char *p)
{
  int n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  if (p[0] < 0xc0 || p[0] > 0xf4)
    return 0;
  uint32_t value = p[0] & (0x7fu >> n);
  for (int i = 1; i < n; i++)
    {
      if ((p[i] & 0xc0) != 0x80)
        return 0;
      value = value << 6 | (p[i] & 0x3f);
    }
  if (value < least[n] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    return 0;
  return n;
}

char *
utf8_clean (const char *text)
{
  char *copy = malloc (3 * strlen (text) + 1), *to = copy;
  for (const unsigned char *from = (const unsigned char *) text; copy && *from;)
    {
      int n = *from < 0x80 ? 1 : utf8_length (from);
      memcpy (to, n ? (const char *) from : UTF8_REPLACEMENT, n ? (size_t) n : 3);
      to += n ? n : 3;
      from += n ? n : 1;
    }
  if (copy)
    *to = '\0';
  return copy;
}
