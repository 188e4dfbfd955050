/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the parts of the monitor that take input made by hand: a ring buffer whose records
   wrap around its end or are damaged, the content of records, and the table of threads compared
   with a plain list. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/watch/thread_table.h"
#include "runtime/switches/event_buffer.h"
#include "runtime/switches/kernel_records.h"
#include "testsuite/unit/unit.h"

enum { PID = 100, TID = 101, CPU = 3, ROUNDS = 2000 };

/* The end of each record of a real event. */
struct id {
  uint32_t pid, tid;
  uint64_t time;
};

/* One page of control, one of data, in the place of the kernel's. */
static struct bbp_event_buffer
make_buffer (void)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  struct perf_event_mmap_page *control = aligned_alloc (page, 2 * page);
  ck_assert_ptr_nonnull (control);
  memset (control, 0, 2 * page);
  return (struct bbp_event_buffer) { .page = control, .pages = 1 };
}

/* As the kernel does, byte by byte. */
static void
put (struct bbp_event_buffer *b, const void *bytes, size_t n)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  char *data = (char *) b->page + page;
  ck_assert_uint_le (b->page->data_head + n - b->page->data_tail, page);
  for (size_t i = 0; i < n; i++)
    data[(b->page->data_head + i) % page] = ((const char *) bytes)[i];
  b->page->data_head += n;
}

START_TEST (goes_over_the_end)
{
  struct bbp_event_buffer b = make_buffer ();
  struct {
    struct perf_event_header header;
    uint64_t words[6];
  } record, got;
  for (size_t i = 0; i < ROUNDS; i++)
    {
      record.header = (struct perf_event_header) { .type = (uint32_t) i,
                                                   .size = (uint16_t) (16 + 8 * (i % 6)) };
      for (size_t k = 0; k < 6; k++)
        record.words[k] = i * 10 + k;
      put (&b, &record, record.header.size);
      bbp_event_buffer_begin (&b);
      ck_assert (bbp_event_buffer_next (&b, &got, sizeof got));
      ck_assert (memcmp (&record, &got, record.header.size) == 0);
      ck_assert (!bbp_event_buffer_next (&b, &got, sizeof got));
      bbp_event_buffer_end (&b);
      ck_assert_uint_eq (b.page->data_tail, b.page->data_head);
    }
  free (b.page);
}
END_TEST

/* Of a length that cannot be: nothing more is read of what is there, and what comes later is
   read again. */
START_TEST (is_damaged)
{
  static const uint16_t sizes[] = { 0, 7, 48, 65535 };
  struct bbp_event_buffer b = make_buffer ();
  struct perf_event_header got;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      const struct perf_event_header bad[2] = { { .size = sizes[i] } },
                                     good = { .size = sizeof good };
      put (&b, bad, sizeof bad);
      bbp_event_buffer_begin (&b);
      ck_assert (!bbp_event_buffer_next (&b, &got, sizeof got));
      bbp_event_buffer_end (&b);
      put (&b, &good, sizeof good);
      bbp_event_buffer_begin (&b);
      ck_assert (bbp_event_buffer_next (&b, &got, sizeof got));
      bbp_event_buffer_end (&b);
    }
  free (b.page);
}
END_TEST

/* A record of TYPE with N numbers, then thread and time; as one of PID, on CPU. */
static bool
decode (struct bbp_record *r, uint32_t type, uint16_t misc, const uint32_t *numbers, size_t n,
        uint32_t pid)
{
  uint64_t bytes[BBP_RECORD_BYTES / sizeof (uint64_t)];
  const size_t size = sizeof (struct perf_event_header) + 4 * n + sizeof (struct id);
  const struct perf_event_header header = { .type = type, .misc = misc, .size = (uint16_t) size };
  const struct id id = { .pid = pid, .tid = TID, .time = 12345678901UL };
  memcpy (bytes, &header, sizeof header);
  memcpy ((char *) bytes + sizeof header, numbers, 4 * n);
  memcpy ((char *) bytes + sizeof header + 4 * n, &id, sizeof id);
  return bbp_record_decode (r, bytes, PID, CPU);
}

START_TEST (says_switches)
{
  struct bbp_record r;
  ck_assert (decode (&r, PERF_RECORD_SWITCH, 0, NULL, 0, PID));
  ck_assert (r.kind == BBS_IN && r.tid == TID && r.cpu == CPU && r.time == 12345678901UL);
  ck_assert (decode (&r, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, NULL, 0, PID));
  ck_assert_uint_eq (r.kind, BBS_OUT_SLEEPS);
  ck_assert (decode (&r, PERF_RECORD_SWITCH,
                     PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, NULL, 0,
                     PID));
  ck_assert_uint_eq (r.kind, BBS_OUT_READY);
  ck_assert (!decode (&r, PERF_RECORD_SWITCH, 0, NULL, 0, PID + 1));
}
END_TEST

