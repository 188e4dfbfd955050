/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the reporter's model, with hand-made files, graphs and samples of known content. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/row.h"
#include "model/files/gmon_read.h"
#include "model/graph/callgraph.h"
#include "model/graph/ranks.h"
#include "model/symbols/image_symbols.h"
#include "model/symbols/samples.h"
#include "testsuite/unit/unit.h"

/* Files.  */

static const struct gmon_shape shape = { .pointer_bytes = 8,
                                         .big_endian = false,
                                         .code_low = 0x1000,
                                         .code_high = 0x2000,
                                         .segment_high = 0x2000 };

struct bytes {
  unsigned char data[2048];
  size_t size;
};

static void
put (struct bytes *b, uint64_t value, int n)
{
  for (; n > 0; n--, value >>= 8)
    b->data[b->size++] = (unsigned char) value;
}

static void
put_header (struct bytes *b)
{
  b->size = 0;
  memcpy (b->data, "gmon", 4);
  b->size = 4;
  put (b, 1, 4);
  put (b, 0, 8);
  put (b, 0, 4);
}

static void
put_histogram (struct bytes *b, uint64_t low, uint64_t high, unsigned nbins, const unsigned *bins)
{
  put (b, 0, 1);
  put (b, low, 8);
  put (b, high, 8);
  put (b, nbins, 4);
  put (b, 100, 4);
  memcpy (b->data + b->size, "seconds\0\0\0\0\0\0\0\0s", 16);
  b->size += 16;
  for (unsigned i = 0; i < nbins; i++)
    put (b, bins ? bins[i] : 0, 2);
}

static void
put_call (struct bytes *b, uint64_t from, uint64_t self, uint64_t count)
{
  put (b, 1, 1);
  put (b, from, 8);
  put (b, self, 8);
  put (b, count, 4);
}

static bool
read_moved (struct profile *p, const unsigned char *data, size_t size, const struct gmon_shape *s,
            const struct gmon_moves *moves, struct error *err)
{
  char name[] = "report_test.XXXXXX";
  int fd = mkstemp (name);
  ck_assert_int_ge (fd, 0);
  ck_assert_int_eq (write (fd, data, size), (ssize_t) size);
  close (fd);
  struct gmon_file f;
  bool ok = gmon_open (&f, name, s, err) && gmon_read (p, &f, s, moves, err);
  gmon_close (&f);
  unlink (name);
  err->file = NULL; /* the name ends with this function */
  return ok;
}

static bool
read_bytes (struct profile *p, const unsigned char *data, size_t size, const struct gmon_shape *s,
            struct error *err)
{
  static const struct gmon_moves nowhere = { 0 };
  return read_moved (p, data, size, s, &nowhere, err);
}

/* The end of each record of a file is a good place to end, every other byte is not, and is
   named. */
START_TEST (truncation)
{
  static const unsigned bins[] = { 1, 0, 2, 0, 3 };
  struct bytes b;
  size_t good[8], ngood = 0;
  put_header (&b);
  good[ngood++] = b.size;
  put_histogram (&b, 0x1000, 0x1014, 5, bins);
  good[ngood++] = b.size;
  put_call (&b, 0x1004, 0x1008, 7);
  good[ngood++] = b.size;
  put (&b, 2, 1);
  put (&b, 2, 4);
  for (int i = 0; i < 2; i++)
    {
      put (&b, 0x1000 + 8 * i, 8);
      put (&b, 99, 8);
    }
  good[ngood++] = b.size;

  size_t next = 0;
  for (size_t size = 0; size <= b.size; size++)
    {
      struct profile p = { 0 };
      struct error err = { 0 };
      bool ok = read_bytes (&p, b.data, size, &shape, &err);
      if (size == good[next])
        {
          ck_assert_msg (ok, "%zu: %s", size, err.text);
          next++;
        }
      else
        {
          ck_assert_msg (!ok, "%zu", size);
          ck_assert_msg (err.offset == (size == 0 ? ERROR_NO_OFFSET : size), "%zu: byte %llu: %s",
                         size, (unsigned long long) err.offset, err.text);
        }
      profile_free (&p);
    }
  ck_assert_uint_eq (next, ngood);
}
END_TEST

