/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the readers of generated code: a file that grows byte by byte gives what it gives at
   once; of a file that is cut anywhere nothing is lost that was there; damage is named.  Unpacking
   gives what was packed.  Files of other users and processes are left alone. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/generated/code_files.h"
#include "collect/generated/codes_pack.h"
#include "collect/generated/perf_map.h"
#include "common/clock.h"
#include "testsuite/unit/unit.h"

/* The pieces of code that were taken, as text: a line for each piece of code. */
struct taken {
  char text[1 << 16];
  size_t size, n, most;
};

static bool
take (void *to, const struct generated_code *c)
{
  struct taken *t = to;
  char *p = t->text + t->size;
  if (t->n == t->most)
    return false;
  t->n++;
  p += sprintf (p, "%lx+%lx @%lu <%lx %.*s", c->start, c->size, c->time, c->from,
                (int) c->name_bytes, c->name);
  ck_assert_uint_eq (strlen (c->name), c->name_bytes);
  for (size_t i = 0; i < c->nlines; i++)
    p += sprintf (p, " %lx=%s:%u", c->lines[i].address, c->lines[i].file, c->lines[i].line);
  p += sprintf (p, "\n");
  t->size = (size_t) (p - t->text);
  return true;
}

static struct taken taken;
static const struct code_sink sink = { take, &taken };
static struct jitdump file;

static void
open_empty (void)
{
  memset (&taken, 0, sizeof taken);
  taken.most = SIZE_MAX;
  file = (struct jitdump) { .text = { .fd = memfd_create ("generated", 0) } };
  ck_assert_int_ge (file.text.fd, 0);
}

static void
close_file (void)
{
  close (file.text.fd);
  jitdump_free (&file);
}

static void
append (const void *bytes, size_t n)
{
  ck_assert_int_eq (write (file.text.fd, bytes, n), (ssize_t) n);
}

static void
expect (const char *text)
{
  taken.text[taken.size] = '\0';
  ck_assert_str_eq (taken.text, text);
}

/* Perf maps. */

static void
read_map (const char *text, size_t n, bool last)
{
  append (text, n);
  ck_assert (perf_map_read (&file.text, 7, last, &sink));
}

START_TEST (map)
{
  static const char text[] = "7f0000001000 20 LazyCompile:*f /a b.js:1\n0x10 0X nothing\n"
                             "7F0000002000 1 x\n7f0000003000 0 empty\n";
  read_map (text, strlen (text), true);
  expect ("7f0000001000+20 @7 <0 LazyCompile:*f /a b.js:1\n7f0000002000+1 @7 <0 x\n");
  ck_assert_uint_eq (file.text.bad, 1);
  ck_assert_uint_eq (file.text.bad_at, 41);
  ck_assert_uint_eq (file.text.codes, 2);
}
END_TEST

START_TEST (map_grows)
{
  static const char text[] = "1000 20 one\n2000 30 two\n3000 40 three\n";
  for (size_t i = 0; i < strlen (text); i++)
    read_map (text + i, 1, i + 1 == strlen (text));
  expect ("1000+20 @7 <0 one\n2000+30 @7 <0 two\n3000+40 @7 <0 three\n");
  ck_assert_uint_eq (file.text.bad, 0);
}
END_TEST

START_TEST (map_cut)
{
  static const char text[] = "1000 20 one\n2000 30 two\n3000 40 three\n";
  for (size_t cut = 0; cut <= strlen (text); cut++)
    {
      size_t whole = 0;
      for (size_t i = 0; i < cut; i++)
        whole += text[i] == '\n';
      open_empty ();
      read_map (text, cut, true);
      ck_assert_uint_ge (taken.n, whole);
      ck_assert_uint_le (taken.n, whole + 1);
      /* Either the end is that of a line, or the user learns of it. */
      ck_assert_int_eq (file.text.why == NULL, cut == 0 || text[cut - 1] == '\n');
      if (file.text.why)
        ck_assert_uint_ge (file.text.bad_at, whole * 12);
      close_file ();
    }
  open_empty ();
}
END_TEST

START_TEST (map_anew)
{
  static const char old[] = "1000 20 old\n2000 20 older\n", new[] = "1000 20 new, longer than it\n";
  read_map (old, strlen (old), false);
  ck_assert_int_eq (ftruncate (file.text.fd, 0), 0);
  ck_assert_int_eq (lseek (file.text.fd, 0, SEEK_SET), 0);
  read_map (new, strlen (new), true);
  expect ("1000+20 @7 <0 old\n2000+20 @7 <0 older\n1000+20 @7 <0 new, longer than it\n");
}
END_TEST

