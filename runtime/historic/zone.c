/* SPDX-License-Identifier: MIT */
/* Local time, for the headings of bb.out, which have ctime's format.  The functions of libc
   would read TZ for the program, which may change it later without notice; they take a lock; and
   they allocate.  So this file has the necessary parts of time zone files (RFC 9636) and of TZ
   (POSIX).  Leap seconds are not counted.  Context: cold, unless a function says otherwise. */
#include <fcntl.h>
#include <stdlib.h>

#include "include/bbprof-historic.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/historic/zone.h"

#define DAY 86400
#define FOLDER "/usr/share/zoneinfo/"

static char name[256]; /* TZ; writer: the start */
static bool is_set;

void
bbp_zone_start (void)
{
  const char *value = secure_getenv ("TZ");
  struct bbp_text text = { .buffer = name, .size = sizeof name };
  is_set = value != NULL;
  bbp_text_string (&text, value ? value + (*value == ':') : "");
}

/* A POSIX rule, and how far it has been read. */
struct rule {
  const char *next;
  bool wrong;
};

static bool
accept (struct rule *r, char c)
{
  bool there = *r->next == c;
  r->next += there;
  return there;
}

static long
number (struct rule *r)
{
  long n = 0;
  r->wrong |= *r->next < '0' || *r->next > '9';
  for (; *r->next >= '0' && *r->next <= '9' && n < 1000; r->next++)
    n = n * 10 + (*r->next - '0');
  return n;
}

/* [+-]hours[:minutes[:seconds]] */
static long
seconds (struct rule *r)
{
  long sign = accept (r, '-') ? -1 : 1;
  if (sign == 1)
    accept (r, '+');
  long n = number (r) * 3600;
  if (accept (r, ':'))
    n += number (r) * 60;
  if (accept (r, ':'))
    n += number (r);
  return sign * n;
}

