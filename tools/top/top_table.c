/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/top/top_table.h"

/* Nanoseconds for which an ended thread stays in the table. */
#define LINGERS 5000000000u

static const struct {
  const char *title, *name;
  int width;
  bool left; /* text; sorted from A on, numbers from the greatest on */
  /* If the table is too wide, the column with the greatest number is removed first; 0: never. */
  unsigned out;
} columns[TOP_COLUMNS] = {
  [TOP_TID] = { "TID", "tid", 7, false, 2 },
  [TOP_NAME] = { "NAME", "name", 15, true, 0 },
  [TOP_STATE] = { "STATE", "state", 12, true, 3 },
  [TOP_RUNS] = { "%CPU", "cpu", 5, false, 0 },
  [TOP_READY] = { "%RDY", "ready", 5, false, 1 },
  [TOP_SLEEPS] = { "%SLP", "sleep", 5, false, 7 },
  [TOP_VOLUNTARY] = { "VOL/s", "voluntary", 7, false, 5 },
  [TOP_INVOLUNTARY] = { "INV/s", "involuntary", 7, false, 4 },
  [TOP_MIGRATIONS] = { "MIG/s", "migrations", 6, false, 9 },
  [TOP_CPU] = { "ON", "on", 3, false, 8 },
  [TOP_TIME] = { "CPU SECONDS", "time", 11, false, 6 },
};

const char *
top_title (enum top_column c)
{
  return columns[c].title;
}

int
top_width (enum top_column c)
{
  return columns[c].width;
}

bool
top_is_left (enum top_column c)
{
  return columns[c].left;
}

double
top_percent (const struct top_sums *s, int64_t ns)
{
  return s->period ? 100.0 * (double) ns / (double) s->period : 0;
}

double
top_rate (const struct top_sums *s, int64_t n)
{
  return s->period ? 1e9 * (double) n / (double) s->period : 0;
}

/* Ready time that became known late may belong to the interval before: limited to what this
   interval can have. */
static double
ready_percent (const struct top_sums *s, const struct top_thread *t)
{
  double ready = top_percent (s, t->recent.time[TIMELINE_READY]),
         most = 100 - top_percent (s, t->recent.time[TIMELINE_RUNNING]);
  return ready < most || most < 0 ? ready : most;
}

/* Of columns with numbers. */
static double
value (const struct top_sums *s, const struct top_thread *t, enum top_column c)
{
  switch (c)
    {
    case TOP_RUNS: return top_percent (s, t->recent.time[TIMELINE_RUNNING]);
    case TOP_READY: return ready_percent (s, t);
    case TOP_SLEEPS: return top_percent (s, t->recent.time[TIMELINE_SLEEPING]);
    case TOP_VOLUNTARY: return top_rate (s, t->recent.voluntary);
    case TOP_INVOLUNTARY: return top_rate (s, t->recent.involuntary);
    case TOP_MIGRATIONS: return top_rate (s, t->recent.migrations);
    case TOP_TIME: return (double) t->cpu_time / 1e9;
    default: return t->cpu;
    }
}

static const char *
state_text (const struct top_thread *t)
{
  if (t->died != TOP_LIVES)
    return "ended";
  if (t->state == TIMELINE_SLEEPING && t->why != BBS_WHY_NOT_KNOWN)
    return watched_why_text (t->why);
  return timeline_state_text (t->state);
}

/* As many digits as fit, down to microseconds. */
static void
print_seconds (double seconds, char *text, size_t size)
{
  snprintf (text, size, "%.*f", seconds < 1000 ? 6 : seconds < 1000000 ? 3 : 0, seconds);
}

void
top_cell (const struct top_sums *s, const struct top_thread *t, enum top_column c, char *text,
          size_t size)
{
  double v = value (s, t, c);
  switch (c)
    {
    case TOP_TID: snprintf (text, size, "%" PRIu32, t->tid); break;
    case TOP_NAME: snprintf (text, size, "%s", t->name); break;
    case TOP_STATE: snprintf (text, size, "%s", state_text (t)); break;
    case TOP_CPU:
      if (t->cpu == BBS_CPU_UNKNOWN)
        snprintf (text, size, "-");
      else
        snprintf (text, size, "%u", t->cpu);
      break;
    case TOP_TIME: print_seconds (v, text, size); break;
    default: snprintf (text, size, "%.*f", v < 1000 ? 1 : 0, v);
    }
}

static int
compare (const void *left, const void *right, void *context)
{
  const struct top_thread *a = *(const struct top_thread *const *) left,
                          *b = *(const struct top_thread *const *) right;
  const struct {
    const struct top_sums *sums;
    const struct top_choice *choice;
  } *c = context;
  enum top_column column = c->choice->sort;
  int order = 0;
  if (column == TOP_NAME)
    order = strcmp (a->name, b->name);
  else if (column == TOP_STATE)
    order = strcmp (state_text (a), state_text (b));
  else if (column != TOP_TID)
    {
      double x = value (c->sums, a, column), y = value (c->sums, b, column);
      order = (x < y) - (x > y);
    }
  if (order == 0)
    order = (a->tid > b->tid) - (a->tid < b->tid);
  return c->choice->reverse ? -order : order;
}

bool
top_rows_choose (struct top_rows *r, const struct top_sums *s, const struct top_choice *choice)
{
  struct {
    const struct top_sums *sums;
    const struct top_choice *choice;
  } context = { s, choice };
  r->n = 0;
  for (size_t i = 0; i < s->n; i++)
    {
      const struct top_thread *t = s->threads[i];
      bool gone = !choice->dead && t->died != TOP_LIVES && t->died + LINGERS < s->now;
      if (gone || watched_is_own (t->name) || !strcasestr (t->name, choice->filter))
        continue;
      if (!array_grow (&r->rows, r->n, &r->room, sizeof *r->rows))
        return false;
      r->rows[r->n++] = t;
    }
  return array_sort (r->rows, r->n, sizeof *r->rows, compare, &context);
}

void
top_rows_free (struct top_rows *r)
{
  free (r->rows);
}

unsigned
top_columns_that_fit (int places, int strip, int *room)
{
  unsigned chosen = (1u << TOP_COLUMNS) - 1;
  for (;;)
    {
      int used = strip, first_out = -1;
      for (int c = 0; c < TOP_COLUMNS; c++)
        if (chosen & 1u << c)
          {
            used += columns[c].width + 1;
            if (columns[c].out && (first_out < 0 || columns[c].out > columns[first_out].out))
              first_out = c;
          }
      *room = places - used + strip;
      if (used <= places || first_out < 0)
        return chosen;
      chosen &= ~(1u << first_out);
    }
}
