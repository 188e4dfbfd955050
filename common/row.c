/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/row.h"

/* Smaller values are multiplied by 100 without rounding, if a long double has enough bits. */
#define VALUE_MOST 1e15

void
row_text (struct row *r, const char *text)
{
  size_t n = strlen (text);
  memcpy (r->text + r->size, text, n);
  r->size += n;
}

void
row_blanks (struct row *r, int width)
{
  memset (r->text + r->size, ' ', (size_t) width);
  r->size += (size_t) width;
}

/* Writes the last N digits of VALUE. */
static void
put_digits (char *text, int n, uint64_t value)
{
  for (; n > 0; value /= 10)
    text[--n] = (char) ('0' + value % 10);
}

void
row_number (struct row *r, int width, uint64_t value)
{
  int n = 1;
  for (uint64_t rest = value; rest >= 10; rest /= 10)
    n++;
  for (; width > n; width--)
    r->text[r->size++] = ' ';
  put_digits (r->text + r->size, n, value);
  r->size += (size_t) n;
}

void
row_number_left (struct row *r, int width, uint64_t value)
{
  size_t before = r->size;
  row_number (r, 0, value);
  int n = (int) (r->size - before);
  if (n < width)
    row_blanks (r, width - n);
}

void
row_fixed (struct row *r, int width, int digits, double value)
{
  if (LDBL_MANT_DIG < DBL_MANT_DIG + 7 || signbit (value) || !(value < VALUE_MOST))
    {
      r->size += (size_t) snprintf (r->text + r->size, sizeof r->text - r->size, "%*.*f", width,
                                    digits, value);
      return;
    }
  /* Rounds to nearest, ties to even, as printf does. */
  uint64_t unit = digits == 1 ? 10 : 100;
  uint64_t units = (uint64_t) rintl ((long double) value * (long double) unit);
  row_number (r, width - 1 - digits, units / unit);
  r->text[r->size++] = '.';
  put_digits (r->text + r->size, digits, units % unit);
  r->size += (size_t) digits;
}

void
row_cut (struct row *r, size_t start, int width)
{
  int n = (int) (r->size - start);
  if (n < width)
    row_blanks (r, width - n);
  r->size = start + (size_t) width;
}

void
row_long_text (struct row *r, const char *text, size_t size, FILE *out)
{
  if (r->size + size >= sizeof r->text) /* something short may follow */
    {
      row_print (r, out);
      fwrite_unlocked (text, 1, size, out);
      return;
    }
  memcpy (r->text + r->size, text, size);
  r->size += size;
}

void
row_print (struct row *r, FILE *out)
{
  fwrite_unlocked (r->text, 1, r->size, out);
  r->size = 0;
}
