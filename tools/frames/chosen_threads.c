/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "tools/arguments/thread_choice.h"
#include "tools/frames/chosen_threads.h"

static bool
is_in_list (const struct bbx_thread *thread, const char *list)
{
  return thread_choice_is (list, thread->name,
                           thread->number == BBX_THREAD_OTHERS ? -1 : (int64_t) thread->number,
                           thread->tid);
}

bool *
chosen_threads (const struct model *m, const char *list, struct error *err)
{
  const struct stacks *s = &m->stacks;
  bool *chosen = calloc (s->nthreads + 1, sizeof *chosen), any = !list;
  if (!chosen)
    error_no_memory (err);
  for (size_t i = 0; chosen && i < s->nthreads; i++)
    any |= chosen[i] = !list || is_in_list (&s->threads[i].fixed, list);
  if (any)
    return chosen;
  if (chosen)
    error_set (err, m->runs[0].profile, ERROR_NO_OFFSET,
               "no thread '%.60s' was sampled; bbprof report lists the threads", list);
  free (chosen);
  return NULL;
}
