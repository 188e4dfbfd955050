/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the format of a trace file: predicting and packing any data and reading it back gives
   the same data.  Of a file that is cut or changed anywhere, a prefix is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/streams/file_write.h"
#include "collect/streams/group.h"
#include "testsuite/unit/unit.h"

#define FILE_NAME "trace_file_test.bbt"

enum { RUN = 77, WORDS = 20, TOKENS = 50, MARKS = 10 };

/* Made up, the same in each run. */
static uint64_t
next_random (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Shapes of data: what a predictor likes, and what it does not. */
enum shape { ZEROS, LOOP, RARE, RANDOM, RECURSION, ADVERSE, SHAPES };

static bool
make_bit (enum shape shape, size_t i, uint64_t *random)
{
  switch (shape)
    {
    case LOOP: return i % 7 != 0;
    case RARE: return next_random (random) % 100 == 0;
    case RANDOM: return next_random (random) >> 40 & 1;
    case RECURSION: return i >> (i % 5) & 1;
    case ADVERSE: /* after each history the other thing than the last time, mostly */
      return __builtin_popcountll (i / 20) & 1;
    default: return false;
    }
}

static uint64_t
make_token (enum shape shape, size_t i, uint64_t *random)
{
  const uint64_t base = 0x555555554000;
  switch (shape)
    {
    case LOOP: return base + i % 5 * 64;
    case RARE: return base + (next_random (random) % 50 == 0) * 64 + i % 3 * 16;
    case RANDOM: return next_random (random);
    case RECURSION: return base | (uint64_t) (1 + (i < 25 ? i : 50 - i)) * 300 << 48;
    case ADVERSE: return base + i * 16; /* never the same */
    default: return 0;
    }
}

/* A piece and its memory. */
struct made {
  struct bbt_piece head;
  uint64_t words[WORDS + 1], tokens[TOKENS];
  struct bbt_mark marks[MARKS];
  struct piece piece;
};

static void
make_piece (struct made *m, uint32_t stream, uint32_t sequence, enum shape shape, uint64_t seed)
{
  memset (m, 0, sizeof *m);
  m->head = (struct bbt_piece) { .stream = stream,
                                 .sequence = sequence,
                                 .tid = 1000 + stream,
                                 .start = sequence ? BBT_START_EVENT : BBT_START_STREAM,
                                 .end = BBT_END_NEXT,
                                 .words = WORDS,
                                 .rest = (uint32_t) seed % 64,
                                 .tokens = TOKENS,
                                 .marks = MARKS,
                                 .started = 1000000 * sequence + seed,
                                 .ended = 1000000 * sequence + 999999,
                                 .started_tsc = 3000000 * sequence,
                                 .ended_tsc = 3000000 * sequence + 2999999,
                                 .name = "thread" };
  size_t nbits = 64 * WORDS + m->head.rest;
  for (size_t i = 0; i < nbits; i++)
    m->words[i / 64] |= (uint64_t) make_bit (shape, i, &seed) << (63 - i % 64);
  for (size_t i = 0; i < TOKENS; i++)
    m->tokens[i] = make_token (shape, i, &seed);
  for (uint32_t i = 0; i < MARKS; i++)
    m->marks[i] = (struct bbt_mark) { 2 * i, 5 * i, m->head.started_tsc + 100 * i };
  m->piece = (struct piece) { &m->head, m->words, nbits, m->tokens, TOKENS, m->marks, MARKS };
}

static void
check_same (const struct piece *is, const struct piece *should)
{
  ck_assert_mem_eq (is->head, should->head, sizeof *is->head);
  ck_assert_uint_eq (is->nbits, should->nbits);
  ck_assert_mem_eq (is->words, should->words, (should->nbits + 63) / 64 * 8);
  ck_assert_uint_eq (is->ntokens, should->ntokens);
  ck_assert_mem_eq (is->tokens, should->tokens, 8 * should->ntokens);
  ck_assert_uint_eq (is->nmarks, should->nmarks);
  ck_assert_mem_eq (is->marks, should->marks, sizeof *should->marks * should->nmarks);
}

/* Group GROUPS of pieces each, in one file; SEEN has what was put there. */
static struct made seen[3 * SHAPES];
enum { PIECES = sizeof seen / sizeof *seen };

static void
write_group (struct trace_out *out, struct made *made, size_t n)
{
  struct group *g = calloc (1, sizeof *g);
  struct packer packer;
  struct bytes content = { .data = NULL };
  ck_assert (packer_begin (&packer));
  group_begin (g);
  for (size_t i = 0; i < n; i++)
    ck_assert (group_add (g, &made[i].piece));
  ck_assert (group_pack (g, &packer, &content));
  trace_out_chunk (out, BBT_TYPE_PIECES, content.data, content.size);
  bytes_free (&content);
  group_free (g);
  free (g);
  packer_end (&packer);
}

static void
write_object (struct trace_out *out, uint32_t number, uint64_t unloaded)
{
  struct {
    struct bbt_object fixed;
    char data[16];
  } o = { { .start = 0x1000,
            .end = 0x5000,
            .bias = 0x555555554000,
            .number = number,
            .unloaded = unloaded,
            .build_id_bytes = 4,
            .path_bytes = 11 },
          "\1\2\3\4/a/program" };
  trace_out_chunk (out, BBT_TYPE_OBJECT, &o, sizeof o.fixed + 15);
}

/* One group for each shape, of two streams that take turns. */
static void
write_file (void)
{
  static const struct bbx_loss losses[] = { { 3, BBT_LOST_PIECES } };
  struct {
    struct bbt_run fixed;
    char program[16];
  } run = { { .started = 5, .pid = 6 }, "/a/program" };
  struct trace_out out;
  trace_out_open (&out, FILE_NAME, BBT_MAGIC, BBT_VERSION, RUN);
  ck_assert_int_eq (out.error, 0);
  trace_out_chunk (&out, BBT_TYPE_RUN, &run, sizeof run.fixed + 11);
  write_object (&out, 0, 0);
  trace_out_chunk (&out, BBX_TYPE ('N', 'E', 'W', '!'), "nobody knows", 12);
  for (uint32_t i = 0; i < PIECES; i++)
    make_piece (&seen[i], 1 + i % 2, i / 2, (enum shape) (i / 3), i + 1);
  for (uint32_t i = 0; i < PIECES; i += 3)
    write_group (&out, &seen[i], 3);
  write_object (&out, 0, 99);
  trace_out_finish (&out, losses, 1);
  ck_assert_int_eq (out.error, 0);
}

/* All of the pieces that P has are as they were written; how many there are. */
static size_t
check_pieces (struct pieces *p)
{
  size_t n = 0;
  struct pieces_loader *l = pieces_loader_new (p);
  for (size_t s = 0; s < p->nstreams; s++)
    for (size_t i = 0; i < p->streams[s].nentries; i++, n++)
      {
        const struct pieces_entry *e = &p->streams[s].entries[i];
        struct piece piece;
        struct error err;
        ck_assert_msg (pieces_load (l, e, &piece, &err), "%s", err.text);
        ck_assert_uint_eq (e->head.sequence, i);
        check_same (&piece, &seen[2 * e->head.sequence + e->head.stream - 1].piece);
      }
  pieces_loader_free (l);
  return n;
}

START_TEST (whole)
{
  struct pieces p;
  struct error err;
  write_file ();
  ck_assert_msg (pieces_open (&p, FILE_NAME, &err), "%s", err.text);
  ck_assert_msg (p.whole, "%s", p.why.text);
  ck_assert_uint_eq (p.run, RUN);
  ck_assert_uint_eq (p.about.pid, 6);
  ck_assert_str_eq (p.program, "/a/program");
  ck_assert_uint_eq (p.nobjects, 1);
  ck_assert_str_eq (p.objects[0].path, "/a/program");
  ck_assert_uint_eq (p.objects[0].fixed.unloaded, 99);
  ck_assert_uint_eq (p.objects[0].build_id.size, 4);
  ck_assert_uint_eq (p.nlosses, 1);
  ck_assert_uint_eq (p.losses[0].count, 3);
  ck_assert_uint_eq (p.nstreams, 2);
  ck_assert_uint_eq (check_pieces (&p), PIECES);
  pieces_close (&p);
}
END_TEST

static unsigned char *
read_all (size_t *size)
{
  FILE *f = fopen (FILE_NAME, "rb");
  ck_assert_ptr_nonnull (f);
  fseek (f, 0, SEEK_END);
  *size = (size_t) ftell (f);
  rewind (f);
  unsigned char *data = malloc (*size);
  ck_assert_uint_eq (fread (data, 1, *size, f), *size);
  fclose (f);
  return data;
}

static void
write_all (const unsigned char *data, size_t size)
{
  FILE *f = fopen (FILE_NAME, "wb");
  ck_assert_ptr_nonnull (f);
  ck_assert_uint_eq (fwrite (data, 1, size, f), size);
  fclose (f);
}

/* Never less than what a shorter file had. */
START_TEST (cut_at_every_byte)
{
  size_t size, most = 0;
  write_file ();
  unsigned char *data = read_all (&size);
  for (size_t n = 0; n < size; n++)
    {
      struct pieces p;
      struct error err;
      write_all (data, n);
      bool ok = pieces_open (&p, FILE_NAME, &err);
      ck_assert_msg (ok == (n >= sizeof (struct bbx_header)), "%zu", n);
      if (!ok)
        continue;
      ck_assert_msg (!p.whole, "%zu", n);
      ck_assert_uint_le (p.why.offset, n);
      size_t pieces = check_pieces (&p);
      ck_assert_uint_ge (pieces, most);
      most = pieces;
      pieces_close (&p);
    }
  ck_assert_uint_eq (most, PIECES);
  free (data);
}
END_TEST

/* Is the byte AT behind a chunk's content, where zeros fill up? */
static bool
is_padding (const unsigned char *data, size_t size, size_t at)
{
  struct bbx_chunk chunk;
  for (size_t next, offset = sizeof (struct bbx_header); offset < size; offset = next)
    {
      memcpy (&chunk, data + offset, sizeof chunk);
      size_t end = offset + sizeof chunk + chunk.length;
      next = (end + 7) & -8UL;
      if (at < next)
        return at >= end;
    }
  return false;
}

/* The checksum finds each changed bit; what stands before it is right. */
START_TEST (changed_bits)
{
  size_t size;
  uint64_t random = 1;
  write_file ();
  unsigned char *data = read_all (&size);
  for (int i = 0; i < 1000; i++)
    {
      struct pieces p;
      struct error err;
      size_t bit = next_random (&random) % (8 * size);
      if (is_padding (data, size, bit / 8))
        continue;
      data[bit / 8] ^= (unsigned char) (1 << bit % 8);
      write_all (data, size);
      if (pieces_open (&p, FILE_NAME, &err))
        {
          ck_assert_msg (!p.whole || p.run != RUN, "bit %zu", bit);
          check_pieces (&p);
          pieces_close (&p);
        }
      data[bit / 8] ^= (unsigned char) (1 << bit % 8);
    }
  free (data);
}
END_TEST

/* Damage that the checksum does not see: any content, or one that was good but for a few bytes. */
START_TEST (garbage)
{
  uint64_t random = 1;
  struct group *g = calloc (1, sizeof *g);
  struct packer packer;
  struct bytes good = { .data = NULL };
  static struct made made;
  make_piece (&made, 1, 0, RARE, 1);
  ck_assert (packer_begin (&packer));
  group_begin (g);
  ck_assert (group_add (g, &made.piece) && group_pack (g, &packer, &good));
  for (int i = 0; i < 1000; i++)
    {
      struct trace_out out;
      struct pieces p;
      struct error err;
      size_t n = good.size;
      unsigned char *content = malloc (n);
      memcpy (content, good.data, n);
      for (int changes = 0; changes < 1 + i % 3; changes++)
        content[next_random (&random) % (i % 2 ? n : sizeof (struct bbt_group))]
            = (unsigned char) next_random (&random);
      trace_out_open (&out, FILE_NAME, BBT_MAGIC, BBT_VERSION, RUN);
      trace_out_chunk (&out, BBT_TYPE_PIECES, content,
                       n - (i % 5 == 0 ? next_random (&random) % n : 0));
      trace_out_finish (&out, NULL, 0);
      ck_assert (pieces_open (&p, FILE_NAME, &err));
      struct pieces_loader *l = pieces_loader_new (&p);
      for (size_t s = 0; s < p.nstreams; s++)
        {
          struct piece piece;
          pieces_load (l, &p.streams[s].entries[0], &piece, &err);
        }
      pieces_loader_free (l);
      pieces_close (&p);
      free (content);
    }
  bytes_free (&good);
  group_free (g);
  free (g);
  packer_end (&packer);
}
END_TEST

/* The lists themselves, of random bytes: the models read on or refuse. */
START_TEST (random_lists)
{
  static struct models models;
  uint64_t random = 1, words[64], tokens[64];
  for (int i = 0; i < 2000; i++)
    {
      unsigned char bytes[64];
      struct reading bits[BITS_DEGREES], lists[TOKENS_LISTS];
      for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char) (next_random (&random) & (i % 2 ? 255 : 3));
      for (int k = 0; k < BITS_DEGREES; k++)
        bits[k] = (struct reading) { bytes + k, bytes + sizeof bytes - next_random (&random) % 50 };
      for (int k = 0; k < TOKENS_LISTS; k++)
        lists[k]
            = (struct reading) { bytes + k, bytes + sizeof bytes - next_random (&random) % 50 };
      bits_begin (&models.bits);
      tokens_begin (&models.tokens);
      bits_read (&models.bits, words, 64 * 64, bits);
      tokens_read (&models.tokens, tokens, 64, lists);
    }
}
END_TEST

