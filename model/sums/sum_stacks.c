/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/array.h"
#include "model/files/bbx_write.h"
#include "model/sums/sum_stacks.h"

/* For the threads without a description: not one of the threads of their name. */
#define PLACE_OTHERS UINT32_MAX

/* Identifies a thread of a run. */
struct thread_key {
  char name[sizeof ((struct bbx_thread *) NULL)->name];
  uint32_t place; /* from 1; or PLACE_OTHERS */
};

struct sum_thread {
  struct thread_key key;
  struct bbx_thread thread; /* number: its id; at the end the id in the sum */
  UT_hash_handle hh;
};

/* How time was sampled. */

static int
compare_samplings (const void *a, const void *b, void *context)
{
  const struct bbx_sampling *x = a, *y = b; /* of one clock */
  (void) context;
  int order = memcmp (x->sampler, y->sampler, sizeof x->sampler);
  order = order ? order : x->asked < y->asked ? -1 : x->asked > y->asked;
  order = order ? order : x->rate < y->rate ? -1 : x->rate > y->rate;
  order = order ? order : x->depth < y->depth ? -1 : x->depth > y->depth;
  return order ? order : x->flags < y->flags ? -1 : x->flags > y->flags;
}

static void
unite_samplings (void *kept, void *other)
{
  struct bbx_sampling *k = kept;
  const struct bbx_sampling *o = other;
  k->ticks += o->ticks;
  k->samples += o->samples;
  k->cut += o->cut;
  k->wall += o->wall;
  k->cpu += o->cpu;
}

void
sum_stacks_init (struct sum_stacks *s)
{
  *s = (struct sum_stacks) { .samplings = { .size = sizeof (struct bbx_sampling),
                                            .compare = compare_samplings,
                                            .unite = unite_samplings } };
}

void
sum_stacks_free (struct sum_stacks *s)
{
  struct sum_thread *t, *next;
  HASH_ITER (hh, s->threads, t, next)
  {
    HASH_DEL (s->threads, t);
    free (t);
  }
  free (s->samplings.items);
  sum_languages_free (&s->languages);
  contexts_free (&s->tree);
  bbx_kernel_free (&s->kernel);
  memset (s, 0, sizeof *s);
}

bool
sum_stacks_fits (const struct sum_stacks *s, const struct bbx_stacks *stacks)
{
  const struct bbx_sampling *first = s->samplings.count > 0 ? s->samplings.items
                                                            : stacks->samplings;
  for (size_t i = 0; i < stacks->nsamplings; i++)
    if (stacks->samplings[i].clock != first->clock)
      return false;
  return true;
}

/* Threads. */

/* Unites the descriptions of a thread in two runs; the result depends only on the set of runs. */
static void
unite_threads (struct bbx_thread *kept, const struct bbx_thread *other)
{
  kept->tid = kept->tid == other->tid ? kept->tid : 0;
  kept->begun = other->begun < kept->begun ? other->begun : kept->begun;
  if (kept->ended != 0 && (other->ended == 0 || other->ended > kept->ended))
    kept->ended = other->ended;
  kept->cpu += other->cpu;
}

/* The id of the sum's thread with this name and place, which is added if new; 0: out of memory. */
static uint32_t
take_thread (struct sum_stacks *s, const struct bbx_thread *thread, uint32_t place)
{
  struct thread_key key = { .place = place };
  struct sum_thread *found;
  if (place != PLACE_OTHERS)
    memcpy (key.name, thread->name, sizeof key.name);
  HASH_FIND (hh, s->threads, &key, sizeof key, found);
  if (found)
    {
      unite_threads (&found->thread, thread);
      return found->thread.number;
    }
  found = malloc (sizeof *found);
  if (!found)
    return 0;
  *found = (struct sum_thread) { .key = key, .thread = *thread };
  found->thread.number = (uint32_t) HASH_COUNT (s->threads) + 1;
  HASH_ADD (hh, s->threads, key, sizeof key, found);
  return found->thread.number;
}

/* A thread of the sidecar, and its id in the sum. */
struct arrival {
  const struct bbx_thread *thread;
  uint32_t id;
};