/* Records repeat, over one file and several; the sums are wider than the file's numbers. */
START_TEST (records_add_up)
{
  static const unsigned bins[] = { 65535, 0, 2 }, more[] = { 65535, 1, 0 };
  struct bytes b;
  struct profile p = { 0 };
  struct error err;
  put_header (&b);
  put_histogram (&b, 0x1000, 0x1006, 3, bins);
  put_histogram (&b, 0x1000, 0x1006, 3, more);
  put_histogram (&b, 0x1010, 0x1016, 3, bins);
  put_call (&b, 0x1004, 0x1008, 0xffffffff);
  put_call (&b, 0x1000, 0x1008, 5);
  put_call (&b, 0x1004, 0x1008, 0xffffffff);
  for (int i = 0; i < 2; i++)
    ck_assert (read_bytes (&p, b.data, b.size, &shape, &err));
  ck_assert (profile_finish (&p));

  ck_assert_uint_eq (p.nhistograms, 2);
  ck_assert_uint_eq (p.histograms[0].nfilled, 3);
  ck_assert_uint_eq (p.histograms[0].bins[0].count, 4 * 65535);
  ck_assert_uint_eq (p.histograms[0].bins[1].count, 2);
  ck_assert_uint_eq (p.histograms[0].bins[2].index, 2);
  ck_assert_uint_eq (p.histograms[0].bins[2].count, 4);
  ck_assert_uint_eq (p.ncalls, 2);
  ck_assert_uint_eq (p.calls[0].count, 10);
  ck_assert_uint_eq (p.calls[1].count, 4 * (uint64_t) 0xffffffff);
  ck_assert_uint_lt (p.calls[1].first, p.calls[0].first);
  profile_free (&p);
}
END_TEST

/* Two objects change places, the executable stays.  A histogram of a page may begin before the
   object and end behind it, but not be elsewhere. */
START_TEST (objects_move)
{
  static const unsigned bins[] = { 0, 7 };
  static struct gmon_move all[]
      = { { 0x10100, 0x10300, 0x20000 }, { 0x30000, 0x40000, -0x20000UL } };
  static const struct gmon_moves moves = { all, 2 };
  struct bytes b;
  struct profile p = { 0 };
  struct error err;
  put_header (&b);
  put_histogram (&b, 0x1000, 0x1004, 2, bins);
  put_histogram (&b, 0x10000, 0x10004 + 0x400, 2 + 0x200, NULL);
  put_histogram (&b, 0x3fffe, 0x40002, 2, bins);
  put_call (&b, 0x10104, 0x30000, 1);
  put_call (&b, 0x1000, 0x102ff, 2);
  put_call (&b, 0x3ffff, 0x10300, 3);
  ck_assert_msg (read_moved (&p, b.data, b.size, &shape, &moves, &err), "%s", err.text);
  ck_assert (profile_finish (&p));
  ck_assert_uint_eq (p.nhistograms, 3);
  ck_assert_uint_eq (p.histograms[0].low, 0x1000);
  ck_assert_uint_eq (p.histograms[1].low, 0x30000);
  ck_assert_uint_eq (p.histograms[1].high, 0x30404);
  ck_assert_uint_eq (p.histograms[2].low, 0x1fffe);
  ck_assert_uint_eq (p.ncalls, 3);
  ck_assert (p.calls[0].from == 0x1000 && p.calls[0].self == 0x302ff);
  ck_assert (p.calls[1].from == 0x1ffff && p.calls[1].self == 0x10300);
  ck_assert (p.calls[2].from == 0x30104 && p.calls[2].self == 0x10000);
  profile_free (&p);

  put_header (&b);
  put_histogram (&b, 0x102fe, 0x11302, 2, bins);
  ck_assert (!read_moved (&p, b.data, b.size, &shape, &moves, &err));
  profile_free (&p);
}
END_TEST

