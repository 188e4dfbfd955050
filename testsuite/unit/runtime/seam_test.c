/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the run-time library without memory, from inside: losses are counted, and nothing is
   lost without need. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/sample/sample.h"
#include "runtime/unwind/unwind.h"
#include "testsuite/seam/seam.h"
#include "testsuite/unit/unit.h"

void __mcount_internal (unsigned long from, unsigned long self);

/* The first table of a thread: runtime/count/thread.c. */
enum { FIRST_TABLE = 1024, SELF = 0x900000 };

static void
start (void)
{
  struct bbp_object *executable = bbp_object_executable ();
  bbp_objects_start ();
  executable->start = executable->bias = 0; /* as if it lay there */
  executable->end = bbp.high = 0xa00000;
  bbp.low = 0x100000;
}

static void
memory_ends (void)
{
  bbp_seam_plan (SYS_mmap, 1, true, ENOMEM);
}

static void
memory_is_back (void)
{
  bbp_seam_plan (SYS_mmap, 0, false, 0);
}

static void
call_from (unsigned long first, unsigned long n)
{
  for (unsigned long i = first; i < first + n; i++)
    __mcount_internal (0x100000 + i, SELF);
}

/* The number of arcs in the profile; each of them has CALLS calls. */
static size_t
arcs_of (uint64_t calls)
{
  struct bbp_profile profile;
  ck_assert_int_eq (bbp_merge (&profile), 0);
  for (size_t i = 0; i < profile.arcs.n; i++)
    ck_assert_uint_eq (profile.arcs.item[i].count, calls);
  size_t n = profile.arcs.n;
  bbp_merge_free (&profile);
  return n;
}

START_TEST (thread_without_memory)
{
  start ();
  memory_ends ();
  call_from (0, 10);
  ck_assert_ptr_null (bbp.threads);
  ck_assert_uint_eq (bbp.lost_arcs, 10);
  memory_is_back ();
  call_from (0, 3);
  ck_assert_uint_eq (arcs_of (1), 3);
  ck_assert_uint_eq (bbp.lost_arcs, 10);
}
END_TEST

/* A table that is half full would be followed by a larger one; without memory it is filled up
   first. */
START_TEST (table_that_cannot_grow)
{
  start ();
  call_from (0, 1);
  memory_ends ();
  call_from (1, FIRST_TABLE - 1);
  call_from (0, FIRST_TABLE);
  memory_is_back ();
  ck_assert_uint_eq (arcs_of (2), FIRST_TABLE);
  ck_assert_uint_eq (bbp.threads->lost_arcs, 0);
}
END_TEST

START_TEST (table_that_is_full)
{
  start ();
  call_from (0, 1);
  memory_ends ();
  call_from (1, FIRST_TABLE + 99);
  call_from (0, FIRST_TABLE);
  memory_is_back ();
  ck_assert_uint_eq (arcs_of (2), FIRST_TABLE);
  ck_assert_uint_eq (bbp.threads->lost_arcs, 100);
  call_from (5000, 100); /* grows at last */
  call_from (5000, 100);
  ck_assert_uint_eq (arcs_of (2), FIRST_TABLE + 100);
  ck_assert_uint_eq (bbp.threads->lost_arcs, 100);
}
END_TEST

/* Small pieces come from one mapping, zeroed each time. */
START_TEST (pages_of_the_pool)
{
  enum { POOL = 64, MOST = 4 * BBP_PAGE_BYTES, SIZE = BBP_PAGE_BYTES };
  char *piece[POOL] = { bbp_pages_map (1) };
  memory_ends ();
  ck_assert_ptr_null (bbp_pages_map (MOST + 1));
  for (size_t i = 1; i < POOL; i++)
    {
      piece[i] = bbp_pages_map (SIZE);
      ck_assert_ptr_nonnull (piece[i]);
      for (size_t at = 0; at < SIZE; at++)
        ck_assert_int_eq (piece[i][at], 0);
      memset (piece[i], 1, SIZE);
    }
  ck_assert_int_eq (piece[0][0], 0);
  ck_assert_ptr_null (bbp_pages_map (1));
  for (size_t i = 20; i < 24; i++)
    bbp_pages_unmap (piece[i], SIZE);
  char *all = bbp_pages_map (MOST);
  ck_assert_ptr_eq (all, piece[20]);
  for (size_t at = 0; at < MOST; at++)
    ck_assert_int_eq (all[at], 0);
  ck_assert_int_eq (piece[19][SIZE - 1], 1);
  ck_assert_int_eq (piece[24][0], 1);
  memory_is_back ();
  char *outside = bbp_pages_map (1);
  ck_assert_ptr_nonnull (outside);
  bbp_pages_unmap (outside, 1);
}
END_TEST