static int
compare_names (const void *a, const void *b, void *context)
{
  const struct arrival *x = a, *y = b;
  (void) context;
  return memcmp (x->thread->name, y->thread->name, sizeof x->thread->name);
}

static int
compare_numbers (const void *a, const void *b, void *context)
{
  const struct arrival *x = a, *y = b;
  (void) context;
  return x->thread->number < y->thread->number ? -1 : x->thread->number > y->thread->number;
}

/* The threads by their numbers in the sidecar, in new memory; null: out of memory. */
static struct arrival *
take_threads (struct sum_stacks *s, const struct bbx_stacks *stacks)
{
  struct arrival *list = malloc ((stacks->nthreads + 1) * sizeof *list);
  bool ok = list != NULL;
  for (size_t i = 0; ok && i < stacks->nthreads; i++)
    list[i] = (struct arrival) { .thread = &stacks->threads[i] };
  ok = ok && array_sort (list, stacks->nthreads, sizeof *list, compare_names, NULL);
  uint32_t place = 0;
  for (size_t i = 0; ok && i < stacks->nthreads; i++)
    {
      place = i > 0 && compare_names (&list[i - 1], &list[i], NULL) == 0 ? place + 1 : 1;
      bool others = list[i].thread->number == BBX_THREAD_OTHERS;
      ok = (list[i].id = take_thread (s, list[i].thread, others ? PLACE_OTHERS : place)) != 0;
    }
  if (ok && array_sort (list, stacks->nthreads, sizeof *list, compare_numbers, NULL))
    return list;
  free (list);
  return NULL;
}

/* The tree. */

static uint64_t
find_id (const struct arrival *list, size_t n, uint64_t number)
{
  struct bbx_thread thread = { .number = (uint32_t) number };
  struct arrival key = { .thread = &thread };
  size_t before = ARRAY_BEFORE (i, n, compare_numbers (&list[i], &key, NULL) <= 0);
  return list[before - 1].id;
}

/* The address of the node in the sum, until sum_stacks_finish. */
static uint64_t
address_of (struct sum_stacks *s, const struct bbx_stacks *stacks, const struct bbx_node *n,
            const struct gmon_moves *moves, const struct arrival *threads)
{
  if (n->kind == BBX_FRAME_THREAD)
    return find_id (threads, stacks->nthreads, n->address);
  if (n->kind == BBX_FRAME_LANGUAGE)
    return sum_languages_move (&s->languages, &stacks->languages, n->address);
  return bbx_frame_is_code (n->kind) ? gmon_moved (moves, n->address) : n->address;
}

static bool
add_nodes (struct sum_stacks *s, const struct bbx_stacks *stacks, const struct gmon_moves *moves,
           const struct arrival *threads)
{
  uint32_t *entered = malloc ((stacks->nnodes + 1) * sizeof *entered);
  bool ok = entered != NULL;
  if (ok)
    entered[0] = 0;
  for (size_t i = 0; ok && i < stacks->nnodes; i++)
    {
      const struct bbx_node *n = &stacks->nodes[i];
      uint64_t address = address_of (s, stacks, n, moves, threads);
      entered[i + 1] = contexts_enter (&s->tree, entered[n->parent], n->kind, address);
      ok = entered[i + 1] != 0 && (n->kind != BBX_FRAME_LANGUAGE || address != 0);
      if (ok)
        {
          s->tree.nodes[entered[i + 1]].ticks += n->ticks;
          s->tree.nodes[entered[i + 1]].by_pointer |= n->by_pointer;
        }
    }
  free (entered);
  return ok;
}

bool
sum_stacks_add (struct sum_stacks *s, const struct bbx_stacks *stacks,
                const struct gmon_moves *moves)
{
  struct arrival *threads = take_threads (s, stacks);
  bool ok = threads && sum_languages_add (&s->languages, &stacks->languages)
            && add_nodes (s, stacks, moves, threads);
  free (threads);
  for (size_t i = 0; ok && i < stacks->nsamplings; i++)
    ok = bag_add (&s->samplings, &stacks->samplings[i]);
  ok = ok && bbx_kernel_unite (&s->kernel, &stacks->kernel);
  s->has_tree |= stacks->has_nodes;
  return ok;
}

