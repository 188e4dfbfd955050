/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what is kept of generated code: which code was at an address when, also where it moved;
   and that only what was sampled is kept, whatever the file of times has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/generated/codes_pack.h"
#include "collect/streams/file_write.h"
#include "include/bbprof-samples.h"
#include "testsuite/unit/unit.h"
#include "tools/generated/kept_codes.h"

#define FILE_NAME "kept_codes_test.bbs"

static struct trace_out out;
static struct packer packer;
static struct codes codes;
static struct kept_codes kept;

static void
begin (void)
{
  ck_assert (packer_begin (&packer));
  trace_out_open (&out, FILE_NAME, BBS_FILE_MAGIC, BBS_VERSION, 1);
  codes = (struct codes) { .n = 0 };
  kept = (struct kept_codes) { .n = 0 };
}

static void
end (void)
{
  kept_codes_free (&kept);
  codes_free (&codes);
  packer_end (&packer);
  unlink (FILE_NAME);
}

static void
put_chunk (void)
{
  struct bytes content = { .data = NULL };
  ck_assert (codes_pack (&codes, &packer, &content));
  trace_out_chunk (&out, BBS_TYPE_CODES, content.data, content.size);
  bytes_free (&content);
}

/* FROM: as in struct generated_code; a line for each four bytes if LINED. */
static void
put_code (uint64_t start, uint64_t size, uint64_t time, const char *name, uint64_t from, bool lined)
{
  static const char file[] = "/a.lang";
  const struct generated_line lines[] = { { start, 10, file }, { start + 4, 11, file } };
  const struct generated_code code = { .start = start,
                                       .size = size,
                                       .time = time,
                                       .from = from,
                                       .name = name,
                                       .name_bytes = strlen (name),
                                       .lines = lines,
                                       .nlines = lined ? 2 : 0 };
  ck_assert (codes_add (&codes, &code, 0));
  if (codes_are_full (&codes))
    put_chunk ();
}

static void
want (uint64_t address)
{
  ck_assert (kept_codes_want (&kept, address));
}

static void
read_all (void)
{
  put_chunk ();
  trace_out_finish (&out, NULL, 0);
  ck_assert_int_eq (out.error, 0);
  ck_assert (kept_codes_read (&kept, FILE_NAME));
}

static void
expect (uint64_t address, uint64_t time, const char *name, bool other_times)
{
  bool several;
  const struct kept_code *c = kept_codes_at (&kept, address, time, &several);
  ck_assert_str_eq (c ? c->name : "nothing", name);
  ck_assert_int_eq (several, other_times);
}

/* The last code by then; before the first one that. */
START_TEST (reuse)
{
  put_code (0x1000, 0x100, 10, "first", 0, false);
  put_code (0x1040, 0x20, 20, "inside", 0, false);
  put_code (0x0fe0, 0x70, 30, "across", 0, false);
  put_code (0x5000, 0x20, 5, "elsewhere", 0, false);
  want (0x1001);
  want (0x1045);
  want (0x10f0);
  want (0x2000);
  read_all ();
  ck_assert_uint_eq (kept.n, 3);
  expect (0x1001, 9, "first", true);
  expect (0x1001, 29, "first", true);
  expect (0x1001, 30, "across", true);
  expect (0x1045, 19, "first", true);
  expect (0x1045, 20, "inside", true);
  expect (0x1045, UINT64_MAX, "across", true);
  expect (0x10f0, UINT64_MAX, "first", false);
  expect (0x2000, 10, "nothing", false);
  expect (0x10f1, 10, "nothing", false); /* not wanted */
}
END_TEST

/* A map that is written anew every now and then. */
START_TEST (again)
{
  for (uint64_t i = 0; i < 1000; i++)
    {
      put_code (0x1000, 0x100, i, "same", 0, false);
      put_code (0x3000, 0x100, i, "other", 0, false);
    }
  want (0x1004);
  want (0x3004);
  read_all ();
  expect (0x1004, 500, "same", false);
  expect (0x3004, 500, "other", false);
}
END_TEST

/* Twice; then other code takes the first place.  Lines move, too. */
START_TEST (moves)
{
  put_code (0x1000, 0x20, 10, "moved", 0, true);
  put_code (0x2000, 0x20, 20, "", 0x1000, false);
  put_code (0x3000, 0x20, 30, "", 0x2000, false);
  put_code (0x1000, 0x20, 40, "next", 0, false);
  put_code (0x4000, 0x20, 50, "", 0x9000, false);
  want (0x3005);
  want (0x4000);
  want (0x1005);
  read_all ();
  bool several;
  expect (0x3005, 35, "moved", false);
  expect (0x4000, 60, "[moved code]", false);
  expect (0x1005, 45, "next", true);
  const struct kept_code *c = kept_codes_at (&kept, 0x3005, 35, &several);
  ck_assert_uint_eq (c->nlines, 2);
  ck_assert_uint_eq (c->lines[1].address, 0x3004);
  ck_assert_uint_eq (c->lines[1].line, 11);
  ck_assert_str_eq (c->lines[1].file, "/a.lang");
}
END_TEST

START_TEST (few_of_many)
{
  enum { CODES = 300000 };
  for (uint64_t i = 0; i < CODES; i++)
    put_code (0x10000 + 64 * i, 64, i, i % 2 ? "odd" : "even", 0, true);
  want (0x10000 + 64 * 7 + 3);
  want (0x10000 + 64 * (CODES - 2));
  read_all ();
  ck_assert_uint_eq (kept.n, 2);
  expect (0x10000 + 64 * 7 + 3, 0, "odd", false);
  expect (0x10000 + 64 * (CODES - 2), 0, "even", false);
}
END_TEST

/* Records that were whole before the cut are used. */
START_TEST (cut)
{
  put_code (0x1000, 0x20, 10, "one", 0, true);
  put_chunk ();
  const uint64_t first = out.whole;
  put_code (0x2000, 0x20, 20, "two", 0, false);
  read_all ();
  for (off_t size = 24; size < (off_t) out.whole; size++)
    {
      kept_codes_free (&kept);
      ck_assert_int_eq (truncate (FILE_NAME, (off_t) out.whole - (size - 24) - 1), 0);
      want (0x1000);
      want (0x2000);
      ck_assert (kept_codes_read (&kept, FILE_NAME));
      const uint64_t left = out.whole - (uint64_t) (size - 24) - 1;
      ck_assert_uint_ge (kept.n, left >= first);
      ck_assert_uint_le (kept.n, left >= first ? 2 : 0);
    }
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { reuse }, { again }, { moves }, { few_of_many }, { cut } };
  return unit_run (UNIT_SUITE ("kept codes", UNIT_CASE (tests, .set_up = begin, .tear_down = end)));
}
