/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <math.h>
#include <string.h>

#include "common/row.h"

/* 100 times a smaller value is less than WHOLE. */
#define VALUE_MOST 1e13

/* Doubles from here to twice this are the integers. */
#define WHOLE 0x1p52

void
row_text (struct row *r, const char *text)
{
  size_t n = strlen (text);
  memcpy (r->text + r->size, text, n);
  r->size += n;
}

static const char blanks[ROW_STEP + 1] = "                ";

void
row_blanks (struct row *r, int width)
{
  char *to = r->text + r->size;
  memcpy (to, blanks, ROW_STEP);
  if (width > ROW_STEP)
    memset (to + ROW_STEP, ' ', (size_t) (width - ROW_STEP));
  r->size += (size_t) width;
}

/* Writes the last N digits of VALUE, two at a time. */
static void
put_digits (char *text, int n, uint64_t value)
{
  static const char pairs[] = "0001020304050607080910111213141516171819"
                              "2021222324252627282930313233343536373839"
                              "4041424344454647484950515253545556575859"
                              "6061626364656667686970717273747576777879"
                              "8081828384858687888990919293949596979899";
  for (; n >= 2; value /= 100)
    memcpy (text + (n -= 2), pairs + 2 * (value % 100), 2);
  if (n > 0)
    *text = (char) ('0' + value % 10);
}

int
row_digits (uint64_t value)
{
  int n = 1;
  for (; value >= 10000; value /= 10000)
    n += 4;
  return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

void
row_number (struct row *r, int width, uint64_t value)
{
  const int n = row_digits (value);
  if (width > n)
    row_blanks (r, width - n);
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

/* VALUE * UNIT, rounded to nearest, ties to even, as printf does.  The product is the sum of two
   doubles, exactly: its rounded value, and the rest. */
static uint64_t
round_product (double value, double unit)
{
  uint64_t bits;
  double high;
  memcpy (&bits, &value, sizeof bits);
  bits &= ~(uint64_t) 0 << 27;
  memcpy (&high, &bits, sizeof high);
  const double product = value * unit, rest = (high * unit - product) + (value - high) * unit,
               whole = (product + WHOLE) - WHOLE, difference = product - whole;
  /* The rest decides only where the rounded product is between two integers. */
  return (uint64_t) whole + (difference == 0.5 && rest > 0) - (difference == -0.5 && rest < 0);
}

void
row_fixed (struct row *r, int width, int digits, double value)
{
  if (FLT_EVAL_METHOD != 0 || signbit (value) || !(value < VALUE_MOST))
    {
      r->size += (size_t) snprintf (r->text + r->size, sizeof r->text - r->size, "%*.*f", width,
                                    digits, value);
      return;
    }
  const uint64_t unit = digits == 1 ? 10 : 100, units = round_product (value, (double) unit);
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
  if (r->size + size >= ROW_LINES + ROW_LINE) /* something short may follow */
    {
      row_print (r, out);
      fwrite_unlocked (text, 1, size, out);
      return;
    }
  memcpy (r->text + r->size, text, size);
  r->size += size;
}

void
row_end_line (struct row *r, FILE *out)
{
  r->text[r->size++] = '\n';
  if (r->size >= ROW_LINES)
    row_print (r, out);
}

void
row_print (struct row *r, FILE *out)
{
  fwrite_unlocked (r->text, 1, r->size, out);
  r->size = 0;
}
