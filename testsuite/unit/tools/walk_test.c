/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the decoder of traces.  Block maps and streams are written by hand, as bbprof-abi.h
   describes them; the decoded events are compared with the hand-written flow of control.  An
   event is a letter and the number of its block:

     E enter    B block   < leave   L landing pad   R return
     S signal   s its end   ? lost   . end   (! behind it: cut) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/bbprof-abi.h"
#include "testsuite/unit/unit.h"
#include "tools/decode/trace_model.h"

/* The program: blocks are 16 bytes long, the calls of each lie 4 bytes apart.  */

enum { BLOCK_BYTES = 16, CALL_BYTES = 4, CODE = 0x1000, MOST = 64, BIAS = 0x555000000000 };
enum { IN = BBP_BLOCK_IN, OUT = BBP_BLOCK_OUT };

static struct map_block map_blocks[MOST];
static struct map_call map_calls[MOST];
static struct map_way map_ways[MOST];
/* Of each call: the first block of the function that it enters, plus 1; 0: unknown. */
static uint32_t callees[MOST];
static struct map map;
static bool new_function;

static void
function (void)
{
  new_function = true;
}

static uint64_t
place (size_t block)
{
  return CODE + block * BLOCK_BYTES;
}

/* CALLS: c a call, f a final one, t a tail call.  Then the successors, up to -1. */
#define block(shape, calls, ...) add_block (shape, calls, (int[]) { __VA_ARGS__ })
static void
add_block (unsigned shape, const char *calls, const int *ways)
{
  size_t i = map.count++;
  struct map_block *b = &map_blocks[i];
  *b = (struct map_block) { .start = place (i),
                            .function = new_function ? i : map_blocks[i - 1].function,
                            .first_call = map.ncalls,
                            .ncalls = strlen (calls),
                            .first_way = map.nways,
                            .shape = shape,
                            .traced = true };
  new_function = false;
  for (size_t k = 0; calls[k]; k++)
    map_calls[map.ncalls++] = (struct map_call) { .point = place (i) + CALL_BYTES * (k + 1),
                                                  .kind = calls[k] == 'c' ? 0
                                                          : calls[k] == 't'
                                                              ? BBP_CALL_FINAL | BBP_CALL_TAIL
                                                              : BBP_CALL_FINAL };
  for (; *ways >= 0; ways++)
    map_ways[map.nways++] = (struct map_way) { .to = (size_t) *ways };
  b->nways = map.nways - b->first_way;
}

/* The file: streams of pieces, in place of the library that reads it.  */

enum { MOST_PIECES = 32, MOST_WORDS = 64, MOST_TOKENS = 2048 };

static struct {
  struct bbt_piece head;
  uint64_t words[MOST_WORDS], tokens[MOST_TOKENS];
  size_t nbits;
  struct bbt_mark marks[4];
} made[MOST_PIECES];
static size_t nmade;
static struct pieces_entry entries[MOST_PIECES][MOST_PIECES];
static struct pieces_stream streams[MOST_PIECES];
static size_t nstreams;

struct pieces_loader {
  int nothing;
};

struct pieces_loader *
pieces_loader_new (struct pieces *p)
{
  (void) p;
  return malloc (sizeof (struct pieces_loader));
}

void
pieces_loader_free (struct pieces_loader *l)
{
  free (l);
}

bool
pieces_load (struct pieces_loader *l, const struct pieces_entry *entry, struct piece *p,
             struct error *err)
{
  (void) l;
  (void) err;
  size_t i = entry->index;
  *p = (struct piece) { .head = &made[i].head,
                        .words = made[i].words,
                        .nbits = made[i].nbits,
                        .tokens = made[i].tokens,
                        .ntokens = made[i].head.tokens,
                        .marks = made[i].marks,
                        .nmarks = made[i].head.marks };
  return true;
}

bool
pieces_open (struct pieces *p, const char *name, struct error *err)
{
  (void) p;
  return error_set (err, name, ERROR_NO_OFFSET, "no files here");
}

void
pieces_close (struct pieces *p)
{
  (void) p;
}

/* Begins a piece; the functions below add to it. */
static struct bbt_piece *
piece (uint32_t stream, uint32_t sequence, uint32_t start, uint32_t end)
{
  memset (&made[nmade], 0, sizeof made[nmade]);
  made[nmade].head
      = (struct bbt_piece) { .stream = stream, .sequence = sequence, .start = start, .end = end };
  return &made[nmade++].head;
}