/* Many records in no order, so that the sorting in between happens. */
START_TEST (many_calls)
{
  struct profile p = { 0 };
  enum { PAIRS = 1000, TIMES = 3000 };
  for (unsigned i = 0; i < PAIRS * TIMES; i++)
    {
      unsigned k = i % PAIRS * 7919u % PAIRS;
      ck_assert (profile_add_call (&p, 0x1000 + k / 10, 0x1000 + k % 10, k));
      ck_assert (profile_add_execution (&p, 0x1000 + k, 1));
    }
  ck_assert (profile_finish (&p));
  ck_assert_uint_eq (p.ncalls, PAIRS);
  ck_assert_uint_eq (p.nexecutions, PAIRS);
  for (unsigned k = 0; k < PAIRS; k++)
    {
      ck_assert_uint_eq (p.calls[k].count, (uint64_t) k * TIMES);
      ck_assert_uint_eq (p.executions[k].count, TIMES);
      ck_assert_uint_lt (p.calls[k].first, PAIRS);
    }
  ck_assert_uint_le (p.room_calls, 1 << 21);
  profile_free (&p);
}
END_TEST

START_TEST (histograms_must_fit)
{
  static const unsigned bins[] = { 1, 2, 3, 4 };
  struct bytes b;
  struct error err;
  static const struct {
    uint64_t low, high;
    unsigned nbins;
  } wrong[] = {
    { 0x1002, 0x100a, 4 }, { 0x1000, 0x1008, 2 }, { 0x1000, 0x100a, 4 }, { 0x1008, 0x1008, 4 }
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
      struct profile p = { 0 };
      put_header (&b);
      put_histogram (&b, 0x1000, 0x1008, 4, bins);
      size_t place = b.size;
      put_histogram (&b, wrong[i].low, wrong[i].high, wrong[i].nbins, bins);
      ck_assert (!read_bytes (&p, b.data, b.size, &shape, &err));
      ck_assert_uint_eq (err.offset, place);
      profile_free (&p);
    }
}
END_TEST

/* The file of a 32-bit machine of the other byte order. */
START_TEST (other_machine)
{
  static const unsigned char file[]
      = "gmon\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0"
        "\0\0\0\x10\0\0\0\x10\4\0\0\0\2\0\0\0\x64seconds\0\0\0\0\0\0\0\0s\1\2\0\0"
        "\1\0\0\x10\0\0\0\x10\2\0\0\1\0";
  struct gmon_shape other = { .pointer_bytes = 4,
                              .big_endian = true,
                              .code_low = 0x1000,
                              .code_high = 0x2000,
                              .segment_high = 0x2000 };
  struct profile p = { 0 };
  struct error err;
  ck_assert_msg (read_bytes (&p, file, sizeof file - 1, &other, &err), "%s", err.text);
  ck_assert_uint_eq (p.rate, 100);
  ck_assert_uint_eq (p.histograms[0].bins[0].count, 0x102);
  ck_assert_uint_eq (p.calls[0].from, 0x1000);
  ck_assert_uint_eq (p.calls[0].self, 0x1002);
  ck_assert_uint_eq (p.calls[0].count, 256);
  profile_free (&p);
}
END_TEST

/* Samples.  */

static uint64_t
start_of (const void *of, size_t i)
{
  return ((const uint64_t *) of)[i];
}

static bool
not_the_second (const void *of, size_t i)
{
  (void) of;
  return i != 1;
}

START_TEST (samples_are_shared_out)
{
  /* Units:     100   104   108   112        bins of two units
     bins        [0] [1] [2] [3] [4] [5]
     stretches      |a  |b|c       |              from 101, 103, 104 to 109  */
  static const uint64_t starts[] = { 101, 103, 104, 109 };
  struct bin bins[] = { { 0, 10 }, { 1, 20 }, { 4, 40 }, { 5, 80 } };
  struct histogram h = { .low = 200, .high = 224, .nbins = 6, .bins = bins, .nfilled = 4 };
  struct profile p = { .histograms = &h, .nhistograms = 1, .scale = 2 };
  struct stretches s = { .count = 3, .start = start_of, .of = starts };
  double got[3] = { 0 };
  ck_assert_double_eq (samples_assign (&p, &s, NULL, got), 150);
  ck_assert_double_eq (got[0], 5 + 10);
  ck_assert_double_eq (got[1], 10);
  ck_assert_double_eq (got[2], 20);

  double some[3] = { 0 };
  ck_assert_double_eq (samples_assign (&p, &s, not_the_second, some), 140);
  ck_assert_double_eq (some[1], 0);
}
END_TEST

/* Call graphs.  Function i is at 0x1000 + 16 * i.  */

