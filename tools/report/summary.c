/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/streams/chunks.h"
#include "common/array.h"
#include "include/bbprof-trace.h"
#include "tools/report/summary.h"

/* One dump of a process. */
struct dump {
  const struct bbx_run *run;
  size_t profile; /* index in the model */
};

static int
compare_dumps (const void *a, const void *b, void *context)
{
  const struct dump *x = a, *y = b;
  (void) context;
  if (x->run->pid != y->run->pid)
    return x->run->pid < y->run->pid ? -1 : 1;
  if (x->run->started != y->run->started)
    return x->run->started < y->run->started ? -1 : 1;
  return x->run->dump < y->run->dump ? -1 : x->run->dump > y->run->dump;
}

static bool
is_used (const struct bbx *x)
{
  return x->state == BBX_WHOLE || x->state == BBX_TORN;
}

/* All dumps, sorted by process, earliest first; null: no memory. */
static struct dump *
collect_dumps (const struct model *m, size_t *count)
{
  size_t n = 0;
  for (size_t i = 0; i < m->nruns; i++)
    n += m->runs[i].sidecar.nprocesses;
  struct dump *list = malloc ((n + 1) * sizeof *list);
  if (!list)
    return NULL;
  *count = 0;
  for (size_t i = 0; i < m->nruns; i++)
    for (size_t k = 0; is_used (&m->runs[i].sidecar) && k < m->runs[i].sidecar.nprocesses; k++)
      list[(*count)++] = (struct dump) { &m->runs[i].sidecar.processes[k].fixed, i };
  if (array_sort (list, *count, sizeof *list, compare_dumps, NULL))
    return list;
  free (list);
  return NULL;
}

static void
add_run (struct summary *s, const struct bbx_run *run)
{
  uint64_t end = s->started + s->wall;
  if (s->processes == 0 || run->started + run->wall > end)
    end = run->started + run->wall;
  if (s->processes == 0 || run->started < s->started)
    s->started = run->started;
  s->wall = end - s->started;
  s->cpu += run->cpu;
  s->samples += run->samples;
  if (run->threads > s->threads)
    s->threads = run->threads;
  if (s->rate == 0)
    s->rate = run->rate;
  s->processes++;
}

static bool
add_loss (struct summary *s, const struct bbx_loss *loss)
{
  if (loss->count == 0)
    return true;
  for (size_t i = 0; i < s->nlosses; i++)
    if (strcmp (s->losses[i].cause, loss->cause) == 0)
      {
        s->losses[i].count += loss->count;
        return true;
      }
  if (!array_grow (&s->losses, s->nlosses, &s->room_losses, sizeof *s->losses))
    return false;
  s->losses[s->nlosses++] = (struct loss) { .cause = loss->cause, .count = loss->count };
  return true;
}

/* A later dump of the same process includes the earlier one. */
static bool
is_outdated (const struct dump *dump, const struct dump *end)
{
  return dump + 1 < end && dump->run->pid == dump[1].run->pid
         && dump->run->started == dump[1].run->started;
}

static bool
add_losses (struct summary *s, const struct bbx *x)
{
  s->time.ticks += x->time.ticks;
  s->time.due += x->time.due;
  s->unknown += !is_used (x) || !x->has_losses;
  for (size_t i = 0; is_used (x) && i < x->nlosses; i++)
    if (strcmp (x->losses[i].cause, BBX_LOST_UNKNOWN) == 0)
      s->unknown++;
    else if (!add_loss (s, &x->losses[i]))
      return false;
  return true;
}

bool
summary_make (struct summary *s, const struct model *m)
{
  size_t ndumps;
  memset (s, 0, sizeof *s);
  struct dump *dumps = collect_dumps (m, &ndumps);
  bool *outdated = calloc (m->nruns + 1, sizeof *outdated);
  bool ok = dumps && outdated;
  for (size_t i = 0; ok && i < ndumps; i++)
    if (!is_outdated (&dumps[i], dumps + ndumps))
      add_run (s, dumps[i].run);
    else
      outdated[dumps[i].profile] = m->runs[dumps[i].profile].sidecar.nprocesses == 1;
  for (size_t i = 0; ok && i < m->nruns; i++)
    ok = outdated[i] || add_losses (s, &m->runs[i].sidecar);
  free (outdated);
  free (dumps);
  return ok;
}

double
summary_scale (const struct summary *s)
{
  return s->time.ticks > 0 && s->time.due > 0 ? (double) s->time.due / (double) s->time.ticks : 1;
}

/* The same cause as a constant, which outlives the file; null: an unknown cause. */
static const char *
known_cause (const char *cause)
{
  static const char *const known[] = { BBT_LOST_PIECES, BBT_LOST_FILE };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (known[i], cause) == 0)
      return known[i];
  return NULL;
}

static bool
add_chunk (struct summary *s, const struct chunks *c)
{
  struct bbx_loss *losses = NULL;
  struct error damaged;
  size_t n;
  if (!chunks_losses (c, &losses, &n, &damaged))
    return true; /* the commands for traces report it */
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++)
    {
      const char *cause = known_cause (losses[i].cause);
      size_t before = s->nlosses;
      ok = !cause || add_loss (s, &losses[i]);
      if (s->nlosses > before)
        s->losses[before].cause = cause;
    }
  free (losses);
  return ok;
}

static bool
add_trace (struct summary *s, const struct run *run)
{
  struct chunks c;
  struct bbx_chunk chunk;
  struct error err;
  char *name;
  if (asprintf (&name, "%s" BBT_SUFFIX, run->profile) < 0)
    return false;
  bool ok = true;
  if (chunks_open (&c, name, "trace", BBT_MAGIC, BBT_VERSION, &err) && c.header.run == run->number)
    while (ok && chunks_next (&c, &chunk, &err) && chunk.type != BBX_TYPE_END)
      ok = chunk.type != BBX_TYPE_LOSSES || add_chunk (s, &c);
  chunks_close (&c);
  free (name);
  return ok;
}

bool
summary_add_traces (struct summary *s, const struct model *m)
{
  bool ok = true;
  for (size_t i = 0; ok && i < m->nruns; i++)
    ok = add_trace (s, &m->runs[i]);
  return ok;
}

void
summary_free (struct summary *s)
{
  free (s->losses);
  memset (s, 0, sizeof *s);
}