static void
bits (const char *text)
{
  for (; *text; text++)
    if (*text != ' ')
      {
        size_t i = made[nmade - 1].nbits++;
        made[nmade - 1].words[i / 64] |= (uint64_t) (*text == '1') << (63 - i % 64);
      }
}

static void
token (uint64_t address, unsigned depth)
{
  made[nmade - 1].tokens[made[nmade - 1].head.tokens++] = (address + BIAS) | (uint64_t) depth << 48;
  bits ("1");
}

/* An entry, or landing: of a block. */
static void
at (size_t block, unsigned depth)
{
  token (place (block), depth);
}

/* Call K, from 1, of a block has returned. */
static void
back (size_t block, size_t k, unsigned depth)
{
  token (place (block) + CALL_BYTES * k, depth);
}

static void
target (size_t block)
{
  token (place (block), 0);
}

/* The open trace.  */

static struct graph_lone lone[4]; /* historic code, behind all else */
static size_t nlone;

static struct trace *
make_trace (void)
{
  static struct trace_range range;
  struct trace *t = calloc (1, sizeof *t);
  map.blocks = map_blocks;
  map.calls = map_calls;
  map.ways = map_ways;
  t->located.map = map;
  t->located.blocks = calloc (map.count, sizeof *t->located.blocks);
  t->located.count = map.count;
  t->blocks = calloc (map.count + nlone, sizeof *t->blocks);
  for (size_t i = 0; i < map.count + nlone; i++)
    t->blocks[i].number = (unsigned) i;
  for (size_t i = 0; i < map.count; i++)
    t->located.blocks[i]
        = (struct block) { .start = place (i), .end = place (i + 1), .map = &map_blocks[i] };
  ck_assert (graph_make (&t->graph, &map, lone, nlone));
  for (size_t k = 0; k < map.ncalls; k++)
    if (callees[k])
      t->graph.calls[k].callee = callees[k] - 1;
  range = (struct trace_range) { .start = CODE + BIAS,
                                 .end = CODE + BIAS + 0x10000,
                                 .distance = -(uint64_t) BIAS,
                                 .unloaded = UINT64_MAX,
                                 .known = true };
  t->mappings = (struct trace_objects) { .ranges = &range, .nranges = 1 };
  for (size_t i = 0; i < nmade; i++)
    {
      size_t s = made[i].head.stream - 1;
      entries[s][streams[s].nentries++]
          = (struct pieces_entry) { .head = made[i].head, .index = (uint32_t) i };
      if (s >= nstreams)
        nstreams = s + 1;
    }
  for (size_t s = 0; s < nstreams; s++)
    {
      streams[s].number = (uint32_t) s + 1;
      streams[s].entries = entries[s];
    }
  t->pieces.streams = streams;
  t->pieces.nstreams = nstreams;
  ck_assert (trace_streams_find (t));
  return t;
}

static void
free_trace (struct trace *t)
{
  free (t->located.blocks);
  t->located = (struct blocks) { 0 };
  t->mappings.ranges = NULL;
  trace_close (t);
  memset (streams, 0, sizeof streams);
  nmade = nstreams = nlone = 0;
  map = (struct map) { 0 };
  memset (callees, 0, sizeof callees);
}

static char told[1 << 16];
static char why[256];

static void
tell (struct trace_cursor *c)
{
  static const char letters[] = "EB<LRSs?.";
  struct trace_event ev;
  size_t n = 0;
  *told = *why = '\0';
  while (trace_next (c, &ev) && n + 32 < sizeof told)
    {
      n += (size_t) sprintf (told + n, "%s%c", n ? " " : "", letters[ev.kind]);
      if (ev.block && ev.kind != TRACE_END && ev.kind != TRACE_SIGNAL
          && ev.kind != TRACE_SIGNAL_END)
        n += (size_t) sprintf (told + n, "%u", ev.block->number);
      if (ev.cut)
        n += (size_t) sprintf (told + n, "!");
      if (ev.kind == TRACE_LOST && ev.why)
        snprintf (why, sizeof why, "%s", ev.why);
    }
}

/* Compares the events of the first thread. */
static void
expect (const char *events)
{
  struct trace *t = make_trace ();
  struct trace_cursor *c = trace_begin (t, 0);
  tell (c);
  ck_assert_str_eq (told, events);
  trace_cursor_free (c);
  free_trace (t);
}

