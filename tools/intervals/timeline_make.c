/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes threads, their intervals and markers of the records, by time. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/intervals/timeline_own.h"

/* A poll of a thread that has no record yet: it lived before.  Its state, as far as a poll can
   tell.  The processor that it ran on before does not matter: an unobserved change is no
   migration. */
static bool
meet (struct making *m, const struct bbs_look *look, uint32_t *thread)
{
  bool runs = look->state == 'R', sleeps = look->state && strchr ("SDTt", look->state);
  enum timeline_state state = runs     ? TIMELINE_RUNNING
                              : sleeps ? TIMELINE_SLEEPING
                                       : TIMELINE_UNKNOWN;
  if (!life_begin (m, look->tid, look->time, state, runs ? look->cpu : BBS_CPU_UNKNOWN, thread))
    return false;
  m->lives[*thread].either = runs;
  return true;
}

static bool
take_look (struct making *m, size_t i)
{
  struct bbs_look look = m->input->watched->looks[i];
  uint32_t *thread = &m->of_looks[i];
  look.time = m->now;
  if (look.state == 'Z')
    *thread = UINT32_MAX;
  else if (!life_find (m, look.tid, thread) || (*thread == UINT32_MAX && !meet (m, &look, thread)))
    return false;
  if (*thread == UINT32_MAX || m->input->watch.how != BBS_BY_POLLS)
    return true;
  return timeline_poll (m, *thread, &look);
}

/* Times in damaged files may go back. */
static void
move_on (struct making *m, uint64_t time)
{
  if (m->now < time)
    m->now = time;
}

static bool
take_switch (struct making *m, const struct bbs_switch *given)
{
  struct bbs_switch s = *given;
  s.time = m->now;
  if (m->input->watch.how == BBS_BY_POLLS && s.kind != BBS_BORN && s.kind != BBS_DIED)
    return true;
  return timeline_switch (m, &s);
}

/* Switches and polls by time; at the same time the switch comes first. */
static bool
take_all (struct making *m)
{
  const struct watched *w = m->input->watched;
  bool ok = true;
  for (size_t s = 0, l = 0; ok && (s < w->nswitches || l < w->nlooks);)
    if (l == w->nlooks || (s < w->nswitches && w->switches[s].time <= w->looks[l].time))
      {
        move_on (m, w->switches[s].time);
        ok = take_switch (m, &w->switches[s++]);
      }
    else
      {
        move_on (m, w->looks[l].time);
        ok = take_look (m, l++);
      }
  if (w->nmarks > 0)
    move_on (m, w->marks[w->nmarks - 1].time);
  m->t->end = m->now;
  return ok && timeline_end_switches (m, m->now);
}

/* Polls by thread; FIRST: where each thread's polls begin, and the end of the last. */
struct looks_of {
  const struct bbs_look **looks;
  size_t *first;
};

static bool
sort_looks (const struct making *m, struct looks_of *of)
{
  const struct watched *w = m->input->watched;
  size_t n = m->t->nthreads;
  of->looks = malloc ((w->nlooks + 1) * sizeof *of->looks);
  of->first = calloc (n + 2, sizeof *of->first);
  if (!of->looks || !of->first)
    return false;
  for (size_t i = 0; i < w->nlooks; i++)
    if (m->of_looks[i] != UINT32_MAX)
      of->first[m->of_looks[i] + 2]++;
  for (size_t i = 2; i <= n; i++)
    of->first[i] += of->first[i - 1];
  for (size_t i = 0; i < w->nlooks; i++)
    if (m->of_looks[i] != UINT32_MAX)
      of->looks[of->first[m->of_looks[i] + 1]++] = &w->looks[i];
  return true;
}

/* Adds the facts from polls to those from switches. */
static bool
add_looks (struct making *m)
{
  struct timeline *t = m->t;
  struct looks_of of = { NULL, NULL };
  bool ok = sort_looks (m, &of);
  for (size_t i = 0; ok && i < t->nthreads; i++)
    {
      size_t n = of.first[i + 1] - of.first[i];
      timeline_charge (&t->threads[i], of.looks + of.first[i], n, m->lives[i].born,
                       &t->own->charges);
      ok = timeline_add_reasons (&t->threads[i], of.looks + of.first[i], n)
           && timeline_add_waits (&t->threads[i], of.looks + of.first[i], n, m->lives[i].born);
    }
  free (of.looks);
  free (of.first);
  return ok;
}

static bool
add_waits (struct making *m)
{
  for (size_t i = 0; i < m->input->nwaits; i++)
    {
      uint32_t thread;
      if (!life_find (m, m->input->waits[i].tid, &thread))
        return false;
      if (thread != UINT32_MAX)
        timeline_add_wait (&m->t->threads[thread], &m->input->waits[i]);
    }
  return true;
}

static bool
make_threads (struct making *m)
{
  bool ok = (m->of_looks = malloc ((m->input->watched->nlooks + 1) * sizeof *m->of_looks))
            && take_all (m) && add_waits (m);
  if (ok && m->input->watch.how != BBS_BY_POLLS)
    ok = add_looks (m);
  for (size_t i = 0; ok && i < m->t->nthreads; i++)
    timeline_add_sums (&m->t->threads[i]);
  free (m->lives);
  free (m->living);
  free (m->latest);
  free (m->cpus);
  free (m->of_looks);
  contexts_free (&m->tids);
  return ok;
}

bool
timeline_make (struct timeline *t, const struct timeline_input *input, struct error *err)
{
  struct making m = { .t = t, .input = input, .sure = input->watch.time, .now = input->watch.time };
  *t = (struct timeline) { .watch = input->watch,
                           .start = input->watch.time,
                           .own = calloc (1, sizeof *t->own) };
  return (t->own && make_threads (&m) && timeline_add_names (t, input)
          && timeline_add_marks (t, input) && timeline_add_mpi_calls (t, input)
          && timeline_add_locks (t, input) && timeline_add_holders (t, input))
         || error_no_memory (err);
}
