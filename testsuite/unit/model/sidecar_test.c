/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of reading sidecars: hand-made ones, truncated and changed at every byte, and the
   objects of several runs. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "model/files/bbx_read.h"
#include "model/symbols/objects.h"
#include "model/symbols/symtab_load.h"
#include "testsuite/unit/unit.h"

enum { RUN = 77 };

struct bytes {
  unsigned char data[4096];
  size_t size;
};

static void
put (struct bytes *b, const void *from, size_t n)
{
  ck_assert_uint_le (b->size + n + 8, sizeof b->data);
  memcpy (b->data + b->size, from, n);
  b->size += n;
}

/* Ends with zeros to the next multiple of 8. */
static void
put_chunk (struct bytes *b, uint32_t type, const void *content, uint64_t length)
{
  struct bbx_chunk chunk = { .type = type, .length = length };
  uLong crc = crc32 (0, (unsigned char *) &chunk.type, sizeof chunk.type);
  crc = crc32 (crc, (unsigned char *) &chunk.length, sizeof chunk.length);
  chunk.crc = (uint32_t) crc32 (crc, content, (uInt) length);
  put (b, &chunk, sizeof chunk);
  put (b, content, length);
  put (b, "\0\0\0\0\0\0\0", -b->size & 7);
}

static void
put_header (struct bytes *b)
{
  struct bbx_header header = { .version = BBX_VERSION, .bytes = sizeof header, .run = RUN };
  memcpy (header.magic, BBX_MAGIC, sizeof header.magic);
  memset (b, 0, sizeof *b);
  put (b, &header, sizeof header);
}

static struct bbx_object
some_object (uint64_t base)
{
  return (struct bbx_object) { .base = base,
                               .end = 0x5000,
                               .text_start = 0x1000,
                               .text_end = 0x3000,
                               .loads = 1,
                               .flags = base ? 0 : BBX_OBJECT_EXECUTABLE };
}

/* With a build id of four letters, or null. */
static void
put_object (struct bytes *b, struct bbx_object o, const char *id, const char *path)
{
  struct bytes content = { .size = 0 };
  o.build_id_bytes = id ? 4 : 0;
  o.path_bytes = (uint32_t) strlen (path) + 1;
  put (&content, &o, offsetof (struct bbx_object, data));
  put (&content, id ? id : "", o.build_id_bytes);
  put (&content, path, o.path_bytes);
  put_chunk (b, BBX_TYPE_OBJECT, content.data, content.size);
}

/* An image of the object with that base. */
static void
put_image (struct bytes *b, uint64_t base)
{
  struct bytes content = { .size = 0 };
  put (&content, &base, sizeof base);
  put (&content, "ELF", 3);
  put_chunk (b, BBX_TYPE_IMAGE, content.data, content.size);
}

static void
put_run (struct bytes *b)
{
  struct bytes content = { .size = 0 };
  struct bbx_run run = { .pid = 5, .rate = 250 };
  put (&content, &run, offsetof (struct bbx_run, program));
  put (&content, "/a/program", 11);
  put_chunk (b, BBX_TYPE_RUN, content.data, content.size);
}

/* 0 -> 0x1000 5 times, 0x1000 -> 0xff0 300 times, 0xff0 -> 0 7 times: differences of 0 and
   0x1000, 0x1000 and -0x10, -0x10 and -0xff0. */
static const unsigned char some_edges[]
    = { 0x00, 0x80, 0x40, 0x05, 0x80, 0x40, 0x1f, 0xac, 0x02, 0x1f, 0xdf, 0x3f, 0x07 };

/* NAMES: SIZE bytes, zeros included. */
static void
put_block (struct bytes *b, uint64_t address, const char *names, size_t size)
{
  struct bytes content = { .size = 0 };
  struct bbx_block block = { .address = address, .line = 12 };
  put (&content, &block, offsetof (struct bbx_block, data));
  put (&content, names, size);
  put_chunk (b, BBX_TYPE_BLOCK, content.data, content.size);
}

