/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/page/web_numbers.h"

void
web_number (FILE *out, uint64_t n)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (; n >= 32; n >>= 5)
    putc (digits[32 | (n & 31)], out);
  putc (digits[n], out);
}