/* main: 0 calls f twice, then goes on to 1, which returns.  f: 2 branches to 3 or 4, both go on
   to 5. */
static void
program (void)
{
  function ();
  block (IN, "cc", 1, -1);
  block (OUT, "", -1);
  function ();
  block (IN, "", 3, 4, -1);
  block (0, "", 5, -1);
  block (0, "", 5, -1);
  block (OUT, "", -1);
}

START_TEST (test_calls)
{
  program ();
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (2, 2);
  bits ("0 0"); /* to 3; returned */
  at (2, 2);
  bits ("1 0");
  expect ("E0 B0 E2 B2 B3 B5 <5 E2 B2 B4 B5 <5 B1 <1 .");
}
END_TEST

/* A 0 at a call whose callee is known is the entry, unless that has come already: as expected, or
   by a token. */
START_TEST (test_expected)
{
  program ();
  callees[0] = callees[1] = 2 + 1;
  piece (1, 0, BBT_START_STREAM, BBT_END_NEXT);
  at (0, 1);
  bits ("0");
  piece (1, 1, BBT_START_NEXT, BBT_END_STREAM);
  bits ("0 0"); /* to 3; returned */
  at (2, 2);
  bits ("1 0");
  expect ("E0 B0 E2 B2 B3 B5 <5 E2 B2 B4 B5 <5 B1 <1 .");
}
END_TEST

/* An expected entry has the index behind the caller's: the return says 1, the caller's. */
START_TEST (test_expected_index)
{
  program ();
  callees[0] = callees[1] = 2 + 1;
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  bits ("0 0");
  back (0, 1, 1);
  bits ("0 0");
  back (0, 2, 1);
  expect ("E0 B0 E2 B2 B3 B5 <5 E2 B2 B3 B5 <5 B1 <1 .");
}
END_TEST

/* 0 calls 2, which jumps to its own entry: only the first entry is expected.  Then 0 calls 2 by
   unknown code in between, which returns without it. */
START_TEST (test_expected_once)
{
  function ();
  block (IN, "cc", 1, -1);
  block (OUT, "", -1);
  function ();
  block (OUT, "t", -1);
  callees[0] = 2 + 1;
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  bits ("0");
  at (2, 2);
  bits ("0 0");
  expect ("E0 B0 E2 B2 <2 E2 B2 <2 B1 <1 .");
}
END_TEST

/* Another function than the expected one is entered first, as by a handler. */
START_TEST (test_expected_later)
{
  program ();
  function ();
  block (OUT, "", -1);
  callees[0] = callees[1] = 2 + 1;
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (6, 2);
  bits ("0 0 0 0 1 0");
  expect ("E0 B0 E6 B6 <6 E2 B2 B3 B5 <5 E2 B2 B4 B5 <5 B1 <1 .");
}
END_TEST

/* Of a killed process there are the blocks up to the first bit that is missing. */
START_TEST (test_cut)
{
  program ();
  piece (1, 0, BBT_START_STREAM, BBT_END_NOT);
  at (0, 1);
  at (2, 2);
  expect ("E0 B0 E2 B2 .!");
}
END_TEST

/* The thread is in 3, or 5, or still at the end of 2, or somewhere else, and will need no more
   bits for a while. */
START_TEST (test_cut_by_pc)
{
  static const struct {
    uint64_t pc;
    const char *events;
  } cases[] = { { CODE + BIAS + 3 * BLOCK_BYTES + 7, "E0 B0 E2 B2 B3 ." },
                { CODE + BIAS + 5 * BLOCK_BYTES, "E0 B0 E2 B2 B3 B5 ." },
                { CODE + BIAS + 2 * BLOCK_BYTES + 15, "E0 B0 E2 B2 ." },
                { CODE + BIAS, "E0 B0 E2 B2 B3 B5 <5 ." },
                { 0, "E0 B0 E2 B2 B3 B5 <5 ." },
                { 0x7f0000001000, "E0 B0 E2 B2 B3 B5 <5 ." } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      program ();
      piece (1, 0, BBT_START_STREAM, BBT_END_PC)->pc = cases[i].pc;
      at (0, 1);
      at (2, 2);
      bits ("0");
      expect (cases[i].events);
    }
}
END_TEST