/* With the edges above. */
static void
put_jumps (struct bytes *b, uint32_t variant)
{
  struct bytes content = { .size = 0 };
  put (&content, &(struct bbx_jumps) { .variant = variant }, sizeof (struct bbx_jumps));
  put (&content, some_edges, sizeof some_edges);
  put_chunk (b, BBX_TYPE_JUMPS, content.data, content.size);
}

/* FUNCTIONS: how many the chunk says that there are; there are two.  NAMES: as for blocks. */
static void
put_word (struct bytes *b, uint32_t functions, const char *names, size_t size)
{
  struct bytes content = { .size = 0 };
  struct bbx_select fixed = { .flags = BBX_SELECT_HIDES, .functions = functions };
  put (&content, &fixed, sizeof fixed);
  put (&content, (const uint64_t[]) { 0x1000, 0x2000 }, 2 * sizeof (uint64_t));
  put (&content, names, size);
  put_chunk (b, BBX_TYPE_SELECT, content.data, content.size);
}

/* BLOCKS: how many the chunk says that there are; there are two. */
static void
put_unit (struct bytes *b, uint64_t blocks, const char *name, size_t size)
{
  struct bytes content = { .size = 0 };
  struct bbx_unit fixed = { .counters = 0x4000, .ncounters = 2, .blocks = blocks };
  put (&content, &fixed, sizeof fixed);
  put (&content, (const struct bbx_unit_block[]) { { 0x1000, 5 }, { 0x1010, 6 } },
       2 * sizeof (struct bbx_unit_block));
  put (&content, name, size);
  put_chunk (b, BBX_TYPE_UNIT, content.data, content.size);
}

/* A whole one of two objects, with a chunk of a kind that nobody knows. */
/* The function NUMBER of the language LANGUAGE.  NAMES: as for blocks. */
static void
put_function (struct bytes *b, uint32_t number, uint32_t language, const char *names, size_t size)
{
  struct bytes content = { .size = 0 };
  const struct bbx_function fixed = { .number = number, .language = language, .line = 10 };
  put (&content, &fixed, sizeof fixed);
  put (&content, names, size);
  put_chunk (b, BBX_TYPE_FUNCTION, content.data, content.size);
}

/* How, a thread, and six nodes: it, its code, a system call that this has made, other code,
   which is beneath the thread, too, what that has called, and a function of a language in that. */
static void
put_stacks (struct bytes *b)
{
  static const struct bbx_sampling how
      = { .sampler = "thread", .asked = 1000, .rate = 250, .depth = 512, .ticks = 9, .samples = 9 };
  static const struct bbx_thread thread = { .number = 1, .tid = 5, .cpu = 7, .name = "main" };
  static const struct bbx_language language = { .name = "scheme", .ticks = 3 };
  static const unsigned char tree[]
      = { 6,    0, 0, 0, 0,    0,    0, 0, 1, 2, 2, 0, 1, 0,    0xfe, 0x3f, 3,    1,    4,    0xff,
          0x3f, 4, 3, 0, 0x80, 0x60, 0, 1, 1, 2, 2, 1, 7, 0x96, 0xa0, 0xff, 0xff, 0x9f, 0x01, 3 };
  put_chunk (b, BBX_TYPE_SAMPLING, &how, sizeof how);
  put_chunk (b, BBX_TYPE_THREAD, &thread, sizeof thread);
  put_chunk (b, BBX_TYPE_LANGUAGE, &language, sizeof language);
  put_function (b, 5, 1, "f\0f.scm", 8);
  put_function (b, 6, 2, "of no language\0", 16);
  put_chunk (b, BBX_TYPE_CONTEXTS, tree, sizeof tree);
}

