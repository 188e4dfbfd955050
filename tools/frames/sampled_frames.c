/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/array.h"
#include "model/languages/frame_addresses.h"
#include "model/symbols/srcline.h"
#include "tools/frames/sampled_frames.h"

#define NONE UINT32_MAX

/* Finds the functions of a name. */
struct named {
  const char *symbol;
  uint32_t first; /* function; its namesakes follow in builder.namesakes */
  UT_hash_handle hh;
};

/* A node of the stacks, or a counter of a histogram, whose place is looked up. */
struct lookup {
  uint64_t address;
  uint64_t item; /* index in builder.places */
  uint32_t symbol;
};

struct builder {
  const struct model *model;
  struct frames *frames;
  const struct frames_choice *choice;
  uint32_t *functions;   /* of each symbol: its function and 1; 0: none yet */
  struct named *names;   /* hash table */
  uint32_t *namesakes;   /* of each function: the next one of the same name, or NONE */
  size_t room_namesakes; /* their number is that of the functions */
  struct lookup *lookups;
  size_t nlookups, room_lookups;
  uint32_t *places; /* of each lookup, in the order of their addition; NONE: no symbol */
};

/* Functions. */

static bool
add_function (struct builder *b, const struct frames_function *function, uint32_t *number)
{
  struct frames *f = b->frames;
  struct named *name;
  if (!array_grow (&f->functions, f->nfunctions, &f->room_functions, sizeof *f->functions)
      || !array_grow (&b->namesakes, f->nfunctions, &b->room_namesakes, sizeof *b->namesakes))
    return false;
  *number = (uint32_t) f->nfunctions;
  HASH_FIND_STR (b->names, function->symbol, name);
  if (name)
    {
      b->namesakes[*number] = b->namesakes[name->first];
      b->namesakes[name->first] = *number;
    }
  else
    {
      name = malloc (sizeof *name);
      if (!name)
        return false;
      *name = (struct named) { .symbol = function->symbol, .first = *number };
      HASH_ADD_KEYPTR (hh, b->names, name->symbol, strlen (name->symbol), name);
      b->namesakes[*number] = NONE;
    }
  f->functions[f->nfunctions++] = *function;
  return true;
}

static bool
function_of_symbol (struct builder *b, uint32_t symbol, uint32_t *number)
{
  const struct symbol *s = &b->model->symtab.symbols[symbol];
  if (b->functions[symbol] == 0)
    {
      struct srcline start = { .file = s->file, .line = s->line };
      bool known = s->file ? *s->file != '\0' : srcline_find (s->object, s->address, &start);
      if (!add_function (b,
                         &(struct frames_function) { .symbol = s->name,
                                                     .object = s->object,
                                                     .file = known ? start.file : NULL,
                                                     .line = known ? start.line : 0,
                                                     .number = symbol },
                         number))
        return false;
      b->functions[symbol] = *number + 1;
    }
  *number = b->functions[symbol] - 1;
  return true;
}

/* An inlined function is that of the symbol of the same name and object, if that is on a stack. */
static bool
function_of_inlined (struct builder *b, const struct object *object, const struct srcline *frame,
                     uint32_t *number)
{
  struct named *name;
  HASH_FIND_STR (b->names, frame->function, name);
  for (*number = name ? name->first : NONE; *number != NONE; *number = b->namesakes[*number])
    if (b->frames->functions[*number].object == object)
      return true;
  return add_function (b,
                       &(struct frames_function) { .symbol = frame->function,
                                                   .object = object,
                                                   .file = frame->file,
                                                   .number = FRAMES_NO_SYMBOL },
                       number);
}

/* Places. */

static bool
add_line (struct frames *f, uint32_t function, unsigned line)
{
  if (!array_grow (&f->lines, f->nlines, &f->room_lines, sizeof *f->lines))
    return false;
  f->lines[f->nlines++] = (struct frames_line) { function, line };
  return true;
}

