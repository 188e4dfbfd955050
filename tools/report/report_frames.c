/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/array.h"
#include "model/symbols/srcline.h"
#include "tools/report/report_frames.h"

enum { DEEPEST = 64 };

/* Maps a name to its number. */
struct name {
  const char *text;
  uint32_t number;
  UT_hash_handle hh;
};

/* The functions inlined at one address: their numbers, outermost first, one behind the other. */
struct chain {
  size_t first, count;
};

/* A node of the stacks while it is added to the tree. */
struct step {
  uint32_t node;  /* node of the tree; 0: left out */
  uint32_t level; /* consecutive frames of the node's function here */
};

struct builder {
  const struct report_table *table;
  struct report_frames *frames;
  struct name *names;
  uint32_t *threads;   /* of each thread of the model: the first one of the same name */
  uint32_t *functions; /* of each symbol: the number of its name plus 1; 0: not looked up yet */
  uint32_t *numbers;   /* of all chains */
  size_t nnumbers, room_numbers;
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

/* Names.  */

/* False: no memory. */
static bool
number_of (struct builder *b, const char *text, uint32_t *number)
{
  struct report_frames *f = b->frames;
  struct name *n;
  HASH_FIND_STR (b->names, text, n);
  if (!n)
    {
      if (!array_grow (&f->names, f->nnames, &f->room_names, sizeof *f->names)
          || !(n = malloc (sizeof *n)))
        return false;
      *n = (struct name) { .text = text, .number = (uint32_t) f->nnames };
      f->names[f->nnames++] = text;
      HASH_ADD_KEYPTR (hh, b->names, n->text, strlen (n->text), n);
    }
  *number = n->number;
  return true;
}

static void
forget_names (struct builder *b)
{
  struct name *n, *next;
  HASH_ITER (hh, b->names, n, next)
  {
    HASH_DEL (b->names, n);
    free (n);
  }
}

/* Gives an inlined function the number of the symbol with the same name. */
static bool
number_of_symbol (struct builder *b, uint64_t symbol, uint32_t *number)
{
  uint32_t *known = &b->functions[symbol];
  if (*known == 0 && number_of (b, b->table->model->symtab.symbols[symbol].name, number))
    *known = *number + 1;
  *number = *known - 1;
  return *known != 0;
}

/* Chains of inlined functions. */

static bool
add_chain (struct builder *b, const struct object *o, uint64_t address, struct chain *chain)
{
  struct srcline frames[DEEPEST];
  size_t n = b->table->no_inlines || !object_is_file (o)
                 ? 0
                 : srcline_inlined (o, address, frames, DEEPEST);
  *chain = (struct chain) { .first = b->nnumbers };
  for (size_t i = n <= DEEPEST ? n : 0; i-- > 0;)
    if (i + 1 < n && frames[i].function)
      {
        if (!array_grow (&b->numbers, b->nnumbers, &b->room_numbers, sizeof *b->numbers)
            || !number_of (b, frames[i].function, &b->numbers[b->nnumbers]))
          return false;
        b->nnumbers++;
        chain->count++;
      }
  return true;
}

struct lookup {
  uint64_t address;
  uint64_t node;
};

/* Returns X's nodes sorted by address, allocated; null: no memory. */
static struct lookup *
sort_addresses (const struct bbx_stacks *x)
{
  uint64_t *addresses = stacks_find_addresses (x);
  struct lookup *list = malloc ((x->nnodes + 1) * sizeof *list);
  bool ok = addresses && list;
  for (size_t i = 0; ok && i < x->nnodes; i++)
    list[i] = (struct lookup) { addresses[i], i };
  ok = ok
       && array_sort_by_number (list, x->nnodes, sizeof *list, offsetof (struct lookup, address));
  free (addresses);
  if (ok)
    return list;
  free (list);
  return NULL;
}

/* Returns the chain of each node of X, allocated; null: no memory.  Each address is looked up
   once. */
static struct chain *
find_chains (struct builder *b, const struct bbx_stacks *x, const uint32_t *symbols)
{
  struct lookup *list = sort_addresses (x);
  struct chain *chains = calloc (x->nnodes + 1, sizeof *chains);
  bool ok = list && chains;
  const struct chain *last = NULL;
  uint64_t address = 0;
  for (size_t i = 0; ok && i < x->nnodes; i++)
    {
      struct chain *chain = &chains[list[i].node];
      uint32_t symbol = symbols[list[i].node];
      if (symbol == STACKS_NO_SYMBOL)
        continue;
      if (last && list[i].address == address)
        *chain = *last;
      else
        ok = add_chain (b, b->table->model->symtab.symbols[symbol].object, list[i].address, chain);
      last = chain;
      address = list[i].address;
    }
  free (list);
  if (ok)
    return chains;
  free (chains);
  return NULL;
}

/* The tree.  */

static bool
is_function (uint32_t kind)
{
  return kind == BBX_FRAME_CODE || kind == REPORT_FRAME_INLINED;
}

/* Is the frame (KIND, ADDRESS) one of node C's function?  Without memory: false, so that it is
   not folded. */
static bool
is_same (struct builder *b, const struct context *c, uint32_t kind, uint64_t address)
{
  uint32_t x = (uint32_t) c->address, y = (uint32_t) address;
  if (!is_function (kind) || !is_function (c->kind))
    return false;
  if (c->kind == kind)
    return x == y;
  return (c->kind != BBX_FRAME_CODE || number_of_symbol (b, x, &x))
         && (kind != BBX_FRAME_CODE || number_of_symbol (b, y, &y)) && x == y;
}

/* Adds one frame beneath STEP and makes it the current one. */
static bool
enter (struct builder *b, struct step *step, uint32_t kind, uint64_t address)
{
  struct report_frames *f = b->frames;
  if (step->node != 0 && !b->table->no_fold
      && is_same (b, &f->tree.nodes[step->node], kind, address))
    step->level++;
  else
    *step = (struct step) { contexts_enter (&f->tree, step->node, kind, address), 1 };
  if (step->node == 0)
    return false;
  for (; f->nlevels < f->tree.count; f->nlevels++)
    {
      if (!array_grow (&f->levels, f->nlevels, &f->room_levels, sizeof *f->levels))
        return false;
      f->levels[f->nlevels] = 0;
    }
  if (f->levels[step->node] < step->level)
    f->levels[step->node] = step->level;
  return true;
}

/* Adds X's node I with all functions that are inlined there. */
static bool
enter_node (struct builder *b, const struct bbx_stacks *x, size_t i, uint32_t symbol,
            const struct chain *chain, struct step *step)
{
  bool ok = symbol == STACKS_NO_SYMBOL ? enter (b, step, BBX_FRAME_CUT, 0)
                                       : enter (b, step, BBX_FRAME_CODE, symbol);
  for (size_t k = 0; ok && k < chain->count; k++)
    ok = enter (b, step, REPORT_FRAME_INLINED, b->numbers[chain->first + k]);
  if (ok)
    b->frames->tree.nodes[step->node].ticks += x->nodes[i].ticks;
  return ok;
}

/* FIRST: index of X's first thread in the model. */
static bool
enter_all (struct builder *b, const struct bbx_stacks *x, size_t first, const uint32_t *symbols,
           const struct chain *chains, struct step *steps)
{
  const struct report_table *t = b->table;
  bool ok = true;
  for (size_t i = 0; ok && i < x->nnodes; i++)
    {
      const struct bbx_node *n = &x->nodes[i];
      steps[i] = n->parent > 0 ? steps[n->parent - 1] : (struct step) { 0 };
      if (n->kind == BBX_FRAME_THREAD)
        {
          size_t thread = first + stacks_find_thread (x, n->address);
          if (t->wanted_threads[thread])
            ok = enter (b, &steps[i], BBX_FRAME_THREAD, b->threads[thread]);
          if (ok)
            b->frames->tree.nodes[steps[i].node].ticks += steps[i].node ? n->ticks : 0;
        }
      else if (steps[i].node != 0 || (n->parent == 0 && !t->some_threads))
        ok = enter_node (b, x, i, symbols[i], &chains[i], &steps[i]);
    }
  return ok;
}

static bool
add_run (struct builder *b, const struct bbx_stacks *x, size_t first)
{
  uint32_t *symbols = stacks_find_symbols (x, &b->table->model->symtab);
  struct chain *chains = symbols ? find_chains (b, x, symbols) : NULL;
  struct step *steps = calloc (x->nnodes + 1, sizeof *steps);
  bool ok = chains && steps && enter_all (b, x, first, symbols, chains, steps);
  free (symbols);
  free (chains);
  free (steps);
  return ok;
}

bool
report_frames_make (struct report_frames *f, const struct report_table *t)
{
  const struct model *m = t->model;
  *f = (struct report_frames) { 0 };
  struct builder b = { .table = t,
                       .frames = f,
                       .threads = find_first_threads (&m->stacks),
                       .functions = calloc (m->symtab.count + 1, sizeof *b.functions) };
  bool ok = b.threads && b.functions;
  size_t first = 0;
  for (size_t i = 0; ok && i < m->nruns; i++)
    {
      ok = add_run (&b, &m->runs[i].sidecar.stacks, first);
      first += m->runs[i].sidecar.stacks.nthreads;
    }
  forget_names (&b);
  free (b.threads);
  free (b.functions);
  free (b.numbers);
  return ok;
}

void
report_frames_free (struct report_frames *f)
{
  contexts_free (&f->tree);
  free (f->levels);
  free (f->names);
}
