/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other pages of the screen: processors, one thread, help. */
#include "config.h"

#include <inttypes.h>
#include <ncurses.h>
#include <stdarg.h>
#include <string.h>

#include "tools/top/top_screen.h"

static void draw_line (const struct top_screen *, int *row, int end, const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));

/* Draws a line into row *ROW, if that is before END. */
static void
draw_line (const struct top_screen *s, int *row, int end, const char *format, ...)
{
  char text[256];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  if (*row < end)
    top_draw_text (s, *row, 0, COLS, text);
  ++*row;
}

static const char *
name_of (const struct top_sums *sums, uint32_t tid)
{
  for (size_t i = 0; i < sums->n; i++)
    if (sums->threads[i]->tid == tid && sums->threads[i]->died == TOP_LIVES)
      return sums->threads[i]->name;
  return "";
}

void
top_draw_cpus (const struct top_screen *s, int row, int end)
{
  const struct top_sums *sums = &s->top->watch.sums;
  draw_line (s, &row, end, "CPU %%BUSY SWITCH/s    TID NAME");
  for (size_t i = 0; i < sums->ncpus; i++)
    {
      const struct top_cpu *c = &sums->cpus[i];
      double busy = top_percent (sums, c->recent_time),
             switches = top_rate (sums, c->recent_switches);
      if (c->tid)
        draw_line (s, &row, end, "%3zu %5.1f %8.1f %6" PRIu32 " %s", i, busy, switches, c->tid,
                   name_of (sums, c->tid));
      else
        draw_line (s, &row, end, "%3zu %5.1f %8.1f      -", i, busy, switches);
    }
}

static void
draw_time (const struct top_screen *s, int *row, int end, const char *name, int64_t ns,
           uint64_t whole)
{
  draw_line (s, row, end, "  %-14s %14.6f s  %5.1f %%", name, ns > 0 ? (double) ns / 1e9 : 0.0,
             whole && ns > 0 ? 100.0 * (double) ns / (double) whole : 0.0);
}

static void
draw_states (const struct top_screen *s, const struct top_thread *t, int *row, int end)
{
  const struct top_sums *sums = &s->top->watch.sums;
  uint64_t from = t->born > sums->reset ? t->born : sums->reset,
           to = t->died < sums->now ? t->died : sums->now;
  uint64_t whole = to > from ? to - from : 0;
  for (int i = 0; i < TIMELINE_STATES; i++)
    if (i < TIMELINE_UNKNOWN || t->counts.time[i] > 0)
      draw_time (s, row, end, timeline_state_text (i), t->counts.time[i], whole);
  draw_line (s, row, end, "longest: running %.6f s, ready %.6f s, sleeping %.6f s",
             (double) top_longest (t, TIMELINE_RUNNING) / 1e9,
             (double) top_longest (t, TIMELINE_READY) / 1e9,
             (double) top_longest (t, TIMELINE_SLEEPING) / 1e9);
  draw_line (s, row, end, "sleeps for:");
  for (int i = 0; i < BBS_WHYS; i++)
    if (t->counts.why[i] > 0)
      draw_time (s, row, end, watched_why_text (i), t->counts.why[i], whole);
}

static void
describe_state (const struct top_thread *t, char *text, size_t size)
{
  struct timeline_interval now = { .start = t->began,
                                   .end = t->charged,
                                   .state = (uint8_t) t->state,
                                   .why = t->why,
                                   .call = t->call,
                                   .cpu = t->cpu };
  snprintf (text, size, "%s", t->died == TOP_LIVES ? timeline_state_text (t->state) : "ended");
  if (t->died == TOP_LIVES && t->state == TIMELINE_SLEEPING && t->why != BBS_WHY_NOT_KNOWN)
    {
      size_t n = strlen (text);
      snprintf (text + n, size - n, ": ");
      timeline_reason (&now, text + n + 2, size - n - 2);
    }
}

static void
draw_lock (const struct top_screen *s, const struct top_thread *t, int *row, int end)
{
  const struct timeline_lock lock = { .why = t->why, .type = t->lock_type };
  char holder[64] = "";
  if (t->died != TOP_LIVES || t->state != TIMELINE_SLEEPING || !t->lock)
    return;
  if (t->holder)
    snprintf (holder, sizeof holder, "%s %s (%" PRIu32 ")",
              t->why == BBS_WHY_THREAD ? " of" : ", held by",
              name_of (&s->top->watch.sums, t->holder), t->holder);
  draw_line (s, row, end, "waits for: %s %#" PRIx64 "%s", timeline_lock_kind (&lock), t->lock,
             holder);
}

void
top_draw_thread (const struct top_screen *s, int row, int end)
{
  const struct top_rows *rows = &s->top->rows;
  char state[96];
  if (!rows->n)
    return;
  const struct top_thread *t = rows->rows[top_selected_row (s)];
  describe_state (t, state, sizeof state);
  draw_line (s, &row, end, "%s (%" PRIu32 "), %s for %.6f s", t->name, t->tid, state,
             (double) (t->charged - t->began) / 1e9);
  draw_lock (s, t, &row, end);
  draw_line (s, &row, end, "CPU time %.6f s, born at %.3f s", (double) t->cpu_time / 1e9,
             (double) t->born / 1e9);
  draw_line (s, &row, end,
             "switches: %" PRId64 " voluntary, %" PRId64 " involuntary; %" PRId64 " migrations",
             t->counts.voluntary, t->counts.involuntary, t->counts.migrations);
  draw_states (s, t, &row, end);
  draw_line (s, &row, end, "the last %.1f s:", (double) top_strip_span (s, COLS) / 1e9);
  if (row < end)
    top_draw_strip (s, t, row, 0, COLS);
}

void
top_draw_help (const struct top_screen *s, int row, int end)
{
  static const char *const lines[] = {
    "q        end                        p        pause",
    "s < >    sort by the next column    r        the other way round",
    "up down  choose a thread            Enter    what it does, and why",
    "PgUp PgDn Home End                  /        only names with a text",
    "c        processors                 d        also threads that ended long ago",
    "+ -      more, less time between    R        sums from 0 again",
    "",
    "%CPU %RDY %SLP  of the last interval: running; ready, without a",
    "                processor; sleeping, for what STATE says",
    "VOL/s INV/s     switches a second: to sleep; preempted",
    "PAST            R, r or high: ran; W, w or hatched: ready; X, x: both",
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    draw_line (s, &row, end, "%s", lines[i]);
}
