/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/array.h"
#include "model/symbols/samples.h"
#include "model/symbols/srcline.h"
#include "tools/report/inlined.h"

enum { DEEPEST = 64 };

/* A piece of code, and the functions that it belongs to. */
struct piece {
  uint64_t start;
  size_t first, count; /* finder.members[...]: indices of the list */
};

/* Keys that were seen already: a function inlined into a symbol, or an entry of it. */
struct seen {
  struct seen_key {
    const void *what;
    uint64_t where;
  } key;
  size_t index;
  UT_hash_handle hh;
};

struct finder {
  const struct model *model;
  const struct blocks *blocks;
  struct inlined_list *found;
  struct piece *pieces;
  size_t npieces, room_pieces;
  size_t *members;
  size_t nmembers, room_members;
  struct seen *functions, *entries;
};

/* Finds the entry of KEY in TABLE, or makes one; null: no memory. */
static struct seen *
see (struct seen **table, struct seen_key key, size_t index)
{
  struct seen *s;
  HASH_FIND (hh, *table, &key, sizeof key, s);
  if (s || !(s = calloc (1, sizeof *s)))
    return s;
  s->key = key;
  s->index = index;
  HASH_ADD (hh, *table, key, sizeof s->key, s);
  return s;
}

static void
forget (struct seen **table)
{
  struct seen *s, *next;
  HASH_ITER (hh, *table, s, next)
  {
    HASH_DEL (*table, s);
    free (s);
  }
}

/* Executions of the block around ADDRESS.  Code in front of a function's blocks (trace points)
   counts as the block behind it. */
static uint64_t
executions_at (const struct blocks *b, uint64_t address)
{
  size_t before = ARRAY_BEFORE (i, b->count, b->blocks[i].start <= address);
  if (before > 0 && address < b->blocks[before - 1].end)
    return b->blocks[before - 1].count;
  const struct symbol *next = before < b->count ? b->blocks[before].symbol : NULL;
  return next && next->address <= address ? b->blocks[before].count : 0;
}

/* Counts each entry once. */
static bool
add_entry (struct finder *f, struct inlined *to, uint64_t entry)
{
  size_t before = HASH_COUNT (f->entries);
  if (!see (&f->entries, (struct seen_key) { to->function, entry }, 0))
    return false;
  if (HASH_COUNT (f->entries) > before)
    to->entered += executions_at (f->blocks, entry);
  return true;
}

/* Adds the newest piece to a function once, also if the function is inlined into itself. */
static bool
add_member (struct finder *f, size_t index)
{
  struct piece *p = &f->pieces[f->npieces - 1];
  for (size_t i = 0; i < p->count; i++)
    if (f->members[p->first + i] == index)
      return true;
  if (!array_grow (&f->members, f->nmembers, &f->room_members, sizeof *f->members))
    return false;
  f->members[f->nmembers++] = index;
  p->count++;
  return true;
}

/* Adds an inlined frame of the newest piece, which is in SYMBOL. */
static bool
add_frame (struct finder *f, const struct symbol *symbol, const struct srcline *frame)
{
  struct inlined_list *l = f->found;
  struct seen *function
      = see (&f->functions, (struct seen_key) { frame->function, symbol->address }, l->count);
  if (!function || !array_grow (&l->list, l->count, &l->room, sizeof *l->list))
    return false;
  if (function->index == l->count)
    l->list[l->count++] = (struct inlined) { .into = symbol, .function = frame->function };
  return add_member (f, function->index) && add_entry (f, &l->list[function->index], frame->entry);
}

static bool
add_piece (struct finder *f, uint64_t start)
{
  if (!array_grow (&f->pieces, f->npieces, &f->room_pieces, sizeof *f->pieces))
    return false;
  f->pieces[f->npieces++] = (struct piece) { .start = start, .first = f->nmembers };
  return true;
}

static bool
add_block (struct finder *f, const struct block *b)
{
  struct srcline frames[DEEPEST];
  bool ok = true;
  for (uint64_t at = b->start; ok && at < b->end; at = srcline_end (b->object, at, b->end))
    {
      size_t n = srcline_inlined (b->object, at, frames, DEEPEST);
      ok = add_piece (f, at);
      for (size_t i = 0; ok && i + 1 < n && i < DEEPEST; i++)
        if (frames[i].function)
          ok = add_frame (f, b->symbol, &frames[i]);
    }
  return ok && add_piece (f, b->end);
}

/* Samples.  Those behind the last piece of a block belong to no function. */

static uint64_t
piece_start (const void *of, size_t i)
{
  return ((const struct piece *) of)[i].start / 2;
}

static bool
share_samples (struct finder *f)
{
  double *samples = calloc (f->npieces + 1, sizeof *samples);
  if (!samples)
    return false;
  struct stretches all
      = { .count = f->npieces ? f->npieces - 1 : 0, .start = piece_start, .of = f->pieces };
  samples_assign (&f->model->profile, &all, NULL, samples);
  for (size_t i = 0; i < f->npieces; i++)
    for (size_t k = 0; k < f->pieces[i].count; k++)
      f->found->list[f->members[f->pieces[i].first + k]].samples += samples[i];
  free (samples);
  return true;
}

static int
compare_names (const void *a, const void *b, void *context)
{
  const struct inlined *x = a, *y = b;
  (void) context;
  if (x->into != y->into)
    return x->into < y->into ? -1 : 1;
  return strcmp (x->function, y->function);
}

static int
compare_weights (const void *a, const void *b, void *context)
{
  const struct inlined *x = a, *y = b;
  (void) context;
  if (x->into != y->into)
    return x->into < y->into ? -1 : 1;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  return x->entered > y->entered ? -1 : x->entered < y->entered;
}

/* Several units may each have a copy of the name. */
static bool
unite_names (struct inlined_list *l)
{
  size_t n = 0;
  if (!array_sort (l->list, l->count, sizeof *l->list, compare_names, NULL))
    return false;
  for (size_t i = 0; i < l->count; i++)
    if (n > 0 && compare_names (&l->list[n - 1], &l->list[i], NULL) == 0)
      {
        l->list[n - 1].entered += l->list[i].entered;
        l->list[n - 1].samples += l->list[i].samples;
      }
    else
      l->list[n++] = l->list[i];
  l->count = n;
  return array_sort (l->list, l->count, sizeof *l->list, compare_weights, NULL);
}

bool
inlined_find (struct inlined_list *l, const struct model *m, const struct blocks *b,
              const bool *wanted)
{
  struct finder f = { .model = m, .blocks = b, .found = l };
  bool ok = true;
  for (size_t i = 0; ok && i < b->count; i++)
    if (b->blocks[i].count > 0 && b->blocks[i].symbol
        && wanted[b->blocks[i].symbol - m->symtab.symbols])
      ok = add_block (&f, &b->blocks[i]);
  ok = ok && share_samples (&f) && unite_names (l);
  forget (&f.functions);
  forget (&f.entries);
  free (f.pieces);
  free (f.members);
  return ok;
}

void
inlined_free (struct inlined_list *l)
{
  free (l->list);
}

size_t
inlined_into (const struct inlined_list *l, const struct symbol *symbol,
              const struct inlined **first)
{
  size_t before = ARRAY_BEFORE (i, l->count, l->list[i].into < symbol), n = 0;
  *first = &l->list[before];
  while (before + n < l->count && l->list[before + n].into == symbol)
    n++;
  return n;
}
