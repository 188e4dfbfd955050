/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream-check PROFILE: the times of samples beside it, and the tree of calling contexts in its
   sidecar, are of the same samples: each node has as many ticks here as there, unless times are
   lost, each of one tick at least; times ascend, and lie in the run.  Prints how many samples,
   threads, and lost times. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/streams/samples_read.h"
#include "model/files/bbx_read.h"

#define FAIL(...) (printf (__VA_ARGS__), putchar ('\n'), exit (1))

static uint64_t
lost (const struct bbx *x, const char *cause)
{
  for (size_t i = 0; i < x->nlosses; i++)
    if (strcmp (x->losses[i].cause, cause) == 0)
      return x->losses[i].count;
  return 0;
}

/* The ticks of each node. */
static uint64_t
count (const struct samples_file *f, const struct bbx *x, uint64_t *ticks)
{
  uint64_t n = 0;
  for (size_t i = 0; i < f->nthreads; i++)
    for (size_t k = 0; k < f->threads[i].n; k++, n++)
      {
        const struct bbs_sample *s = &f->threads[i].samples[k];
        if (s->context == 0 || s->context > x->stacks.nnodes)
          FAIL ("sample of context %u: there are %zu", s->context, x->stacks.nnodes);
        if (k > 0 && s->time < s[-1].time)
          FAIL ("times descend");
        if (s->time == 0 || s->time > x->processes[0].fixed.wall)
          FAIL ("a time outside of the run");
        ticks[s->context] += s->ticks;
      }
  return n;
}

int
main (int argc, char **argv)
{
  struct samples_file f;
  struct bbx x;
  struct error err;
  char *name = samples_file_name (argc == 2 ? argv[1] : "");
  if (!name || !samples_file_open (&f, name, &err))
    FAIL ("%s", err.text);
  if (!f.whole)
    FAIL ("%s", f.why.text);
  bbx_read (&x, argv[1], f.run, 0);
  if (!x.stacks.has_nodes || x.stacks.nsamplings != 1 || x.nprocesses != 1)
    FAIL ("the sidecar has no stacks, or is of another run");
  uint64_t *ticks = calloc (x.stacks.nnodes + 1, sizeof *ticks);
  const uint64_t n = count (&f, &x, ticks), times = lost (&x, BBX_LOST_TIMES);
  uint64_t missing = 0;
  for (size_t i = 0; i < x.stacks.nnodes; i++)
    if (ticks[i + 1] > x.stacks.nodes[i].ticks
        || (times == 0 && ticks[i + 1] < x.stacks.nodes[i].ticks))
      FAIL ("node %zu: %" PRIu64 " ticks, not %" PRIu64, i + 1, ticks[i + 1],
            x.stacks.nodes[i].ticks);
    else
      missing += x.stacks.nodes[i].ticks - ticks[i + 1];
  if (missing < times)
    FAIL ("%" PRIu64 " ticks are missing, though %" PRIu64 " samples are lost", missing, times);
  printf ("%" PRIu64 " %zu %" PRIu64 "\n", n, f.nthreads, times);
  free (ticks);
  samples_file_close (&f);
  bbx_free (&x);
  return 0;
}
