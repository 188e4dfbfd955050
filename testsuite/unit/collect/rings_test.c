/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of samples with time stamps, from the rings to the reader.  This program stands for the
   sampled process of bbprof-writer: it puts samples into rings by hand, so it knows which must
   be in the file and how many are lost. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/streams/samples_pack.h"
#include "testsuite/unit/collect/shared_rings.h"
#include "testsuite/unit/unit.h"

#define OWN_FILE "rings_test.bbs"
#define OTHER_FILE "rings_test.other.bbs"

/* The six bits that arithmetic sets, a branch on most of which is as likely as not. */
static uint32_t
any_flags (uint64_t mixed)
{
  return 0x202
         | (uint32_t) ((mixed & 1) | (mixed >> 1 & 1) << 2 | (mixed >> 2 & 1) << 4
                       | (mixed >> 3 & 1) << 6 | (mixed >> 4 & 1) << 7 | (mixed >> 5 & 1) << 11);
}

/* Sample I of THREAD: ticks that come regularly, but for some microseconds. */
static struct bbs_sample
truth (uint32_t thread, uint64_t i)
{
  uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15 + thread;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return (struct bbs_sample) { .time = 1000000 * (i + 1) + (mixed >> 50),
                               .context = 1 + (uint32_t) (mixed >> 33) % 300,
                               .ticks = i % 100 ? 1 : 3,
                               .cpu = i % 50 ? (uint16_t) (mixed >> 63)
                                             : BBS_SLEEPS | BBS_CPU_UNKNOWN,
                               .flags = i % 70 ? any_flags (mixed >> 40) : 0 };
}

static void
begin (size_t i, uint32_t thread)
{
  ring_at (i)->thread = thread;
  ring_at (i)->lost = 0;
  ring_at (i)->tail = atomic_load (&ring_at (i)->head);
  atomic_store (&ring_at (i)->used, 1);
}

/* False: no room. */
static bool
put (size_t ring, uint64_t number)
{
  struct bbs_ring *r = ring_at (ring);
  uint64_t head = atomic_load (&r->head);
  if (head - atomic_load (&r->tail) >= ROOM)
    return false;
  r->samples[head % ROOM] = truth (r->thread, number);
  atomic_store (&r->head, head + 1);
  return true;
}

/* Whatever it takes. */
static void
put_for_sure (size_t ring, uint64_t number)
{
  for (int i = 0; !put (ring, number); i++)
    {
      ck_assert_int_lt (i, PATIENCE);
      ring_doorbell ();
      usleep (1000);
    }
}

static void
wait_until_empty (size_t ring)
{
  struct bbs_ring *r = ring_at (ring);
  for (int i = 0; atomic_load (&r->head) != atomic_load (&r->tail) || atomic_load (&r->used) == 2;
       i++)
    {
      ck_assert_int_lt (i, PATIENCE);
      usleep (1000);
    }
}

/* The samples of thread T are the first N of the truth. */
static void
check_thread (const struct samples_thread *t, uint32_t number, size_t n, uint64_t lost)
{
  ck_assert_uint_eq (t->number, number);
  ck_assert_uint_eq (t->n, n);
  ck_assert_uint_eq (t->lost, lost);
  for (size_t i = 0; i < n; i++)
    {
      const struct bbs_sample right = truth (number, i);
      ck_assert_mem_eq (&t->samples[i], &right, sizeof right);
    }
}

/* Threads that come and go, in fewer rings, more samples than a chunk holds; all are there, of
   each thread in order. */