/* More different tokens than get numbers. */
START_TEST (many_tokens)
{
  enum { N = 200000 };
  static struct tokens_model m;
  static uint64_t tokens[N], back[N];
  struct bytes lists[TOKENS_LISTS] = { { .data = NULL } };
  struct reading read[TOKENS_LISTS];
  for (size_t i = 0; i < N; i++)
    tokens[i] = i % 3 ? i * 16 : i % 1000 * 16;
  for (int k = 0; k < TOKENS_LISTS; k++)
    ck_assert (bytes_reserve (&lists[k], (N + 1) * BYTES_NUMBER_MOST));
  tokens_begin (&m);
  tokens_write (&m, tokens, N, lists);
  tokens_end (&m, lists);
  for (int k = 0; k < TOKENS_LISTS; k++)
    read[k] = (struct reading) { lists[k].data, lists[k].data + lists[k].size };
  tokens_begin (&m);
  ck_assert (tokens_read (&m, back, N, read));
  ck_assert_mem_eq (tokens, back, sizeof tokens);
  for (int k = 0; k < TOKENS_LISTS; k++)
    bytes_free (&lists[k]);
}
END_TEST

/* A loop of 64 million branches is a few bytes; so are as many returns and entries of one
   function. */
START_TEST (loops_are_small)
{
  static struct models m;
  static uint64_t words[1024], tokens[1024];
  struct bytes lists[GROUP_LISTS] = { { .data = NULL } }, out = { .data = NULL };
  struct packer packer;
  memset (words, 0xff, sizeof words);
  for (int k = 0; k < GROUP_LISTS; k++)
    ck_assert (bytes_reserve (&lists[k], 1 << 20));
  bits_begin (&m.bits);
  tokens_begin (&m.tokens);
  for (int i = 0; i < 1000; i++)
    {
      bits_write (&m.bits, words, 64 * 1024, &lists[GROUP_BITS]);
      tokens_write (&m.tokens, tokens, 1024, &lists[GROUP_TOKENS]);
    }
  ck_assert (packer_begin (&packer));
  ck_assert (pack_lists (&packer, lists, GROUP_LISTS, &out));
  ck_assert_uint_le (out.size, 400);
  packer_end (&packer);
  for (int k = 0; k < GROUP_LISTS; k++)
    bytes_free (&lists[k]);
  bytes_free (&out);
}
END_TEST