START_TEST (test_pieces)
{
  program ();
  piece (1, 0, BBT_START_STREAM, BBT_END_NEXT);
  at (0, 1);
  at (2, 2);
  piece (1, 1, BBT_START_NEXT, BBT_END_NEXT);
  bits ("0 0");
  piece (1, 2, BBT_START_NEXT, BBT_END_STREAM);
  at (2, 2);
  bits ("1 0");
  expect ("E0 B0 E2 B2 B3 B5 <5 E2 B2 B4 B5 <5 B1 <1 .");
}
END_TEST

/* A file whose second piece is missing. */
START_TEST (test_missing_piece)
{
  program ();
  piece (1, 0, BBT_START_STREAM, BBT_END_NEXT);
  at (0, 1);
  piece (1, 2, BBT_START_NEXT, BBT_END_NEXT);
  bits ("0 1 1 0");
  piece (1, 3, BBT_START_LOST, BBT_END_NEXT)->depth = 1;
  at (2, 2);
  bits ("1");
  expect ("E0 B0 ? E2 B2 B4 B5 <5 .!");
}
END_TEST

/* Recording begins in f: main becomes known when f returns to its second call. */
START_TEST (test_lost)
{
  program ();
  piece (1, 4, BBT_START_LOST, BBT_END_STREAM)->depth = 2;
  back (0, 1, 1);
  at (2, 2);
  bits ("1 0");
  expect ("? R0 E2 B2 B4 B5 <5 B1 <1 .");
}
END_TEST

/* Pieces that can be decoded without those before them, with those and without; and a return
   that is told though it is known. */
START_TEST (test_events)
{
  program ();
  piece (1, 0, BBT_START_STREAM, BBT_END_NEXT);
  at (0, 1);
  piece (1, 1, BBT_START_EVENT, BBT_END_NEXT)->depth = 1;
  at (2, 2);
  bits ("0");
  back (0, 1, 1);
  piece (1, 3, BBT_START_EVENT, BBT_END_STREAM)->depth = 1;
  at (2, 2);
  bits ("1");
  back (0, 2, 1);
  expect ("E0 B0 E2 B2 B3 B5 <5 ? E2 B2 B4 B5 <5 R0 B1 <1 .");
}
END_TEST

/* 0 calls itself, or not. */
START_TEST (test_recursion)
{
  function ();
  block (IN, "", 1, 2, -1);
  block (0, "c", 2, -1);
  block (OUT, "", -1);
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  bits ("0");
  at (0, 2);
  bits ("0");
  at (0, 3);
  bits ("1 0 0");
  expect ("E0 B0 B1 E0 B0 B1 E0 B0 B2 <2 B2 <2 B2 <2 .");
}
END_TEST

/* 0 makes calls; 1 lands; 2 returns. */
static void
catcher (void)
{
  function ();
  block (IN, "cc", 2, -1);
  block (IN, "", 2, -1);
  block (OUT, "", -1);
}

/* Indices of frames are given modulo 65536: the nearest is meant. */
START_TEST (test_deep)
{
  catcher ();
  piece (1, 7, BBT_START_LOST, BBT_END_STREAM)->depth = 65539;
  at (0, 4);
  at (1, 3);
  back (0, 2, 2);
  expect ("? E0 B0 L1 B1 B2 <2 R0 B2 .");
}
END_TEST

/* Three frames of the same function; the innermost throws, the outermost catches. */
START_TEST (test_throw)
{
  catcher ();
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (0, 2);
  at (0, 3);
  at (1, 1);
  expect ("E0 B0 E0 B0 E0 B0 L1 B1 B2 .");
}
END_TEST

/* The library cannot know that frames have returned to code that is not traced (qsort calls back
   from different depths), and counts them: the index of the second one is 3, and 2 is nobody. */
START_TEST (test_stale)
{
  catcher ();
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (0, 2);
  bits ("0 0");
  at (0, 3);
  at (1, 3);
  bits ("0 0");
  expect ("E0 B0 E0 B0 B2 <2 E0 B0 L1 B1 B2 <2 B2 .");
}
END_TEST

/* 0 and the function of 1 end with a call, of which nobody tells when it returns: main's call,
   or the next entry, says it. */
START_TEST (test_final)
{
  function ();
  block (IN, "cc", 3, -1);
  function ();
  block (IN, "f", -1);
  function ();
  block (IN | OUT, "", -1);
  map_ways[0].to = 0; /* no use: 0 has one way, to itself */
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (1, 2);
  at (2, 3);
  bits ("0");
  at (1, 2);
  at (1, 2);
  bits ("0");
  expect ("E0 B0 E1 B1 E2 B2 <2 <1 E1 B1 <1 E1 B1 <1 B0 .");
}
END_TEST