enum { MOST = 8 };

struct graph {
  struct symbol symbols[MOST];
  struct symtab symtab;
  struct profile profile;
  struct callgraph graph;
};

static const char *const names[MOST] = { "a", "b", "c", "d", "e", "f", "g", "h" };

static void
begin_graph (struct graph *g, size_t n)
{
  memset (g, 0, sizeof *g);
  for (size_t i = 0; i < n; i++)
    g->symbols[i] = (struct symbol) {
      .address = 0x1000 + 16 * i, .end = 0x100f + 16 * i, .name = names[i], .is_function = true
    };
  g->symtab = (struct symtab) { .symbols = g->symbols, .count = n };
}

static void
call (struct graph *g, int from, int to, uint64_t count)
{
  ck_assert (profile_add_call (&g->profile, 0x1003 + 16 * (uint64_t) from,
                               0x1000 + 16 * (uint64_t) to, count));
}

/* SAMPLES[i] samples in function i. */
static void
end_graph (struct graph *g, const unsigned *samples)
{
  struct error err;
  struct bin *bins = calloc (MOST, sizeof *bins);
  for (uint32_t i = 0; i < MOST; i++)
    bins[i] = (struct bin) { .index = i, .count = i < g->symtab.count ? samples[i] : 0 };
  struct histogram_record record
      = { .low = 0x1000, .high = 0x1000 + 16 * MOST, .nbins = MOST, .rate = 100, .letter = 's' };
  ck_assert (profile_add_histogram (&g->profile, &record, bins, MOST, &err));
  ck_assert (profile_finish (&g->profile));
  ck_assert (callgraph_build (&g->graph, &g->symtab, &g->profile, &err));
}

static void
free_graph (struct graph *g)
{
  callgraph_free (&g->graph);
  profile_free (&g->profile);
}

START_TEST (time_goes_to_callers)
{
  /* a calls b once and c three times; b calls c once.  The last function gets no samples, as in
     gprof. */
  static const unsigned samples[] = { 1, 10, 40, 0 };
  struct graph g;
  begin_graph (&g, 4);
  call (&g, 0, 1, 1);
  call (&g, 0, 2, 3);
  call (&g, 1, 2, 1);
  call (&g, 1, 1, 6);
  end_graph (&g, samples);
  const struct node *n = g.graph.nodes;
  ck_assert_uint_eq (n[2].calls, 4);
  ck_assert_uint_eq (n[1].calls, 1);
  ck_assert_uint_eq (n[1].self_calls, 6);
  ck_assert_double_eq (n[1].child, 10);
  ck_assert_double_eq (n[0].child, 30 + 20);
  ck_assert_double_eq (g.graph.shown_samples, 51);
  ck_assert_uint_eq (n[0].index, 1);
  ck_assert_uint_eq (n[2].index, 2);
  ck_assert_uint_eq (n[1].index, 3);
  ck_assert_uint_eq (g.graph.nnodes, 4);
  free_graph (&g);
}
END_TEST

START_TEST (cycles_are_found)
{
  /* a -> b -> c -> b, c -> d, d -> c: one cycle b, c, d; e -> f -> e another; h is alone. */
  static const unsigned samples[] = { 1, 2, 4, 8, 16, 32, 0, 0 };
  struct graph g;
  begin_graph (&g, 8);
  call (&g, 0, 1, 5);
  call (&g, 1, 2, 7);
  call (&g, 2, 1, 3);
  call (&g, 2, 3, 2);
  call (&g, 3, 2, 2);
  call (&g, 3, 3, 9);
  call (&g, 0, 4, 1);
  call (&g, 4, 5, 4);
  call (&g, 5, 4, 4);
  end_graph (&g, samples);
  const struct node *n = g.graph.nodes;
  ck_assert_uint_eq (g.graph.nnodes, 10);
  ck_assert (node_is_cycle (&n[8]) && node_is_cycle (&n[9]));
  for (int i = 1; i <= 3; i++)
    ck_assert_uint_eq (n[i].head, 8);
  ck_assert_uint_eq (n[4].head, 9);
  ck_assert_uint_eq (n[5].head, 9);
  ck_assert_uint_eq (n[7].head, 7);
  ck_assert_uint_eq (n[8].calls, 5);
  ck_assert_uint_eq (n[8].self_calls, 7 + 3 + 2 + 2);
  ck_assert_double_eq (n[8].time, 14);
  ck_assert_double_eq (n[9].time, 48);
  ck_assert_double_eq (n[0].child, 62);
  ck_assert_uint_lt (n[8].level, n[0].level);
  free_graph (&g);
}
END_TEST

