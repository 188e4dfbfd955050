/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the packed records of threads: unpacking gives what was packed; damage is found or
   has no effect; and how many bytes a switch takes in the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/streams/watched_pack.h"
#include "testsuite/unit/unit.h"

static uint64_t seed;

/* Below N; the same ones in each run. */
static uint64_t
random_below (uint64_t n)
{
  seed = seed * 6364136223846793005 + 1442695040888963407;
  return (seed >> 33) % n;
}

static struct bytes
packed_switches (const struct bbs_switch *switches, size_t n)
{
  struct packer p;
  struct bytes to = { .data = NULL };
  ck_assert (packer_begin (&p) && switches_pack (&p, switches, n, &to));
  packer_end (&p);
  return to;
}

static void
check_switches (const struct bbs_switch *switches, size_t n)
{
  size_t count;
  struct bytes packed = packed_switches (switches, n);
  struct bbs_switch *back = switches_unpack (packed.data, packed.size, &count);
  ck_assert_ptr_nonnull (back);
  ck_assert_uint_eq (count, n);
  ck_assert_mem_eq (back, switches, n * sizeof *switches);
  free (back);
  bytes_free (&packed);
}

static struct bytes
packed_looks (const struct bbs_look *looks, size_t n)
{
  struct packer p;
  struct bytes to = { .data = NULL };
  ck_assert (packer_begin (&p) && polls_pack (&p, looks, n, &to));
  packer_end (&p);
  return to;
}

static struct bytes
packed_locks (const struct bbs_look *looks, size_t n)
{
  struct packer p;
  struct bytes to = { .data = NULL };
  ck_assert (packer_begin (&p) && locks_pack (&p, looks, n, &to));
  packer_end (&p);
  return to;
}

static void
check_looks (const struct bbs_look *looks, size_t n)
{
  size_t count;
  struct bytes packed = packed_looks (looks, n), locks = packed_locks (looks, n);
  struct bbs_look *back = polls_unpack (packed.data, packed.size, &count);
  ck_assert_ptr_nonnull (back);
  ck_assert_uint_eq (count, n);
  ck_assert_uint_eq (locks_count (back, n), 0);
  ck_assert (locks_unpack (locks.data, locks.size, back, n));
  ck_assert_mem_eq (back, looks, n * sizeof *looks);
  /* They do not fit into fewer looks. */
  if (locks_count (looks, n) == n)
    ck_assert (!locks_unpack (locks.data, locks.size, back, n - 1));
  free (back);
  bytes_free (&packed);
  bytes_free (&locks);
}

static void
set_lock (struct bbs_look *look)
{
  look->lock = random_below (3) ? 0x7f0000001000 + 40 * random_below (9) : ~random_below (99);
  look->caller = random_below (2) ? 0 : 0x400000 + random_below (999);
  look->holder = (uint32_t) (random_below (2) * (random_below (9) + look->tid));
  look->stack = random_below (3) ? 0 : UINT32_MAX;
  look->type = (uint8_t) random_below (BBS_LOCKS);
  look->area = (uint8_t) random_below (BBS_AREAS);
}

/* As many as a chunk may hold, of anything, in order of time only. */
static struct bbs_switch *
any_switches (size_t n, uint64_t threads)
{
  struct bbs_switch *switches = calloc (n, sizeof *switches);
  uint64_t time = random_below (1000);
  ck_assert_ptr_nonnull (switches);
  for (size_t i = 0; i < n; i++, time += random_below (1 << random_below (31)))
    switches[i] = (struct bbs_switch) { .time = time,
                                        .tid = (uint32_t) (random_below (threads) * 0x9e3779b1),
                                        .cpu = (uint16_t) random_below (1 << random_below (17)),
                                        .kind = (uint16_t) random_below (BBS_SWITCH_KINDS) };
  return switches;
}

static struct bbs_look *
any_looks (size_t n, uint64_t threads)
{
  struct bbs_look *looks = calloc (n, sizeof *looks);
  uint64_t time = random_below (1000);
  ck_assert_ptr_nonnull (looks);
  for (size_t i = 0; i < n; i++, time += random_below (1 << random_below (31)))
    looks[i]
        = (struct bbs_look) { .time = time,
                              .tid = (uint32_t) (random_below (threads) * 0x9e3779b1),
                              .cpu = (uint16_t) random_below (1 << random_below (17)),
                              .run = random_below (3) ? random_below (1UL << 31) : BBS_NOT_KNOWN,
                              .wait = random_below (9) * time,
                              .voluntary = random_below (5) ? i : BBS_NOT_KNOWN,
                              .involuntary = random_below (5) ? 0 : UINT64_MAX / 2,
                              .call = random_below (9)   ? (int32_t) random_below (400) - 2
                                      : random_below (2) ? INT32_MIN
                                                         : INT32_MAX,
                              .state = (uint8_t) random_below (256),
                              .why = (uint8_t) random_below (BBS_WHYS) };
  for (size_t i = 0; i < n; i++)
    if (n < 3 || random_below (2))
      set_lock (&looks[i]);
  return looks;
}

START_TEST (round_trip)
{
  const size_t sizes[] = { 1, 2, 1000, BBS_LOOKS_MOST, BBS_CHUNK_MOST };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (uint64_t threads = 1; threads <= 1UL << 32; threads <<= 16)
      {
        const size_t n = sizes[i], most = n < BBS_LOOKS_MOST ? n : BBS_LOOKS_MOST;
        struct bbs_switch *switches = any_switches (n, threads);
        struct bbs_look *looks = any_looks (most, threads);
        check_switches (switches, n);
        check_looks (looks, most);
        free (switches);
        free (looks);
      }
}
END_TEST

