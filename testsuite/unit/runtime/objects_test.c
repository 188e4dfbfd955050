/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the process's objects from inside the library: addresses and bases, the counts of an
   object that is unloaded, and the sidecar's checksum. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/sample/sample.h"
#include "testsuite/unit/unit.h"

void __mcount_internal (unsigned long from, unsigned long self);

static void
start (void)
{
  const struct bbp_object *executable = bbp_object_executable ();
  bbp_objects_start ();
  bbp_objects_refresh (false);
  bbp.low = executable->text_start + executable->bias;
  bbp.high = executable->text_end + executable->bias;
}

static struct bbp_object *
find (const char *part)
{
  for (struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    if (strstr (object->path, part))
      return object;
  return NULL;
}

START_TEST (everybody_is_found)
{
  start ();
  struct bbp_object *libc = find ("/libc.so"), *vdso = find ("[vdso]");
  ck_assert_ptr_nonnull (libc);
  ck_assert_ptr_nonnull (vdso);
  ck_assert_ptr_eq (bbp_object_at ((uintptr_t) dlsym (RTLD_DEFAULT, "qsort")), libc);
  ck_assert_ptr_eq (bbp_object_at ((uintptr_t) start), bbp_object_executable ());
  ck_assert_ptr_null (bbp_object_at (0));
  ck_assert_ptr_null (bbp_object_at ((uintptr_t) &libc)); /* the stack */
  ck_assert_ptr_null (bbp_object_at (UINTPTR_MAX));
  ck_assert_uint_eq (bbp_object_executable ()->base, 0);
  char path[4096] = "";
  ck_assert_int_gt (readlink ("/proc/self/exe", path, sizeof path - 1), 0);
  ck_assert_str_eq (bbp_object_executable ()->path, path);
}
END_TEST

START_TEST (bases_are_apart)
{
  start ();
  for (struct bbp_object *a = bbp_object_executable (); a; a = a->next)
    {
      ck_assert_uint_eq (a->base % BBX_BASE_UNIT, 0);
      ck_assert_uint_lt (a->end + a->base, 1UL << 47);
      for (struct bbp_object *b = a->next; b; b = b->next)
        ck_assert (a->end + a->base <= b->start + b->base
                   || b->end + b->base <= a->start + a->base);
    }
}
END_TEST

#define LIBRARY "libBrokenLocale.so.1" /* libc's own, and nobody's */

/* In another process, in another order, at other addresses: the same ones. */
START_TEST (bases_are_the_same_everywhere)
{
  int pipes[2];
  uintptr_t theirs;
  ck_assert_int_eq (pipe (pipes), 0);
  if (fork () == 0)
    {
      dlopen (LIBRARY, RTLD_NOW);
      start ();
      _exit (write (pipes[1], &find (LIBRARY)->base, sizeof theirs) != sizeof theirs);
    }
  ck_assert_int_eq (read (pipes[0], &theirs, sizeof theirs), sizeof theirs);
  start ();
  dlopen ("libutil.so.1", RTLD_NOW);
  dlopen (LIBRARY, RTLD_NOW);
  bbp_objects_refresh (false);
  ck_assert_uint_eq (find (LIBRARY)->base, theirs);
}
END_TEST

/* Calls from and in an object that is unloaded count once, wherever they are counted again. */
START_TEST (leaving_objects_keep_their_counts)
{
  start ();
  struct bbp_object *libc = find ("/libc.so");
  uintptr_t there = libc->bias + libc->text_start + 16, here = bbp.low + 16;
  uintptr_t virtual_there = bbp_object_virtual (libc, there),
            virtual_here = here - bbp_object_executable ()->bias;
  for (int round = 1; round <= 3; round++)
    {
      __mcount_internal (here, there);
      __mcount_internal (there, here);
      __mcount_internal (there, here);
      __mcount_internal (here, here);
      if (round == 2)
        bbp_retire (libc, true);
      struct bbp_profile profile;
      ck_assert_int_eq (bbp_merge (&profile), 0);
      ck_assert_uint_eq (profile.arcs.n, 3);
      for (size_t i = 0; i < 3; i++)
        {
          const struct bbp_count *arc = &profile.arcs.item[i];
          ck_assert (arc->from == virtual_here || arc->from == virtual_there);
          ck_assert (arc->self == virtual_here || arc->self == virtual_there);
          ck_assert_uint_eq (arc->count, arc->from == virtual_there ? 2 * round : round);
        }
      ck_assert_uint_eq (profile.lost_unloaded, 0);
      bbp_merge_free (&profile);
    }
  bbp_retire (libc, true);
  ck_assert_uint_eq (bbp.settled[BBP_ARCS]->n, 2);
  ck_assert_uint_eq (bbp.retired[BBP_ARCS]->n, 2);
}
END_TEST

START_TEST (unknown_code_is_lost)
{
  start ();
  uintptr_t nowhere = 16, here = bbp.low + 16;
  __mcount_internal (here, nowhere);
  __mcount_internal (nowhere, here);
  struct bbp_profile profile;
  ck_assert_int_eq (bbp_merge (&profile), 0);
  ck_assert_uint_eq (profile.lost_unloaded, 1);
  ck_assert_uint_eq (profile.arcs.n, 1);
  ck_assert_uint_eq (profile.arcs.item[0].from, 0);
  bbp_merge_free (&profile);
}
END_TEST

START_TEST (reset_forgets_what_was_retired)
{
  start ();
  struct bbp_object *libc = find ("/libc.so");
  __mcount_internal (bbp.low + 16, libc->bias + libc->text_start);
  bbp_retire (libc, true);
  ck_assert_int_eq (bbp_merge_reset (), 0);
  struct bbp_profile profile;
  ck_assert_int_eq (bbp_merge (&profile), 0);
  ck_assert_uint_eq (profile.arcs.n, 0);
  bbp_merge_free (&profile);
}
END_TEST

START_TEST (samples_survive_growth)
{
  enum { ADDRESSES = 5000 };
  start ();
  ck_assert (bbp_samples_make ());
  bbp_sampling.partial = true; /* no ticks are due, so the counts are not scaled */
  bbp_samples_enable (true);
  for (uintptr_t i = 0; i < ADDRESSES; i++)
    for (uintptr_t n = 0; n <= i % 3; n++)
      bbp_samples_count (bbp.low + i, 1);
  bbp_samples_count (0, 1);
  bbp_samples_enable (false);
  ck_assert_uint_ge (bbp_samples_taken (), ADDRESSES / 3 * 6); /* and real ones */
  struct bbp_profile profile;
  ck_assert_int_eq (bbp_merge (&profile), 0);
  ck_assert_uint_ge (profile.lost_nowhere, 1);
  size_t right = 0;
  uintptr_t low = bbp.low - bbp_object_executable ()->bias;
  for (size_t i = 0; i < profile.samples.n; i++)
    {
      uintptr_t place = profile.samples.item[i].self - low;
      right += place < ADDRESSES && profile.samples.item[i].count >= place % 3 + 1;
    }
  ck_assert_uint_eq (right, ADDRESSES);
  ck_assert_uint_eq (bbp.lost_samples, 0);
  bbp_merge_free (&profile);
}
END_TEST

/* The check value that everybody gives for this CRC. */
START_TEST (checksum_is_that_of_zlib)
{
  ck_assert_uint_eq (bbp_bbx_crc (0, "123456789", 9), 0xcbf43926);
  ck_assert_uint_eq (bbp_bbx_crc (bbp_bbx_crc (0, "1234", 4), "56789", 5), 0xcbf43926);
  ck_assert_uint_eq (bbp_bbx_crc (0, "", 0), 0);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { everybody_is_found },
                                     { bases_are_apart },
                                     { bases_are_the_same_everywhere },
                                     { leaving_objects_keep_their_counts },
                                     { unknown_code_is_lost },
                                     { reset_forgets_what_was_retired },
                                     { samples_survive_growth },
                                     { checksum_is_that_of_zlib } };
  return unit_run (UNIT_SUITE ("objects", UNIT_CASE (tests)));
}
