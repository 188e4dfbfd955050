/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/frames/folded_frames.h"

/* A node of the frames by function while it is added to the tree. */
struct step {
  uint32_t node;
  uint32_t level; /* consecutive frames of the node's function here */
};

struct builder {
  struct folded_frames *folded;
  const struct fold_choice *choice;
  uint32_t *threads; /* of each thread of the model: the first one of the same name */
};

/* Threads with the same name. */

static int
compare_names (const void *a, const void *b, void *context)
{
  const struct stacks_thread *threads = context;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  int order = strcmp (threads[x].fixed.name, threads[y].fixed.name);
  return order ? order : x < y ? -1 : x > y;
}

/* Returns for each thread the first one of the same name, allocated; null: no memory. */
static uint32_t *
find_first_threads (const struct stacks *s)
{
  uint32_t *list = malloc ((s->nthreads + 1) * sizeof *list),
           *first = malloc ((s->nthreads + 1) * sizeof *first);
  for (uint32_t i = 0; list && i < s->nthreads; i++)
    list[i] = i;
  bool ok = list && first
            && array_sort (list, s->nthreads, sizeof *list, compare_names, s->threads);
  for (size_t i = 0; ok && i < s->nthreads; i++)
    {
      bool same = i > 0
                  && strcmp (s->threads[list[i - 1]].fixed.name, s->threads[list[i]].fixed.name)
                         == 0;
      first[list[i]] = same ? first[list[i - 1]] : list[i];
    }
  free (list);
  if (ok)
    return first;
  free (first);
  return NULL;
}

/* The tree. */

static bool
is_function (const struct context *c)
{
  return c->kind == BBX_FRAME_CODE || c->kind == FRAMES_INLINED;
}

static bool
continues (const struct builder *b, const struct step *step, const struct context *c)
{
  const struct context *above = step->node != 0 ? &b->folded->tree.nodes[step->node] : NULL;
  return !b->choice->no_fold && above && is_function (above) && is_function (c)
         && above->address == c->address;
}

/* C beneath the node PARENT of the folded tree; 0: out of memory. */
static uint32_t
node_of (const struct builder *b, uint32_t parent, const struct context *c)
{
  struct contexts *tree = &b->folded->tree;
  if (is_function (c))
    return contexts_enter (tree, parent, b->choice->inlined ? c->kind : BBX_FRAME_CODE, c->address);
  if (c->kind == BBX_FRAME_THREAD && b->choice->threads && c->address != FRAMES_NO_THREAD)
    return contexts_enter (tree, parent, BBX_FRAME_THREAD, b->threads[c->address]);
  return contexts_enter (tree, parent, BBX_FRAME_CUT, 0);
}

/* Adds C beneath STEP, and makes it the current one.  LEVELS has room for all. */
static bool
enter (struct builder *b, struct step *step, const struct context *c)
{
  struct folded_frames *f = b->folded;
  if (continues (b, step, c))
    step->level++;
  else
    *step = (struct step) { node_of (b, step->node, c), 1 };
  if (step->node == 0)
    return false;
  f->tree.nodes[step->node].ticks += c->ticks;
  f->tree.nodes[step->node].by_pointer |= c->by_pointer;
  if (f->levels[step->node] < step->level)
    f->levels[step->node] = step->level;
  return true;
}

/* A root that is no node: its samples without any frame are unknown code. */
static bool
is_no_node (const struct builder *b, const struct context *c)
{
  return c->kind == BBX_FRAME_THREAD && (!b->choice->threads || c->address == FRAMES_NO_THREAD);
}

static bool
enter_all (struct builder *b, const struct contexts *from)
{
  struct step *steps = calloc (from->count + 1, sizeof *steps);
  bool ok = steps && (b->folded->levels = calloc (from->count + 2, sizeof *b->folded->levels));
  for (size_t i = 1; ok && i < from->count; i++)
    {
      const struct context *c = &from->nodes[i];
      struct step step = steps[c->parent];
      if (!is_no_node (b, c) || c->ticks > 0)
        ok = enter (b, &step, c);
      if (!is_no_node (b, c))
        steps[i] = step;
    }
  free (steps);
  return ok;
}

bool
folded_frames_make (struct folded_frames *folded, const struct frames *f, const struct model *m,
                    const struct fold_choice *choice)
{
  struct contexts by_function = { 0 };
  *folded = (struct folded_frames) { 0 };
  struct builder b = { .folded = folded, .choice = choice };
  bool ok = frames_by_function (f, &by_function)
            && (!choice->threads || (b.threads = find_first_threads (&m->stacks)))
            && enter_all (&b, &by_function);
  contexts_free (&by_function);
  free (b.threads);
  return ok;
}

void
folded_frames_free (struct folded_frames *f)
{
  contexts_free (&f->tree);
  free (f->levels);
}