/* With the words that tell what is wrong. */
static const struct {
  const char *line, *why;
} wrong_lines[] = {
  { "\n", "START SIZE NAME" },
  { "1000\n", "START SIZE NAME" },
  { "1000 20\n", "START SIZE NAME" },
  { "1000 20 \n", "a name" },
  { "1000 zz name\n", "START SIZE NAME" },
  { " 1000 20 name\n", "START SIZE NAME" },
  { "-1 20 name\n", "START SIZE NAME" },
  { "11112222333344445 20 name\n", "START SIZE NAME" },
  { "1000 111122223333444 name\n", "addresses" },
  { "ffffffff80000000 20 kernel\n", "addresses" },
};

START_TEST (map_damaged)
{
  static const char good[] = "1000 20 good\n";
  read_map (good, strlen (good), false);
  read_map (wrong_lines[_i].line, strlen (wrong_lines[_i].line), false);
  read_map (good, strlen (good), true);
  expect ("1000+20 @7 <0 good\n1000+20 @7 <0 good\n");
  ck_assert_uint_eq (file.text.bad, 1);
  ck_assert_uint_eq (file.text.bad_at, strlen (good));
  ck_assert_ptr_nonnull (strstr (file.text.why, wrong_lines[_i].why));
}
END_TEST

START_TEST (map_long_name)
{
  enum { LONG = 300000 };
  static char text[LONG];
  memset (text, 'n', sizeof text);
  memcpy (text, "1000 20 ", 8);
  append (text, sizeof text);
  append ("\n2000 10 next\n", 14);
  ck_assert (perf_map_read (&file.text, 7, true, &sink));
  ck_assert_uint_eq (taken.n, 2);
  ck_assert_ptr_nonnull (strstr (taken.text, "2000+10 @7 <0 next\n"));
  ck_assert_uint_eq (taken.size,
                     strlen ("1000+20 @7 <0 \n2000+10 @7 <0 next\n") + GENERATED_NAME_MOST);
}
END_TEST

START_TEST (map_full)
{
  static const char text[] = "1000 20 one\n2000 30 two\n";
  taken.most = 1;
  append (text, strlen (text));
  ck_assert (!perf_map_read (&file.text, 7, true, &sink));
}
END_TEST

static bool
count (void *to, const struct generated_code *code)
{
  ++*(size_t *) to;
  return code->name_bytes > 0;
}

