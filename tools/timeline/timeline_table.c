/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of sums of each thread, with as many columns as fit. */
#include "config.h"

#include <inttypes.h>

#include "collect/streams/watched.h"
#include "tools/timeline/timeline_axis.h"
#include "tools/timeline/timeline_page.h"
#include "tools/view/columns.h"
#include "tools/view/short_name.h"

enum { NARROW = 1, MEDIUM = 2, WIDE = 4, MEDIUM_COLUMNS = 72, WIDE_COLUMNS = 116 };
/* The usual width of the columns with numbers, without the name's. */
enum { MEDIUM_NUMBERS = 47, WIDE_NUMBERS = 83, LEAST_REASONS = 12, MOST_REASONS = 500 };
enum what {
  WHAT_NAME,
  WHAT_TID,
  WHAT_RAN,
  WHAT_RAN_PART,
  WHAT_READY,
  WHAT_READY_PART,
  WHAT_ASLEEP,
  WHAT_UNKNOWN,
  WHAT_VOLUNTARY,
  WHAT_INVOLUNTARY,
  WHAT_MIGRATIONS,
  WHAT_REASONS,
  WHATS
};

static const struct {
  struct column column;
  unsigned widths; /* page widths that have it */
} all[WHATS] = {
  [WHAT_NAME] = { { .title = "thread", .left = true }, NARROW | MEDIUM | WIDE },
  [WHAT_TID] = { { .title = "tid" }, WIDE },
  [WHAT_RAN] = { { .title = "ran" }, MEDIUM | WIDE },
  [WHAT_RAN_PART] = { { .title = "ran %" }, NARROW | MEDIUM | WIDE },
  [WHAT_READY] = { { .title = "ready" }, MEDIUM | WIDE },
  [WHAT_READY_PART] = { { .title = "ready %" }, NARROW | WIDE },
  [WHAT_ASLEEP] = { { .title = "sleeping" }, WIDE },
  [WHAT_UNKNOWN] = { { .title = "not known" }, WIDE },
  [WHAT_VOLUNTARY] = { { .title = "vol" }, MEDIUM | WIDE },
  [WHAT_INVOLUNTARY] = { { .title = "invol" }, MEDIUM | WIDE },
  [WHAT_MIGRATIONS] = { { .title = "migr" }, WIDE },
  [WHAT_REASONS] = { { .title = "slept for", .left = true }, MEDIUM | WIDE },
};

static unsigned
width_of (size_t columns)
{
  return columns == 0 || columns >= WIDE_COLUMNS ? WIDE
         : columns >= MEDIUM_COLUMNS             ? MEDIUM
                                                 : NARROW;
}

/* "lock 93%, poll 7%": the longest first, as many as fit; behind the first none that would be 0
   %. */
static void
add_reasons (struct columns *c, const struct timeline_sums *s, size_t room)
{
  char text[MOST_REASONS + 64] = "";
  size_t length = 0;
  bool told[BBS_WHYS] = { false };
  for (;;)
    {
      int best = -1, n;
      for (int i = 0; i < BBS_WHYS; i++)
        if (!told[i] && s->why[i] > 0 && (best < 0 || s->why[i] > s->why[best]))
          best = i;
      if (best < 0 || (length > 0 && s->why[best] * 200 < s->time[TIMELINE_SLEEPING]))
        break;
      told[best] = true;
      n = snprintf (text + length, 64, "%s%s %.0f%%", length > 0 ? ", " : "",
                    watched_why_text ((enum bbs_why) best),
                    100 * (double) s->why[best] / (double) s->time[TIMELINE_SLEEPING]);
      if (length > 0 && length + (size_t) n > room)
        {
          text[length] = '\0';
          break;
        }
      length += (size_t) n;
    }
  columns_add (c, "%s", length > 0 ? text : COLUMNS_NOTHING);
}

/* The column of names is at least as wide as its title. */
static size_t
room_for_reasons (const struct timeline_page *p, unsigned width)
{
  size_t names = 11, columns = p->view->style.columns;
  for (size_t i = 0; i < p->view->nthreads; i++)
    {
      char name[TIMELINE_NAME];
      size_t n = short_name_columns (timeline_page_name (
          name, p->view->timeline->threads[p->view->threads[i]].name, p->view->ascii));
      names = p->shown[i] && n > names ? n : names;
    }
  size_t taken = names + (width == WIDE ? WIDE_NUMBERS : MEDIUM_NUMBERS);
  if (columns == 0 || columns > taken + MOST_REASONS)
    return MOST_REASONS;
  return columns > taken + LEAST_REASONS ? columns - taken : LEAST_REASONS;
}

