/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the text of bbprof timeline, for hand-written timelines, and of parsing the options
   that select a part of them. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/unit.h"
#include "tools/timeline/timeline_axis.h"
#include "tools/timeline/timeline_view.h"
#include "tools/view/short_name.h"

enum { US = 1000, MS = 1000 * US };

/* A thread's life: how it ends is where the next interval begins. */
struct part {
  uint64_t end;
  enum timeline_state state;
  unsigned detail; /* running: processor; ready: it was preempted; sleeping: enum bbs_why */
};

static void
add_thread (struct timeline *t, uint32_t tid, const char *name, uint64_t begun,
            const struct part *parts, size_t n)
{
  struct timeline_thread *thread = &t->threads[t->nthreads++];
  *thread = (struct timeline_thread) { .tid = tid,
                                       .name = name,
                                       .begun = begun,
                                       .ended = parts[n - 1].end,
                                       .cpu = BBS_NOT_KNOWN,
                                       .nintervals = n };
  thread->intervals = calloc (n, sizeof *thread->intervals);
  for (size_t i = 0; i < n; begun = parts[i++].end)
    {
      struct timeline_interval *to = &thread->intervals[i];
      *to = (struct timeline_interval) { .start = begun,
                                         .end = parts[i].end,
                                         .state = parts[i].state,
                                         .call = -1,
                                         .cpu = BBS_CPU_UNKNOWN };
      if (to->state == TIMELINE_RUNNING)
        to->cpu = (uint16_t) parts[i].detail;
      to->preempted = to->state == TIMELINE_READY && parts[i].detail;
      to->why = to->state == TIMELINE_SLEEPING ? (uint8_t) parts[i].detail : 0;
      thread->sums.time[to->state] += to->end - to->start;
      thread->sums.why[to->why] += to->state == TIMELINE_SLEEPING ? to->end - to->start : 0;
    }
}

/* 40 us, which "main" and a thread with a name of rubbish share. */
static void
make (struct timeline *t)
{
  static const struct part main_parts[] = { { 10 * US, TIMELINE_RUNNING, 0 },
                                            { 12500, TIMELINE_READY, true },
                                            { 20 * US, TIMELINE_SLEEPING, BBS_WHY_LOCK },
                                            { 20 * US + 1, TIMELINE_RUNNING, 1 },
                                            { 30 * US, TIMELINE_SLEEPING, BBS_WHY_POLL },
                                            { 31200, TIMELINE_UNKNOWN, 0 },
                                            { 31700, TIMELINE_RUNNING, 0 },
                                            { 40 * US, TIMELINE_SLEEPING, BBS_WHY_LOCK } };
  static const struct part other_parts[] = { { 8250, TIMELINE_READY, false },
                                             { 9500, TIMELINE_RUNNING, 1 },
                                             { 9500 + 1, TIMELINE_READY, true },
                                             { 25 * US, TIMELINE_RUNNING, 1 } };
  static struct timeline_mark marks[] = { { 5 * US, 0, "begin", 0 },
                                          { 5 * US + 100, 1, "at once", 0 },
                                          { 20 * US, 0, "h\xc3\xa4lf\x1b[2J", 0 } };
  *t = (struct timeline) {
    .program = "example", .watch = { .how = BBS_BY_EVENTS }, .end = 40 * US, .cpus = 2
  };
  t->threads = calloc (2, sizeof *t->threads);
  t->marks = marks;
  t->nmarks = 3;
  add_thread (t, 7, "main", 0, main_parts, sizeof main_parts / sizeof *main_parts);
  add_thread (t, 8, "\xc3\xb6\xff", 5 * US, other_parts, sizeof other_parts / sizeof *other_parts);
}

static void
unmake (struct timeline *t)
{
  for (size_t i = 0; i < t->nthreads; i++)
    free (t->threads[i].intervals);
  free (t->threads);
}

/* The text that EMIT prints of CHOICE of T; V: its appearance. */
static char *
show (timeline_emitter *emit, struct timeline_view v, const struct timeline *t,
      struct timeline_choice choice)
{
  char *text;
  size_t size;
  struct error err;
  FILE *out = open_memstream (&text, &size);
  ck_assert_msg (timeline_view_make (&v, t, &choice, &err), "%s", err.text);
  ck_assert_msg (emit (out, &v, &err), "%s", err.text);
  ck_assert_int_eq (fclose (out), 0);
  timeline_view_free (&v);
  return text;
}