static long
kilobytes (void)
{
  struct rusage used;
  getrusage (RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

/* Memory does not depend on the number of entries. */
START_TEST (map_huge)
{
  enum { ENTRIES = 10000000 };
  size_t n = 0;
  const struct code_sink counting = { count, &n };
  FILE *out = tmpfile ();
  ck_assert_ptr_nonnull (out);
  for (uint64_t i = 0; i < ENTRIES; i++)
    fprintf (out, "%lx 40 function_%lu\n", 0x7f0000000000 + 64 * i, i);
  ck_assert_int_eq (fflush (out), 0);
  struct code_text text = { .fd = fileno (out) };
  const long before = kilobytes ();
  ck_assert (perf_map_read (&text, 0, true, &counting));
  ck_assert_uint_eq (n, ENTRIES);
  ck_assert_int_lt (kilobytes () - before, 4096);
  fclose (out);
}
END_TEST

/* Jitdumps. */

static void
put (struct taken *to, const void *bytes, size_t n)
{
  memcpy (to->text + to->size, bytes, n);
  to->size += n;
}

static void
put_32 (struct taken *to, uint32_t value)
{
  put (to, &value, sizeof value);
}

static void
put_64 (struct taken *to, uint64_t value)
{
  put (to, &value, sizeof value);
}

static void
put_header (struct taken *to, uint32_t magic, uint32_t version, uint32_t machine, uint64_t flags)
{
  const uint32_t words[] = { magic, version, 40, machine, 0, 123 };
  put (to, words, sizeof words);
  put_64 (to, 5);
  put_64 (to, flags);
}

static void
put_record (struct taken *to, uint32_t id, uint64_t time, const struct taken *body)
{
  put_32 (to, id);
  put_32 (to, (uint32_t) body->size + 16);
  put_64 (to, time);
  put (to, body->text, body->size);
  to->n++;
}

static void
put_load (struct taken *to, uint64_t time, uint64_t start, uint64_t size, const char *name)
{
  static struct taken body;
  static const unsigned char code[16] = { 0xc3 };
  body.size = 0;
  put_64 (&body, 123);
  put_64 (&body, start);
  put_64 (&body, start);
  put_64 (&body, size);
  put_64 (&body, to->n);
  put (&body, name, strlen (name) + 1);
  put (&body, code, sizeof code);
  put_record (to, 0, time, &body);
}

static void
put_lines (struct taken *to, uint64_t start, uint64_t n)
{
  static struct taken body;
  body.size = 0;
  put_64 (&body, start);
  put_64 (&body, n);
  for (uint32_t i = 0; i < n; i++)
    {
      const char *const its = i == 1 ? "\xff" : i == 2 ? "b.js" : "/a.js";
      put_64 (&body, start + 4 * i);
      put_32 (&body, 10 + i);
      put_32 (&body, 0);
      put (&body, its, strlen (its) + 1);
    }
  put_record (to, 2, 6, &body);
}

static void
put_move (struct taken *to, uint64_t time, uint64_t from, uint64_t start, uint64_t size)
{
  static struct taken body;
  body.size = 0;
  put_64 (&body, 123);
  put_64 (&body, start);
  put_64 (&body, from);
  put_64 (&body, start);
  put_64 (&body, size);
  put_64 (&body, 0);
  put_record (to, 1, time, &body);
}

/* Of each kind, and what it gives. */
static struct taken dump;
static size_t ends[8]; /* of the header and the records */
static const char *const given[] = { "",
                                     "1000+20 @8 <0 plain\n",
                                     "",
                                     "",
                                     "",
                                     "2000+40 @9 <0 lined 2000=/a.js:10 2004=/a.js:11 "
                                     "2008=b.js:12\n",
                                     "3000+20 @10 <1000 \n",
                                     "" };

static void
make_dump (void)
{
  static const struct taken nothing;
  memset (&dump, 0, sizeof dump);
  put_header (&dump, 0x4a695444, 1, EM_X86_64, 0);
  ends[0] = dump.size;
  put_load (&dump, 8, 0x1000, 0x20, "plain");
  ends[1] = dump.size;
  put_record (&dump, 4, 8, &nothing); /* for unwinding */
  ends[2] = dump.size;
  put_record (&dump, 99, 8, &nothing); /* of another version */
  ends[3] = dump.size;
  put_lines (&dump, 0x2000, 3);
  ends[4] = dump.size;
  put_load (&dump, 9, 0x2000, 0x40, "lined");
  ends[5] = dump.size;
  put_move (&dump, 10, 0x1000, 0x3000, 0x20);
  ends[6] = dump.size;
  put_record (&dump, 3, 11, &nothing); /* the end */
  ends[7] = dump.size;
}

static void
read_dump (bool last)
{
  ck_assert (jitdump_read (&file, 7, last, &sink));
}

/* Compares the pieces of code that the first SIZE bytes give. */
static void
expect_given (size_t size)
{
  char text[4096] = "";
  for (int i = 0; i < 8 && ends[i] <= size; i++)
    strcat (text, given[i]);
  expect (text);
}

START_TEST (dump_grows)
{
  make_dump ();
  for (size_t i = 0; i < dump.size; i++)
    {
      append (dump.text + i, 1);
      read_dump (false);
      expect_given (i + 1);
    }
  read_dump (true);
  ck_assert_uint_eq (file.text.bad, 0);
  ck_assert_uint_eq (file.text.codes, 3);
}
END_TEST

START_TEST (dump_cut)
{
  make_dump ();
  for (size_t cut = 0; cut <= dump.size; cut++)
    {
      bool whole = false;
      for (int i = 0; i < 8; i++)
        whole |= cut == ends[i];
      open_empty ();
      append (dump.text, cut);
      read_dump (true);
      expect_given (cut);
      ck_assert_int_eq (file.text.why == NULL, whole);
      close_file ();
    }
  open_empty ();
}
END_TEST

static const struct {
  uint32_t magic, version, machine;
  const char *why;
} wrong_headers[] = { { 0x4454694a, 1, EM_X86_64, "byte order" },
                      { 0x4a695444, 2, EM_X86_64, "version 1" },
                      { 0x4a695444, 1, EM_AARCH64, "this machine" } };

START_TEST (dump_of_others)
{
  memset (&dump, 0, sizeof dump);
  put_header (&dump, wrong_headers[_i].magic, wrong_headers[_i].version, wrong_headers[_i].machine,
              0);
  put_load (&dump, 8, 0x1000, 0x20, "plain");
  append (dump.text, dump.size);
  read_dump (true);
  expect ("");
  ck_assert_ptr_nonnull (strstr (file.text.why, wrong_headers[_i].why));
}
END_TEST

/* Lines come in any order; a list in which an entry has another size than it says is not used. */
START_TEST (dump_lines)
{
  memset (&dump, 0, sizeof dump);
  put_header (&dump, 0x4a695444, 1, EM_X86_64, 0);
  put_lines (&dump, 0x2000, 3);
  memcpy (dump.text + 40 + 32, "\x0c", 1); /* the address of the first one */
  put_load (&dump, 9, 0x2000, 0x40, "any order");
  const size_t bad = dump.size;
  put_lines (&dump, 0x3000, 2);
  dump.text[bad + 24] = 1; /* the number of lines */
  put_load (&dump, 9, 0x3000, 0x40, "unlined");
  append (dump.text, dump.size);
  read_dump (true);
  ck_assert_ptr_nonnull (strstr (taken.text, "any order 2004=/a.js:11 2008=b.js:12 200c=/a.js:10\n"
                                             "3000+40 @9 <0 unlined\n"));
  ck_assert_uint_eq (file.text.bad, 1);
  ck_assert_uint_eq (file.text.bad_at, bad);
}
END_TEST

/* The time stamp counter's times say nothing here. */
START_TEST (dump_of_another_clock)
{
  memset (&dump, 0, sizeof dump);
  put_header (&dump, 0x4a695444, 1, EM_X86_64, 1);
  put_load (&dump, 123456, 0x1000, 0x20, "plain");
  append (dump.text, dump.size);
  read_dump (true);
  expect ("1000+20 @7 <0 plain\n");
}
END_TEST

/* Damage inside of a record costs that record only. */
START_TEST (dump_damaged)
{
  memset (&dump, 0, sizeof dump);
  put_header (&dump, 0x4a695444, 1, EM_X86_64, 0);
  const size_t bad = dump.size;
  put_load (&dump, 8, UINT64_MAX, 0x20, "nowhere");
  put_load (&dump, 8, 0x1000, 0, "nothing");
  put_load (&dump, 8, 0x1000, 0x20, "");
  put_move (&dump, 8, 0x1000, UINT64_MAX - 5, 0x20);
  put_lines (&dump, 0x2000, 3);
  memset (dump.text + dump.size - 5, 'x', 5); /* no end of the last name */
  put_load (&dump, 9, 0x2000, 0x20, "good");
  append (dump.text, dump.size);
  read_dump (true);
  expect ("2000+20 @9 <0 good\n");
  ck_assert_uint_eq (file.text.bad, 5);
  ck_assert_uint_eq (file.text.bad_at, bad);
}
END_TEST

/* Records follow each other by their sizes, so behind a wrong one there is nothing. */
START_TEST (dump_without_size)
{
  make_dump ();
  memset (dump.text + ends[1] + 4, 0, 4);
  append (dump.text, dump.size);
  read_dump (true);
  expect (given[1]);
  ck_assert_uint_eq (file.text.bad_at, ends[1]);
  ck_assert_ptr_nonnull (strstr (file.text.why, "size"));
}
END_TEST

/* Packing. */

/* As it was read, but with times since 2. */
static struct bytes
pack_dump (void)
{
  struct packer p;
  struct codes codes = { .n = 0 };
  struct bytes to = { .data = NULL };
  static const struct generated_line lines[]
      = { { 0x2000, 10, "/a.js" }, { 0x2004, 11, "/a.js" }, { 0x2008, 12, "b.js" } };
  static const struct generated_code all[] = {
    { .start = 0x1000, .size = 0x20, .time = 8, .name = "plain", .name_bytes = 5 },
    { .start = 0x2000, .size = 0x40, .time = 9, .name = "", .lines = lines, .nlines = 3 },
    { .start = 0x800, .size = 0x20, .time = 1, .from = 0x1000, .name = "" },
  };
  ck_assert (packer_begin (&p));
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    ck_assert (codes_add (&codes, &all[i], 2));
  ck_assert (codes_pack (&codes, &p, &to));
  ck_assert_uint_eq (codes.n, 0);
  codes_free (&codes);
  packer_end (&p);
  return to;
}

/* False: damaged. */
static bool
unpack (const unsigned char *content, size_t n)
{
  struct codes_reading r;
  struct generated_code code;
  bool good = codes_open (&r, content, n);
  while (good && codes_next (&r, &code, &good))
    take (&taken, &code);
  codes_close (&r);
  return good;
}

START_TEST (pack)
{
  struct bytes packed = pack_dump ();
  ck_assert (unpack (packed.data, packed.size));
  expect ("1000+20 @6 <0 plain\n"
          "2000+40 @7 <0  2000=/a.js:10 2004=/a.js:11 2008=b.js:12\n"
          "800+20 @0 <1000 \n");
  bytes_free (&packed);
}
END_TEST

START_TEST (pack_cut)
{
  struct bytes packed = pack_dump ();
  for (size_t cut = 0; cut < packed.size; cut++)
    ck_assert (!unpack (packed.data, cut));
  packed.data[0] = 200; /* pieces of code: more than there are */
  ck_assert (!unpack (packed.data, packed.size));
  bytes_free (&packed);
}
END_TEST

/* Files. */

static char map_name[64];
static struct code_files files;

static void
put_file (const char *name, const char *text)
{
  FILE *out = fopen (name, "w");
  ck_assert_ptr_nonnull (out);
  fputs (text, out);
  ck_assert_int_eq (fclose (out), 0);
}

/* This process's own map. */
static void
begin_files (void)
{
  open_empty ();
  sprintf (map_name, "/tmp/perf-%d.map", (int) getpid ());
  unlink (map_name);
  code_files_begin (&files, getpid (), clock_now ());
}

static void
end_files (void)
{
  code_files_end (&files);
  close_file ();
  unlink (map_name);
}

static const char *
read_files (void)
{
  ck_assert (code_files_read (&files, clock_now (), true, &sink));
  return files.files[CODE_PERF_MAP].refused;
}

START_TEST (own_map)
{
  ck_assert_ptr_null (read_files ());
  ck_assert_uint_eq (taken.n, 0);
  put_file (map_name, "1000 20 mine\n");
  ck_assert_ptr_null (read_files ());
  ck_assert_uint_eq (taken.n, 1);
}
END_TEST

/* Not the one that a process with this number left behind an hour ago. */
START_TEST (old_map)
{
  const struct timespec then[2] = { { .tv_sec = time (NULL) - 3600 }, { time (NULL) - 3600, 0 } };
  put_file (map_name, "1000 20 old\n");
  ck_assert_int_eq (utimensat (AT_FDCWD, map_name, then, 0), 0);
  ck_assert_ptr_null (read_files ());
  ck_assert_uint_eq (taken.n, 0);
  put_file (map_name, "1000 20 mine\n");
  read_files ();
  ck_assert_uint_eq (taken.n, 1);
}
END_TEST

START_TEST (map_of_others)
{
  enum { NOBODY = 65534 };
  put_file (map_name, "1000 20 bait\n");
  if (chown (map_name, NOBODY, NOBODY) == 0)
    ck_assert_ptr_nonnull (strstr (read_files (), "another user"));
  unlink (map_name);
  ck_assert_int_eq (symlink ("/etc/passwd", map_name), 0);
  ck_assert_ptr_nonnull (strstr (read_files (), "is a link"));
  unlink (map_name);
  ck_assert_int_eq (mkfifo (map_name, 0600), 0);
  ck_assert_ptr_nonnull (strstr (read_files (), "not a regular file"));
  ck_assert_uint_eq (taken.n, 0);
}
END_TEST

/* Found by its name among the mappings. */
START_TEST (own_jitdump)
{
  char name[64];
  sprintf (name, "jit-%d.dump", (int) getpid ());
  make_dump ();
  FILE *out = fopen (name, "w+");
  ck_assert_uint_eq (fwrite (dump.text, 1, dump.size, out), dump.size);
  ck_assert_int_eq (fflush (out), 0);
  void *mark = mmap (NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno (out), 0);
  fclose (out);
  ck_assert_ptr_ne (mark, MAP_FAILED);
  read_files ();
  expect_given (dump.size);
  munmap (mark, 4096);
  unlink (name);
}
END_TEST

int
main (void)
{
  const struct unit_test of_files[]
      = { { own_map }, { old_map }, { map_of_others }, { own_jitdump } };
  const struct unit_test tests[] = {
    { map },
    { map_grows },
    { map_cut },
    { map_anew },
    { map_damaged, .times = sizeof wrong_lines / sizeof *wrong_lines },
    { map_long_name },
    { map_full },
    { map_huge },
    { dump_grows },
    { dump_cut },
    { dump_of_others, .times = sizeof wrong_headers / sizeof *wrong_headers },
    { dump_of_another_clock },
    { dump_lines },
    { dump_damaged },
    { dump_without_size },
    { pack },
    { pack_cut },
  };
  return unit_run (
      UNIT_SUITE ("generated", UNIT_CASE (tests, .set_up = open_empty, .tear_down = close_file),
                  UNIT_CASE (of_files, .set_up = begin_files, .tear_down = end_files)));
}
