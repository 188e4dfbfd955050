/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "model/sums/sum_items.h"

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

/* Processes. */

static int
compare_processes (const void *a, const void *b, void *context)
{
  const struct bbx_process *x = a, *y = b;
  (void) context;
  int order = compare_numbers (x->fixed.started, y->fixed.started);
  order = order ? order : compare_numbers (x->fixed.pid, y->fixed.pid);
  order = order ? order : compare_numbers (x->fixed.dump, y->fixed.dump);
  order = order ? order : memcmp (&x->fixed, &y->fixed, sizeof x->fixed);
  return order ? order : strcmp (x->program ? x->program : "", y->program ? y->program : "");
}

const struct bag sum_processes
    = { .size = sizeof (struct bbx_process), .compare = compare_processes };

void
sum_processes_free (struct bag *b)
{
  struct bbx_process *list = b->items;
  for (size_t i = 0; i < b->count; i++)
    free (list[i].program);
  free (list);
}

/* Edges. */

static int
compare_edges (const void *a, const void *b, void *context)
{
  const struct edge *x = a, *y = b;
  (void) context;
  return x->from != y->from ? compare_numbers (x->from, y->from) : compare_numbers (x->to, y->to);
}

static void
unite_edges (void *kept, void *other)
{
  ((struct edge *) kept)->count += ((struct edge *) other)->count;
}

const struct bag sum_edges
    = { .size = sizeof (struct edge), .compare = compare_edges, .unite = unite_edges };

/* Words of selections. */

static int
compare_words (const void *a, const void *b, void *context)
{
  const struct bbx_run_word *x = a, *y = b;
  (void) context;
  int order = strcmp (x->name, y->name);
  order = order ? order : strcmp (x->file, y->file);
  order = order ? order : compare_numbers (x->flags, y->flags);
  order = order ? order : compare_numbers (x->nfunctions, y->nfunctions);
  for (size_t i = 0; order == 0 && i < x->nfunctions; i++)
    order = compare_numbers (x->functions[i], y->functions[i]);
  return order;
}

static void
free_word (const struct bbx_run_word *word)
{
  free (word->functions);
  free (word->name);
}

static void
unite_words (void *kept, void *other)
{
  (void) kept;
  free_word (other);
}

const struct bag sum_words
    = { .size = sizeof (struct bbx_run_word), .compare = compare_words, .unite = unite_words };

void
sum_words_free (struct bag *b)
{
  const struct bbx_run_word *list = b->items;
  for (size_t i = 0; i < b->count; i++)
    free_word (&list[i]);
  free (b->items);
}

void
sum_word_move (struct bbx_run_word *word, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < word->nfunctions; i++)
    word->functions[i] = gmon_moved (moves, word->functions[i]);
}

/* Names of blocks from historic tables. */

static int
compare_blocks (const void *a, const void *b, void *context)
{
  const struct bbx_run_block *x = a, *y = b;
  (void) context;
  int order = compare_numbers (x->address, y->address);
  order = order ? order : compare_numbers (x->line, y->line);
  order = order ? order : strcmp (x->function, y->function);
  return order ? order : strcmp (x->file, y->file);
}

static void
unite_blocks (void *kept, void *other)
{
  (void) kept;
  free (((struct bbx_run_block *) other)->function);
}

const struct bag sum_blocks
    = { .size = sizeof (struct bbx_run_block), .compare = compare_blocks, .unite = unite_blocks };

void
sum_blocks_free (struct bag *b)
{
  struct bbx_run_block *list = b->items;
  for (size_t i = 0; i < b->count; i++)
    free (list[i].function);
  free (list);
}

void
sum_block_move (struct bbx_run_block *block, const struct gmon_moves *moves)
{
  block->address = gmon_moved (moves, block->address);
}

/* Units. */

/* In a run's own file the newest comes first; here the one with the highest address, which is
   usually registered last. */
static int
compare_units (const void *a, const void *b, void *context)
{
  const struct bbx_run_unit *x = a, *y = b;
  (void) context;
  int order = compare_numbers (y->counters, x->counters);
  order = order ? order : compare_numbers (x->ncounters, y->ncounters);
  order = order ? order : strcmp (x->name, y->name);
  order = order ? order : compare_numbers (x->nblocks, y->nblocks);
  for (size_t i = 0; order == 0 && i < x->nblocks; i++)
    order = compare_numbers (x->blocks[i].address, y->blocks[i].address);
  return order;
}

static void
free_unit (const struct bbx_run_unit *unit)
{
  free (unit->blocks);
  free (unit->name);
}

static void
unite_units (void *kept, void *other)
{
  struct bbx_run_unit *k = kept, *o = other;
  for (size_t i = 0; i < k->nblocks; i++)
    k->blocks[i].count += o->blocks[i].count;
  free_unit (o);
}

const struct bag sum_units
    = { .size = sizeof (struct bbx_run_unit), .compare = compare_units, .unite = unite_units };

void
sum_units_free (struct bag *b)
{
  const struct bbx_run_unit *list = b->items;
  for (size_t i = 0; i < b->count; i++)
    free_unit (&list[i]);
  free (b->items);
}

void
sum_unit_move (struct bbx_run_unit *unit, const struct gmon_moves *moves)
{
  unit->counters = gmon_moved (moves, unit->counters);
  for (size_t i = 0; i < unit->nblocks; i++)
    unit->blocks[i].address = gmon_moved (moves, unit->blocks[i].address);
}

/* Losses. */

static int
compare_losses (const void *a, const void *b, void *context)
{
  (void) context;
  return strcmp (((const struct bbx_loss *) a)->cause, ((const struct bbx_loss *) b)->cause);
}

static void
unite_losses (void *kept, void *other)
{
  ((struct bbx_loss *) kept)->count += ((struct bbx_loss *) other)->count;
}

const struct bag sum_losses
    = { .size = sizeof (struct bbx_loss), .compare = compare_losses, .unite = unite_losses };

/* Machines. */

static int
compare_machines (const void *a, const void *b, void *context)
{
  const struct bbx_machine *x = a, *y = b;
  (void) context;
  int order = strcmp (x->system, y->system);
  order = order ? order : strcmp (x->processor, y->processor);
  return order ? order : compare_numbers (x->processors, y->processors);
}

static void
unite_machines (void *kept, void *other)
{
  ((struct bbx_machine *) kept)->processes += ((struct bbx_machine *) other)->processes;
}

const struct bag sum_machines
    = { .size = sizeof (struct bbx_machine), .compare = compare_machines, .unite = unite_machines };
