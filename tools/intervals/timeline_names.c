/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the thread that had a tid at a time: for names, markers, and the threads that were
   sampled. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/files/bbx_ranks.h"
#include "tools/intervals/timeline_own.h"

const char *
timeline_keep_text (struct timeline *t, const char *text)
{
  struct timeline_own *own = t->own;
  if (!array_grow (&own->texts, own->ntexts, &own->room_texts, sizeof *own->texts))
    return NULL;
  char *copy = strdup (text);
  if (copy)
    own->texts[own->ntexts++] = copy;
  return copy;
}

static bool
sort_threads (struct timeline *t)
{
  free (t->own->tids);
  t->own->tids = malloc ((t->nthreads + 1) * sizeof *t->own->tids);
  if (!t->own->tids
      || !array_sort_by_number (t->threads, t->nthreads, sizeof *t->threads,
                                offsetof (struct timeline_thread, begun)))
    return false;
  for (size_t i = 0; i < t->nthreads; i++)
    t->own->tids[i] = (struct timeline_tid) { .tid = t->threads[i].tid, .thread = i };
  return array_sort_by_number (t->own->tids, t->nthreads, sizeof *t->own->tids,
                               offsetof (struct timeline_tid, tid));
}

struct timeline_thread *
timeline_find_thread (const struct timeline *t, uint32_t tid, uint64_t time)
{
  const struct timeline_tid *tids = t->own->tids;
  size_t before = ARRAY_BEFORE (
      i, t->nthreads,
      tids[i].tid < tid || (tids[i].tid == tid && t->threads[tids[i].thread].begun <= time));
  if (before > 0 && tids[before - 1].tid == tid)
    return &t->threads[tids[before - 1].thread];
  return before < t->nthreads && tids[before].tid == tid ? &t->threads[tids[before].thread] : NULL;
}

/* A thread that only the samples contain; its states are unknown. */
static struct timeline_thread *
add_unwatched (struct timeline *t, const struct bbx_thread *sampled)
{
  uint64_t begun = sampled->begun > t->start ? sampled->begun : t->start;
  uint64_t ended = sampled->ended > 0 && sampled->ended < t->end ? sampled->ended : t->end;
  if (!array_grow (&t->threads, t->nthreads, &t->room, sizeof *t->threads))
    return NULL;
  struct timeline_thread *thread = &t->threads[t->nthreads++];
  begun = begun < t->end ? begun : t->end;
  *thread = (struct timeline_thread) {
    .tid = sampled->tid, .name = "", .begun = begun, .ended = ended > begun ? ended : begun
  };
  const struct timeline_interval all = { .start = begun,
                                         .end = thread->ended,
                                         .state = TIMELINE_UNKNOWN,
                                         .call = BBS_CALL_NOT_KNOWN,
                                         .cpu = BBS_CPU_UNKNOWN };
  thread->sums.time[TIMELINE_UNKNOWN] = thread->ended - begun;
  return life_add (thread, &all) ? thread : NULL;
}

/* Adds the CPU clock of THREAD, which was read when it ended, or (ENDED 0) at the end of the
   run. */
static bool
add_clock (struct timeline *t, struct timeline_thread *thread, const struct bbx_thread *sampled)
{
  const bool born = sampled->begun > t->watch.time;
  if (t->watch.how == BBS_BY_POLLS)
    return timeline_poll_rest (thread, born ? sampled->begun : thread->begun, sampled->ended);
  timeline_charge_rest (thread, sampled->ended > 0 ? sampled->ended : t->end, &t->own->charges);
  return true;
}

static void
charge_without_clock (struct timeline *t)
{
  for (size_t i = 0; i < t->nthreads && t->watch.how != BBS_BY_POLLS; i++)
    if (t->threads[i].cpu == BBS_NOT_KNOWN)
      timeline_charge_rest (&t->threads[i], t->threads[i].ended, &t->own->charges);
}

/* Adds the names and numbers of sampled threads from the sidecar.  Added threads come behind the
   others.  The order of those must not change meanwhile. */