START_TEST (test_tail)
{
  function ();
  block (IN, "c", 1, -1);
  block (OUT, "", -1);
  function ();
  block (IN, "t", -1);
  function ();
  block (IN | OUT, "", -1);
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (2, 2);
  at (3, 2);
  bits ("0");
  expect ("E0 B0 E2 B2 <2 E3 B3 <3 B1 <1 .");
}
END_TEST

/* 0 calls setjmp; 1 calls f, which jumps back to it, then branches to 2. */
START_TEST (test_setjmp)
{
  function ();
  block (IN | OUT, "cf", -1);
  block (IN, "", 2, 3, -1);
  block (OUT, "f", -1);
  block (OUT, "", -1);
  function ();
  block (IN | OUT, "f", -1);
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  bits ("0");
  at (1, 1);
  bits ("0");
  at (4, 2);
  at (1, 1);
  bits ("1");
  expect ("E0 B0 L1 B1 B2 E4 B4 L1 B1 B3 .");
}
END_TEST

/* An interpreter: 1 and 2 jump by address to each other, to themselves and to 3; 0 and 3 are
   reached by a plain edge, too. */
START_TEST (test_computed_goto)
{
  function ();
  block (IN, "c", 1, -1);
  function ();
  block (IN | OUT, "", -1);
  block (IN | OUT, "c", -1);
  block (IN, "", 4, -1);
  block (OUT, "", -1);
  map_ways[0].to = 0;
  piece (1, 0, BBT_START_STREAM, BBT_END_NEXT);
  at (0, 1);
  at (1, 2);
  at (2, 2);
  at (1, 3);
  piece (1, 1, BBT_START_NEXT, BBT_END_STREAM);
  at (3, 3);
  bits ("0");
  at (2, 2);
  bits ("0");
  at (3, 2);
  bits ("0");
  expect ("E0 B0 E1 B1 L2 B2 E1 B1 L3 B3 B4 <4 L2 B2 L3 B3 B4 <4 B0 .");
}
END_TEST

/* 0 is a switch of four, of which 3 lands as well; 1 goes back. */
START_TEST (test_switch)
{
  function ();
  block (IN, "", 4, 2, 1, 3, -1);
  block (0, "", 0, -1);
  block (0, "c", 0, -1);
  block (IN, "", 0, -1);
  block (OUT, "", -1);
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  target (1);
  target (2);
  bits ("0");
  target (3);
  at (3, 1);
  target (4);
  expect ("E0 B0 B1 B0 B2 B0 L3 B3 B0 B4 .");
}
END_TEST

/* One way and the way out (asm goto): it is gone, or control lands. */
START_TEST (test_way_or_out)
{
  function ();
  block (IN | OUT, "", 1, -1);
  block (OUT, "", 0, -1);
  block (IN, "", 0, -1);
  piece (1, 0, BBT_START_STREAM, BBT_END_NOT);
  at (0, 1);
  bits ("0 0 0");
  at (2, 1);
  bits ("0");
  expect ("E0 B0 B1 B0 B1 L2 B2 B0 B1 .!");
}
END_TEST

/* Nobody tells how often a loop runs that has no end. */
START_TEST (test_forever)
{
  function ();
  block (IN, "", 1, 2, -1);
  block (0, "", 3, -1);
  block (OUT, "", -1);
  block (0, "", 1, -1);
  piece (1, 0, BBT_START_STREAM, BBT_END_PC)->pc = BIAS + place (1);
  at (0, 1);
  bits ("0");
  expect ("E0 B0 B1 .");
}
END_TEST

/* A handler, and one in it, at the same place of the thread's stream as a third one. */
START_TEST (test_handlers)
{
  program ();
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (2, 2);
  bits ("0");
  bits ("0");
  at (2, 2);
  bits ("1 0");
  struct bbt_piece *h = piece (2, 0, BBT_START_STREAM, BBT_END_STREAM);
  h->parent = 1;
  h->parent_rest = 3;
  h->parent_tokens = 2;
  h->parent_pc = BIAS + place (3);
  at (0, 1);
  at (2, 2);
  bits ("0");
  h = piece (3, 0, BBT_START_STREAM, BBT_END_STREAM);
  h->parent = 2;
  h->parent_rest = 1;
  h->parent_tokens = 1;
  at (2, 1);
  bits ("1");
  h = piece (4, 0, BBT_START_STREAM, BBT_END_NOT);
  h->parent = 1;
  h->parent_pc = BIAS + place (3);
  h->parent_rest = 3;
  h->parent_tokens = 2;
  expect ("E0 B0 E2 B2 B3 S E0 B0 S E2 B2 B4 B5 <5 s E2 B2 B3 B5 <5 s S s! B5 <5 E2 B2 B4 B5 <5 B1 "
          "<1 .");
}
END_TEST