/* Every graph of four functions: two are in one cycle if each reaches the other. */
START_TEST (all_small_graphs)
{
  static const unsigned samples[] = { 1, 1, 1, 1, 0 };
  enum { N = 4 };
  for (unsigned bits = 0; bits < 1u << N * N; bits += 1 + bits % 3)
    {
      struct graph g;
      bool reach[N][N];
      begin_graph (&g, N + 1);
      for (int i = 0; i < N * N; i++)
        {
          reach[i / N][i % N] = bits >> i & 1;
          if (bits >> i & 1)
            call (&g, i / N, i % N, 1);
        }
      for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
          for (int j = 0; j < N; j++)
            reach[i][j] |= reach[i][k] && reach[k][j];
      end_graph (&g, samples);
      const struct node *n = g.graph.nodes;
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          if (i != j)
            {
              bool together = reach[i][j] && reach[j][i];
              ck_assert_msg ((n[i].head == n[j].head) == together, "graph %x: %d %d", bits, i, j);
              if (reach[i][j] && !together)
                ck_assert_uint_gt (n[i].level, n[j].level);
            }
      free_graph (&g);
    }
}
END_TEST

/* A chain and a cycle of many functions: no deep recursion, no squares. */
START_TEST (large_graphs)
{
  enum { N = 300000 };
  struct symbol *symbols = calloc (N, sizeof *symbols);
  for (uint64_t i = 0; i < N; i++)
    symbols[i] = (struct symbol) {
      .address = 16 * i, .end = 16 * i + 15, .name = "f", .is_function = true
    };
  struct symtab t = { .symbols = symbols, .count = N };
  for (int cycle = 0; cycle < 2; cycle++)
    {
      struct profile p = { 0 };
      struct callgraph g;
      struct error err;
      for (uint64_t i = 0; i + 1 < N; i++)
        {
          ck_assert (profile_add_call (&p, 16 * i + 8, 16 * (i + 1), 1));
          /* Back to the function before, last first: cycles join cycles. */
          if (cycle)
            ck_assert (profile_add_call (&p, 16 * (i + 1) + 8, 16 * i, 1));
        }
      ck_assert (profile_finish (&p));
      ck_assert (callgraph_build (&g, &t, &p, &err));
      ck_assert_uint_eq (g.nnodes, N + (uint32_t) cycle);
      if (!cycle)
        ck_assert_uint_eq (g.nodes[0].level, N);
      callgraph_free (&g);
      profile_free (&p);
    }
  free (symbols);
}
END_TEST

START_TEST (callee_is_a_function)
{
  static const unsigned samples[] = { 0, 0, 0 };
  struct graph g;
  begin_graph (&g, 3);
  g.symbols[2].is_function = false; /* a label in b */
  call (&g, 0, 2, 3);
  call (&g, 0, 7, 9);                                      /* leads out of the program */
  ck_assert (profile_add_call (&g.profile, 0, 0x1010, 1)); /* comes from outside */
  end_graph (&g, samples);
  ck_assert_uint_eq (g.graph.nodes[1].calls, 3);
  ck_assert_uint_eq (g.graph.narcs, 1);
  free_graph (&g);
}
END_TEST

/* Odds and ends.  */

static int
compare_tens (const void *a, const void *b, void *context)
{
  (void) context;
  return *(const int *) a / 10 - *(const int *) b / 10;
}

/* In a circle of eight, where everything follows something. */
static int
compare_around (const void *a, const void *b, void *context)
{
  int ahead = (*(const int *) b - *(const int *) a) & 7;
  (void) context;
  return ahead == 0 ? 0 : ahead < 4 ? -1 : 1;
}