static bool
add_sampled (struct timeline *t, const struct timeline_input *input)
{
  size_t watched = t->nthreads;
  if (!sort_threads (t))
    return false;
  for (size_t i = 0; i < input->nthreads; i++)
    {
      const struct bbx_thread *sampled = &input->threads[i];
      size_t all = t->nthreads;
      if (sampled->tid == 0)
        continue;
      t->nthreads = watched;
      struct timeline_thread *thread = timeline_find_thread (t, sampled->tid, sampled->begun);
      t->nthreads = all;
      if (!thread || thread->number != 0)
        thread = add_unwatched (t, sampled);
      if (!thread || !(thread->name = timeline_keep_text (t, sampled->name)))
        return false;
      thread->number = sampled->number;
      thread->cpu = sampled->cpu;
      if (!add_clock (t, thread, sampled))
        return false;
    }
  charge_without_clock (t);
  return sort_threads (t);
}

/* Removes the threads of the run-time library, and keeps their running time as one sum. */
static bool
remove_own (struct timeline *t)
{
  size_t kept = 0;
  for (size_t i = 0; i < t->nthreads; i++)
    if (watched_is_own (t->threads[i].name))
      {
        t->own_ns += t->threads[i].sums.time[TIMELINE_RUNNING];
        free (t->threads[i].intervals);
        free (t->threads[i].samples);
        free (t->threads[i].mpi_calls);
      }
    else
      t->threads[kept++] = t->threads[i];
  if (kept == t->nthreads)
    return true;
  t->nthreads = kept;
  return sort_threads (t);
}

bool
timeline_add_names (struct timeline *t, const struct timeline_input *input)
{
  const struct watched *w = input->watched;
  bool ok = add_sampled (t, input);
  for (size_t i = 0; ok && i < w->nnames; i++)
    {
      struct timeline_thread *thread = timeline_find_thread (t, w->names[i].tid, w->names[i].time);
      char name[sizeof w->names[i].name + 1];
      snprintf (name, sizeof name, "%.*s", (int) sizeof w->names[i].name, w->names[i].name);
      ok = !thread || (strcmp (thread->name, name) == 0)
           || (thread->name = timeline_keep_text (t, name));
    }
  return ok && remove_own (t);
}

/* "MPI_Send"; of a later version's function only that it is one. */
static const char *
mpi_name (uint32_t call)
{
  return call > BBM_NONE && call < BBM_END ? bbx_rank_call_name (call) : "MPI";
}

bool
timeline_add_mpi_calls (struct timeline *t, const struct timeline_input *input)
{
  const struct watched *w = input->watched;
  for (size_t i = 0; i < w->nmpi_calls; i++)
    {
      const struct bbs_mpi_call *call = &w->mpi_calls[i];
      struct timeline_thread *thread = timeline_find_thread (t, call->tid, call->time);
      if (!thread)
        {
          t->lost_mpi_calls++;
          continue;
        }
      if (!array_grow (&thread->mpi_calls, thread->nmpi_calls, &thread->room_mpi_calls,
                       sizeof *thread->mpi_calls))
        return false;
      thread->mpi_calls[thread->nmpi_calls++] = (struct timeline_mpi_call) {
        .start = call->time, .end = call->time + call->length, .name = mpi_name (call->call)
      };
    }
  return true;
}

bool
timeline_add_marks (struct timeline *t, const struct timeline_input *input)
{
  const struct watched *w = input->watched;
  for (size_t i = 0; i < w->nmarks; i++)
    {
      const struct bbs_mark *mark = &w->marks[i];
      struct timeline_thread *thread = timeline_find_thread (t, mark->tid, mark->time);
      char text[sizeof mark->text + 1];
      snprintf (text, sizeof text, "%.*s", (int) sizeof mark->text, mark->text);
      const char *kept = timeline_keep_text (t, text);
      if (!kept || !array_grow (&t->marks, t->nmarks, &t->room_marks, sizeof *t->marks))
        return false;
      t->marks[t->nmarks++]
          = (struct timeline_mark) { .time = mark->time,
                                     .thread = thread ? (uint32_t) (thread - t->threads)
                                                      : UINT32_MAX,
                                     .text = kept,
                                     .tid = mark->tid };
    }
  bool ok = array_sort_by_number (t->marks, t->nmarks, sizeof *t->marks,
                                  offsetof (struct timeline_mark, time));
  if (t->nmarks > 0 && t->marks[0].time < t->start) /* set before watching began */
    t->start = t->marks[0].time;
  return ok;
}