/* The end. */

/* Places of one name stay in order, so the result is the same in sums of sums.  Usually the main
   thread is the first. */
static int
compare_threads (const struct sum_thread *x, const struct sum_thread *y)
{
  if (x->key.place != y->key.place)
    return x->key.place < y->key.place ? -1 : 1;
  if (x->thread.begun != y->thread.begun)
    return x->thread.begun < y->thread.begun ? -1 : 1;
  return memcmp (x->key.name, y->key.name, sizeof x->key.name);
}

/* Numbers the threads in the order of the hash.  Returns the number of each id in new memory, or
   null. */
static uint32_t *
number_threads (struct sum_stacks *s)
{
  uint32_t number = 0, *numbers = malloc (((size_t) HASH_COUNT (s->threads) + 1) * sizeof *numbers);
  if (!numbers)
    return NULL;
  HASH_SORT (s->threads, compare_threads);
  for (struct sum_thread *t = s->threads; t; t = t->hh.next)
    {
      uint32_t id = t->thread.number;
      t->thread.number = numbers[id] = t->key.place == PLACE_OTHERS ? BBX_THREAD_OTHERS : ++number;
    }
  return numbers;
}

static uint64_t
number_function (const struct sum_languages *l, const uint32_t *numbers, uint64_t address)
{
  uint32_t id = bbx_language_number (address);
  return BBX_LANGUAGE_ADDRESS (id <= l->all.nfunctions ? numbers[id] : id,
                               bbx_language_line (address));
}

bool
sum_stacks_finish (struct sum_stacks *s, const struct gmon_moves *moves)
{
  uint32_t *numbers = number_threads (s), *functions = sum_languages_finish (&s->languages);
  bool ok = numbers && functions;
  for (size_t i = 1; ok && i < s->tree.count; i++)
    {
      struct context *c = &s->tree.nodes[i];
      if (c->kind == BBX_FRAME_THREAD)
        c->address = numbers[c->address];
      else if (c->kind == BBX_FRAME_LANGUAGE)
        c->address = number_function (&s->languages, functions, c->address);
      else if (bbx_frame_is_code (c->kind))
        c->address = gmon_moved (moves, c->address);
    }
  ok = ok && contexts_sort (&s->tree) && bag_unite (&s->samplings);
  bbx_kernel_sort (&s->kernel);
  free (functions);
  free (numbers);
  return ok;
}

/* Writes the tree in the order of contexts_next. */
static bool
write_tree (const struct sum_stacks *s, struct output *o)
{
  const struct contexts *t = &s->tree;
  struct bbx_node *nodes = malloc ((t->count + 1) * sizeof *nodes);
  uint32_t *numbers = calloc (t->count + 1, sizeof *numbers), n = 0;
  bool ok = nodes && numbers;
  for (uint32_t i = contexts_next (t, 0); ok && i != 0; i = contexts_next (t, i))
    {
      const struct context *c = &t->nodes[i];
      nodes[n]
          = (struct bbx_node) { c->address, c->ticks, numbers[c->parent], c->kind, c->by_pointer };
      numbers[i] = ++n;
    }
  ok = ok && bbx_write_contexts (o, nodes, n);
  free (numbers);
  free (nodes);
  return ok;
}

bool
sum_stacks_write (const struct sum_stacks *s, struct output *o)
{
  const struct bbx_sampling *samplings = s->samplings.items;
  bool ok = true;
  for (size_t i = 0; ok && i < s->samplings.count; i++)
    ok = bbx_write_sampling (o, &samplings[i]);
  for (const struct sum_thread *t = s->threads; ok && t; t = t->hh.next)
    ok = bbx_write_thread (o, &t->thread);
  return ok && sum_languages_write (&s->languages, o) && bbx_write_kernel (o, &s->kernel)
         && (!s->has_tree || write_tree (s, o));
}
