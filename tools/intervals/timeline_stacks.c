/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of the threads' stacks. */
#include "config.h"

#include <stdlib.h>

#include "tools/intervals/timeline_own.h"

bool
timeline_set_stacks (struct timeline *t, const struct timeline_node *nodes, size_t n)
{
  struct timeline_own *own = t->own;
  own->nodes = calloc (n + 1, sizeof *own->nodes);
  if (!own->nodes)
    return false;
  const char *last = NULL; /* equal names are adjacent */
  const char *kept = NULL;
  for (size_t i = 1; i < n; i++)
    {
      if (nodes[i].name && nodes[i].name != last && !(kept = timeline_keep_text (t, nodes[i].name)))
        return false;
      last = nodes[i].name ? nodes[i].name : last;
      own->nodes[i] = (struct timeline_node) { .parent = nodes[i].parent < i ? nodes[i].parent : 0,
                                               .name = nodes[i].name ? kept : NULL };
    }
  own->nnodes = n;
  return true;
}

static struct timeline_thread *
find_number (const struct timeline *t, uint32_t number)
{
  for (size_t i = 0; i < t->nthreads; i++)
    if (t->threads[i].number == number)
      return &t->threads[i];
  return NULL;
}

bool
timeline_add_samples (struct timeline *t, uint32_t number, const struct bbs_sample *samples,
                      size_t n)
{
  struct timeline_thread *thread = find_number (t, number);
  if (!thread || n == 0)
    return true;
  thread->samples = malloc (n * sizeof *thread->samples);
  if (!thread->samples)
    return false;
  for (size_t i = 0; i < n; i++)
    thread->samples[i] = (struct timeline_sample) {
      .time = samples[i].time,
      .stack = samples[i].context < timeline_stacks (t) ? samples[i].context : 0,
      .ticks = samples[i].ticks,
      .sleeps = (samples[i].cpu & BBS_SLEEPS) != 0
    };
  thread->nsamples = thread->room_samples = n;
  return true;
}

const char *
timeline_frame (const struct timeline *t, uint32_t stack, size_t n)
{
  const struct timeline_own *own = t->own;
  for (uint32_t i = stack < timeline_stacks (t) ? stack : 0; i > 0; i = own->nodes[i].parent)
    if (own->nodes[i].name && n-- == 0)
      return own->nodes[i].name;
  return NULL;
}

size_t
timeline_stacks (const struct timeline *t)
{
  return t->own && t->own->nnodes > 0 ? t->own->nnodes : 1;
}
