/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "tools/intervals/timeline_own.h"

void
timeline_close (struct timeline *t)
{
  for (size_t i = 0; i < t->nthreads; i++)
    {
      free (t->threads[i].intervals);
      free (t->threads[i].samples);
      free (t->threads[i].mpi_calls);
    }
  free (t->threads);
  free (t->marks);
  free (t->locks);
  free (t->waits);
  for (size_t i = 0; t->own && i < t->own->ntexts; i++)
    free (t->own->texts[i]);
  if (t->own)
    {
      free (t->own->texts);
      free (t->own->tids);
      free (t->own->nodes);
    }
  free (t->own);
  *t = (struct timeline) { .program = NULL };
}

const char *
timeline_state_name (enum timeline_state state)
{
  static const char *const names[TIMELINE_STATES] = { "running", "ready", "sleeping", "unknown" };
  return names[state < TIMELINE_STATES ? state : TIMELINE_UNKNOWN];
}

const char *
timeline_state_text (enum timeline_state state)
{
  return state < TIMELINE_UNKNOWN ? timeline_state_name (state) : "not known";
}