/* Rows have printf's bytes, of values with ties, of any size, and of none. */
START_TEST (rows_are_printed)
{
  static const double some[] = { 0,     -0.0,   0.005,     0.015,     0.025,        0.125,
                                 0.375, 1.005,  0.995,     0.05,      0.25,         0.35,
                                 99.95, 9.995,  -1.5,      4e14,      1e15,         1e22,
                                 1e300, 5e-324, 1.0 / 0.0, 0.0 / 0.0, 123456789.125 };
  char text[1024];
  srand (1);
  for (size_t i = 0; i < 200000; i++)
    {
      const size_t n = sizeof some / sizeof *some;
      uint64_t bits = (uint64_t) rand () << 33 ^ (uint64_t) rand () << 11 ^ (uint64_t) rand ();
      double value = i < n ? some[i] : (double) (bits >> rand () % 40) / (1 << rand () % 12);
      int digits = 1 + rand () % 2, width = rand () % 12;
      if (i % 4 == 1) /* a decimal tie, which no double is, or a double beside that */
        value = nextafter ((double) (bits >> (24 + i % 40) | 1) / (digits == 1 ? 20 : 200),
                           i % 3 == 0   ? 0
                           : i % 3 == 1 ? value
                                        : INFINITY);
      struct row row;
      row_begin (&row);
      row_fixed (&row, width, digits, value);
      row_number (&row, width, bits >> i % 64);
      row_number_left (&row, width, bits >> (i + 7) % 64);
      snprintf (text, sizeof text, "%*.*f%*lu%-*lu", width, digits, value, width, bits >> i % 64,
                width, bits >> (i + 7) % 64);
      ck_assert_msg (strlen (text) == row.size && memcmp (text, row.text, row.size) == 0,
                     "%a: %s, not %.*s", value, text, (int) row.size, row.text);
    }
  struct row row = { .size = 0 };
  row_text (&row, "ab[12345]");
  row_cut (&row, 2, 6);
  row_cut (&row, 8, 3);
  ck_assert_uint_eq (row.size, 11);
  ck_assert (memcmp (row.text, "ab[12345   ", 11) == 0);
}
END_TEST

START_TEST (sort_is_stable)
{
  for (int n = 0; n < 200; n++)
    {
      int values[200];
      for (int i = 0; i < n; i++)
        values[i] = i * 37 % 20 * 10 + i % 10;
      ck_assert (array_sort (values, (size_t) n, sizeof *values, compare_tens, NULL));
      for (int i = 1; i < n; i++)
        ck_assert_int_le (values[i - 1] / 10, values[i] / 10);
    }
  int same[] = { 13, 11, 19, 12, 5, 18, 2 };
  static const int should[] = { 5, 2, 13, 11, 19, 12, 18 };
  ck_assert (array_sort (same, 7, sizeof *same, compare_tens, NULL));
  ck_assert_mem_eq (same, should, sizeof same);

  /* Both halves are in order, and the end of the one is below the begin of the other; merging
     them takes other steps nevertheless. */
  int around[] = { 0, 3, 5, 6 };
  static const int merged[] = { 5, 6, 0, 3 };
  ck_assert (array_sort (around, 4, sizeof *around, compare_around, NULL));
  ck_assert_mem_eq (around, merged, sizeof around);
}
END_TEST

START_TEST (numbers_are_sorted)
{
  struct thing {
    uint32_t before;
    uint64_t number;
  } __attribute__ ((packed)) *things = malloc (5000 * sizeof *things);
  for (uint64_t n = 0; n <= 5000; n += n < 200 ? 1 : 2400)
    {
      for (uint64_t i = 0; i < n; i++)
        things[i] = (struct thing) { .before = (uint32_t) i, .number = i * 37 % 20 << 3 * i % 60 };
      ck_assert (array_sort_by_number (things, n, sizeof *things, offsetof (struct thing, number)));
      for (uint64_t i = 0; i < n; i++)
        ck_assert_uint_eq (things[i].number,
                           things[i].before * 37ULL % 20 << 3 * (uint64_t) things[i].before % 60);
      for (uint64_t i = 1; i < n; i++)
        ck_assert (things[i - 1].number < things[i].number
                   || (things[i - 1].number == things[i].number
                       && things[i - 1].before < things[i].before));
    }
  free (things);
}
END_TEST