/* A handler leaves by siglongjmp: what it interrupted is given up, and frames come to be known
   again. */
START_TEST (test_siglongjmp)
{
  catcher ();
  piece (1, 0, BBT_START_STREAM, BBT_END_NEXT);
  at (0, 1);
  at (0, 2);
  piece (1, 1, BBT_START_LOST, BBT_END_STREAM)->depth = 1;
  at (1, 1);
  struct bbt_piece *h = piece (2, 0, BBT_START_STREAM, BBT_END_STREAM);
  h->parent = 1;
  h->parent_rest = 2;
  h->parent_tokens = 2;
  at (0, 1);
  expect ("E0 B0 E0 B0 S E0 B0 s ? L1 B1 B2 .");
}
END_TEST

/* Two handlers interrupt 3 in front of its counter; the second one leaves by siglongjmp.  What was
   not counted was not executed. */
START_TEST (test_uncounted)
{
  program ();
  piece (1, 0, BBT_START_STREAM, BBT_END_PC)->pc = (BIAS + place (3)) | BBT_UNCOUNTED;
  at (0, 1);
  at (2, 2);
  bits ("0");
  for (uint32_t stream = 2; stream <= 3; stream++)
    {
      struct bbt_piece *h = piece (stream, 0, BBT_START_STREAM, BBT_END_STREAM);
      h->parent = 1;
      h->parent_rest = 3;
      h->parent_tokens = 2;
      h->parent_pc = BIAS + place (3);
      at (0, 1);
    }
  expect ("E0 B0 E2 B2 S E0 B0 s S E0 B0 s .");
}
END_TEST

/* Coroutines: 0's first call is that of another stack's function 3, which switches back and
   forth in the middle of its block. */
START_TEST (test_stacks)
{
  catcher ();
  function ();
  block (IN, "cc", 4, -1);
  block (OUT, "", -1);
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (3, 2);
  back (0, 1, 1);
  back (3, 1, 2);
  back (0, 2, 1);
  expect ("E0 B0 E3 B3 <3 R3 <3 B2 .");
}
END_TEST

/* main calls historic code, 6 and 7, which calls f, and goes on to 8; nothing else is known of
   it. */
START_TEST (test_lone)
{
  program ();
  nlone = 3;
  for (size_t i = 0; i < nlone; i++)
    lone[i] = (struct graph_lone) { .address = place (6 + i), .first = i == 0 };
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  target (6);
  target (7);
  at (2, 4);
  bits ("1");
  target (8);
  bits ("0 0");
  expect ("E0 B0 B6 B7 E2 B2 B4 B5 <5 B8 B1 <1 .");
}
END_TEST

/* Blocks of a hidden function are not shown, those of functions that it calls are. */
START_TEST (test_hidden)
{
  function ();
  block (IN, "c", 1, -1);
  block (OUT, "", -1);
  function ();
  block (IN | OUT, "", -1);
  piece (1, 0, BBT_START_STREAM, BBT_END_STREAM);
  at (0, 1);
  at (2, 2);
  bits ("0");
  struct trace *t = make_trace ();
  graph_hide (&t->graph, place (0));
  struct trace_cursor *c = trace_begin (t, 0);
  tell (c);
  ck_assert_str_eq (told, "E0 E2 B2 <2 <1 .");
  ck_assert_uint_eq (trace_position (c), 1);
  trace_cursor_free (c);
  free_trace (t);
}
END_TEST

/* Impossible contents are not shown, nor those behind them, up to the next piece that says where
   control is. */
START_TEST (test_wrong)
{
  program ();
  piece (1, 0, BBT_START_STREAM, BBT_END_NEXT);
  at (0, 1);
  at (3, 2);
  bits ("0 0 0");
  piece (1, 1, BBT_START_NEXT, BBT_END_NEXT);
  bits ("0 1 1");
  piece (1, 2, BBT_START_EVENT, BBT_END_STREAM)->depth = 1;
  at (2, 2);
  bits ("1");
  expect ("E0 B0 ? E2 B2 B4 B5 <5 .");
  ck_assert_str_eq (why, "stream 1: lost in piece 0, bit 1, token 1: not a place that control "
                         "can reach here, 0x2555000001030");
}
END_TEST