static void
check_page (struct timeline_view v, struct timeline_choice choice, const char *should)
{
  struct timeline t;
  make (&t);
  char *text = show (timeline_emit_text, v, &t, choice);
  ck_assert_str_eq (text, should);
  free (text);
  unmake (&t);
}

START_TEST (page_of_letters)
{
  check_page ((struct timeline_view) { .ascii = true, .by_cpu = true, .style = { .columns = 54 } },
              (struct timeline_choice) { .from = NULL },
              "example: 40.00 us, 2 threads, 2 processors; a character is 952 ns\n"
              "watched by events: each context switch, to the nanosecond\n"
              "\n"
              "us        ||0   |5   |10  |15   |20  |25  |30  |35   |\n"
              "marks     |     +               3                    |\n"
              "A main   7|RRRRRRRRRRXWWwlllllllr.........?rrllllllll|\n"
              "B ?\\xff  8|     WWWWRRRRRRRRRRRRRRRRRr               |\n"
              "cpu 0     |AAAAAAAAAAA.....................AA........|\n"
              "cpu 1     |........BBBBBBBBBBBBBBBBBBB...............|\n"
              "gaps      |                               ??         |\n"
              "R r running (capital: half of the time or more)\n"
              "W w ready, waits for a processor\n"
              "X x as much ready as running  l waits for a lock\n"
              ". sleeps  ? not known\n"
              "\n"
              "mark      us  thread  text\n"
              "   1   5.000  main    begin\n"
              "   2   5.100  ?\\xff   at once\n"
              "   3  20.000  main    h?lf\\x1b[2J\n"
              "\n"
              "thread       ran %  ready %\n"
              "main         26.25     6.25\n"
              "?\\xff        41.87     8.13\n"
              "all threads  68.12    14.38\n");
}
END_TEST

START_TEST (page_of_blocks)
{
  check_page ((struct timeline_view) { .style = { .columns = 75 } },
              (struct timeline_choice) { .from = NULL },
              "example: 40.00 us, 2 threads, 2 processors; a character is 615 ns\n"
              "watched by events: each context switch, to the nanosecond\n"
              "\n"
              "us      │|0      |5      |10     |15     |20     |25     |30     |35      │\n"
              "marks   │        +                       3                                │\n"
              "main   7│████████████████▒▒▒▒░╌╌╌╌╌╌╌╌╌╌╌▁···············??▃▄╌╌╌╌╌╌╌╌╌╌╌╌╌│\n"
              "ö\\xff  8│        ▒▒▒▒▒▚█▇████████████████████████▅                        │\n"
              "gaps    │                                                ???              │\n"
              "█▄▁ running (all, half, little of it)  ▒░ ready, waits for a processor\n"
              "▚ as much ready as running  ╌ waits for a lock  · sleeps  ? not known\n"
              "\n"
              "mark      us  thread  text\n"
              "   1   5.000  main    begin\n"
              "   2   5.100  ö\\xff   at once\n"
              "   3  20.000  main    hälf\\x1b[2J\n"
              "\n"
              "times in us, % of the 40.00 us above; switches: voluntary, involuntary\n"
              "thread          ran  ran %  ready  vol  invol  slept for\n"
              "main         10.501  26.25  2.500    0      0  lock 61%\n"
              "ö\\xff        16.749  41.87  3.251    0      0  -\n"
              "all threads  27.250  68.12  5.751    0      0  lock 61%\n");
}
END_TEST

