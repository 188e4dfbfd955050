/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums of each thread, beneath its row: as many columns of them as there is room for. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "timeline_page.h"
#include "watched.h"

enum { NARROW = 1, MEDIUM = 2, WIDE = 4, MEDIUM_COLUMNS = 76, WIDE_COLUMNS = 110 };
enum what { WHAT_NAME, WHAT_TID, WHAT_RAN, WHAT_RAN_PART, WHAT_READY, WHAT_READY_PART, WHAT_ASLEEP, WHAT_UNKNOWN, WHAT_VOLUNTARY,
            WHAT_INVOLUNTARY, WHAT_MIGRATIONS, WHAT_REASONS, WHATS };

static const struct {
  struct column column;
  unsigned widths; /* pages that it is on */
} all[WHATS] = {
  [WHAT_NAME] = { { .title = "thread", .left = true }, NARROW | MEDIUM | WIDE },
  [WHAT_TID] = { { .title = "tid" }, WIDE },
  [WHAT_RAN] = { { .title = "ran ms" }, MEDIUM | WIDE },
  [WHAT_RAN_PART] = { { .title = "ran %" }, NARROW | MEDIUM | WIDE },
  [WHAT_READY] = { { .title = "ready ms" }, MEDIUM | WIDE },
  [WHAT_READY_PART] = { { .title = "ready %" }, NARROW | WIDE },
  [WHAT_ASLEEP] = { { .title = "asleep ms" }, WIDE },
  [WHAT_UNKNOWN] = { { .title = "unknown ms" }, WIDE },
  [WHAT_VOLUNTARY] = { { .title = "vol" }, MEDIUM | WIDE },
  [WHAT_INVOLUNTARY] = { { .title = "invol" }, MEDIUM | WIDE },
  [WHAT_MIGRATIONS] = { { .title = "migr" }, WIDE },
  [WHAT_REASONS] = { { .title = "slept for, ms", .left = true, .gives = true }, MEDIUM | WIDE },
};

static unsigned
width_of (size_t columns)
{
  return columns == 0 || columns >= WIDE_COLUMNS ? WIDE : columns >= MEDIUM_COLUMNS ? MEDIUM : NARROW;
}

static double
ms (uint64_t ns)
{
  return (double) ns / 1e6;
}

/* "lock 12.300, poll 0.125": the longest first. */
static void
add_reasons (struct columns *c, const struct timeline_sums *s)
{
  char text[512] = "";
  size_t length = 0;
  bool told[BBS_WHYS] = { false };
  for (;;)
    {
      int best = -1;
      for (int i = 0; i < BBS_WHYS; i++)
        if (!told[i] && s->why[i] > 0 && (best < 0 || s->why[i] > s->why[best]))
          best = i;
      if (best < 0 || length >= sizeof text)
        break;
      told[best] = true;
      length += (size_t) snprintf (text + length, sizeof text - length, "%s%s %.3f", length > 0 ? ", " : "",
                                   watched_why_text ((enum bbs_why) best), ms (s->why[best]));
    }
  columns_add (c, "%s", text);
}

static void
add_time (struct columns *c, uint64_t ns)
{
  columns_add (c, "%.3f", ms (ns));
}

static void
add_part (struct columns *c, uint64_t ns, uint64_t whole)
{
  columns_add (c, "%.2f", 100 * (double) ns / (double) whole);
}

static void
add_cell (struct columns *c, enum what what, const struct timeline_view *v, const struct timeline_thread *thread, const struct timeline_sums *s)
{
  char name[TIMELINE_NAME];
  uint64_t span = v->to - v->from;
  switch (what)
    {
    case WHAT_NAME:
      columns_add (c, "%s", thread ? timeline_page_name (name, thread->name, v->ascii) : "all threads");
      return;
    case WHAT_TID:
      columns_add (c, thread ? "%" PRIu32 : "", thread ? thread->tid : 0);
      return;
    case WHAT_RAN:
      add_time (c, s->time[TIMELINE_RUNNING]);
      return;
    case WHAT_RAN_PART:
      add_part (c, s->time[TIMELINE_RUNNING], span);
      return;
    case WHAT_READY:
      add_time (c, s->time[TIMELINE_READY]);
      return;
    case WHAT_READY_PART:
      add_part (c, s->time[TIMELINE_READY], span);
      return;
    case WHAT_ASLEEP:
      add_time (c, s->time[TIMELINE_SLEEPING]);
      return;
    case WHAT_UNKNOWN:
      if (s->time[TIMELINE_UNKNOWN] > 0)
        add_time (c, s->time[TIMELINE_UNKNOWN]);
      else
        columns_add (c, COLUMNS_NOTHING);
      return;
    case WHAT_VOLUNTARY:
      columns_add (c, "%" PRIu64, s->voluntary);
      return;
    case WHAT_INVOLUNTARY:
      columns_add (c, "%" PRIu64, s->involuntary);
      return;
    case WHAT_MIGRATIONS:
      columns_add (c, "%" PRIu64, s->migrations);
      return;
    case WHAT_REASONS:
      add_reasons (c, s);
      return;
    case WHATS:
      break;
    }
}

/* THREAD null: of all. */
static void
add_row (struct columns *c, unsigned width, const struct timeline_view *v, const struct timeline_thread *thread, const struct timeline_sums *s)
{
  for (unsigned i = 0; i < WHATS; i++)
    if (all[i].widths & width)
      add_cell (c, i, v, thread, s);
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

bool
timeline_page_table (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  struct column head[WHATS];
  size_t n = 0;
  unsigned width = width_of (v->style.columns);
  struct columns c;
  struct timeline_sums sum = { .voluntary = 0 };
  for (size_t i = 0; i < WHATS; i++)
    if (all[i].widths & width)
      head[n++] = all[i].column;
  columns_open (&c, head, n);
  for (size_t i = 0; i < v->nthreads; i++)
    {
      add_sums (&sum, &p->sums[i]);
      if (p->shown[i])
        add_row (&c, width, v, &v->timeline->threads[v->threads[i]], &p->sums[i]);
    }
  if (v->nthreads > 1)
    add_row (&c, width, v, NULL, &sum);
  bool ok = columns_print (&c, out, &v->style);
  columns_free (&c);
  return ok;
}
