/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of runtime/historic/gzip.c: zlib reads what it writes: any number of words around the
   size of a block, loops, noise, and repetitions just within and just beyond the window; loops
   become small. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "runtime/historic/gzip.h"
#include "testsuite/unit/unit.h"

#define MOST ((size_t) 100000)

static uint64_t words[MOST], back[MOST + 1];
static unsigned char packed[MOST * 10 + 1000];
static size_t npacked;

static void
receive (void *context, const void *bytes, size_t n)
{
  (void) context;
  ck_assert (npacked + n <= sizeof packed);
  memcpy (packed + npacked, bytes, n);
  npacked += n;
}

static void
pack (size_t n)
{
  struct bbh_gzip *z = malloc (sizeof *z);
  memset (z, 0x55, sizeof *z); /* it need not be empty */
  npacked = 0;
  bbh_gzip_begin (z, (struct bbh_receiver) { receive, NULL });
  for (size_t i = 0; i < n; i++)
    bbh_gzip_word (z, words[i]);
  bbh_gzip_end (z);
  free (z);
}

/* Its length and sum are checked by zlib. */
static void
check_words (size_t n)
{
  pack (n);
  z_stream stream = { .next_in = packed,
                      .avail_in = (uInt) npacked,
                      .next_out = (unsigned char *) back,
                      .avail_out = sizeof back };
  ck_assert_int_eq (inflateInit2 (&stream, 16 + MAX_WBITS), Z_OK);
  ck_assert_int_eq (inflate (&stream, Z_FINISH), Z_STREAM_END);
  ck_assert_uint_eq (stream.avail_in, 0);
  ck_assert_uint_eq (stream.total_out, n * sizeof *words);
  ck_assert (memcmp (back, words, n * sizeof *words) == 0);
  inflateEnd (&stream);
}

static uint64_t
noise (void)
{
  static uint64_t seed = 1;
  seed = seed * 6364136223846793005 + 1442695040888963407;
  return seed ^ seed >> 29;
}

START_TEST (numbers)
{
  static const size_t some[] = { 0,
                                 1,
                                 2,
                                 31,
                                 32,
                                 33,
                                 64,
                                 BBH_GZIP_WORDS - 1,
                                 BBH_GZIP_WORDS,
                                 BBH_GZIP_WORDS + 1,
                                 3 * BBH_GZIP_WORDS,
                                 MOST };
  for (size_t i = 0; i < MOST; i++)
    words[i] = 0x401000 + i % 1000 * 24;
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    check_words (some[i]);
}
END_TEST

START_TEST (contents)
{
  for (int kind = 0; kind < 4; kind++)
    {
      for (size_t i = 0; i < MOST; i++)
        words[i] = kind == 0      ? noise ()
                   : kind == 1    ? noise () % 3
                   : kind == 2    ? 0x555555554000 + noise () % 300 * 16
                   : noise () % 5 ? 7
                                  : noise ();
      check_words (MOST);
    }
}
END_TEST

/* All lengths of repetitions at all distances there are codes for. */
START_TEST (repetitions)
{
  static const size_t distances[]
      = { 1, 2, 3, 4, 5, 8, 9, 16, 33, 64, 129, 256, 513, 1024, 2049, 4095, 4096, 4097, 5000 };
  for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
    for (size_t length = 1; length <= 70; length += length < 36 ? 1 : 17)
      {
        size_t n = distances[d] + length + 1;
        for (size_t i = 0; i < n; i++)
          words[i] = i >= distances[d] && i < distances[d] + length ? words[i - distances[d]]
                                                                    : noise ();
        check_words (n);
      }
}
END_TEST

START_TEST (size)
{
  for (size_t i = 0; i < MOST; i++)
    words[i] = 0x401000 + i % 10 * 16;
  pack (MOST);
  ck_assert_uint_lt (npacked, MOST * sizeof *words / 60);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { numbers }, { contents }, { repetitions }, { size } };
  return unit_run (UNIT_SUITE ("gzip", UNIT_CASE (tests)));
}