static bool
add_place (struct builder *b, uint64_t address, uint32_t symbol)
{
  struct frames *f = b->frames;
  const struct object *o = b->model->symtab.symbols[symbol].object;
  struct srcline inlined[FRAMES_INLINED_MOST];
  size_t n = srcline_inlined (o, address, inlined, FRAMES_INLINED_MOST);
  uint32_t function;
  if (n > FRAMES_INLINED_MOST)
    n = 0;
  if (!array_grow (&f->places, f->nplaces, &f->room_places, sizeof *f->places))
    return false;
  struct frames_place *place = &f->places[f->nplaces++];
  *place = (struct frames_place) { address, symbol, (uint32_t) f->nlines, 1 };
  for (size_t i = 0; !b->choice->no_inlines && i + 1 < n; i++)
    if (inlined[i].function)
      {
        if (!function_of_inlined (b, o, &inlined[i], &function)
            || !add_line (f, function, inlined[i].line))
          return false;
        place->nlines++;
      }
  const struct symbol *s = &b->model->symtab.symbols[symbol];
  unsigned line = s->file ? (unsigned) (address - s->address) : n > 0 ? inlined[n - 1].line : 0;
  return function_of_symbol (b, symbol, &function) && add_line (f, function, line);
}

/* Lookups. */

static bool
add_lookup (struct builder *b, uint64_t address, uint32_t symbol)
{
  if (!array_grow (&b->lookups, b->nlookups, &b->room_lookups, sizeof *b->lookups))
    return false;
  b->lookups[b->nlookups] = (struct lookup) { address, b->nlookups, symbol };
  b->nlookups++;
  return true;
}

static bool
add_stack_lookups (struct builder *b, const struct bbx_stacks *x)
{
  uint32_t *symbols = stacks_find_symbols (x, &b->model->symtab);
  uint64_t *addresses = frame_addresses (x);
  bool ok = symbols && addresses;
  for (size_t i = 0; ok && i < x->nnodes; i++)
    ok = add_lookup (b, addresses[i], symbols[i]);
  free (symbols);
  free (addresses);
  return ok;
}

static bool
add_code_lookup (struct builder *b, uint64_t address)
{
  const struct symtab *t = &b->model->symtab;
  const struct symbol *s = symtab_find (t, address);
  return add_lookup (b, address, s && s->object ? (uint32_t) (s - t->symbols) : NONE);
}

static bool
add_count_lookups (struct builder *b)
{
  const struct profile *p = &b->model->profile;
  bool ok = true;
  for (size_t i = 0; ok && i < p->ncalls; i++)
    ok = add_code_lookup (b, frames_call_address (b->model, &p->calls[i]))
         && add_code_lookup (b, p->calls[i].self);
  for (size_t i = 0; ok && i < p->nexecutions; i++)
    ok = p->executions[i].count == 0 || add_code_lookup (b, p->executions[i].address);
  return ok;
}

/* The first address of a histogram's counter, or its last one, if no symbol covers the first. */
static uint64_t
bin_address (const struct model *m, const struct histogram *h, const struct bin *bin)
{
  double bytes = 2 * m->profile.scale;
  uint64_t first = h->low + (uint64_t) (bin->index * bytes),
           last = h->low + (uint64_t) ((bin->index + 1) * bytes) - 1;
  return symtab_find (&m->symtab, first) || last <= first ? first : last;
}

static bool
add_histogram_lookups (struct builder *b, const struct histogram *h)
{
  bool ok = true;
  for (size_t i = 0; ok && i < h->nfilled; i++)
    ok = add_code_lookup (b, bin_address (b->model, h, &h->bins[i]));
  return ok;
}

/* Symbols get their functions first, so that inlined ones find them. */
static bool
make_places (struct builder *b)
{
  bool ok = array_sort_by_number (b->lookups, b->nlookups, sizeof *b->lookups,
                                  offsetof (struct lookup, address));
  uint32_t function;
  b->places = malloc ((b->nlookups + 1) * sizeof *b->places);
  ok = ok && b->places;
  for (size_t i = 0; ok && i < b->nlookups; i++)
    ok = b->lookups[i].symbol == NONE || function_of_symbol (b, b->lookups[i].symbol, &function);
  for (size_t i = 0; ok && i < b->nlookups; i++)
    {
      const struct lookup *l = &b->lookups[i];
      bool same = b->frames->nplaces > 0
                  && b->frames->places[b->frames->nplaces - 1].address == l->address;
      ok = l->symbol == NONE || same || add_place (b, l->address, l->symbol);
      b->places[l->item] = l->symbol == NONE ? NONE : (uint32_t) b->frames->nplaces - 1;
    }
  return ok;
}