static void
put_all (struct bytes *b)
{
  static const struct bbx_loss losses[] = { { 3, BBX_LOST_CALLS }, { 0, BBX_LOST_TICKS } };
  static const struct bbx_machine machine = { "Linux 6.1 x86_64", "Some Processor", 4, 1 };
  put_header (b);
  put_run (b);
  put_chunk (b, BBX_TYPE_MACHINE, &machine, sizeof machine);
  put_object (b, some_object (0), "exec", "/a/program");
  put_chunk (b, BBX_TYPE ('N', 'E', 'W', '!'), "nobody knows", 12);
  put_object (b, some_object (BBX_BASE_UNIT), "lib1", "/a/lib1.so");
  put_image (b, BBX_BASE_UNIT);
  put_chunk (b, BBX_TYPE_EDGES, some_edges, sizeof some_edges);
  put_jumps (b, BBX_JUMPS_SHOWRET);
  put_word (b, 2, "g*\0a.c", 7);
  put_unit (b, 2, "/src/f.c", 9);
  put_block (b, 0x1234, "f\0f.c", 6);
  put_stacks (b);
  put_chunk (b, BBX_TYPE_LOSSES, losses, sizeof losses);
  put_chunk (b, BBX_TYPE_END, "", 0);
}

static void
read_bytes (struct bbx *x, const unsigned char *data, size_t size)
{
  FILE *f = fopen ("sidecar_test.gmon.bbx", "wb");
  ck_assert_ptr_nonnull (f);
  ck_assert_uint_eq (fwrite (data, 1, size, f), size);
  fclose (f);
  bbx_read (x, "sidecar_test.gmon", RUN, 0);
  unlink ("sidecar_test.gmon.bbx");
}

START_TEST (whole)
{
  struct bytes b;
  struct bbx x;
  put_all (&b);
  read_bytes (&x, b.data, b.size);
  ck_assert_msg (x.state == BBX_WHOLE, "%s", x.why.text);
  ck_assert_uint_eq (x.nprocesses, 1);
  ck_assert_uint_eq (x.processes[0].fixed.pid, 5);
  ck_assert_str_eq (x.processes[0].program, "/a/program");
  ck_assert_uint_eq (x.nobjects, 2);
  ck_assert_str_eq (x.objects[1].path, "/a/lib1.so");
  ck_assert_uint_eq (x.objects[1].fixed.base, BBX_BASE_UNIT);
  ck_assert_uint_eq (x.objects[1].build_id.size, 4);
  ck_assert_ptr_null (x.objects[0].image);
  ck_assert_uint_eq (x.objects[1].image_bytes, 3);
  ck_assert_mem_eq (x.objects[1].image, "ELF", 3);
  ck_assert_uint_eq (x.nedges, 3);
  ck_assert (x.edges[0].from == 0 && x.edges[0].to == 0x1000 && x.edges[0].count == 5);
  ck_assert (x.edges[1].from == 0x1000 && x.edges[1].to == 0xff0 && x.edges[1].count == 300);
  ck_assert (x.edges[2].from == 0xff0 && x.edges[2].to == 0 && x.edges[2].count == 7);
  ck_assert_uint_eq (x.jumps_variants, 1U << BBX_JUMPS_SHOWRET);
  ck_assert_uint_eq (x.jumps[BBX_JUMPS_SHOWRET].count, 3);
  const struct edge *jump = &x.jumps[BBX_JUMPS_SHOWRET].list[1];
  ck_assert (jump->from == 0x1000 && jump->to == 0xff0 && jump->count == 300);
  ck_assert_uint_eq (x.nwords, 1);
  ck_assert_uint_eq (x.words[0].flags, BBX_SELECT_HIDES);
  ck_assert_uint_eq (x.words[0].nfunctions, 2);
  ck_assert_uint_eq (x.words[0].functions[1], 0x2000);
  ck_assert_str_eq (x.words[0].name, "g*");
  ck_assert_str_eq (x.words[0].file, "a.c");
  ck_assert_uint_eq (x.nunits, 1);
  ck_assert_uint_eq (x.units[0].counters, 0x4000);
  ck_assert_uint_eq (x.units[0].ncounters, 2);
  ck_assert_uint_eq (x.units[0].nblocks, 2);
  ck_assert_uint_eq (x.units[0].blocks[1].address, 0x1010);
  ck_assert_uint_eq (x.units[0].blocks[1].count, 6);
  ck_assert_str_eq (x.units[0].name, "/src/f.c");
  ck_assert_uint_eq (x.nblocks, 1);
  ck_assert_uint_eq (x.blocks[0].address, 0x1234);
  ck_assert_uint_eq (x.blocks[0].line, 12);
  ck_assert_str_eq (x.blocks[0].function, "f");
  ck_assert_str_eq (x.blocks[0].file, "f.c");
  ck_assert_uint_eq (x.nmachines, 1);
  ck_assert_str_eq (x.machines[0].processor, "Some Processor");
  ck_assert_uint_eq (x.machines[0].processors, 4);
  ck_assert_uint_eq (x.nlosses, 2);
  ck_assert_uint_eq (x.losses[0].count, 3);
  ck_assert_str_eq (x.losses[0].cause, BBX_LOST_CALLS);
  bbx_free (&x);
}
END_TEST

