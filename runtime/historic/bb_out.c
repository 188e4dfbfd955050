/* SPDX-License-Identifier: MIT */
/* bb.out, as GCC 2.95's run-time library wrote it, byte for byte (bbprof-historic.h).  Context:
   any. */
#include "include/bbprof-historic.h"

static void
put_bytes (const struct bbh_receiver *to, const char *bytes, size_t n)
{
  to->put (to->context, bytes, n);
}

static size_t
length (const char *string)
{
  size_t n = 0;
  while (string[n])
    n++;
  return n;
}

static void
put_string (const struct bbh_receiver *to, const char *string)
{
  put_bytes (to, string, length (string));
}

static void
put_padding (const struct bbh_receiver *to, const char *padding, size_t n)
{
  while (n--)
    put_bytes (to, padding, 1);
}

static unsigned
digits (uint64_t value, unsigned base)
{
  unsigned n = 1;
  while (value /= base)
    n++;
  return n;
}

/* VALUE to BASE, in at least WIDTH characters. */
static void
put_number (const struct bbh_receiver *to, uint64_t value, unsigned base, unsigned width,
            const char *padding)
{
  char text[20];
  unsigned n = digits (value, base);
  put_padding (to, padding, width > n ? width - n : 0);
  for (unsigned i = n; i--; value /= base)
    text[i] = "0123456789abcdef"[value % base];
  put_bytes (to, text, n);
}

static void
put_decimal (const struct bbh_receiver *to, uint64_t value, unsigned width)
{
  put_number (to, value, 10, width, " ");
}

/* An address. */
static void
put_hexadecimal (const struct bbh_receiver *to, uint64_t value, unsigned width)
{
  put_string (to, "0x");
  put_number (to, value, 16, width, "0");
}

static void
widen (unsigned *width, unsigned to)
{
  if (*width < to)
    *width = to;
}

/* The calendar repeats after 400 years.  Here years begin in March, so that a leap day is the
   last of its year. */
struct bbh_date
bbh_date (int64_t days)
{
  enum { CENTURIES = 146097, CENTURY = 36524, LEAP = 1461, YEAR = 365 };
  days += 719468; /* from 1 March of the year 0 to 1970 */
  int64_t cycle = (days >= 0 ? days : days - (CENTURIES - 1)) / CENTURIES;
  int64_t day = days - cycle * CENTURIES;
  int64_t year = (day - day / (LEAP - 1) + day / CENTURY - day / (CENTURIES - 1)) / YEAR;
  unsigned of_year = (unsigned) (day - (YEAR * year + year / 4 - year / 100));
  unsigned month = (5 * of_year + 2) / 153; /* March: 0; five months have 153 days */
  return (struct bbh_date) { .year = year + cycle * 400 + (month >= 10),
                             .month = (month + 2) % 12,
                             .day = of_year - (153 * month + 2) / 5 };
}

/* VALUE below 100 in two characters. */
static char *
two (char *to, unsigned value, char padding)
{
  *to++ = value < 10 ? padding : (char) ('0' + value / 10);
  *to++ = (char) ('0' + value % 10);
  return to;
}

static char *
word (char *to, const char *words, unsigned i)
{
  for (unsigned k = 0; k < 3; k++)
    *to++ = words[3 * i + k];
  *to++ = ' ';
  return to;
}

void
bbh_time (char when[BBH_TIME], int64_t seconds)
{
  const int64_t day = 86400;
  int64_t days = (seconds >= 0 ? seconds : seconds - (day - 1)) / day;
  /* 1970 began on a Thursday. */
  unsigned second = (unsigned) (seconds - days * day),
           weekday = (unsigned) ((days % 7 + 7 + 3) % 7);
  struct bbh_date date = bbh_date (days);
  char *p = word (when, "MonTueWedThuFriSatSun", weekday);
  p = two (word (p, "JanFebMarAprMayJunJulAugSepOctNovDec", date.month), date.day + 1, ' ');
  *p++ = ' ';
  p = two (p, second / 3600, '0');
  *p++ = ':';
  p = two (p, second / 60 % 60, '0');
  *p++ = ':';
  p = two (p, second % 60, '0');
  *p++ = ' ';
  p = two (two (p, (unsigned) (date.year / 100 % 100), '0'), (unsigned) (date.year % 100), '0');
  *p++ = '\n';
  *p = '\0';
}

void
bbh_word (const struct bbh_receiver *to, bool first, const char *when, const char *name,
          const char *file)
{
  if (first)
    {
      put_string (to, "Functions in `bb.in' not executed during basic block profiling on ");
      put_string (to, when);
      put_string (to, "\n");
    }
  put_string (to, "\tFunction ");
  put_string (to, name);
  if (*file)
    {
      put_string (to, " of file ");
      put_string (to, file);
    }
  put_string (to, "\n");
}

void
bbh_words_end (const struct bbh_receiver *to)
{
  put_string (to, "\n");
}

/* The old library's hash buckets, in unsigned arithmetic: with signed arithmetic the old library
   read outside of its table.  In each bucket it printed the latest jump first.  That order is
   unknown now: the jumps are in the order of their addresses. */