static bool
is_letter (char c)
{
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Skips a name of three letters or more, or anything in <>. */
static void
skip_name (struct rule *r)
{
  const char *begin = r->next;
  if (accept (r, '<'))
    {
      while (*r->next && *r->next != '>')
        r->next++;
      r->wrong |= !accept (r, '>');
      return;
    }
  while (is_letter (*r->next))
    r->next++;
  r->wrong |= r->next - begin < 3;
}

static bool
is_leap_year (int64_t year)
{
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The first day of YEAR, 1970 or later, in days since 1970. */
static int64_t
first_day (int64_t year)
{
  int64_t before = year - 1;
  return 365 * (year - 1970) + (before / 4 - 1969 / 4) - (before / 100 - 1969 / 100)
         + (before / 400 - 1969 / 400);
}

/* Mm.w.d: day D (0: Sunday) of the W-th such week (5: the last) of month M; counted from the
   first day of the year. */
static int64_t
day_of_month_rule (struct rule *r, int64_t year)
{
  static const unsigned char lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  long month = number (r);
  r->wrong |= !accept (r, '.') || month < 1 || month > 12;
  long week = number (r);
  r->wrong |= !accept (r, '.') || week < 1 || week > 5;
  long weekday = number (r);
  r->wrong |= weekday > 6;
  if (r->wrong)
    return 0;
  int64_t first = 0;
  for (long m = 0; m < month - 1; m++)
    first += lengths[m] + (m == 1 && is_leap_year (year));
  long length = lengths[month - 1] + (month == 2 && is_leap_year (year));
  long begins = (long) ((first_day (year) + first + 4) % 7); /* 1970 began on a Thursday */
  long day = (weekday - begins + 7) % 7 + 7 * (week - 1);
  return first + (day < length ? day : day - 7);
}

/* The time of a rule's change, in seconds of local time since 1970.  Its day is the N-th, from 1
   without leap days, or from 0 with them; or Mm.w.d.  Its time is 2 o'clock, or /time. */
static int64_t
change (struct rule *r, int64_t year)
{
  int64_t day;
  if (accept (r, 'M'))
    day = day_of_month_rule (r, year);
  else if (accept (r, 'J'))
    {
      day = number (r);
      day -= !(is_leap_year (year) && day >= 60);
    }
  else
    day = number (r);
  long time = accept (r, '/') ? seconds (r) : 2 * 3600;
  return (first_day (year) + day) * DAY + time;
}

/* The offset at TIME by TEXT, a POSIX rule.  False: it is none. */
static bool
offset_by_rule (const char *text, int64_t time, long *offset)
{
  struct rule r = { .next = text };
  skip_name (&r);
  long standard = -seconds (&r), summer = standard + 3600;
  *offset = standard;
  if (r.wrong || !*r.next)
    return !r.wrong;
  skip_name (&r);
  if (*r.next && *r.next != ',')
    summer = -seconds (&r);
  struct rule changes = { .next = accept (&r, ',') ? r.next : "M3.2.0,M11.1.0" };
  int64_t year = bbh_date ((time >= 0 ? time : 0) / DAY).year; /* of universal time, as in glibc */
  int64_t begin = change (&changes, year) - standard;
  changes.wrong |= !accept (&changes, ',');
  int64_t end = change (&changes, year) - summer;
  bool in_summer = begin < end ? time >= begin && time < end : time < end || time >= begin;
  *offset = in_summer ? summer : standard;
  return !r.wrong && !changes.wrong;
}

/* A time zone file, or the rest of it. */
struct file {
  const unsigned char *at;
  size_t left;
};

static bool
has (const struct file *f, size_t n)
{
  return f->left >= n;
}

static void
skip (struct file *f, size_t n)
{
  n = has (f, n) ? n : f->left;
  f->at += n;
  f->left -= n;
}

/* N bytes, big-endian. */
static int64_t
big (const unsigned char *at, int n)
{
  int64_t value = *at & 0x80 ? -1 : 0;
  while (n--)
    value = (int64_t) ((uint64_t) value << 8 | *at++);
  return value;
}

/* The counts in a header. */
struct counts {
  size_t times, types, all; /* all: number of the bytes that follow */
};

static bool
read_header (struct file *f, int bytes, struct counts *counts)
{
  enum { HEADER = 44, FIRST = 20 };
  if (!has (f, HEADER) || f->at[0] != 'T' || f->at[1] != 'Z' || f->at[2] != 'i' || f->at[3] != 'f')
    return false;
  size_t n[6];
  for (int i = 0; i < 6; i++)
    n[i] = (size_t) (big (f->at + FIRST + 4 * i, 4) & 0xffffffff);
  *counts = (struct counts) { .times = n[3],
                              .types = n[4],
                              .all = n[0] + n[1] + n[2] * (size_t) (bytes + 4)
                                     + n[3] * (size_t) (bytes + 1) + n[4] * 6 + n[5] };
  skip (f, HEADER);
  return has (f, counts->all);
}

/* The offset by the last change before TIME; false: TIME is later than all changes. */
static bool
offset_by_changes (const struct file *f, const struct counts *counts, int bytes, int64_t time,
                   long *offset)
{
  const unsigned char *type_of = f->at + counts->times * (size_t) bytes,
                      *types = type_of + counts->times;
  size_t i = 0;
  while (i < counts->times && big (f->at + i * (size_t) bytes, bytes) <= time)
    i++;
  size_t type = i ? type_of[i - 1] : 0;
  if (type >= counts->types)
    return false;
  *offset = (long) big (types + type * 6, 4);
  return i < counts->times;
}

/* The text behind the tables, between two newlines. */
static void
offset_by_footer (struct file *f, int64_t time, long *offset)
{
  char rule[256];
  size_t n = 0;
  long found;
  skip (f, 1);
  for (; n < sizeof rule - 1 && n < f->left && f->at[n] != '\n'; n++)
    rule[n] = (char) f->at[n];
  rule[n] = '\0';
  if (n && offset_by_rule (rule, time, &found))
    *offset = found;
}

static bool
offset_by_file (struct file *f, int64_t time, long *offset)
{
  struct counts counts;
  int bytes = has (f, 5) && f->at[4] >= '2' ? 8 : 4;
  if (!read_header (f, 4, &counts))
    return false;
  if (bytes == 8)
    {
      skip (f, counts.all);
      if (!read_header (f, 8, &counts))
        return false;
    }
  if (!offset_by_changes (f, &counts, bytes, time, offset) && bytes == 8)
    {
      skip (f, counts.all);
      offset_by_footer (f, time, offset);
    }
  return true;
}

#define MOST_BYTES 65536

/* Reads the file into memory of MOST_BYTES; returns the number of bytes, or -errno. */
static long
read_file (const char *path, char *bytes)
{
  long fd = bbp_open_high (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), n = 0, got;
  if (fd < 0)
    return fd;
  while (n < MOST_BYTES
         && (got = bbp_sys_read ((int) fd, bytes + n, (size_t) (MOST_BYTES - n))) > 0)
    n += got;
  bbp_sys_close ((int) fd);
  return n;
}

static bool
offset_in_file (const char *path, int64_t time, long *offset)
{
  char *bytes = bbp_pages_map (MOST_BYTES);
  long n = bytes ? read_file (path, bytes) : -1;
  struct file file = { .at = (unsigned char *) bytes, .left = n > 0 ? (size_t) n : 0 };
  bool found = offset_by_file (&file, time, offset);
  bbp_pages_unmap (bytes, bytes ? MOST_BYTES : 0);
  return found;
}

/* As in libc: TZ names a file, or is a rule; otherwise the time is UTC. */
long
bbp_zone_offset (int64_t time)
{
  static char path[sizeof FOLDER + sizeof name]; /* lock */
  struct bbp_text text = { .buffer = path, .size = sizeof path };
  long offset = 0;
  if (is_set && !*name)
    return 0;
  bbp_text_string (&text, !is_set ? "/etc/localtime" : *name == '/' ? "" : FOLDER);
  bbp_text_string (&text, name);
  if (!offset_in_file (path, time, &offset) && is_set && !offset_by_rule (name, time, &offset))
    offset = 0;
  return offset;
}
