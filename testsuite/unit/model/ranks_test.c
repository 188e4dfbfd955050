/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks of MPI programs in a sidecar: read, cut off and changed at each byte; added up in two
   orders, with call sites and counts that move; the same rank of two runs is one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/files/bbx_write.h"
#include "model/sums/sum_ranks.h"
#include "testsuite/unit/unit.h"

static struct bbx_rank_call calls[]
    = { { 0x1000, BBM_Send, 3, 5000, 24, 0, 0, 0, 0 },
        { 0x900, BBM_Barrier, 7, UINT64_MAX / 2, 0, 7, 2, 600, 50 } };
static struct bbx_rank_count ticks[] = { { 0x1000, 4 }, { 0x1100000010, 1 } },
                             executions[] = { { 0x1002, UINT64_MAX } };

static struct bbx_run_rank
some_rank (uint32_t rank)
{
  return (struct bbx_run_rank) {
    .fixed = { .rank = rank, .size = 4, .flags = BBX_RANK_COUNTS, .runs = 1, .unjudged = 9 },
    .calls = calls,
    .ncalls = 2,
    .lists = { { ticks, 2 }, { NULL, 0 }, { executions, 1 } },
  };
}

/* The file of one chunk, or of SUM. */
struct file {
  char *bytes;
  size_t size;
};

static struct file
written (const struct bbx_run_rank *rank, const struct sum_ranks *sum)
{
  struct file f;
  struct output o = { .file = open_memstream (&f.bytes, &f.size) };
  ck_assert_ptr_nonnull (o.file);
  ck_assert (rank ? bbx_write_rank (&o, rank) : sum_ranks_write (sum, &o));
  ck_assert_int_eq (fclose (o.file), 0);
  return f;
}

static const char *
content_of (const struct file *f, size_t *size)
{
  struct bbx_chunk chunk;
  memcpy (&chunk, f->bytes, sizeof chunk);
  *size = (size_t) chunk.length;
  return f->bytes + sizeof chunk;
}

/* What the file of RANK gives when it is read. */
static struct bbx_ranks
read_back (const struct bbx_run_rank *rank)
{
  struct bbx_ranks ranks = { NULL, 0, 0 };
  size_t size;
  struct file f = written (rank, NULL);
  const char *content = content_of (&f, &size);
  ck_assert_ptr_null (bbx_ranks_add (&ranks, content, size));
  free (f.bytes);
  return ranks;
}

START_TEST (reads_what_was_written)
{
  const struct bbx_run_rank rank = some_rank (2);
  struct bbx_ranks ranks = read_back (&rank);
  const struct bbx_run_rank *r = ranks.all;
  ck_assert_uint_eq (ranks.n, 1);
  ck_assert_uint_eq (r->fixed.rank, 2);
  ck_assert_uint_eq (r->fixed.unjudged, 9);
  ck_assert_uint_eq (r->ncalls, 2);
  ck_assert_mem_eq (r->calls, calls, sizeof calls);
  ck_assert_uint_eq (r->lists[BBX_RANK_TICKS].n, 2);
  ck_assert_mem_eq (r->lists[BBX_RANK_TICKS].items, ticks, sizeof ticks);
  ck_assert_uint_eq (r->lists[BBX_RANK_CALLS].n, 0);
  ck_assert_mem_eq (r->lists[BBX_RANK_EXECUTIONS].items, executions, sizeof executions);
  bbx_ranks_free (&ranks);
}
END_TEST

/* Refused, and nothing of it is kept. */
static void
is_refused (const char *content, size_t size)
{
  struct bbx_ranks ranks = { NULL, 0, 0 };
  ck_assert_ptr_nonnull (bbx_ranks_add (&ranks, content, size));
  ck_assert_uint_eq (ranks.n, 0);
  bbx_ranks_free (&ranks);
}

START_TEST (refuses_what_is_cut_off)
{
  const struct bbx_run_rank rank = some_rank (2);
  struct file f = written (&rank, NULL);
  size_t size;
  const char *content = content_of (&f, &size);
  for (size_t n = 0; n < size; n++)
    {
      char *part = malloc (n + 1); /* so that a sanitizer sees a read behind it */
      memcpy (part, content, n);
      is_refused (part, n);
      free (part);
    }
  free (f.bytes);
}
END_TEST

static void
rank_is_refused (const struct bbx_run_rank *rank)
{
  struct file f = written (rank, NULL);
  size_t size;
  const char *content = content_of (&f, &size);
  is_refused (content, size);
  free (f.bytes);
}

START_TEST (refuses_impossible_numbers)
{
  struct bbx_run_rank rank = some_rank (4); /* of 4 */
  rank_is_refused (&rank);
  rank = some_rank (1);
  rank.fixed.runs = 0;
  rank_is_refused (&rank);
  const struct bbx_rank many = { .rank = 1, .size = 4, .runs = 1, .calls = UINT64_MAX };
  is_refused ((const char *) &many, sizeof many);
}
END_TEST