/* The tree. */

static bool
enter (struct builder *b, uint32_t *node, uint32_t parent, uint32_t kind, uint64_t address,
       uint64_t ticks)
{
  struct frames *f = b->frames;
  if (parent == 0 && kind != BBX_FRAME_THREAD
      && !(parent = contexts_enter (&f->tree, 0, BBX_FRAME_THREAD, FRAMES_NO_THREAD)))
    return false;
  *node = contexts_enter (&f->tree, parent, kind, address);
  if (*node == 0)
    return false;
  f->tree.nodes[*node].ticks += ticks;
  f->ticks += ticks;
  return true;
}

/* The node of a frame that is not shown is its parent's. */
static bool
enter_hidden (struct builder *b, uint32_t *node, uint32_t parent, uint64_t ticks)
{
  if (parent == 0)
    return enter (b, node, 0, BBX_FRAME_THREAD, FRAMES_NO_THREAD, ticks);
  *node = parent;
  b->frames->tree.nodes[parent].ticks += ticks;
  b->frames->ticks += ticks;
  return true;
}

/* Is node N below thread THREAD's root, or that root, left out?  PARENT: its parent in the tree. */
static bool
is_left_out (const struct builder *b, const struct bbx_node *n, size_t thread, uint32_t parent)
{
  const bool *wanted = b->choice->threads;
  if (n->kind == BBX_FRAME_THREAD)
    return wanted && !wanted[thread];
  return parent == NONE || (parent == 0 && wanted);
}

/* PLACES of X's nodes become the nodes of the tree, or NONE for those of threads that are not
   wanted: a parent comes before its children. */
static bool
enter_stacks (struct builder *b, const struct bbx_stacks *x, size_t first_thread, uint32_t *places)
{
  bool ok = true;
  for (size_t i = 0; ok && i < x->nnodes; i++)
    {
      const struct bbx_node *n = &x->nodes[i];
      uint32_t parent = n->parent > 0 ? places[n->parent - 1] : 0;
      size_t thread
          = n->kind == BBX_FRAME_THREAD ? first_thread + stacks_find_thread (x, n->address) : 0;
      if (is_left_out (b, n, thread, parent))
        places[i] = NONE;
      else if (n->kind == BBX_FRAME_THREAD)
        ok = enter (b, &places[i], 0, BBX_FRAME_THREAD, thread, n->ticks);
      else if (n->kind == FRAMES_HIDDEN)
        ok = enter_hidden (b, &places[i], parent, n->ticks);
      else if (places[i] == NONE)
        ok = enter (b, &places[i], parent, BBX_FRAME_CUT, 0, n->ticks);
      else
        ok = enter (b, &places[i], parent, BBX_FRAME_CODE, places[i], n->ticks);
      if (ok && n->by_pointer && places[i] != NONE)
        b->frames->tree.nodes[places[i]].by_pointer = true;
    }
  return ok;
}

/* Samples in the profiler's own functions belong to nobody, as in the call graph. */
static bool
enter_histogram (struct builder *b, const struct histogram *h, const uint32_t *places)
{
  bool ok = true;
  for (size_t i = 0; ok && i < h->nfilled; i++)
    {
      uint32_t node, place = places[i];
      if (place == NONE)
        ok = enter (b, &node, 0, BBX_FRAME_CUT, 0, h->bins[i].count);
      else if (!b->model->symtab.symbols[b->frames->places[place].symbol].is_helper)
        ok = enter (b, &node, 0, BBX_FRAME_CODE, place, h->bins[i].count);
    }
  return ok;
}

