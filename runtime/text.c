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
bbp_text_string (struct bbp_text *text, const char *s)
{
  for (; *s && text->used + 1 < text->size; s++)
    text->buffer[text->used++] = *s;
  text->buffer[text->used] = '\0';
  if (*s)
    text->cut = true;
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
