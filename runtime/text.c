/* SPDX-License-Identifier: MIT */
/* Names and messages in fixed buffers, without libc's printf, which allocates and knows locales.  Context: any. */
#include "internal.h"

void
bbp_copy_bytes (void *to, const void *from, size_t n)
{
  char *t = to;
  const char *f = from;
  while (n--)
    *t++ = *f++;
}

void
bbp_text_bytes (struct bbp_text *text, const char *bytes, size_t n)
{
  for (; n && text->used + 1 < text->size; n--)
    text->buffer[text->used++] = *bytes++;
  text->buffer[text->used] = '\0';
  if (n)
    text->cut = true;
}

void
bbp_text_string (struct bbp_text *text, const char *s)
{
  size_t n = 0;
  while (s[n])
    n++;
  bbp_text_bytes (text, s, n);
}

void
bbp_text_number (struct bbp_text *text, uint64_t n)
{
  char digits[21], *p = digits + sizeof digits - 1;
  *p = '\0';
  do
    *--p = '0' + n % 10;
  while (n /= 10);
  bbp_text_string (text, p);
}