static bool
build_stacks (struct builder *b)
{
  const struct model *m = b->model;
  size_t first = 0, first_thread = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < m->nruns; i++)
    ok = add_stack_lookups (b, &m->runs[i].sidecar.stacks);
  size_t nnodes = b->nlookups;
  ok = ok && (!b->choice->counts || add_count_lookups (b)) && make_places (b)
       && contexts_reserve (&b->frames->tree, nnodes);
  for (size_t i = 0; ok && i < m->nruns; i++)
    {
      const struct bbx_stacks *x = &m->runs[i].sidecar.stacks;
      ok = enter_stacks (b, x, first_thread, b->places + first);
      first += x->nnodes;
      first_thread += x->nthreads;
    }
  b->frames->nodes = b->places;
  b->frames->nnodes = ok ? first : 0;
  b->places = NULL;
  return ok;
}

static bool
build_histograms (struct builder *b)
{
  const struct profile *p = &b->model->profile;
  size_t first = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < p->nhistograms; i++)
    ok = add_histogram_lookups (b, &p->histograms[i]);
  ok = ok && (!b->choice->counts || add_count_lookups (b)) && make_places (b);
  for (size_t i = 0; ok && i < p->nhistograms; first += p->histograms[i++].nfilled)
    ok = enter_histogram (b, &p->histograms[i], b->places + first);
  return ok;
}

static void
free_names (struct builder *b)
{
  struct named *n, *next;
  HASH_ITER (hh, b->names, n, next)
  {
    HASH_DEL (b->names, n);
    free (n);
  }
}

bool
frames_make (struct frames *f, const struct model *m, const struct frames_choice *choice)
{
  *f = (struct frames) { 0 };
  struct builder b = { .model = m,
                       .frames = f,
                       .choice = choice,
                       .functions = calloc (m->symtab.count + 1, sizeof *b.functions) };
  bool ok = b.functions && (m->has_stacks ? build_stacks (&b) : build_histograms (&b))
            && contexts_sort (&f->tree);
  free_names (&b);
  free (b.functions);
  free (b.namesakes);
  free (b.lookups);
  free (b.places);
  return ok;
}

void
frames_free (struct frames *f)
{
  free (f->functions);
  free (f->lines);
  free (f->places);
  free (f->nodes);
  contexts_free (&f->tree);
  *f = (struct frames) { 0 };
}

const struct frames_place *
frames_at (const struct frames *f, uint64_t address)
{
  size_t i = ARRAY_BEFORE (n, f->nplaces, f->places[n].address < address);
  return i < f->nplaces && f->places[i].address == address ? &f->places[i] : NULL;
}

/* The functions of a place, the outermost first. */
static uint32_t
enter_functions (const struct frames *f, struct contexts *tree, uint32_t parent, uint64_t place)
{
  const struct frames_place *p = &f->places[place];
  uint32_t node = parent;
  for (uint32_t i = p->nlines; i-- > 0;)
    {
      node = contexts_enter (tree, node, i + 1 < p->nlines ? FRAMES_INLINED : BBX_FRAME_CODE,
                             f->lines[p->first + i].function);
      if (node == 0)
        return 0;
    }
  return node;
}

bool
frames_by_function_of (const struct frames *f, struct contexts *tree, uint32_t *entered)
{
  *tree = (struct contexts) { 0 };
  bool ok = contexts_reserve (tree, f->tree.count);
  entered[0] = 0;
  for (size_t i = 1; ok && i < f->tree.count; i++)
    {
      const struct context *c = &f->tree.nodes[i];
      uint32_t parent = entered[c->parent];
      entered[i] = c->kind == BBX_FRAME_CODE ? enter_functions (f, tree, parent, c->address)
                                             : contexts_enter (tree, parent, c->kind, c->address);
      ok = entered[i] != 0;
      if (ok)
        {
          tree->nodes[entered[i]].ticks += c->ticks;
          tree->nodes[entered[i]].by_pointer |= c->by_pointer;
        }
    }
  return ok && contexts_sort (tree);
}

bool
frames_by_function (const struct frames *f, struct contexts *tree)
{
  uint32_t *entered = malloc ((f->tree.count + 1) * sizeof *entered);
  *tree = (struct contexts) { 0 };
  bool ok = entered && frames_by_function_of (f, tree, entered);
  free (entered);
  return ok;
}