/* Whatever the bytes are: nothing that never ends, nothing that crashes. */
START_TEST (test_garbage)
{
  srand (1);
  for (int n = 0; n < 5000; n++)
    {
      if (n % 2)
        program ();
      else
        catcher ();
      for (uint32_t i = 0; i < 4; i++)
        {
          struct bbt_piece *p = piece (1 + (rand () % 4 == 0), i, i ? (uint32_t) rand () % 4 : 0,
                                       (uint32_t) rand () % 4);
          p->depth = (uint32_t) rand () % 4;
          p->pc = BIAS + place ((size_t) rand () % 8);
          p->parent = p->stream - 1;
          p->parent_rest = (uint32_t) rand () % 20;
          p->parent_tokens = (uint32_t) rand () % 9;
          for (int k = rand () % 60; k > 0; k--)
            if (rand () % 2)
              bits (rand () % 2 ? "0" : "1");
            else
              token (CODE + (uint64_t) rand () % 100 / 4 * 4, (unsigned) rand () % 5);
        }
      struct trace *t = make_trace ();
      for (unsigned i = 0; i < t->nthreads; i++)
        {
          struct trace_cursor *c = trace_begin (t, i);
          tell (c);
          ck_assert (strrchr (told, '.'));
          trace_cursor_free (c);
        }
      free_trace (t);
    }
}
END_TEST

/* Going to each block, in any order, and then on to the end shows what is shown from the
   beginning. */
START_TEST (test_seek)
{
  program ();
  for (uint32_t i = 0; i < 20; i++)
    {
      struct bbt_piece *p = piece (1, i, i ? BBT_START_NEXT : BBT_START_STREAM,
                                   i < 19 ? BBT_END_NEXT : BBT_END_STREAM);
      p->started = 1000 * i;
      p->ended = 1000 * i + 1000;
      if (i == 0)
        at (0, 1);
      at (2, 2);
      bits (i % 3 ? "0" : "1");
      at (2, 2);
      bits ("0");
      if (i < 19)
        at (0, 2);
    }
  struct trace *t = make_trace ();
  struct trace_cursor *c = trace_begin (t, 0);
  static struct trace_event all[1000];
  size_t n = 0;
  while (trace_next (c, &all[n]))
    n++;
  for (size_t k = 0; k < n; k++)
    {
      size_t i = k * 37 % n;
      struct trace_event ev;
      if (i == 0 || all[i - 1].kind == TRACE_BLOCK)
        {
          ck_assert (trace_seek_block (c, all[i].number));
          ck_assert_uint_eq (trace_position (c), all[i].number);
        }
      else if (all[i].time > all[i - 1].time)
        ck_assert (trace_seek_time (c, all[i].time));
      else
        continue;
      for (size_t m = i; m < n; m++)
        {
          ck_assert (trace_next (c, &ev));
          ck_assert (ev.kind == all[m].kind && ev.block == all[m].block
                     && ev.number == all[m].number && ev.time == all[m].time
                     && ev.depth == all[m].depth);
          ck_assert (m == 0 || ev.time >= all[m - 1].time);
        }
      ck_assert (!trace_next (c, &ev));
    }
  ck_assert (!trace_seek_block (c, 100000));
  ck_assert (!trace_seek_time (c, 100000));
  trace_cursor_free (c);
  free_trace (t);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = {
    { test_calls },          { test_cut },           { test_cut_by_pc },     { test_pieces },
    { test_missing_piece },  { test_lost },          { test_events },        { test_recursion },
    { test_deep },           { test_throw },         { test_stale },         { test_final },
    { test_tail },           { test_setjmp },        { test_computed_goto }, { test_switch },
    { test_way_or_out },     { test_forever },       { test_handlers },      { test_siglongjmp },
    { test_uncounted },      { test_stacks },        { test_lone },          { test_hidden },
    { test_wrong },          { test_garbage },       { test_seek },          { test_expected },
    { test_expected_index }, { test_expected_once }, { test_expected_later }
  };
  return unit_run (UNIT_SUITE ("walk", UNIT_CASE (tests)));
}