START_TEST (page_of_colours)
{
  check_page (
      (struct timeline_view) { .style = { .columns = 40, .colour = true } },
      (struct timeline_choice) { .threads = "8", .from = "0.000005", .to = "13us" },
      "\033[1mexample: 8.000 us\033[0m, 1 thread, 2 processors; a character is 266 ns\n"
      "from 0.005000 ms to 0.013000 ms; the run: from 0.000000 ms to 0.040000 ms\n"
      "watched by events: each context switch, to the nanosecond\n"
      "\n"
      "us      │   |6      |8     |10     |12 │\n"
      "marks   │+                             │\n"
      "ö\\xff  "
      "8│\033[33m▒▒▒▒▒▒▒▒▒▒▒▒\033[0m\033[32;48;5;136m▆\033[0m\033[32m███▇█████████████\033[0m│\n"
      "\033[32m█▄▁\033[0m running (all, half, little of it)\n"
      "\033[33m▒░\033[0m ready, waits for a processor  \033[32;48;5;58m▄▁\033[0m both\n"
      "\033[36m╌\033[0m waits for a lock  \033[2m·\033[0m sleeps\n"
      "\033[31m?\033[0m not known\n"
      "\n"
      "\033[1mmark     us  thread  text\033[0m\n"
      "   1  5.000  main    begin\n"
      "   2  5.100  ö\\xff   at once\n"
      "\n"
      "\033[1mthread  ran %  ready %\033[0m\n"
      "ö\\xff   59.36    40.64\n");
}
END_TEST

/* The row of the first thread. */
static char *
row_of (const struct timeline *t, bool ascii, size_t columns)
{
  char *page = show (timeline_emit_text,
                     (struct timeline_view) { .ascii = ascii, .style = { .columns = columns } }, t,
                     (struct timeline_choice) { .from = NULL });
  char *from = strstr (page, t->threads[0].name), *row = strndup (from, strcspn (from, "\n"));
  free (page);
  return row;
}

/* A nanosecond in a second has its character. */
START_TEST (nothing_short_is_hidden)
{
  static const struct {
    enum timeline_state state;
    const char *letter, *block;
  } cases[] = { { TIMELINE_RUNNING, "r", "▁" },
                { TIMELINE_READY, "w", "░" },
                { TIMELINE_UNKNOWN, "?", "?" } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint64_t at = 999; at < 1000 * MS; at += 99999999)
      {
        const struct part parts[] = { { at, TIMELINE_SLEEPING, 0 },
                                      { at + 1, cases[i].state, 0 },
                                      { 1000 * MS, TIMELINE_SLEEPING, 0 } };
        struct timeline t
            = { .end = 1000 * MS, .cpus = 1, .threads = calloc (1, sizeof *t.threads) };
        add_thread (&t, 1, "sleeper", 0, parts, 3);
        char *letters = row_of (&t, true, 80), *blocks = row_of (&t, false, 80);
        ck_assert_msg (strstr (letters, cases[i].letter), "%s at %lu: %s", cases[i].letter,
                       (unsigned long) at, letters);
        ck_assert_msg (strstr (blocks, cases[i].block), "%s at %lu: %s", cases[i].block,
                       (unsigned long) at, blocks);
        free (letters);
        free (blocks);
        unmake (&t);
      }
}
END_TEST

/* In each cell, one after the other: it ran for so many hundredths of the time, and was ready
   for all others. */
START_TEST (the_longer_state_is_seen)
{
  static const int shares[] = { 100, 99, 80, 61, 60, 59, 50, 45, 41, 40, 39, 20, 1, 0 };
  enum { N = sizeof shares / sizeof *shares, COLUMNS = 8 + N };
  struct part parts[2 * N];
  for (int i = 0; i < N; i++)
    {
      parts[2 * i] = (struct part) { i * 100 * MS + shares[i] * MS, TIMELINE_RUNNING, 0 };
      parts[2 * i + 1] = (struct part) { (i + 1) * 100 * MS, TIMELINE_READY, 1 };
    }
  struct timeline t = { .end = N * 100 * MS, .cpus = 1, .threads = calloc (1, sizeof *t.threads) };
  add_thread (&t, 1, "runner", 0, parts, 2 * N);
  char *letters = row_of (&t, true, COLUMNS), *blocks = row_of (&t, false, COLUMNS);
  ck_assert_str_eq (letters, "runner|RRRRRXXXXWWWWW|");
  ck_assert_str_eq (blocks, "runner│█▇▆▅▅▚▚▚▚▒▒▒▒▒│");
  free (letters);
  free (blocks);
  unmake (&t);
}
END_TEST