/* Marks on a line are left out, those off it are not; where the others put one is right within
   the tolerance. */
START_TEST (marks_on_lines)
{
  struct bbt_piece head = { .words = 1000,
                            .started_tsc = 500,
                            .ended_tsc = 500 + 64000 * 10 + MARKS_TOLERANCE * 100 };
  struct bbt_mark marks[125];
  for (uint32_t i = 0; i < 125; i++)
    marks[i] = (struct bbt_mark) { 8 * i, 0,
                                   500 + 8 * 64 * 10 * i + (i > 60 ? MARKS_TOLERANCE * 100 : 0) };
  size_t n = marks_thin (&head, marks, 125);
  ck_assert_uint_ge (n, 2);
  ck_assert_uint_le (n, 4);
  bool before = false, after = false;
  for (size_t i = 0; i < n; i++)
    {
      before |= marks[i].words == 8 * 60;
      after |= marks[i].words == 8 * 61;
    }
  ck_assert (before && after);
}
END_TEST

/* Pieces that follow each other in time lose the noise of their times, and no more than that; a
   longer pause stays. */
START_TEST (times_are_smooth)
{
  enum { N = 1000 };
  static struct bbt_piece smooth[N];
  uint64_t random = 1, now = 5000000, changes = 0;
  for (uint32_t i = 0; i < N; i++)
    {
      now += i == 500 ? 1000000 : 12000 + next_random (&random) % 3000;
      struct bbt_piece h = {
        .stream = 1, .sequence = i, .end = BBT_END_NEXT, .started = now, .started_tsc = 3 * now
      };
      now += 60000 + next_random (&random) % 1000;
      h.ended = now;
      h.ended_tsc = 3 * now;
      smooth[i] = h;
      marks_smooth (&smooth[i], smooth, i);
      ck_assert_uint_le (smooth[i].started - h.started + MARKS_TOLERANCE_NS,
                         2 * MARKS_TOLERANCE_NS);
      ck_assert_uint_le (smooth[i].ended - h.ended + MARKS_TOLERANCE_NS, 2 * MARKS_TOLERANCE_NS);
      ck_assert_uint_le (smooth[i].ended_tsc - h.ended_tsc + MARKS_TOLERANCE, 2 * MARKS_TOLERANCE);
      ck_assert_uint_gt (smooth[i].ended, smooth[i].started);
      if (i < 2)
        continue;
      const struct bbt_piece *a = &smooth[i - 2], *b = &smooth[i - 1], *c = &smooth[i];
      ck_assert (c->started >= b->ended && c->started_tsc >= b->ended_tsc);
      changes += c->started - b->ended != b->started - a->ended
                 || c->ended - c->started != b->ended - b->started;
    }
  ck_assert_uint_ge (changes, 2);
  ck_assert_uint_le (changes, N / 4);
}
END_TEST

/* Something that has the file's name, and is no regular file, stays as it is. */
START_TEST (in_the_way)
{
  struct trace_out out;
  unlink (FILE_NAME);
  ck_assert_int_eq (symlink ("trace_file_test.elsewhere", FILE_NAME), 0);
  trace_out_open (&out, FILE_NAME, BBT_MAGIC, BBT_VERSION, RUN);
  ck_assert_int_ne (out.error, 0);
  trace_out_chunk (&out, BBT_TYPE_RUN, "", 0);
  trace_out_finish (&out, NULL, 0);
  ck_assert_int_ne (access ("trace_file_test.elsewhere", F_OK), 0);
  unlink (FILE_NAME);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[]
      = { { whole },           { cut_at_every_byte }, { changed_bits },
          { garbage },         { random_lists },      { many_tokens },
          { loops_are_small }, { marks_on_lines },    { times_are_smooth },
          { in_the_way } };
  int status = unit_run (UNIT_SUITE ("trace", UNIT_CASE (tests)));
  unlink (FILE_NAME);
  return status;
}