START_TEST (stacks)
{
  static const struct bbx_node nodes[]
      = { { 1, 0, 0, BBX_FRAME_THREAD },
          { 0x1000, 3, 1, BBX_FRAME_CODE },
          { 0, 4, 2, BBX_FRAME_SYSCALL },
          { 0x1800, 0, 1, BBX_FRAME_CODE },
          { 0x1801, 2, 4, BBX_FRAME_INTERRUPTED },
          { BBX_LANGUAGE_ADDRESS (5, 12), 3, 5, BBX_FRAME_LANGUAGE } };
  struct bytes b;
  struct bbx x;
  put_all (&b);
  read_bytes (&x, b.data, b.size);
  ck_assert_msg (x.state == BBX_WHOLE, "%s", x.why.text);
  ck_assert_uint_eq (x.stacks.nsamplings, 1);
  ck_assert_str_eq (x.stacks.samplings[0].sampler, "thread");
  ck_assert_uint_eq (x.stacks.nthreads, 1);
  ck_assert_str_eq (x.stacks.threads[0].name, "main");
  ck_assert_uint_eq (x.stacks.languages.n, 1);
  ck_assert_str_eq (x.stacks.languages.list[0].name, "scheme");
  ck_assert_uint_eq (x.stacks.languages.nfunctions, 1);
  const struct bbx_spoken *f = bbx_languages_find (&x.stacks.languages, 5);
  ck_assert_str_eq (f->name, "f");
  ck_assert_str_eq (f->file, "f.scm");
  ck_assert_uint_eq (f->line, 10);
  ck_assert_ptr_null (bbx_languages_find (&x.stacks.languages, 6));
  ck_assert_uint_eq (x.stacks.nnodes, 6);
  for (size_t i = 0; i < 6; i++)
    {
      const struct bbx_node *has = &x.stacks.nodes[i], *should = &nodes[i];
      ck_assert_msg (has->address == should->address && has->ticks == should->ticks
                         && has->parent == should->parent && has->kind == should->kind,
                     "%zu: %#" PRIx64 " %" PRIu64 " %" PRIu32 " %" PRIu32, i, has->address,
                     has->ticks, has->parent, has->kind);
    }
  bbx_free (&x);
}
END_TEST

/* Cut anywhere, what stands before is there. */
START_TEST (cut_at_every_byte)
{
  struct bytes b;
  put_all (&b);
  for (size_t size = 0; size < b.size; size++)
    {
      struct bbx x;
      read_bytes (&x, b.data, size);
      ck_assert_msg (x.state == (size < sizeof (struct bbx_header) ? BBX_REFUSED : BBX_TORN), "%zu",
                     size);
      ck_assert_str_eq (x.why.file, "sidecar_test.gmon.bbx");
      ck_assert_uint_le (x.why.offset, size);
      for (size_t i = 0; i < x.nobjects; i++)
        ck_assert_str_eq (x.objects[i].path, i ? "/a/lib1.so" : "/a/program");
      bbx_free (&x);
    }
}
END_TEST

/* The bytes that pad a chunk are nobody's. */
static bool
is_padding (const struct bytes *b, size_t at)
{
  for (size_t i = sizeof (struct bbx_header); i < b->size;)
    {
      struct bbx_chunk chunk;
      memcpy (&chunk, b->data + i, sizeof chunk);
      i += sizeof chunk + chunk.length;
      if (at < i)
        return false;
      i = (i + 7) & ~(size_t) 7;
      if (at < i)
        return true;
    }
  return false;
}