/* A number is whole, and beside no other one, or it is a plus. */
START_TEST (numbers_of_marks)
{
  static const int cells[] = { 0, 1, 3, 3, 5, 7, 9, 11, 13, 15, 16, 18, 18 };
  enum { N = sizeof cells / sizeof *cells };
  struct timeline_mark marks[N];
  for (size_t i = 0; i < N; i++)
    marks[i] = (struct timeline_mark) { (uint64_t) cells[i] * MS + i, 0, "mark", 0 };
  const struct part parts[] = { { 20 * MS, TIMELINE_RUNNING, 0 } };
  struct timeline t = {
    .end = 20 * MS, .cpus = 1, .threads = calloc (1, sizeof *t.threads), .marks = marks, .nmarks = N
  };
  add_thread (&t, 1, "runner", 0, parts, 1);
  char *page = show (timeline_emit_text,
                     (struct timeline_view) { .ascii = true, .style = { .columns = 30 } }, &t,
                     (struct timeline_choice) { .from = NULL });
  ck_assert_ptr_nonnull (strstr (page, "marks   |1+ + 5 6 7 8 9 10 + |"));
  free (page);
  unmake (&t);
}
END_TEST

static void
add_length (void *context, size_t cell, const struct timeline_interval *interval, uint64_t length)
{
  ((uint64_t *) context)[interval->state] += length;
  (void) cell;
}

/* Cells lose no nanosecond, whatever the window is. */
START_TEST (cells_add_up)
{
  struct timeline t;
  make (&t);
  for (size_t n = 1; n < 300; n += 7)
    for (uint64_t from = 0; from < 39000; from += 1234)
      {
        struct timeline_scale s = { .from = from, .to = from + 1000 + n, .cells = n };
        uint64_t walked[TIMELINE_STATES] = { 0 }, filled = 0;
        struct timeline_cell cells[300];
        timeline_cells_walk (&s, &t.threads[0], add_length, walked);
        timeline_cells_fill (&s, &t.threads[0], cells);
        for (size_t i = 0; i < n; i++)
          {
            uint64_t length = 0;
            for (size_t state = 0; state < TIMELINE_STATES; state++)
              length += cells[i].time[state];
            ck_assert_uint_le (length,
                               timeline_scale_bound (&s, i + 1) - timeline_scale_bound (&s, i));
            ck_assert_uint_eq (timeline_scale_cell (&s, timeline_scale_bound (&s, i)), i);
            filled += length;
          }
        uint64_t end = s.to < 40 * US ? s.to : 40 * US;
        ck_assert_uint_eq (filled, end - from);
        ck_assert_uint_eq (walked[0] + walked[1] + walked[2] + walked[3], end - from);
      }
  unmake (&t);
}
END_TEST

/* A ruler is as wide as the cells, and has a tick wherever it is long enough for one. */
START_TEST (rulers)
{
  for (uint64_t from = 0; from < 2000000000000; from = from * 7 + 1)
    for (uint64_t span = 50; span < 4000000000000; span *= 3)
      for (size_t n = 20; n < 50; n += 9)
        {
          struct timeline_scale s = { .from = from, .to = from + span, .cells = n };
          struct timeline_axis a = timeline_axis_make (&s);
          char *text;
          size_t size;
          FILE *out = open_memstream (&text, &size);
          timeline_axis_print (out, &a, &s);
          fclose (out);
          ck_assert_uint_eq (size, n);
          free (text);
        }
}
END_TEST

/* No row is wider than the page. */
START_TEST (pages_fit)
{
  struct timeline t;
  make (&t);
  for (size_t columns = 30; columns < 200; columns++)
    {
      char *page
          = show (timeline_emit_text,
                  (struct timeline_view) { .by_cpu = columns % 2, .style = { .columns = columns } },
                  &t, (struct timeline_choice) { .from = NULL });
      for (char *line = strtok (page, "\n"); line; line = strtok (NULL, "\n"))
        if (strstr (line, "│"))
          ck_assert_uint_eq (short_name_columns (line), columns);
      free (page);
    }
  unmake (&t);
}
END_TEST