START_TEST (survives_any_byte)
{
  const struct bbx_run_rank rank = some_rank (2);
  struct file f = written (&rank, NULL);
  size_t size;
  char *content = (char *) content_of (&f, &size);
  for (size_t i = 0; i < size; i++)
    for (int bit = 0; bit < 8; bit++)
      {
        struct bbx_ranks ranks = { NULL, 0, 0 };
        content[i] ^= (char) (1 << bit);
        bbx_ranks_add (&ranks, content, size);
        bbx_ranks_free (&ranks);
        content[i] ^= (char) (1 << bit);
      }
  free (f.bytes);
}
END_TEST

/* Rank 1 twice, and rank 3, in this order or the other one. */
static struct file
sum_of (bool forwards, const struct gmon_moves *moves)
{
  static const struct gmon_moves none;
  struct sum_ranks sum = { NULL };
  for (int i = 0; i < 3; i++)
    {
      const struct bbx_run_rank rank = some_rank ((forwards ? i : 2 - i) == 1 ? 3 : 1);
      struct bbx_ranks ranks = read_back (&rank);
      ck_assert (sum_ranks_add (&sum, &ranks, moves, false));
      bbx_ranks_free (&ranks);
    }
  ck_assert (sum_ranks_finish (&sum, &none));
  struct file f = written (NULL, &sum);
  sum_ranks_free (&sum);
  return f;
}

START_TEST (adds_up_in_any_order)
{
  struct gmon_move move = { 0x1100000000, 0x1200000000, 0x100 };
  const struct gmon_moves moves = { &move, 1 };
  struct file one = sum_of (true, &moves), other = sum_of (false, &moves);
  ck_assert_uint_eq (one.size, other.size);
  ck_assert_mem_eq (one.bytes, other.bytes, one.size);
  struct bbx_ranks ranks = { NULL, 0, 0 };
  size_t size;
  const char *content = content_of (&one, &size);
  ck_assert_ptr_null (bbx_ranks_add (&ranks, content, size));
  ck_assert_uint_eq (ranks.all->fixed.rank, 1);
  ck_assert_uint_eq (ranks.all->fixed.runs, 2);
  ck_assert_uint_eq (ranks.all->calls[1].calls, 6); /* by call site */
  ck_assert_uint_eq (ranks.all->lists[BBX_RANK_TICKS].items[1].address, 0x1100000110);
  ck_assert_uint_eq (ranks.all->lists[BBX_RANK_TICKS].items[1].count, 2);
  bbx_ranks_free (&ranks);
  free (one.bytes);
  free (other.bytes);
}
END_TEST

START_TEST (takes_counts_of_the_profile_once)
{
  struct bin bins[] = { { 3, 5 } };
  struct histogram histogram = { 0x400, 0x480, 64, bins, 1 };
  struct call call = { 0x10, 0x20, 7, 0 };
  const struct profile p
      = { .histograms = &histogram, .nhistograms = 1, .calls = &call, .ncalls = 1 };
  struct bbx_run_rank rank = some_rank (0);
  rank.fixed.flags = 0;
  struct bbx_ranks ranks = read_back (&rank);
  for (int i = 0; i < 2; i++)
    ck_assert (sum_ranks_take_counts (&ranks, &p));
  ck_assert_uint_eq (ranks.all->lists[BBX_RANK_TICKS].n, 1);
  ck_assert_uint_eq (ranks.all->lists[BBX_RANK_TICKS].items->address, 0x406);
  ck_assert_uint_eq (ranks.all->lists[BBX_RANK_TICKS].items->count, 5);
  ck_assert_uint_eq (ranks.all->lists[BBX_RANK_CALLS].items->address, 0x20);
  ck_assert_uint_eq (ranks.all->lists[BBX_RANK_EXECUTIONS].n, 0);
  bbx_ranks_free (&ranks);
}
END_TEST

START_TEST (names_calls)
{
  ck_assert_str_eq (bbx_rank_call_name (BBM_Send), "MPI_Send");
  ck_assert_str_eq (bbx_rank_call_name (BBM_Win_flush), "MPI_Win_flush");
  ck_assert_str_eq (bbx_rank_call_name (BBM_END), "MPI function 57");
  ck_assert_str_eq (bbx_rank_call_name (0), "MPI function 0");
}
END_TEST

int
main (void)
{
  const struct unit_test reading[] = { { reads_what_was_written },
                                       { refuses_what_is_cut_off },
                                       { refuses_impossible_numbers },
                                       { survives_any_byte },
                                       { names_calls } };
  const struct unit_test sums[]
      = { { adds_up_in_any_order }, { takes_counts_of_the_profile_once } };
  return unit_run (UNIT_SUITE ("ranks", UNIT_CASE (reading), UNIT_CASE (sums)));
}