/* No changed bit passes. */
START_TEST (changed_at_every_bit)
{
  struct bytes b;
  put_all (&b);
  for (size_t bit = 0; bit < 8 * b.size; bit++)
    {
      struct bbx x;
      if (is_padding (&b, bit / 8))
        continue;
      b.data[bit / 8] ^= (unsigned char) (1 << bit % 8);
      read_bytes (&x, b.data, b.size);
      ck_assert_msg (x.state != BBX_WHOLE, "bit %zu", bit);
      bbx_free (&x);
      b.data[bit / 8] ^= (unsigned char) (1 << bit % 8);
    }
}
END_TEST

/* The list ends in the middle of an edge, or of a number; a number of more bits than there are. */
START_TEST (impossible_edges)
{
  static const struct {
    const char *bytes;
    size_t n;
  } wrong[] = { { "\1\1", 2 },
                { "\1\1\x80", 3 },
                { "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\1\1\1", 13 } };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
      struct bytes b;
      struct bbx x;
      put_header (&b);
      put_run (&b);
      put_chunk (&b, BBX_TYPE_EDGES, wrong[i].bytes, wrong[i].n);
      put_chunk (&b, BBX_TYPE_END, "", 0);
      read_bytes (&x, b.data, b.size);
      ck_assert_int_eq (x.state, BBX_TORN);
      bbx_free (&x);
    }
}
END_TEST

/* Jumps of a variant that there is not; a word with more functions than there is room for, and
   without the end of its names; a unit likewise. */
START_TEST (impossible_jumps_and_words)
{
  for (int wrong = 0; wrong < 6; wrong++)
    {
      struct bytes b;
      struct bbx x;
      put_header (&b);
      put_run (&b);
      put_jumps (&b, wrong == 1 ? 4 : 0);
      put_word (&b, wrong == 2 ? 9 : 2, "f\0", wrong == 3 ? 2 : 3);
      put_unit (&b, wrong == 4 ? 9 : 2, "f", wrong == 5 ? 1 : 2);
      put_chunk (&b, BBX_TYPE_END, "", 0);
      read_bytes (&x, b.data, b.size);
      ck_assert_int_eq (x.state, wrong ? BBX_TORN : BBX_WHOLE);
      bbx_free (&x);
    }
}
END_TEST

/* Edges of several runs are one list, by where they come from and by where they lead. */
START_TEST (edges_add_up)
{
  struct edges e = { 0 };
  const struct edge *first;
  ck_assert (edges_finish (&e));
  ck_assert_uint_eq (edges_from (&e, 5, &first), 0);
  edges_free (&e);
  for (int run = 0; run < 3; run++)
    {
      ck_assert (edges_add (&e, (struct edge) { 20, 10, 1 }));
      ck_assert (edges_add (&e, (struct edge) { 10, 20, 2 }));
      ck_assert (edges_add (&e, (struct edge) { 10, 0, 3 }));
    }
  ck_assert (edges_finish (&e));
  ck_assert_uint_eq (edges_from (&e, 10, &first), 2);
  ck_assert (first[0].to == 0 && first[0].count == 9 && first[1].to == 20 && first[1].count == 6);
  ck_assert_uint_eq (edges_to (&e, 10, &first), 1);
  ck_assert (first->from == 20 && first->count == 3);
  ck_assert_uint_eq (edges_to (&e, 11, &first), 0);
  edges_free (&e);
}
END_TEST

