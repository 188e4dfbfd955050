/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps addresses to functions: samples to nodes, calls to arcs between nodes. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/graph/callgraph.h"
#include "model/symbols/samples.h"
#include "model/symbols/spec.h"

struct takers {
  const struct symtab *symtab;
  const struct specs *specs;
};

static uint64_t
symbol_start (const void *of, size_t i)
{
  const struct symtab *t = ((const struct takers *) of)->symtab;
  if (i < t->count)
    return t->symbols[i].address / 2;
  /* 0: gprof's last symbol gets no samples. */
  return t->symbols[i - 1].is_folded ? (t->symbols[i - 1].end + 1) / 2 : 0;
}

static bool
symbol_takes (const void *of, size_t i)
{
  return specs_want (((const struct takers *) of)->specs, INCL_FLAT, (uint32_t) i);
}

static bool
collect_samples (struct callgraph *g, const struct symtab *t, const struct profile *p,
                 const struct specs *specs)
{
  double *samples = calloc (t->count + 1, sizeof *samples);
  if (!samples)
    return false;
  struct takers takers = { .symtab = t, .specs = specs };
  struct stretches stretches = { .count = t->count, .start = symbol_start, .of = &takers };
  g->samples = samples_assign (p, &stretches, symbol_takes, samples);
  for (size_t i = 0; i < t->count; i++)
    g->nodes[i].time = samples[i];
  free (samples);
  return true;
}

/* The date of the first call that exists only in the code. */
#define IN_CODE (1ULL << 63)

/* An arc with the time of its first record. */
struct dated_arc {
  uint64_t pair; /* parent << 32 | child */
  uint64_t count, first;
};

static uint64_t
pair_of (uint32_t parent, uint32_t child)
{
  return (uint64_t) parent << 32 | child;
}

/* Looks up the ends of calls.  There are many calls, so the data of a search are compact, and a
   search begins close to its end. */
struct finder {
  const struct symtab *symtab;
  const struct callgraph_choice *choice;
  uint64_t *starts; /* only the symbols' addresses */
  /* For each stretch of 1 << SHIFT bytes from the first symbol, the last symbol that begins in
     front of it, or the first one. */
  uint32_t *stretches;
  size_t nstretches;
  int shift;
  /* For each symbol, the function that it is, or that it is a label in: the one at it or before;
     or NO_NODE. */
  uint32_t *functions;
  size_t caller;    /* the last result: calls are in the order of their callers */
  bool before_ends; /* callers are searched before the end of the call */
  /* the same, but only where that matters for a function that gprof folds */
  bool has_folded;
};

/* About two stretches a symbol. */
static bool
make_stretches (struct finder *f)
{
  size_t count = f->symtab->count;
  uint64_t bytes = count > 0 ? f->starts[count - 1] - f->starts[0] : 0;
  while (bytes >> f->shift > 2 * count)
    f->shift++;
  f->nstretches = (size_t) (bytes >> f->shift) + 1;
  f->stretches = array_new (f->nstretches + 1, sizeof *f->stretches);
  if (!f->stretches)
    return false;
  size_t symbol = 0;
  for (size_t i = 0; i < f->nstretches; i++)
    {
      while (symbol + 1 < count && f->starts[symbol + 1] - f->starts[0] <= (uint64_t) i << f->shift)
        symbol++;
      f->stretches[i] = (uint32_t) symbol;
    }
  f->stretches[f->nstretches] = (uint32_t) (count > 0 ? count - 1 : 0);
  return true;
}

static bool
finder_init (struct finder *f, const struct symtab *t, const struct profile *p,
             const struct callgraph_choice *choice)
{
  *f = (struct finder) { .symtab = t,
                         .choice = choice,
                         .starts = array_new (t->count + 1, sizeof *f->starts),
                         .functions = array_new (t->count + 1, sizeof *f->functions),
                         .before_ends = choice->by_calls && p->exact_callers };
  if (!f->starts || !f->functions)
    return false;
  uint32_t function = NO_NODE;
  for (size_t i = 0; i < t->count; i++)
    {
      if (t->symbols[i].is_function)
        function = (uint32_t) i;
      f->starts[i] = t->symbols[i].address;
      f->functions[i] = function;
      f->has_folded |= t->symbols[i].is_folded && p->exact_callers;
    }
  f->starts[t->count] = UINT64_MAX;
  return make_stretches (f);
}

