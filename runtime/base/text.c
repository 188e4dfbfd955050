/* SPDX-License-Identifier: MIT */
/* Text in fixed buffers, without libc's printf, which allocates and depends on the locale.
   Context: any. */
#include "runtime/base/base.h"

/* The compiler makes one load and one store of each word's copies; a dump copies megabytes. */
void
bbp_copy_bytes (void *to, const void *from, size_t n)
{
  char *t = to;
  const char *f = from;
  for (uint64_t word; n >= sizeof word; n -= sizeof word, t += sizeof word, f += sizeof word)
    {
      __builtin_memcpy (&word, f, sizeof word);
      __builtin_memcpy (t, &word, sizeof word);
    }
  while (n--)
    *t++ = *f++;
}

size_t
bbp_string_bytes (const char *string)
{
  size_t n = 0;
  while (string[n])
    n++;
  return n + 1;
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
  bbp_text_bytes (text, s, bbp_string_bytes (s) - 1);
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

/* N with at least WIDTH digits. */
static void
put_digits (struct bbp_text *text, unsigned n, unsigned width)
{
  for (unsigned least = 10; --width; least *= 10)
    if (n < least)
      bbp_text_string (text, "0");
  bbp_text_number (text, n);
}

static bool
is_leap_year (unsigned year)
{
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days since 1970 as YYYYMMDD. */
static unsigned
date_of (unsigned days)
{
  static const unsigned char lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  unsigned year = 1970, month = 0, length;
  for (; days >= (length = 365 + is_leap_year (year)); year++)
    days -= length;
  for (; days >= (length = lengths[month] + (month == 1 && is_leap_year (year))); month++)
    days -= length;
  return (year * 100 + month + 1) * 100 + days + 1;
}

/* Seconds since 1970 as YYYYMMDD-HHMMSS, UTC. */
void
bbp_text_time (struct bbp_text *text, uint64_t seconds)
{
  unsigned day = 24 * 60 * 60, second = (unsigned) (seconds % day);
  put_digits (text, date_of ((unsigned) (seconds / day)), 8);
  bbp_text_string (text, "-");
  put_digits (text, (second / 3600 * 100 + second / 60 % 60) * 100 + second % 60, 6);
}