/* Objects that cannot be, with a good checksum: the rest is not believed. */
START_TEST (impossible_objects)
{
  struct bbx_object wrong[9];
  size_t n = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    wrong[i] = some_object (BBX_BASE_UNIT);
  wrong[n++].base = 0;
  wrong[n++].base = 1;
  wrong[n++].base = UINT64_MAX / BBX_BASE_UNIT * BBX_BASE_UNIT;
  wrong[n++].flags = BBX_OBJECT_EXECUTABLE;
  wrong[n++].start = 0x6000;
  wrong[n++].start = 0x1800;
  wrong[n++].end = UINT64_MAX;
  wrong[n++].end = 0x2000;
  wrong[n++].text_end = 0x5001;
  for (size_t i = 0; i < n; i++)
    {
      struct bytes b;
      struct bbx x;
      put_header (&b);
      put_object (&b, some_object (0), NULL, "/a/program");
      put_object (&b, wrong[i], NULL, "/a/wrong.so");
      put_object (&b, some_object (2 * BBX_BASE_UNIT), NULL, "/a/right.so");
      put_chunk (&b, BBX_TYPE_END, "", 0);
      read_bytes (&x, b.data, b.size);
      ck_assert_msg (x.state == BBX_TORN, "%zu", i);
      ck_assert_uint_eq (x.nobjects, 1);
      bbx_free (&x);
    }
}
END_TEST

/* Lengths that claim more than there is, and two objects at one place. */
START_TEST (claims)
{
  static const uint32_t sizes[] = { 0x1000, 0x7fffffff, UINT32_MAX };
  struct bytes content, b;
  struct bbx x;
  for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++)
    {
      struct bbx_object o = some_object (0);
      o.build_id_bytes = i % 2 ? sizes[i / 2] : 0;
      o.path_bytes = i % 2 ? 1 : sizes[i / 2];
      content.size = 0;
      put (&content, &o, sizeof o);
      put (&content, "/a\0", 3);
      put_header (&b);
      put_chunk (&b, BBX_TYPE_OBJECT, content.data, content.size);
      read_bytes (&x, b.data, b.size);
      ck_assert (x.state == BBX_TORN && x.nobjects == 0);
      bbx_free (&x);
    }
  put_header (&b);
  put_object (&b, some_object (0), NULL, "/a/program");
  put_object (&b, some_object (BBX_BASE_UNIT), NULL, "/a/one.so");
  put_object (&b, some_object (BBX_BASE_UNIT), NULL, "/a/two.so");
  read_bytes (&x, b.data, b.size);
  ck_assert (x.state == BBX_TORN && x.nobjects == 2);
  bbx_free (&x);
}
END_TEST

/* Names of blocks that do not end, or are not there. */
START_TEST (impossible_functions)
{
  static const struct {
    uint32_t number;
    const char *names;
    size_t size;
  } wrong[] = { { 0, "f\0f.c", 6 }, { BBX_FUNCTIONS_MOST, "f\0f.c", 6 },
                { 1, "", 0 },       { 1, "\0f.c", 5 },
                { 1, "f", 1 },      { 1, "f", 2 },
                { 1, "f\0f.c", 5 } };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
      struct bytes b;
      struct bbx x;
      put_header (&b);
      put_object (&b, some_object (0), NULL, "/a/program");
      put_function (&b, wrong[i].number, 1, wrong[i].names, wrong[i].size);
      put_chunk (&b, BBX_TYPE_END, "", 0);
      read_bytes (&x, b.data, b.size);
      ck_assert_msg (x.state == BBX_TORN, "%zu", i);
      ck_assert_uint_eq (x.stacks.languages.nfunctions, 0);
      bbx_free (&x);
    }
}
END_TEST

START_TEST (impossible_blocks)
{
  static const struct {
    uint64_t address;
    const char *names;
    size_t size;
  } wrong[] = { { 0x1234, "", 0 },
                { 0x1234, "f", 1 },
                { 0x1234, "f", 2 },
                { 0x1234, "f\0f.c", 5 },
                { UINT64_MAX, "f\0f.c", 6 } };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
      struct bytes b;
      struct bbx x;
      put_header (&b);
      put_object (&b, some_object (0), NULL, "/a/program");
      put_block (&b, wrong[i].address, wrong[i].names, wrong[i].size);
      put_chunk (&b, BBX_TYPE_END, "", 0);
      read_bytes (&x, b.data, b.size);
      ck_assert_msg (x.state == BBX_TORN, "%zu", i);
      ck_assert_uint_eq (x.nblocks, 0);
      bbx_free (&x);
    }
}
END_TEST