static int
compare_backwards (const void *a, const void *b, void *context)
{
  const struct rank *x = a, *y = b;
  ck_assert_ptr_null (context);
  ck_assert (x->first == y->first && x->second == y->second);
  return x->node > y->node ? -1 : x->node < y->node;
}

START_TEST (ranks_are_sorted)
{
  static const double values[] = { 1e300, 2, 1, 1e-310, 0, -1e-310, -1, -2 };
  enum { VALUES = sizeof values / sizeof *values, RANKS = 10000 };
  static struct rank ranks[RANKS];
  for (int i = 1; i < VALUES; i++)
    ck_assert_uint_lt (rank_down (values[i - 1]), rank_down (values[i]));
  ck_assert_uint_eq (rank_down (-0.0), rank_down (0));
  for (uint32_t i = 0; i < RANKS; i++)
    ranks[i] = (struct rank) { rank_down (values[i * 5 % VALUES]), i % 11 * 0x1234567890, i };
  ck_assert (ranks_sort (ranks, RANKS, compare_backwards, NULL));
  for (uint32_t i = 0; i < RANKS; i++)
    {
      ck_assert_uint_eq (ranks[i].first, rank_down (values[ranks[i].node * 5 % VALUES]));
      ck_assert_uint_eq (ranks[i].second, ranks[i].node % 11 * 0x1234567890);
    }
  for (uint32_t i = 1; i < RANKS; i++)
    if (ranks[i - 1].first == ranks[i].first && ranks[i - 1].second == ranks[i].second)
      ck_assert_uint_gt (ranks[i - 1].node, ranks[i].node);
    else
      ck_assert (
          ranks[i - 1].first < ranks[i].first
          || (ranks[i - 1].first == ranks[i].first && ranks[i - 1].second < ranks[i].second));
}
END_TEST

START_TEST (static_names)
{
  static const char table[] = "x.1\0y.part.0\0plain\0z.constprop.3.1\0good\0$\0end.7\0";
  const char *all[16];
  struct names names_ = { .names = all };
  for (const char *p = table; *p; p += strlen (p) + 1)
    all[names_.count++] = p;
  ck_assert (
      !image_symbols_static_name_counts (&names_, all[0])); /* because of the name behind it */
  ck_assert (!image_symbols_static_name_counts (&names_, all[1]));
  ck_assert (image_symbols_static_name_counts (&names_, all[2]));
  ck_assert (image_symbols_static_name_counts (&names_, all[3]));
  ck_assert (image_symbols_static_name_counts (&names_, all[4]));
  ck_assert (!image_symbols_static_name_counts (&names_, all[5]));
  ck_assert (image_symbols_static_name_counts (&names_, all[6])); /* none behind it */
  ck_assert (!image_symbols_static_name_counts (&names_, ""));
  ck_assert (!image_symbols_static_name_counts (&names_, "__gnu_compiled_c"));
}
END_TEST

START_TEST (find_by_address)
{
  struct symbol s[]
      = { { .address = 10, .end = 19 }, { .address = 20, .end = 29 }, { .address = 30, .end = 5 } };
  struct symtab t = { .symbols = s, .count = 3 };
  ck_assert_ptr_null (symtab_find (&t, 9));
  ck_assert_ptr_eq (symtab_find (&t, 10), &s[0]);
  ck_assert_ptr_eq (symtab_find (&t, 19), &s[0]);
  ck_assert_ptr_eq (symtab_find (&t, 29), &s[1]);
  ck_assert_ptr_null (symtab_find (&t, 30));
  ck_assert_ptr_null (symtab_find (&t, UINT64_MAX));
}
END_TEST

int
main (void)
{
  const struct unit_test files[] = { { truncation }, { records_add_up },      { objects_move },
                                     { many_calls }, { histograms_must_fit }, { other_machine } };
  const struct unit_test graph[] = { { samples_are_shared_out }, { time_goes_to_callers },
                                     { cycles_are_found },       { all_small_graphs },
                                     { large_graphs },           { callee_is_a_function } };
  const struct unit_test small[] = { { rows_are_printed },   { sort_is_stable },
                                     { numbers_are_sorted }, { ranks_are_sorted },
                                     { static_names },       { find_by_address } };
  return unit_run (UNIT_SUITE ("report", UNIT_CASE (files), UNIT_CASE (graph), UNIT_CASE (small)));
}
