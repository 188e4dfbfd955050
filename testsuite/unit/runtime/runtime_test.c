/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the run-time library from inside: arc tables that grow, and how gmon.out stores
   numbers too large for its fields. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/sample/sample.h"
#include "testsuite/unit/unit.h"

void __mcount_internal (unsigned long from, unsigned long self);

/* Count arcs of made-up addresses as the hooks' slow path does. */
#define FROM(i) (0x100000UL + 7 * (i))
#define SELF(i) (0x900000UL + 16 * ((i) % 1000))

/* As if the executable lay from 0 to 0xa00000, and were profiled from LOW on. */
static void
pretend (uintptr_t low)
{
  struct bbp_object *executable = bbp_object_executable ();
  bbp_objects_start ();
  executable->start = executable->bias = 0;
  executable->end = bbp.high = 0xa00000;
  bbp.low = low;
}

START_TEST (arcs_survive_growth)
{
  enum { ARCS = 100000 };
  pretend (0x100000);
  for (unsigned long i = 0; i < ARCS; i++)
    for (unsigned long n = 0; n <= i % 3; n++)
      __mcount_internal (FROM (i), SELF (i));
  struct bbp_profile profile;
  ck_assert_int_eq (bbp_merge (&profile), 0);
  ck_assert_uint_eq (profile.arcs.n, ARCS);
  for (unsigned long i = 0; i < ARCS; i++)
    {
      ck_assert_uint_eq (profile.arcs.item[i].from, FROM (i));
      ck_assert_uint_eq (profile.arcs.item[i].self, SELF (i));
      ck_assert_uint_eq (profile.arcs.item[i].count, i % 3 + 1);
    }
  ck_assert_uint_eq (bbp.threads->lost_arcs, 0);
  bbp_merge_free (&profile);
}
END_TEST

START_TEST (callers_outside_become_one)
{
  pretend (0x900000);
  __mcount_internal (0, 0x900010);
  __mcount_internal (0x10, 0x900010);
  __mcount_internal (0x7fff00000000, 0x900010);
  __mcount_internal (0x900100, 0x900010);
  __mcount_internal (0x900100, 0x10); /* a function outside: not in the profile */
  struct bbp_profile profile;
  ck_assert_int_eq (bbp_merge (&profile), 0);
  ck_assert_uint_eq (profile.arcs.n, 2);
  ck_assert_uint_eq (profile.arcs.item[0].from, 0);
  ck_assert_uint_eq (profile.arcs.item[0].count, 3);
  ck_assert_uint_eq (profile.arcs.item[1].from, 0x900100);
  ck_assert_uint_eq (profile.arcs.item[1].count, 1);
  bbp_merge_free (&profile);
}
END_TEST

START_TEST (reset_is_a_new_zero)
{
  pretend (0x100000);
  for (unsigned long i = 0; i < 10; i++)
    __mcount_internal (FROM (i), SELF (i));
  ck_assert_int_eq (bbp_merge_reset (), 0);
  __mcount_internal (FROM (3), SELF (3));
  __mcount_internal (FROM (77), SELF (77));
  struct bbp_profile profile;
  ck_assert_int_eq (bbp_merge (&profile), 0);
  ck_assert_uint_eq (profile.arcs.n, 2);
  ck_assert_uint_eq (profile.arcs.item[0].from, FROM (3));
  ck_assert_uint_eq (profile.arcs.item[0].count, 1);
  ck_assert_uint_eq (profile.arcs.item[1].from, FROM (77));
  bbp_merge_free (&profile);
}
END_TEST

/* The contents of a gmon.out: sums over all records. */
struct sums {
  uint64_t bins[8], arc, blocks[2];
  unsigned histograms, arcs;
};

static void
take (FILE *file, void *to, size_t n)
{
  ck_assert_uint_eq (fread (to, 1, n, file), n);
}

