/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of runtime/historic/zone.c and of the time in runtime/historic/bb_out.c, compared with
   libc: all zones on this machine, POSIX rules, and strings that are neither. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "include/bbprof-historic.h"
#include "runtime/historic/zone.h"
#include "testsuite/unit/unit.h"

#define FOLDER "/usr/share/zoneinfo"
#define YEAR 31556952L

static unsigned seed = 1;

static int64_t
any (int64_t below)
{
  seed = seed * 1103515245 + 12345;
  int64_t high = seed >> 8;
  seed = seed * 1103515245 + 12345;
  return (high << 24 | seed >> 8) % below;
}

/* Compares the local time of TIME in the zone with libc's. */
static void
expect_time (const char *zone, time_t time)
{
  struct tm tm;
  char when[BBH_TIME], should[64];
  long offset = bbp_zone_offset (time);
  ck_assert (localtime_r (&time, &tm) != NULL);
  ck_assert_msg (offset == tm.tm_gmtoff, "%s at %ld: %ld instead of %ld", zone, (long) time, offset,
                 tm.tm_gmtoff);
  bbh_time (when, time + offset);
  asctime_r (&tm, should);
  ck_assert_str_eq (when, should);
}

static void
check_zone (const char *zone, int step)
{
  setenv ("TZ", zone, 1);
  tzset ();
  bbp_zone_start ();
  for (int i = 0; i < 30; i++)
    expect_time (zone, any (130 * YEAR));
  for (int64_t hour = 0; hour < 400 * 24; hour += step) /* a year with both of its changes */
    expect_time (zone, 1767225600 + hour * 3600);
}

/* All zones in FOLDER and below it. */
static int
check_folder (const char *folder)
{
  DIR *d = opendir (folder);
  int n = 0;
  for (struct dirent *entry; d && (entry = readdir (d));)
    {
      char path[1024];
      struct stat st;
      snprintf (path, sizeof path, "%s/%s", folder, entry->d_name);
      if (*entry->d_name == '.' || !strcmp (entry->d_name, "right") || stat (path, &st) != 0)
        continue;
      if (S_ISDIR (st.st_mode))
        n += check_folder (path);
      else if (st.st_size < 65536 && !strchr (entry->d_name, '.'))
        {
          check_zone (path, 53);
          check_zone (path + sizeof FOLDER, 1009);
          n++;
        }
    }
  if (d)
    closedir (d);
  return n;
}

START_TEST (files)
{
  int n = check_folder (FOLDER);
  printf ("%d zones\n", n);
}
END_TEST

START_TEST (rules)
{
  static const char *const zones[] = { "",
                                       "UTC0",
                                       "EST5",
                                       "EST5EDT",
                                       "CET-1CEST,M3.5.0,M10.5.0/3",
                                       "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
                                       "XST+4:15YST,J60/1,J300/50:30",
                                       "AAA3BBB2,0/0,365/23",
                                       "NZST-12NZDT,M9.5.0,M4.1.0/3",
                                       "IST-1GMT0,M10.5.0,M3.5.0/1",
                                       ":UTC0",
                                       "<+0330>-3:30:15" };
  for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
    check_zone (zones[i], 1);
}
END_TEST

START_TEST (neither)
{
  static const char *const zones[] = { "/no/zone", "no/zone", "A5", "/etc/passwd", "/dev/null" };
  for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
    check_zone (zones[i], 1);
}
END_TEST

START_TEST (dates)
{
  char when[BBH_TIME], should[64];
  struct tm tm;
  for (int i = 0; i < 100000; i++)
    {
      time_t time = any (8000 * YEAR);
      bbh_time (when, time);
      gmtime_r (&time, &tm);
      asctime_r (&tm, should);
      ck_assert_str_eq (when, should);
    }
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { files }, { rules }, { neither }, { dates } };
  return unit_run (UNIT_SUITE ("zone", UNIT_CASE (tests)));
}