START_TEST (says_lives)
{
  struct bbp_record r;
  const uint32_t born[] = { PID, PID, 107, TID, 0, 0 }, forked[] = { 108, PID, 108, TID, 0, 0 };
  const uint32_t other[] = { 108, 108, 109, 108, 0, 0 };
  ck_assert (decode (&r, PERF_RECORD_FORK, 0, born, 6, PID));
  ck_assert (r.kind == BBS_BORN && r.tid == 107 && r.parent == TID);
  ck_assert (!decode (&r, PERF_RECORD_FORK, 0, forked, 6, PID));
  ck_assert (!decode (&r, PERF_RECORD_FORK, 0, other, 6, 108));
  ck_assert (decode (&r, PERF_RECORD_EXIT, 0, born, 6, PID));
  ck_assert (r.kind == BBS_DIED && r.tid == 107);
  ck_assert (!decode (&r, PERF_RECORD_EXIT, 0, other, 6, 108));
}
END_TEST

START_TEST (says_names)
{
  struct bbp_record r;
  uint32_t named[6] = { PID, 107 };
  memcpy (named + 2, "fifteen letters", 16);
  ck_assert (decode (&r, PERF_RECORD_COMM, 0, named, 6, PID));
  ck_assert (r.kind == BBP_RECORD_NAME && r.tid == 107);
  ck_assert_str_eq (r.name, "fifteen letters");
  ck_assert (decode (&r, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, named, 4, PID));
  ck_assert_uint_eq (r.kind, BBP_RECORD_EXEC);
}
END_TEST

START_TEST (says_losses)
{
  struct bbp_record r;
  const uint32_t lost[] = { 1, 0, 77, 0 };
  ck_assert (decode (&r, PERF_RECORD_LOST, 0, lost, 4, PID));
  ck_assert (r.kind == BBS_GAP && r.tid == 77 && r.cpu == CPU);
  ck_assert (!decode (&r, PERF_RECORD_MMAP, 0, lost, 4, PID));
}
END_TEST

/* Many come and go in a small range of numbers, so that they stand in each other's way. */
START_TEST (knows_threads)
{
  enum { NUMBERS = 300 };
  struct thread_table known = { .slots = NULL };
  bool lives[NUMBERS] = { false };
  size_t n = 0;
  srand (1);
  for (int i = 0; i < 100 * ROUNDS; i++)
    {
      const uint32_t tid = 1 + (uint32_t) rand () % (NUMBERS - 1);
      if (rand () % 2)
        {
          n += !lives[tid];
          lives[tid] = true;
          ck_assert_uint_eq (thread_table_add (&known, tid)->tid, tid);
        }
      else
        {
          n -= lives[tid];
          lives[tid] = false;
          thread_table_remove (&known, tid);
        }
      ck_assert (lives[tid] == (thread_table_find (&known, tid) != NULL));
      ck_assert_uint_eq (known.n, n);
    }
  for (uint32_t tid = 1; tid < NUMBERS; tid++)
    ck_assert (lives[tid] == (thread_table_find (&known, tid) != NULL));
  ck_assert_ptr_null (thread_table_find (&known, 0));
  ck_assert_ptr_null (thread_table_add (&known, 0));
  thread_table_free (&known);
}
END_TEST

/* A thread leaves processor 0 for processor 1, where the clock is behind. */
START_TEST (uncrosses)
{
  const struct bbp_record in = { .time = 1000, .tid = 7, .cpu = 1, .kind = BBS_IN },
                          other = { .time = 1200, .tid = 8, .cpu = 0, .kind = BBS_OUT_READY },
                          out = { .time = 1500, .tid = 7, .cpu = 0, .kind = BBS_OUT_SLEEPS };
  struct bbp_record records[] = { in, other, out };
  bbp_records_uncross (records, 3, 1); /* it ran on processor 1: a record is missing */
  ck_assert (records[0].cpu == 1 && records[2].tid == 7);
  bbp_records_uncross (records, 2, 0); /* its end is not there yet */
  ck_assert (records[0].cpu == 1 && records[1].tid == 8);
  bbp_records_uncross (records, 3, 0);
  ck_assert (records[0].tid == 7 && records[0].kind == BBS_OUT_SLEEPS && records[0].time == 1500);
  ck_assert (records[1].tid == 7 && records[1].kind == BBS_IN && records[2].tid == 8);
  struct bbp_record late[] = { in, other, out };
  late[2].time += 1000000; /* another end of it: clocks do not differ by so much */
  bbp_records_uncross (late, 3, 0);
  ck_assert (late[0].kind == BBS_IN && late[2].kind == BBS_OUT_SLEEPS);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { goes_over_the_end }, { is_damaged }, { says_switches },
                                     { says_lives },        { says_names }, { says_losses },
                                     { knows_threads },     { uncrosses } };
  return unit_run (UNIT_SUITE ("records", UNIT_CASE (tests)));
}