static void
add_up (FILE *file, struct sums *sums)
{
  char header[20], dimension[16];
  uint64_t a, b;
  uint32_t n, rate;
  int tag;
  memset (sums, 0, sizeof *sums);
  take (file, header, sizeof header);
  ck_assert_mem_eq (header, "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
  while ((tag = getc (file)) != EOF)
    switch (tag)
      {
      case 0:
        take (file, &a, 8), take (file, &b, 8), take (file, &n, 4), take (file, &rate, 4),
            take (file, dimension, 16);
        ck_assert_uint_eq (b - a, 2 * n);
        for (uint32_t i = 0; i < n; i++)
          {
            uint16_t bin;
            take (file, &bin, 2);
            sums->bins[i % 8] += bin;
          }
        sums->histograms++;
        break;
      case 1:
        take (file, &a, 8), take (file, &b, 8), take (file, &n, 4);
        sums->arc += n;
        sums->arcs++;
        break;
      case 2:
        take (file, &n, 4);
        for (uint32_t i = 0; i < n; i++)
          take (file, &a, 8), take (file, &sums->blocks[i % 2], 8);
        break;
      default: ck_abort_msg ("tag %d", tag);
      }
}

static long counters[2];

/* The count of the first counter in a profile that is written now. */
static long
total (struct bbp_module *module)
{
  ck_assert_int_eq (bbp_totals_take (NULL), 0);
  long *totals = bbp_totals_make (module), first = totals[0];
  bbp_totals_free (totals, module);
  bbp_totals_drop ();
  return first;
}

static void
stop (bool stop)
{
  bbp.stopped = stop;
  bbp_totals_stop (stop);
}

START_TEST (totals_leave_out_what_counts_no_more)
{
  struct bbp_module module = { .counts_start = counters, .counts_stop = counters + 2 };
  bbp.modules = &module;
  counters[0] = 5;
  ck_assert_int_eq (total (&module), 5);
  stop (true);
  counters[0] += 100;
  ck_assert_int_eq (total (&module), 5);
  stop (false);
  counters[0] += 2;
  ck_assert_int_eq (total (&module), 7);
  ck_assert_int_eq (bbp_totals_reset (), 0);
  counters[0] += 3;
  ck_assert_int_eq (total (&module), 3);
  stop (true);
  counters[0] += 100;
  ck_assert_int_eq (bbp_totals_reset (), 0);
  ck_assert_int_eq (total (&module), 0);
  counters[0] += 100;
  stop (false);
  counters[0] += 4;
  ck_assert_int_eq (total (&module), 4);
}
END_TEST

/* How often control is at PC and has not gone on, as a profile that is taken now sees it. */
static long
in_flight (uintptr_t pc)
{
  const struct bbp_in_flight *list;
  long weight = 0;
  ck_assert_int_eq (bbp_totals_take (NULL), 0);
  for (size_t n = bbp_totals_in_flight (&list); n--;)
    weight += list[n].pc == pc ? list[n].weight : 0;
  bbp_totals_drop ();
  return weight;
}

START_TEST (interrupted_threads_are_in_flight)
{
  struct bbp_thread thread = { .interrupted = 0x1000 },
                    other = { .interrupted = 0x1000, .next = &thread };
  bbp.threads = &other;
  ck_assert_int_eq (in_flight (0x1000), 2);
  ck_assert_int_eq (bbp_totals_take (NULL), 0);
  ck_assert_int_eq (bbp_totals_reset (), 0);
  ck_assert_int_eq (in_flight (0x1000), 0);
  thread.interrupted = 0x2000;
  other.interrupted = 0;
  ck_assert_int_eq (in_flight (0x1000), -2);
  ck_assert_int_eq (in_flight (0x2000), 1);
  stop (true);
  thread.interrupted = 0x3000;
  ck_assert_int_eq (in_flight (0x2000), 1);
  ck_assert_int_eq (in_flight (0x3000), 0);
  stop (false);
  thread.interrupted = 0;
  ck_assert_int_eq (in_flight (0x1000), -2);
  ck_assert_int_eq (in_flight (0x2000), 1);
  ck_assert_int_eq (in_flight (0x3000), -1);
  other.interrupted = 0x4000;
  other.stopped = true;
  ck_assert_int_eq (in_flight (0x4000), 0);
}
END_TEST

START_TEST (large_numbers_are_written_in_parts)
{
  static struct bbp_out out;
  struct bbp_count arc = { .from = 0x1010, .self = 0x1020, .count = 9000000000 };
  struct bbp_count samples[3]
      = { { 0, 0x1006, 150000 }, { 0, 0x1007, 50000 }, { 0, 0x100a, 65535 } };
  struct bbp_count blocks[2] = { { 0, 0x1010, 5000000000 }, { 0, 0x1018, 1 } };
  struct bbp_profile profile = { .arcs = { &arc, 1, 1 },
                                 .samples = { samples, 3, 3 },
                                 .flow.list[BBP_BLOCKS] = { blocks, 2, 2 } };
  pretend (0x1000);
  bbp.high = 0x1010;
  ck_assert (bbp_samples_make ());
  ck_assert (bbp_out_open (&out, "large.out"));
  bbp_gmon_write (&out, &profile, 0, 0);
  ck_assert (bbp_out_finish (&out));
  ck_assert (bbp_out_rename (&out, "large.out"));
  FILE *file = fopen ("large.out", "rb");
  struct sums sums;
  add_up (file, &sums);
  fclose (file);
  unlink ("large.out");
  ck_assert_uint_eq (sums.histograms, 4);
  ck_assert_uint_eq (sums.bins[3], 200000);
  ck_assert_uint_eq (sums.bins[5], 65535);
  ck_assert_uint_eq (sums.bins[0], 0);
  ck_assert_uint_eq (sums.arcs, 3);
  ck_assert_uint_eq (sums.arc, 9000000000);
  ck_assert_uint_eq (sums.blocks[0], 5000000000);
  ck_assert_uint_eq (sums.blocks[1], 1);
}
END_TEST

/* Zeros are zeros, however many, at the end of the file as well; the limit of its size is for
   them, too. */
START_TEST (zeros_may_be_holes)
{
  static struct bbp_out out;
  enum { BEFORE = 5, MANY = 100000, FEW = 3 };
  static char data[BEFORE + MANY + 2 * FEW + 1];
  ck_assert (bbp_out_open (&out, "zeros.out"));
  bbp_out_bytes (&out, "before", BEFORE);
  bbp_out_zeros (&out, FEW);
  bbp_out_bytes (&out, "x", 1);
  bbp_out_zeros (&out, MANY);
  ck_assert (bbp_out_finish (&out));
  ck_assert (bbp_out_rename (&out, "zeros.out"));
  FILE *file = fopen ("zeros.out", "rb");
  ck_assert_uint_eq (fread (data, 1, sizeof data, file), BEFORE + FEW + 1 + MANY);
  fclose (file);
  unlink ("zeros.out");
  ck_assert_mem_eq (data, "befor\0\0\0x", BEFORE + FEW + 1);
  for (size_t i = BEFORE + FEW + 1; i < sizeof data; i++)
    ck_assert_int_eq (data[i], 0);
  ck_assert (bbp_out_open (&out, "zeros.out"));
  out.limit = MANY - 1;
  bbp_out_zeros (&out, MANY);
  ck_assert (!bbp_out_finish (&out));
  ck_assert_int_eq (out.error, EFBIG);
}
END_TEST

START_TEST (names_too_long_are_refused)
{
  static struct bbp_out out;
  char path[5000];
  memset (path, 'x', sizeof path - 1);
  path[sizeof path - 1] = '\0';
  ck_assert (!bbp_out_open (&out, path));
  ck_assert_int_ne (out.error, 0);
  char small[8];
  struct bbp_text text = { .buffer = small, .size = sizeof small };
  bbp_text_string (&text, "1234");
  bbp_text_number (&text, 56789);
  ck_assert_str_eq (small, "1234567");
  ck_assert (text.cut);
}
END_TEST

static const char *
expanded (const char *pattern)
{
  static char name[64];
  static const struct bbp_name_facts facts = {
    .host = "host", .program = "prog", .rank = "17", .start = 951827696, .pid = 4711, .dump = 3
  };
  struct bbp_text text = { .buffer = name, .size = sizeof name };
  bbp_name_expand (&text, pattern, &facts);
  return name;
}

START_TEST (patterns_of_names)
{
  ck_assert_str_eq (expanded ("plain.out"), "plain.out");
  ck_assert_str_eq (expanded ("%e.%h.%p.%r.%n"), "prog.host.4711.17.3");
  ck_assert_str_eq (expanded ("a%%pb"), "a%pb");
  ck_assert_str_eq (expanded ("%%%p%"), "%4711%");
  ck_assert_str_eq (expanded ("%x%p"), "%x4711");
  ck_assert_str_eq (expanded ("%t"), "20000229-123456");
  ck_assert (bbp_name_has ("a%e%p", 'p'));
  ck_assert (bbp_name_has ("%%%p", 'p'));
  ck_assert (!bbp_name_has ("a%%p%", 'p'));
  struct bbp_name_facts nothing = { .host = "", .program = "", .rank = "" };
  char small[8];
  struct bbp_text text = { .buffer = small, .size = sizeof small };
  const char pattern[] = "%%a%yb%";
  ck_assert_ptr_eq (bbp_name_expand (&text, pattern, &nothing), pattern + 3);
  ck_assert_str_eq (small, "%a%yb%");
  text.used = 0;
  ck_assert_ptr_null (bbp_name_expand (&text, "12345%n%n%n", &nothing));
  ck_assert (text.cut);
  ck_assert_str_eq (small, "1234500");
}
END_TEST

static const char *
time_text (uint64_t seconds)
{
  static char buffer[32];
  struct bbp_text text = { .buffer = buffer, .size = sizeof buffer };
  bbp_text_time (&text, seconds);
  return buffer;
}

/* Against libc's calendar, a day and some in each step, until 2100 is over. */
START_TEST (times_of_the_calendar)
{
  ck_assert_str_eq (time_text (0), "19700101-000000");
  for (time_t seconds = 1; seconds < 4110000000; seconds += 90061)
    {
      char expect[32];
      struct tm tm;
      strftime (expect, sizeof expect, "%Y%m%d-%H%M%S", gmtime_r (&seconds, &tm));
      ck_assert_str_eq (time_text ((uint64_t) seconds), expect);
    }
}
END_TEST

/* A call is allowed if all ways through the filter allow it that arguments could take. */
START_TEST (filters_are_followed)
{
  static const struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, SYS_openat, 4, 0),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_close, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[0])),
    BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K, 0x2000, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_LOG),
  };
  size_t length = sizeof code / sizeof *code;
  struct bbp_filter_state *room = malloc (bbp_filter_room (length));
  ck_assert (bbp_filter_is_closed (code, length));
  ck_assert (!bbp_filter_is_closed (code, length - 1));
  ck_assert (!bbp_filter_is_closed (code, 0));
  ck_assert (bbp_filter_allows (code, length, SYS_read, room));
  ck_assert (!bbp_filter_allows (code, length, SYS_close, room));
  ck_assert (!bbp_filter_allows (code, length, SYS_write, room));
  ck_assert (!bbp_filter_allows (code, length, SYS_openat, room));
  ck_assert (bbp_filter_allows (code + 9, 1, SYS_openat, room));
  free (room);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { arcs_survive_growth },
                                     { callers_outside_become_one },
                                     { reset_is_a_new_zero },
                                     { totals_leave_out_what_counts_no_more },
                                     { interrupted_threads_are_in_flight },
                                     { large_numbers_are_written_in_parts },
                                     { zeros_may_be_holes },
                                     { names_too_long_are_refused },
                                     { patterns_of_names },
                                     { times_of_the_calendar },
                                     { filters_are_followed } };
  return unit_run (UNIT_SUITE ("runtime", UNIT_CASE (tests)));
}