/* Objects of several runs.  The executable is this test's own file.  */

struct lib {
  const char *id, *path;
};

/* Of no object, of the executable, and a second one of the same object. */
START_TEST (impossible_images)
{
  static const uint64_t bases[][2]
      = { { 2 * BBX_BASE_UNIT }, { 0 }, { BBX_BASE_UNIT, BBX_BASE_UNIT } };
  struct bytes b;
  struct bbx x;
  put_header (&b);
  put_run (&b);
  put_object (&b, some_object (0), NULL, "/a/program");
  put_object (&b, some_object (BBX_BASE_UNIT), NULL, "[vdso]");
  put_image (&b, bases[_i][0]);
  if (_i == 2)
    put_image (&b, bases[_i][1]);
  put_chunk (&b, BBX_TYPE_END, "", 0);
  read_bytes (&x, b.data, b.size);
  ck_assert_int_eq (x.state, BBX_TORN);
  ck_assert_ptr_nonnull (strstr (x.why.text, "image"));
  ck_assert_uint_eq (x.nobjects, 2);
  bbx_free (&x);
}
END_TEST

/* A run with libraries at the given bases, and the moves that it gets. */
static void
add_run (struct objects *all, const struct lib *libs, const uint64_t *bases, size_t n,
         struct gmon_moves *moves)
{
  struct bytes b;
  struct bbx x;
  struct error err;
  put_header (&b);
  put_object (&b, some_object (0), NULL, "/a/program");
  for (size_t i = 0; i < n; i++)
    put_object (&b, some_object (bases[i] * BBX_BASE_UNIT), libs[i].id, libs[i].path);
  put_chunk (&b, BBX_TYPE_END, "", 0);
  read_bytes (&x, b.data, b.size);
  ck_assert_msg (x.state == BBX_WHOLE, "%s", x.why.text);
  *moves = (struct gmon_moves) { 0 };
  ck_assert_msg (objects_add_run (all, &x, moves, &err), "%s", err.text);
  ck_assert_uint_eq (moves->count, n);
  bbx_free (&x);
}

START_TEST (runs_meet)
{
  static const struct lib first[]
      = { { "aaaa", "/a.so" }, { "bbbb", "/b.so" }, { "aaaa", "/copy.so" }, { NULL, "/n.so" } };
  static const struct lib second[] = {
    { "bbbb", "/moved/b.so" }, { "cccc", "/a.so" }, { NULL, "/n.so" }, { "aaaa", "/copy.so" }
  };
  static const uint64_t first_bases[] = { 1, 2, 3, 4 }, second_bases[] = { 1, 2, 3, 4 };
  /* Where what the second run has at 1, 2, 3, 4 lies in the model: c is new, and its place is
     taken. */
  static const uint64_t should[] = { 2, 5, 4, 3 };
  struct objects all;
  struct gmon_moves moves;
  struct error err;
  ck_assert_msg (objects_open_program (&all, "/proc/self/exe", &err), "%s", err.text);
  add_run (&all, first, first_bases, 4, &moves);
  for (size_t i = 0; i < 4; i++)
    ck_assert_uint_eq (moves.moves[i].distance, 0);
  free (moves.moves);
  add_run (&all, second, second_bases, 4, &moves);
  for (size_t i = 0; i < 4; i++)
    {
      ck_assert_uint_eq (moves.moves[i].start, (i + 1) * BBX_BASE_UNIT);
      ck_assert_uint_eq (moves.moves[i].start + moves.moves[i].distance, should[i] * BBX_BASE_UNIT);
    }
  free (moves.moves);

  struct profile p = { 0 };
  struct warnings warnings = { 0 };
  ck_assert (profile_add_call (&p, 0, 5 * BBX_BASE_UNIT + 0x2000, 1) && profile_finish (&p));
  ck_assert (objects_finish (&all, &p, &warnings));
  ck_assert_uint_eq (all.count, 6);
  ck_assert_uint_eq (warnings.count, 1); /* only one object is looked for, and there is no /a.so */
  ck_assert_str_eq (warnings.list[0].file, "/a.so");
  const struct object *found = objects_find (&all, 5 * BBX_BASE_UNIT + 0x2000);
  ck_assert (found && memcmp (found->build_id.bytes, "cccc", 4) == 0);
  ck_assert_ptr_null (objects_find (&all, 5 * BBX_BASE_UNIT + 0x5000));
  ck_assert_ptr_null (objects_find (&all, UINT64_MAX));
  profile_free (&p);
  warnings_free (&warnings);
  objects_free (&all);
}
END_TEST