static void
finder_free (struct finder *f)
{
  free (f->starts);
  free (f->functions);
  free (f->stretches);
}

/* As symtab_find does. */
static const struct symbol *
find (const struct finder *f, uint64_t address)
{
  uint64_t stretch = address >= f->starts[0] ? (address - f->starts[0]) >> f->shift : 0;
  size_t i = stretch < f->nstretches ? (size_t) stretch : f->nstretches - 1;
  const uint64_t *start = &f->starts[f->stretches[i]];
  for (size_t n = f->stretches[i + 1] - f->stretches[i] + 1; n > 1; n -= n / 2)
    start += start[n / 2] <= address ? n / 2 : 0;
  const struct symbol *s = &f->symtab->symbols[start - f->starts];
  return f->symtab->count > 0 && s->address <= address && s->end >= address ? s : NULL;
}

/* The function that was called, or null. */
static const struct symbol *
called_one (const struct finder *f, const struct call *call)
{
  const struct symbol *symbols = f->symtab->symbols, *found = find (f, call->self);
  uint32_t function = found ? f->functions[found - symbols] : NO_NODE;
  return function != NO_NODE ? &symbols[function] : NULL;
}

/* The symbol around FROM, or null. */
static const struct symbol *
find_caller (struct finder *f, uint64_t from)
{
  const struct symbol *last = &f->symtab->symbols[f->caller];
  if (f->symtab->count > 0 && from >= f->starts[f->caller] && from < f->starts[f->caller + 1]
      && last->end >= from)
    return last;
  const struct symbol *caller = find (f, from);
  f->caller = caller ? (size_t) (caller - f->symtab->symbols) : 0;
  return caller;
}

/* Is S, or the function of which it is a line or label, one that gprof folds?  *FUNCTION: that
   function. */
static bool
is_in_folded (const struct finder *f, const struct symbol *s, uint32_t *function)
{
  *function = s ? f->functions[s - f->symtab->symbols] : NO_NODE;
  return *function != NO_NODE && f->symtab->symbols[*function].is_folded;
}

/* The calling function, or null.  FROM is the first byte behind a call; of a tail call, the last
   byte of its jump. gprof takes the function around this byte, which is the next one if the call
   is the last code of a function. This does the same, unless one of the two is a function that
   gprof does not know. */
static const struct symbol *
calling_one (struct finder *f, const struct call *call)
{
  if (call->from == 0 || !f->has_folded)
    return find_caller (f, call->from - (f->before_ends && call->from > 0));
  const struct symbol *after = find_caller (f, call->from), *before = find (f, call->from - 1);
  uint32_t function_after, function_before;
  bool folded = is_in_folded (f, after, &function_after)
                | is_in_folded (f, before, &function_before);
  return folded && before && function_before != function_after ? before : after;
}

/* Finds the nodes of a call.  False: an end is in no function, or is excluded.  A call without a
   caller counts for the function only. */
static bool
resolve (struct callgraph *g, struct finder *f, const struct call *call, struct dated_arc *arc)
{
  const struct specs *specs = f->choice->specs;
  const struct symbol *parent = calling_one (f, call), *child = called_one (f, call);
  if (child && !parent)
    g->nodes[child - f->symtab->symbols].outside_calls += call->count;
  if (!parent || !child)
    return false;
  uint32_t from = (uint32_t) (parent - f->symtab->symbols),
           to = (uint32_t) (child - f->symtab->symbols);
  *arc = (struct dated_arc) { .pair = pair_of (from, to),
                              .count = call->count,
                              .first = call->first };
  return specs_empty (specs, INCL_ARCS) ? !specs_has_arc (specs, EXCL_ARCS, from, to)
                                        : specs_has_arc (specs, INCL_ARCS, from, to);
}

/* All calls, in any order: first the calls of the profile, then the calls found in the code. */
static size_t
list_calls (struct callgraph *g, struct finder *f, const struct profile *p, struct dated_arc *a)
{
  const struct code_calls *of_code = f->choice->calls;
  size_t n = 0;
  for (size_t i = 0; i < p->ncalls; i++)
    n += resolve (g, f, &p->calls[i], &a[n]);
  for (size_t i = 0; of_code && i < of_code->count; i++)
    {
      const struct code_call *c = &of_code->all[i];
      a[n++] = (struct dated_arc) { .pair = pair_of (c->parent, c->child),
                                    .count = c->count,
                                    .first = IN_CODE + i };
    }
  return n;
}