/* Shared by all rows. */
struct table {
  const struct timeline_page *page;
  struct columns columns;
  unsigned width;
  struct timeline_unit unit;
  size_t room; /* for wait reasons */
};

static void
add_time (struct table *t, uint64_t ns)
{
  columns_add (&t->columns, "%.3f", (double) ns / (double) t->unit.ns);
}

static void
add_part (struct table *t, uint64_t ns)
{
  const struct timeline_view *v = t->page->view;
  columns_add (&t->columns, "%.2f", 100 * (double) ns / (double) (v->to - v->from));
}

/* THREAD null: the sum of all. */
static void
add_cell (struct table *t, enum what what, const struct timeline_thread *thread,
          const struct timeline_sums *s)
{
  char name[TIMELINE_NAME];
  switch (what)
    {
    case WHAT_NAME:
      columns_add (&t->columns, "%s",
                   thread ? timeline_page_name (name, thread->name, t->page->view->ascii)
                          : "all threads");
      break;
    case WHAT_TID:
      columns_add (&t->columns, thread ? "%" PRIu32 : "", thread ? thread->tid : 0);
      break;
    case WHAT_RAN:
    case WHAT_READY:
    case WHAT_ASLEEP:
      add_time (t, s->time[what == WHAT_RAN     ? TIMELINE_RUNNING
                           : what == WHAT_READY ? TIMELINE_READY
                                                : TIMELINE_SLEEPING]);
      break;
    case WHAT_RAN_PART:
    case WHAT_READY_PART:
      add_part (t, s->time[what == WHAT_RAN_PART ? TIMELINE_RUNNING : TIMELINE_READY]);
      break;
    case WHAT_UNKNOWN:
      if (s->time[TIMELINE_UNKNOWN] > 0)
        add_time (t, s->time[TIMELINE_UNKNOWN]);
      else
        columns_add (&t->columns, COLUMNS_NOTHING);
      break;
    case WHAT_VOLUNTARY: columns_add (&t->columns, "%" PRIu64, s->voluntary); break;
    case WHAT_INVOLUNTARY: columns_add (&t->columns, "%" PRIu64, s->involuntary); break;
    case WHAT_MIGRATIONS: columns_add (&t->columns, "%" PRIu64, s->migrations); break;
    case WHAT_REASONS: add_reasons (&t->columns, s, t->room); break;
    case WHATS: break;
    }
}

static void
add_row (struct table *t, const struct timeline_thread *thread, const struct timeline_sums *s)
{
  for (unsigned i = 0; i < WHATS; i++)
    if (all[i].widths & t->width)
      add_cell (t, i, thread, s);
}

static void
add_sums (struct timeline_sums *to, const struct timeline_sums *s)
{
  for (size_t i = 0; i < TIMELINE_STATES; i++)
    to->time[i] += s->time[i];
  for (size_t i = 0; i < BBS_WHYS; i++)
    to->why[i] += s->why[i];
  to->voluntary += s->voluntary;
  to->involuntary += s->involuntary;
  to->migrations += s->migrations;
}

static void
add_rows (struct table *t)
{
  const struct timeline_view *v = t->page->view;
  struct timeline_sums sum = { .voluntary = 0 };
  for (size_t i = 0; i < v->nthreads; i++)
    {
      add_sums (&sum, &t->page->sums[i]);
      if (t->page->shown[i])
        add_row (t, &v->timeline->threads[v->threads[i]], &t->page->sums[i]);
    }
  if (v->nthreads > 1)
    add_row (t, NULL, &sum);
}

bool
timeline_page_table (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  struct column head[WHATS];
  char span[TIMELINE_DURATION];
  struct table t = { .page = p,
                     .width = width_of (v->style.columns),
                     .unit = timeline_unit_of (v->to - v->from) };
  size_t n = 0;
  t.room = room_for_reasons (p, t.width);
  for (size_t i = 0; i < WHATS; i++)
    if (all[i].widths & t.width)
      head[n++] = all[i].column;
  columns_open (&t.columns, head, n);
  add_rows (&t);
  if (v->nthreads > 0 && t.width != NARROW)
    fprintf (out, "times in %s, %% of the %s above; switches: voluntary, involuntary%s\n",
             t.unit.name, timeline_duration (span, v->to - v->from),
             t.width == WIDE ? ", to another processor" : "");
  bool ok = columns_print (&t.columns, out, &v->style);
  columns_free (&t.columns);
  return ok;
}