/* One of a few numbers that might go wrong. */
static uint64_t
odd_number (void)
{
  static const uint64_t numbers[] = { 0,
                                      1,
                                      0x1000,
                                      0x3000,
                                      0x5000,
                                      0x5001,
                                      BBX_BASE_UNIT - 1,
                                      BBX_BASE_UNIT,
                                      3 * BBX_BASE_UNIT,
                                      1UL << 55,
                                      UINT64_MAX };
  return numbers[(size_t) rand () % (sizeof numbers / sizeof *numbers)];
}

static void
put_odd_object (struct bytes *b)
{
  static const char *const paths[]
      = { "/proc/self/exe", "/proc/self/exe", "[vdso]", "", "/", "/dev/null" };
  struct bbx_object o = some_object (rand () % 5 * BBX_BASE_UNIT);
  uint64_t *const fields[] = { &o.base, &o.start, &o.end, &o.text_start, &o.text_end };
  if (rand () % 3 == 0)
    *fields[rand () % 5] = odd_number ();
  put_object (b, o, rand () % 4 ? NULL : "idid", paths[rand () % 6]);
}

/* Whatever stands in sidecars with good checksums, runs can be added, and no symbol lies outside
   of its object. */
START_TEST (odd_runs)
{
  srand (1);
  for (int round = 0; round < 200; round++)
    {
      struct objects all;
      struct symtab symtab = { 0 };
      struct profile p = { 0 };
      struct warnings warnings = { 0 };
      struct error err;
      ck_assert (objects_open_program (&all, "/proc/self/exe", &err));
      for (int run = 0; run < 3; run++)
        {
          struct bytes b;
          struct bbx x;
          struct gmon_moves moves = { 0 };
          put_header (&b);
          put_object (&b, some_object (0), NULL, "/a/program");
          for (int i = 0; i < 6; i++)
            put_odd_object (&b);
          read_bytes (&x, b.data, b.size);
          ck_assert (objects_add_run (&all, &x, &moves, &err));
          for (size_t i = 0; i < moves.count; i++)
            {
              ck_assert (i == 0 || moves.moves[i - 1].end <= moves.moves[i].start);
              ck_assert (profile_add_call (&p, odd_number (),
                                           moves.moves[i].start + moves.moves[i].distance, 1));
            }
          free (moves.moves);
          bbx_free (&x);
        }
      ck_assert (profile_finish (&p) && objects_finish (&all, &p, &warnings));
      ck_assert (symtab_load (&symtab, &all, &(struct symtab_choice) { 0 }, &err));
      for (size_t i = 0; i < symtab.count; i++)
        {
          const struct symbol *s = &symtab.symbols[i];
          ck_assert (i == 0 || s[-1].address < s->address);
          if (s->object && !object_is_executable (s->object))
            ck_assert_ptr_eq (objects_find (&all, s->address), s->object);
        }
      symtab_free (&symtab);
      profile_free (&p);
      warnings_free (&warnings);
      objects_free (&all);
    }
}
END_TEST

int
main (void)
{
  const struct unit_test files[] = { { whole },
                                     { stacks },
                                     { cut_at_every_byte },
                                     { changed_at_every_bit },
                                     { impossible_edges },
                                     { impossible_jumps_and_words },
                                     { edges_add_up },
                                     { impossible_objects },
                                     { impossible_images, .times = 3 },
                                     { impossible_blocks },
                                     { impossible_functions },
                                     { claims } };
  const struct unit_test objects[] = { { runs_meet }, { odd_runs } };
  return unit_run (UNIT_SUITE ("sidecar", UNIT_CASE (files), UNIT_CASE (objects)));
}