START_TEST (many_threads)
{
  enum { THREADS = 1000 };
  struct timeline t = { .end = MS, .cpus = 1, .threads = calloc (THREADS, sizeof *t.threads) };
  for (uint32_t i = 0; i < THREADS; i++)
    {
      const struct part parts[] = { { 1 + i, TIMELINE_RUNNING, 0 }, { MS, TIMELINE_SLEEPING, 0 } };
      add_thread (&t, i + 1, "worker", 0, parts, 2);
    }
  char *page
      = show (timeline_emit_text,
              (struct timeline_view) { .ascii = true, .most = 3, .style = { .columns = 80 } }, &t,
              (struct timeline_choice) { .from = NULL });
  /* 1 + 2 + ... + 997 ns are hidden. */
  ck_assert_ptr_nonnull (strstr (page, "and 997 threads more, which ran 497.5 us together"));
  ck_assert_ptr_nonnull (strstr (page, "worker  998|r"));
  ck_assert_ptr_null (strstr (page, "worker  997|"));
  free (page);
  unmake (&t);
}
END_TEST

/* Which part is meant.  */

static void
check_window (struct timeline_choice choice, uint64_t from, uint64_t to)
{
  struct timeline t;
  struct timeline_view v = { .timeline = NULL };
  struct error err;
  make (&t);
  ck_assert_msg (timeline_view_make (&v, &t, &choice, &err), "%s", err.text);
  ck_assert_uint_eq (v.from, from);
  ck_assert_uint_eq (v.to, to);
  timeline_view_free (&v);
  unmake (&t);
}

START_TEST (windows)
{
  check_window ((struct timeline_choice) { .from = NULL }, 0, 40 * US);
  check_window ((struct timeline_choice) { .from = "10us", .to = "0.00002" }, 10 * US, 20 * US);
  check_window ((struct timeline_choice) { .from = "25%", .to = "75%" }, 10 * US, 30 * US);
  check_window ((struct timeline_choice) { .from = "mark:begin", .to = "mark:h*" }, 5 * US,
                20 * US);
  check_window ((struct timeline_choice) { .to = "1s" }, 0, 40 * US);
  check_window ((struct timeline_choice) { .around = "begin" }, 3 * US, 7 * US);
  check_window ((struct timeline_choice) { .around = "mark:h*,1us" }, 19 * US, 21 * US);
  check_window ((struct timeline_choice) { .around = "50%,300ns" }, 19700, 20300);
  check_window ((struct timeline_choice) { .around = "1us" }, 0, 3 * US);
}
END_TEST

static void
check_refused (struct timeline_choice choice, const char *why)
{
  struct timeline t;
  struct timeline_view v = { .timeline = NULL };
  struct error err;
  make (&t);
  ck_assert (!timeline_view_make (&v, &t, &choice, &err));
  ck_assert_msg (strstr (err.text, why), "'%s' instead of '%s'", err.text, why);
  timeline_view_free (&v);
  unmake (&t);
}

START_TEST (wrong_windows)
{
  check_refused ((struct timeline_choice) { .from = "20us", .to = "10us" }, "nothing is between");
  check_refused ((struct timeline_choice) { .from = "1s" }, "nothing is between");
  check_refused ((struct timeline_choice) { .from = "1s", .to = "2s" }, "nothing is known of");
  check_refused ((struct timeline_choice) { .from = "soon" }, "--from: 'soon' is not a time");
  check_refused ((struct timeline_choice) { .to = "101%" }, "--to: '101%' is not a time");
  check_refused ((struct timeline_choice) { .from = "mark:nowhere" }, "no mark 'nowhere'");
  check_refused ((struct timeline_choice) { .from = "mark:h*", .to = "mark:begin" },
                 "no mark 'begin' behind --from");
  check_refused ((struct timeline_choice) { .around = "nowhere,1us" }, "no mark 'nowhere'");
  check_refused ((struct timeline_choice) { .threads = "nobody,none" },
                 "there is no thread 'nobody,none'");
  check_refused ((struct timeline_choice) { .threads = "8", .from = "30us" },
                 "no thread '8' lived then");
}
END_TEST