/* A slice's pages become those of the live file, so they must not return to the pool. */
START_TEST (slices_are_apart)
{
  ck_assert_ptr_nonnull (bbp_pages_map (1));
  memory_ends ();
  ck_assert_ptr_null (bbp_slice_map (BBL_CONTEXTS, 1, 0, 100));
  ck_assert_ptr_nonnull (bbp_pages_map (1));
}
END_TEST

START_TEST (dump_and_reset_without_memory)
{
  start ();
  call_from (0, FIRST_TABLE); /* more than the pool has room for */
  memory_ends ();
  struct bbp_profile profile;
  ck_assert_int_eq (bbp_merge (&profile), -ENOMEM);
  ck_assert_int_eq (bbp_merge_reset (), -ENOMEM);
  memory_is_back ();
  ck_assert_uint_eq (arcs_of (1), FIRST_TABLE);
}
END_TEST

/* Nodes in a chain; how many there were. */
static uint32_t
enter_chain (uintptr_t first, uint32_t n)
{
  uint32_t node = 0, entered = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      const struct bbp_frame frame = { .address = first + i, .kind = BBX_FRAME_CODE };
      uint32_t next = bbp_context_enter (node, &frame);
      if (!next)
        return entered;
      node = next;
      entered++;
    }
  return entered;
}

/* The nodes that the tree has stay in use; as soon as there is memory, the tree grows again. */
START_TEST (tree_without_memory)
{
  memory_ends ();
  ck_assert_uint_eq (enter_chain (1000, 1), 0);
  memory_is_back ();
  ck_assert_uint_eq (enter_chain (1000, 10), 10);
  memory_ends ();
  ck_assert_uint_eq (enter_chain (5000, 100000), 1024 - 10); /* the first segment */
  ck_assert_uint_eq (enter_chain (1000, 10), 10);
  ck_assert_uint_eq (enter_chain (5000, 1014), 1014);
  ck_assert_uint_eq (bbp_segments_used (&bbp_contexts), 1024);
  memory_is_back ();
  ck_assert_uint_eq (enter_chain (5000, 100000), 100000);
  ck_assert_uint_eq (bbp_segments_used (&bbp_contexts), 10 + 100000);
}
END_TEST

static struct bbp_out out;

/* Writes LETTER to the file seam.out.  NUMBER, the NTH time (and ONWARDS), fails with ERROR when
   the file gets its name. */
static bool
write_letter (char letter, long number, bool onwards, int error)
{
  ck_assert (bbp_out_open (&out, "seam.out"));
  bbp_out_bytes (&out, &letter, 1);
  ck_assert (bbp_out_finish (&out));
  bbp_seam_plan (number, 1, onwards, error);
  const bool written = bbp_out_rename (&out, "seam.out");
  bbp_seam_plan (number, 0, false, 0);
  ck_assert_int_ne (access (out.temporary, F_OK), 0);
  return written;
}

static int
letter_in (const char *name)
{
  FILE *file = fopen (name, "r");
  ck_assert_ptr_nonnull (file);
  int letter = fgetc (file);
  fclose (file);
  return letter;
}

/* The new file takes the place of the old one, by an exchange or, where there is none or nothing
   can be removed, a rename.  The old one keeps its other names; if nothing works it stays. */
START_TEST (file_takes_the_place_of_another)
{
  ck_assert (write_letter ('a', SYS_unlinkat, true, EISDIR)); /* nothing to remove */
  ck_assert_int_eq (link ("seam.out", "seam.link"), 0);
  ck_assert (write_letter ('b', -1, false, 0));
  ck_assert_int_eq (letter_in ("seam.out"), 'b');
  ck_assert_int_eq (letter_in ("seam.link"), 'a');
  ck_assert (write_letter ('c', SYS_renameat2, false, EINVAL));
  ck_assert_int_eq (letter_in ("seam.out"), 'c');
  ck_assert (!write_letter ('d', SYS_renameat2, true, EIO));
  ck_assert_int_eq (out.error, EIO);
  ck_assert_int_eq (letter_in ("seam.out"), 'c');
  ck_assert (write_letter ('e', SYS_unlinkat, true, EPERM));
  ck_assert_int_eq (letter_in ("seam.out"), 'e');
  unlink ("seam.link");
  unlink ("seam.out");
}
END_TEST

int
main (void)
{
  const struct unit_test tests[]
      = { { thread_without_memory }, { table_that_cannot_grow },
          { table_that_is_full },    { pages_of_the_pool },
          { slices_are_apart },      { dump_and_reset_without_memory },
          { tree_without_memory },   { file_takes_the_place_of_another } };
  return unit_run (UNIT_SUITE ("failures", UNIT_CASE (tests)));
}
