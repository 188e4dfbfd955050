/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>

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