/* The largest numbers that have room in the structs. */
START_TEST (huge)
{
  const struct bbs_switch switches[]
      = { { 0, 0, 0, BBS_IN },
          { UINT64_MAX, UINT32_MAX, UINT16_MAX, BBS_SWITCH_KINDS - 1 },
          { UINT64_MAX, UINT32_MAX, UINT16_MAX, BBS_DIED },
          { UINT64_MAX, 0, UINT16_MAX, BBS_IN } };
  const struct bbs_look looks[] = {
    { .time = 0, .call = INT32_MIN },
    { .time = UINT64_MAX,
      .run = UINT64_MAX,
      .wait = UINT64_MAX,
      .voluntary = UINT64_MAX,
      .involuntary = UINT64_MAX,
      .tid = UINT32_MAX,
      .call = INT32_MAX,
      .cpu = UINT16_MAX,
      .state = UINT8_MAX,
      .why = BBS_WHYS - 1,
      .holder = UINT32_MAX,
      .lock = UINT64_MAX,
      .caller = UINT64_MAX,
      .stack = 1,
      .type = BBS_LOCKS - 1,
      .area = BBS_AREAS - 1 },
    { .time = UINT64_MAX, .tid = 0, .run = 1, .call = BBS_CALL_NOT_KNOWN },
  };
  check_switches (switches, sizeof switches / sizeof *switches);
  check_looks (looks, sizeof looks / sizeof *looks);
}
END_TEST

/* Cut at each byte, and with each bit wrong: refused, or something that is in order of time.
   Valgrind and the sanitizers see the rest. */
static void
check_damaged_switches (const unsigned char *data, size_t size)
{
  size_t n;
  struct bbs_switch *s = switches_unpack (data, size, &n);
  for (size_t i = 1; s && i < n; i++)
    ck_assert (s[i].time >= s[i - 1].time && s[i].kind < BBS_SWITCH_KINDS);
  free (s);
}

static void
check_damaged_looks (const unsigned char *data, size_t size)
{
  size_t n;
  struct bbs_look *l = polls_unpack (data, size, &n);
  for (size_t i = 1; l && i < n; i++)
    ck_assert (l[i].time >= l[i - 1].time && l[i].why < BBS_WHYS);
  free (l);
}

static void
check_damaged_locks (const unsigned char *data, size_t size)
{
  enum { N = 40 };
  struct bbs_look looks[N] = { { .lock = 0 } };
  if (!locks_unpack (data, size, looks, N))
    return;
  for (size_t i = 0; i < N; i++)
    ck_assert (looks[i].type < BBS_LOCKS && looks[i].area < BBS_AREAS);
}

static void
damage (struct bytes packed, void (*check) (const unsigned char *, size_t))
{
  for (size_t i = 0; i < packed.size; i++)
    {
      unsigned char *copy = malloc (i + 1);
      memcpy (copy, packed.data, i);
      check (copy, i);
      free (copy);
      for (int bit = 0; bit < 8; bit++)
        {
          packed.data[i] ^= (unsigned char) (1 << bit);
          check (packed.data, packed.size);
          packed.data[i] ^= (unsigned char) (1 << bit);
        }
    }
  bytes_free (&packed);
}

START_TEST (damaged)
{
  enum { N = 40 };
  size_t n;
  struct bbs_switch *switches = any_switches (N, 5);
  struct bbs_look *looks = any_looks (N, 5);
  struct bytes packed = packed_switches (switches, N);
  for (size_t i = 0; i < packed.size; i++)
    ck_assert_ptr_null (switches_unpack (packed.data, i, &n));
  damage (packed, check_damaged_switches);
  damage (packed_looks (looks, N), check_damaged_looks);
  damage (packed_locks (looks, N), check_damaged_locks);
  free (switches);
  free (looks);
}
END_TEST

/* Threads on CPUS processors that take turns: each runs for RUN ns, give or take half of it. */
static double
bytes_a_switch (unsigned threads, unsigned cpus, uint64_t run)
{
  enum { N = 16384 };
  static struct bbs_switch switches[N];
  uint64_t time = 0;
  uint32_t running[8] = { 0 };
  for (size_t i = 0; i + 1 < N; i += 2)
    {
      const uint16_t cpu = (uint16_t) random_below (cpus);
      time += (run / 2 + random_below (run)) / cpus;
      switches[i] = (struct bbs_switch) { time, 1000 + running[cpu], cpu,
                                          random_below (4) ? BBS_OUT_SLEEPS : BBS_OUT_READY };
      time += 300 + random_below (600);
      running[cpu] = (uint32_t) random_below (threads);
      switches[i + 1] = (struct bbs_switch) { time, 1000 + running[cpu], cpu, BBS_IN };
    }
  struct bytes packed = packed_switches (switches, N);
  const double bytes = (double) packed.size / N;
  check_switches (switches, N);
  bytes_free (&packed);
  printf ("%2u threads, %u processors, %8lu ns: %.2f bytes a switch\n", threads, cpus,
          (unsigned long) run, bytes);
  return bytes;
}

START_TEST (size)
{
  ck_assert_double_lt (bytes_a_switch (2, 1, 5000), 4);
  ck_assert_double_lt (bytes_a_switch (2, 2, 500000), 4);
  ck_assert_double_lt (bytes_a_switch (16, 4, 1000000), 5);
  ck_assert_double_lt (bytes_a_switch (64, 8, 1000000000), 6);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { round_trip }, { huge }, { damaged }, { size } };
  return unit_run (UNIT_SUITE ("watched", UNIT_CASE (tests)));
}