START_TEST (orders)
{
  struct timeline t;
  make (&t);
  /* "main" ran 10.501 us and was ready for 2.5; the other one ran 16.749 and was ready for
     3.251. */
  static const struct {
    enum timeline_sort sort;
    uint32_t first;
  } cases[] = { { TIMELINE_BY_BIRTH, 0 },
                { TIMELINE_BY_CPU, 1 },
                { TIMELINE_BY_WAIT, 1 },
                { TIMELINE_BY_NAME, 0 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct timeline_view v = { .timeline = NULL };
      struct error err;
      ck_assert (
          timeline_view_make (&v, &t, &(struct timeline_choice) { .sort = cases[i].sort }, &err));
      ck_assert_uint_eq (v.nthreads, 2);
      ck_assert_uint_eq (v.threads[0], cases[i].first);
      timeline_view_free (&v);
    }
  unmake (&t);
}
END_TEST

/* JSON.  */

static json_t *
parse (timeline_emitter *emit, struct timeline_choice choice)
{
  struct timeline t;
  json_error_t error;
  make (&t);
  char *text = show (emit, (struct timeline_view) { .timeline = NULL }, &t, choice);
  json_t *document = json_loads (text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg (document, "%s", error.text);
  free (text);
  unmake (&t);
  return document;
}

/* Intervals are cut to the window. */
START_TEST (json)
{
  json_t *document
      = parse (timeline_emit_json, (struct timeline_choice) { .from = "11us", .to = "20us" });
  json_int_t from, to, start, end;
  const char *state, *why, *mark, *name;
  int preempted;
  ck_assert_int_eq (
      json_unpack (document,
                   "{s:I, s:I, s:[{s:s}], s:[{s:s, s:[{s:I, s:I, s:s, s:b}, {s:s, s:I}]}, {}]}",
                   "from_ns", &from, "to_ns", &to, "marks", "text", &mark, "threads", "name", &name,
                   "intervals", "start_ns", &start, "end_ns", &end, "state", &state, "preempted",
                   &preempted, "why", &why, "end_ns", &to),
      0);
  ck_assert_int_eq (from, 11000);
  ck_assert_int_eq (start, 11000);
  ck_assert_int_eq (end, 12500);
  ck_assert_int_eq (to, 20000);
  ck_assert (preempted);
  ck_assert_str_eq (state, "ready");
  ck_assert_str_eq (why, "lock");
  ck_assert_str_eq (name, "main");
  ck_assert_str_eq (mark, "h\xc3\xa4lf\x1b[2J");
  json_decref (document);
}
END_TEST

/* Slices of each thread cover its life, and no more, to the nanosecond. */
START_TEST (chrome)
{
  json_t *document = parse (timeline_emit_chrome, (struct timeline_choice) { .from = NULL }),
         *event;
  double covered[10] = { 0 };
  size_t i, marks = 0;
  json_array_foreach (json_object_get (document, "traceEvents"), i, event)
  {
    json_int_t tid = json_integer_value (json_object_get (event, "tid"));
    const char *phase = json_string_value (json_object_get (event, "ph")),
               *category = json_string_value (json_object_get (event, "cat"));
    if (strcmp (phase, "X") == 0 && tid < 10)
      covered[tid] += json_real_value (json_object_get (event, "dur"));
    marks += category && strcmp (category, "mark") == 0;
  }
  ck_assert_uint_eq (marks, 3);
  ck_assert_double_eq_tol (covered[7], 40, 1e-6);
  ck_assert_double_eq_tol (covered[8], 20, 1e-6);
  json_decref (document);
}
END_TEST

int
main (void)
{
  const struct unit_test text[] = { { page_of_letters },
                                    { page_of_blocks },
                                    { page_of_colours },
                                    { nothing_short_is_hidden },
                                    { the_longer_state_is_seen },
                                    { numbers_of_marks },
                                    { cells_add_up },
                                    { rulers },
                                    { pages_fit },
                                    { many_threads } };
  const struct unit_test view[] = { { windows }, { wrong_windows }, { orders } };
  const struct unit_test formats[] = { { json }, { chrome } };
  return unit_run (
      UNIT_SUITE ("timeline_text", UNIT_CASE (text), UNIT_CASE (view), UNIT_CASE (formats)));
}