START_TEST (all_arrive)
{
  enum { MANY = 10000, FEW = 7, THREADS = 20 };
  struct samples_file f;
  set_up (OWN_FILE);
  start_writer (0);
  begin (0, 1);
  for (uint32_t thread = 2; thread <= THREADS; thread++)
    {
      begin (1, thread);
      for (uint64_t i = 0; i < FEW; i++)
        put_for_sure (1, i);
      atomic_store (&ring_at (1)->used, 2);
      ring_doorbell ();
      wait_until_empty (1);
    }
  for (uint64_t i = 0; i < MANY; i++)
    put_for_sure (0, i);
  end ();
  open_file (&f);
  ck_assert_msg (f.whole, "%s", f.why.text);
  ck_assert_uint_eq (f.nthreads, THREADS);
  check_thread (&f.threads[0], 1, MANY, 0);
  for (uint32_t thread = 2; thread <= THREADS; thread++)
    check_thread (&f.threads[thread - 1], thread, FEW, 0);
  ck_assert_uint_eq (
      loss (&f, BBS_LOST_RINGS) + loss (&f, BBS_LOST_THREADS) + loss (&f, BBS_LOST_FILE), 0);
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* The writer does not come: what has no room is counted, to the sample; also of a thread that
   has nothing but losses. */
START_TEST (overrun)
{
  struct samples_file f;
  set_up (OWN_FILE);
  begin (0, 1);
  begin (1, 2);
  for (uint64_t i = 0; i < ROOM; i++)
    ck_assert (put (0, i));
  ck_assert (!put (0, ROOM));
  atomic_store (&ring_at (0)->lost, 5);
  atomic_store (&ring_at (1)->lost, 7);
  atomic_store (&here.head->lost_threads, 11);
  start_writer (0);
  wait_until_empty (0);
  for (uint64_t i = ROOM; i < 2 * ROOM; i++)
    put_for_sure (0, i);
  atomic_fetch_add (&ring_at (0)->lost, 2);
  end ();
  open_file (&f);
  ck_assert (f.whole);
  check_thread (&f.threads[0], 1, 2 * ROOM, 7);
  check_thread (&f.threads[1], 2, 0, 7);
  ck_assert_uint_eq (loss (&f, BBS_LOST_RINGS), 14);
  ck_assert_uint_eq (loss (&f, BBS_LOST_THREADS), 11);
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* Killed with samples that the writer has not seen: all are there. */
START_TEST (killed)
{
  struct samples_file f;
  int status;
  set_up (OWN_FILE);
  pid_t process = fork ();
  if (process == 0)
    {
      here.head->pid = (uint32_t) getpid ();
      start_writer (0);
      here.head->lost_threads = (uint64_t) here.writer; /* for the other process */
      begin (0, 1);
      for (uint64_t i = 0; i < 500; i++)
        put_for_sure (0, i);
      wait_until_empty (0);
      kill (here.writer, SIGSTOP);
      for (uint64_t i = 500; i < 530; i++)
        if (!put (0, i))
          _exit (1);
      kill (getpid (), SIGKILL);
    }
  ck_assert_int_eq (waitpid (process, &status, 0), process);
  ck_assert (WIFSIGNALED (status));
  pid_t writer = (pid_t) here.head->lost_threads;
  kill (writer, SIGCONT);
  for (int i = 0; i < PATIENCE && atomic_load (&here.head->state) != BBS_ENDED; i++)
    usleep (1000);
  open_file (&f);
  ck_assert_msg (f.whole, "%s", f.why.text);
  check_thread (&f.threads[0], 1, 530, 0);
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* The file may be no larger: what is in it is whole, all else is counted, the rings are emptied
   all the same. */
START_TEST (file_limit)
{
  struct samples_file f;
  uint64_t n = 0;
  set_up (OWN_FILE);
  start_writer (60000);
  begin (0, 1);
  while (n < 200000 && !atomic_load (&here.head->failed))
    put_for_sure (0, n++);
  ck_assert_int_eq ((int) atomic_load (&here.head->failed), EFBIG);
  for (int i = 0; i < 1000; i++)
    put_for_sure (0, n++);
  end ();
  open_file (&f);
  ck_assert_msg (f.whole, "%s", f.why.text);
  ck_assert_uint_gt (f.threads[0].n, 0);
  check_thread (&f.threads[0], 1, f.threads[0].n, 0);
  ck_assert_uint_eq (loss (&f, BBS_LOST_FILE), n - f.threads[0].n);
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* No file at all. */
START_TEST (no_file)
{
  set_up ("/dev/full");
  start_writer (0);
  begin (0, 1);
  for (uint64_t i = 0; i < 3 * ROOM; i++)
    put_for_sure (0, i);
  end ();
  ck_assert_int_eq ((int) atomic_load (&here.head->failed), EACCES);
  tear_down ();
}
END_TEST

/* A process that fills its memory with anything does not keep its writer busy for ever. */
START_TEST (nonsense)
{
  struct samples_file f;
  set_up (OWN_FILE);
  begin (0, 1);
  begin (1, 2);
  atomic_store (&ring_at (0)->head, UINT64_MAX);
  atomic_store (&ring_at (1)->tail, 12345);
  atomic_store (&ring_at (2)->used, 77);
  here.head->made = UINT32_MAX;
  memset (here.head->file + strlen (here.head->file) + 1, 'x',
          sizeof here.head->file - strlen (here.head->file) - 1);
  start_writer (0);
  end ();
  open_file (&f);
  ck_assert (f.whole);
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* Cut anywhere, the file gives all chunks that are whole; and one bit that is wrong anywhere is
   found, or does not matter. */
static void
write_bytes (const char *name, const char *bytes, size_t n)
{
  FILE *file = fopen (name, "w");
  ck_assert (file && fwrite (bytes, 1, n, file) == n);
  ck_assert_int_eq (fclose (file), 0);
}

static size_t
samples_in (const char *name, bool *whole)
{
  struct samples_file f;
  struct error err;
  size_t n = 0;
  *whole = false;
  if (!samples_file_open (&f, name, &err))
    ck_assert (err.text[0] && !strchr (err.text, '\n'));
  else
    {
      *whole = f.whole;
      for (size_t i = 0; i < f.nthreads; i++)
        {
          n += f.threads[i].n;
          check_thread (&f.threads[i], f.threads[i].number, f.threads[i].n, 0);
        }
    }
  samples_file_close (&f);
  return n;
}

START_TEST (cut)
{
  static char bytes[100000];
  bool whole;
  size_t before = 0;
  set_up (OWN_FILE);
  start_writer (0);
  for (uint32_t thread = 1; thread <= RINGS; thread++)
    {
      begin (thread - 1, thread);
      for (uint64_t i = 0; i < 30; i++)
        put_for_sure (thread - 1, i);
    }
  end ();
  FILE *file = fopen (here.path, "r");
  const size_t n = fread (bytes, 1, sizeof bytes, file);
  fclose (file);
  ck_assert_uint_eq (samples_in (here.path, &whole), RINGS * 30);
  ck_assert (whole);
  for (size_t i = 0; i < n; i++)
    {
      write_bytes (OTHER_FILE, bytes, i);
      size_t now = samples_in (OTHER_FILE, &whole);
      ck_assert (!whole && now >= before && now % 30 == 0);
      before = now;
    }
  ck_assert_uint_eq (before, RINGS * 30);
  for (size_t i = 0; i < n; i++)
    {
      bytes[i] ^= 4;
      write_bytes (OTHER_FILE, bytes, n);
      samples_in (OTHER_FILE, &whole);
      bytes[i] ^= 4;
    }
  tear_down ();
}
END_TEST

/* The bytes of a sample in the file, at one a millisecond: printed, and bounded. */
START_TEST (size)
{
  enum { N = 4096 };
  static struct bbs_sample samples[N];
  struct packer p;
  struct bytes to = { .data = NULL };
  for (uint64_t i = 0; i < N; i++)
    samples[i] = truth (1, i);
  ck_assert (packer_begin (&p));
  ck_assert (samples_pack (&p, 1, samples, N, 0, &to));
  printf ("%.2f bytes a sample\n", (double) to.size / N);
  ck_assert_uint_lt (to.size, 6 * N);
  to.size = 0;
  ck_assert (samples_have_flags (samples, N) && samples_pack_flags (&p, samples, N, &to));
  printf ("%.2f bytes its flags\n", (double) to.size / N);
  ck_assert_uint_lt (to.size, N);
  bytes_free (&to);
  packer_end (&p);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { all_arrive }, { overrun },  { killed }, { file_limit },
                                     { no_file },    { nonsense }, { cut },    { size } };
  int status = unit_run (UNIT_SUITE ("rings", UNIT_CASE (tests)));
  unlink (OWN_FILE);
  unlink (OTHER_FILE);
  return status;
}