static unsigned
bucket (const struct bbh_jump *jump)
{
  return ((uint32_t) jump->from * 8 ^ (uint32_t) jump->to) % 311;
}

static bool
is_before (const struct bbh_jump *a, const struct bbh_jump *b)
{
  unsigned as = bucket (a), bs = bucket (b);
  if (as != bs)
    return as < bs;
  return a->from != b->from ? a->from < b->from : a->to < b->to;
}

/* Moves JUMPS[I] to its place in the heap of N jumps; those behind I are in their places. */
static void
sink (struct bbh_jump *jumps, size_t i, size_t n)
{
  struct bbh_jump jump = jumps[i];
  for (size_t below; (below = 2 * i + 1) < n; i = below)
    {
      if (below + 1 < n && is_before (&jumps[below], &jumps[below + 1]))
        below++;
      if (!is_before (&jump, &jumps[below]))
        break;
      jumps[i] = jumps[below];
    }
  jumps[i] = jump;
}

/* Heapsort, because there may be neither memory nor stack for more. */
static void
sort (struct bbh_jump *jumps, size_t n)
{
  for (size_t i = n / 2; i--;)
    sink (jumps, i, n);
  for (size_t left = n; left > 1;)
    {
      struct bbh_jump last = jumps[0];
      jumps[0] = jumps[--left];
      jumps[left] = last;
      sink (jumps, 0, left);
    }
}

/* VARIANT: bits as in bbprof-file.h, BBX_JUMPS_...: hidecall 1, showret 2. */
void
bbh_jumps (const struct bbh_receiver *to, const char *when, unsigned variant,
           struct bbh_jump *jumps, size_t n)
{
  static const char *const suffixes[] = { " (with call)", "", " (with call & ret)", " (with ret)" };
  unsigned address = 0, count = 0;
  sort (jumps, n);
  put_string (to, "Basic block jump tracing");
  put_string (to, suffixes[variant & 3]);
  put_string (to, " finished on ");
  put_string (to, when);
  put_string (to, "\n");
  for (size_t i = 0; i < n; i++)
    {
      widen (&address, digits (jumps[i].from > jumps[i].to ? jumps[i].from : jumps[i].to, 16));
      widen (&count, digits (jumps[i].count, 10));
    }
  for (size_t i = 0; i < n; i++)
    {
      put_string (to, "Jump from block ");
      put_hexadecimal (to, jumps[i].from, address);
      put_string (to, " to block ");
      put_hexadecimal (to, jumps[i].to, address);
      put_string (to, " executed ");
      put_decimal (to, jumps[i].count, count);
      put_string (to, " time(s)\n");
    }
  put_string (to, "\n");
}

void
bbh_counts (const struct bbh_receiver *to, const char *when)
{
  put_string (to, "Basic block profiling finished on ");
  put_string (to, when);
  put_string (to, "\n");
}

void
bbh_counts_end (const struct bbh_receiver *to)
{
  put_string (to, "\n\n");
}

/* The widest value of each column; 0: the column is unknown. */
struct widths {
  unsigned number, count, address, function, line, file;
};

static const char *
shown (const char *name)
{
  return name ? name : "<none>";
}

static struct widths
measure (const struct bbh_row *rows, size_t n)
{
  struct widths w = { .number = digits (n, 10) };
  for (const struct bbh_row *row = rows; row < rows + n; row++)
    {
      widen (&w.count, digits (row->count, 10));
      widen (&w.address, row->address ? digits (row->address, 16) : 0);
      widen (&w.function, row->function ? (unsigned) length (row->function) : 0);
      widen (&w.line, row->line ? digits (row->line, 10) : 0);
      w.file |= row->file != NULL;
    }
  for (const struct bbh_row *row = rows; row < rows + n && w.function; row++)
    widen (&w.function, (unsigned) length (shown (row->function)));
  return w;
}

/* A column without any known value is left out, with those behind it. */
static void
put_row (const struct bbh_receiver *to, size_t number, const struct bbh_row *row,
         const struct widths *w)
{
  put_string (to, "    Block #");
  put_decimal (to, number, w->number);
  put_string (to, ": executed ");
  put_decimal (to, row->count, w->count);
  put_string (to, " time(s)");
  if (w->address)
    {
      put_string (to, " address= ");
      put_hexadecimal (to, row->address, w->address);
    }
  if (w->function)
    {
      put_string (to, " function= ");
      put_string (to, shown (row->function));
      put_padding (to, " ", w->function - length (shown (row->function)));
    }
  if (w->function && w->line)
    {
      put_string (to, " line= ");
      put_decimal (to, row->line, w->line);
    }
  if (w->function && w->line && w->file)
    {
      put_string (to, " file= ");
      put_string (to, shown (row->file));
    }
  put_string (to, "\n");
}

void
bbh_unit (const struct bbh_receiver *to, const char *name, const struct bbh_row *rows, size_t n)
{
  struct widths w = measure (rows, n);
  put_string (to, "File ");
  put_string (to, name);
  put_string (to, ", ");
  put_decimal (to, n, 0);
  put_string (to, " basic blocks \n\n");
  for (size_t i = 0; i < n; i++)
    put_row (to, i + 1, &rows[i], &w);
  put_string (to, "\n");
}
