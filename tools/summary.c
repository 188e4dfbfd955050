/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "summary.h"

/* Is there a later file of the same process?  What it says includes this one. */
static bool
is_outdated (const struct model *m, size_t i)
{
  const struct bbx_run *run = &m->runs[i].sidecar.run;
  for (size_t k = 0; k < m->nruns; k++)
    {
      const struct bbx_run *other = &m->runs[k].sidecar.run;
      if (m->runs[k].sidecar.has_run && other->pid == run->pid && other->started == run->started
          && (other->dump != run->dump ? other->dump > run->dump : k > i))
        return true;
    }
  return false;
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
add_loss (struct summary *s, size_t *room, const struct bbx_loss *loss)
{
  if (loss->count == 0)
    return true;
  for (size_t i = 0; i < s->nlosses; i++)
    if (strcmp (s->losses[i].cause, loss->cause) == 0)
      {
        s->losses[i].count += loss->count;
        return true;
      }
  if (!array_grow (&s->losses, s->nlosses, room, sizeof *s->losses))
    return false;
  s->losses[s->nlosses++] = (struct loss) { .cause = loss->cause, .count = loss->count };
  return true;
}

bool
summary_make (struct summary *s, const struct model *m)
{
  size_t room = 0;
  memset (s, 0, sizeof *s);
  for (size_t i = 0; i < m->nruns; i++)
    {
      const struct bbx *x = &m->runs[i].sidecar;
      bool used = x->state == BBX_WHOLE || x->state == BBX_TORN;
      s->unknown += !used || !x->has_losses;
      if (used && x->has_run && is_outdated (m, i))
        continue;
      if (used && x->has_run)
        add_run (s, &x->run);
      for (size_t k = 0; used && k < x->nlosses; k++)
        if (!add_loss (s, &room, &x->losses[k]))
          return false;
    }
  return true;
}

void
summary_free (struct summary *s)
{
  free (s->losses);
  memset (s, 0, sizeof *s);
}