/* Makes arcs, each pair once, in the order of first appearance in the files. */
static bool
unite (struct dated_arc *a, size_t n, uint32_t *narcs)
{
  if (n == 0)
    return true;
  if (n >= NO_NODE || !array_sort_by_number (a, n, sizeof *a, offsetof (struct dated_arc, pair)))
    return false;
  size_t last = 0;
  for (size_t i = 1; i < n; i++)
    if (a[last].pair == a[i].pair)
      {
        a[last].count += a[i].count;
        if (a[i].first < a[last].first)
          a[last].first = a[i].first;
      }
    else
      a[++last] = a[i];
  *narcs = (uint32_t) (last + 1);
  return array_sort_by_number (a, *narcs, sizeof *a, offsetof (struct dated_arc, first));
}

/* The first elements of lists in one array, whose lengths are in FIRST[2 ...]: of list N in
   FIRST[N + 1], which its elements then advance to the begin of the next list. */
static void
begin_lists (uint32_t *first, uint32_t count)
{
  for (uint32_t n = 2; n < count + 2; n++)
    first[n] += first[n - 1];
}

/* Makes the arcs, and the lists of them.  DATED: the oldest first. */
static void
place_arcs (struct callgraph *g, const struct dated_arc *dated)
{
  for (uint32_t i = 0; i < g->narcs; i++)
    {
      g->first_child[(dated[i].pair >> 32) + 2]++;
      g->first_parent[(uint32_t) dated[i].pair + 2]++;
      g->nrecorded += dated[i].first < IN_CODE;
    }
  begin_lists (g->first_child, g->nnodes);
  begin_lists (g->first_parent, g->nnodes);
  for (uint32_t i = g->narcs; i-- > 0;)
    {
      uint32_t parent = (uint32_t) (dated[i].pair >> 32), child = (uint32_t) dated[i].pair,
               place = g->first_child[parent + 1]++;
      g->arcs[place] = (struct arc) { .parent = parent, .child = child, .count = dated[i].count };
      g->dates[place] = i;
      g->parents[g->first_parent[child + 1]++] = place;
      struct node *called = &g->nodes[child];
      *(parent == child ? &called->self_calls : &called->calls) += dated[i].count;
    }
}

static bool
make_room (struct callgraph *g)
{
  size_t arcs = (size_t) g->narcs + 1, firsts = (size_t) g->nnodes + 2;
  g->arcs = array_new (arcs, sizeof *g->arcs);
  g->dates = array_new (arcs, sizeof *g->dates);
  g->first_child = calloc (firsts, sizeof *g->first_child);
  g->parents = array_new (arcs, sizeof *g->parents);
  g->first_parent = calloc (firsts, sizeof *g->first_parent);
  return g->arcs && g->dates && g->first_child && g->parents && g->first_parent;
}

static bool
collect_arcs (struct callgraph *g, const struct symtab *t, const struct profile *p,
              const struct callgraph_choice *choice)
{
  size_t most = p->ncalls + (choice->calls ? choice->calls->count : 0);
  struct dated_arc *dated = array_new (most + 1, sizeof *dated);
  struct finder finder;
  bool ok = finder_init (&finder, t, p, choice) && dated
            && unite (dated, list_calls (g, &finder, p, dated), &g->narcs);
  finder_free (&finder);
  ok = ok && make_room (g);
  if (ok)
    place_arcs (g, dated);
  free (dated);
  return ok;
}

bool
callgraph_collect (struct callgraph *g, const struct symtab *t, const struct profile *p,
                   const struct callgraph_choice *choice)
{
  if (t->count >= NO_NODE / 2)
    return false;
  g->nsymbols = g->nnodes = (uint32_t) t->count;
  g->nodes = array_zeros ((size_t) g->nsymbols + 1, sizeof *g->nodes);
  if (!g->nodes)
    return false;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    {
      struct node *n = &g->nodes[i];
      n->symbol = &t->symbols[i];
      n->head = i;
      n->next = NO_NODE;
    }
  return collect_samples (g, t, p, choice->specs) && collect_arcs (g, t, p, choice);
}
