/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of valgrind's tool callgrind (its manual has the format): the executions of each
   instruction, calls and jumps.  What a call costs with all that its callee calls is not counted,
   but shared: each call of a function costs the same. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <uthash.h>

#include "common/array.h"
#include "common/visible.h"
#include "include/bbprof-abi.h"
#include "model/symbols/spec.h"
#include "tools/export/export_code.h"

#define NO_FILE "???" /* as callgrind writes it */

/* A file's number. */
struct numbered_file {
  const char *name;
  unsigned number;
  UT_hash_handle hh;
};

struct calls {
  size_t first, end; /* of the profile */
};

struct callgrind {
  FILE *out;
  const struct export_view *view;
  const struct model *model;
  struct annotation code;
  struct callgraph graph;
  /* Of each node. */
  double *costs;         /* instructions executed in it and in what it calls; at heads only */
  uint64_t *outer_calls; /* calls of it, but not from inside its cycle; at heads only */
  bool *is_ready;        /* both are computed */
  bool *is_written;      /* of each of the profile's calls */
  uint64_t total;
  /* Compressed names: each is written at its first use. */
  struct numbered_file *files; /* hash table */
  unsigned *functions;         /* of each symbol: its number; 0: none yet */
  const char **function_files; /* of each symbol, once it is needed */
  unsigned *objects;           /* of each object: its number */
  unsigned nfiles, nfunctions, nobjects;
  const char *file;            /* the current one */
  const struct object *object; /* the same */
};

/* Names. */

static void
put_name (const struct callgrind *c, const char *key, unsigned number, const char *name)
{
  fprintf (c->out, "%s=(%u)%s%s\n", key, number, name ? " " : "", name ? visible (name) : "");
}

static bool
put_file (struct callgrind *c, const char *key, const char *name)
{
  struct numbered_file *file;
  name = name ? name : NO_FILE;
  HASH_FIND_STR (c->files, name, file);
  bool new = !file;
  if (new)
    {
      file = malloc (sizeof *file);
      if (!file)
        return false;
      *file = (struct numbered_file) { .name = name, .number = ++c->nfiles };
      HASH_ADD_KEYPTR (hh, c->files, file->name, strlen (file->name), file);
    }
  put_name (c, key, file->number, new ? name : NULL);
  return true;
}

static void
put_object (struct callgrind *c, const char *key, const struct object *o)
{
  unsigned *number = &c->objects[o - c->model->objects.all];
  bool new = *number == 0;
  *number = new ? ++c->nobjects : *number;
  /* Readers that disassemble look for the file wherever they run. */
  char *path = new ? realpath (o->path, NULL) : NULL;
  put_name (c, key, *number, path ? path : new ? o->path : NULL);
  free (path);
}

static bool
put_function (struct callgrind *c, const char *key, const struct symbol *s)
{
  unsigned *number = &c->functions[s - c->model->symtab.symbols];
  bool new = *number == 0;
  *number = new ? ++c->nfunctions : *number;
  char *name = new ? export_symbol_name (c->model, s) : NULL;
  if (new && !name)
    return false;
  put_name (c, key, *number, name);
  free (name);
  return true;
}

static const char *
file_of (struct callgrind *c, const struct symbol *s)
{
  const char **file = &c->function_files[s - c->model->symtab.symbols];
  struct srcline line;
  if (!*file)
    *file = export_function_line (s, &line) ? line.file : NO_FILE;
  return *file;
}

static bool
is_same_file (const char *a, const char *b)
{
  return a == b || strcmp (a, b) == 0;
}

static bool
begin_function (struct callgrind *c, const struct symbol *s)
{
  putc ('\n', c->out);
  if (s->object != c->object)
    put_object (c, "ob", c->object = s->object);
  c->file = file_of (c, s);
  return put_file (c, "fl", c->file) && put_function (c, "fn", s);
}

/* The address in the object's file and the line. */
static void
put_position (const struct callgrind *c, uint64_t address, const struct object *o)
{
  const struct annotated_instruction *is = export_code_at (&c->code, address);
  const struct srcline *line = is ? export_code_line (&c->code, is) : NULL;
  fprintf (c->out, "0x%" PRIx64 " %u", o ? address - o->base : address, line ? line->line : 0);
}

/* The call graph, and what calls cost. */

/* A function's jumps into its cold part, which has a symbol of its own, are calls of that. */
static bool
is_split (const struct callgrind *c, const struct block *from, const struct block *to)
{
  if (!from->map || !to || !to->map || from->map->function != to->map->function
      || from->symbol == to->symbol || !from->symbol || !to->symbol)
    return false;
  const struct map_block *first = &c->view->blocks.map.blocks[from->map->function];
  return symtab_find (&c->model->symtab, first->start) == from->symbol;
}

static bool
find_splits (const struct callgrind *c, struct code_calls *calls)
{
  const struct symbol *symbols = c->model->symtab.symbols;
  for (size_t i = 0; i < c->view->blocks.count; i++)
    {
      const struct block *from = &c->view->blocks.blocks[i];
      const struct edge *edge;
      for (size_t n = edges_from (&c->model->edges, from->start, &edge); n > 0; n--, edge++)
        {
          const struct block *to = edge->to ? blocks_at (&c->view->blocks, edge->to) : NULL;
          if (!is_split (c, from, to))
            continue;
          if (!array_grow (&calls->all, calls->count, &calls->room, sizeof *calls->all))
            return false;
          calls->all[calls->count++]
              = (struct code_call) { .parent = (uint32_t) (from->symbol - symbols),
                                     .child = (uint32_t) (to->symbol - symbols),
                                     .count = edge->count };
        }
    }
  return true;
}

static bool
build_graph (struct callgrind *c, struct error *err)
{
  const struct symtab *t = &c->model->symtab;
  struct code_calls splits = { 0 };
  struct specs *specs = specs_resolve (NULL, 0, t, err);
  bool ok = specs && (find_splits (c, &splits) || error_no_memory (err))
            && callgraph_build_for (
                &c->graph, t, &c->model->profile,
                &(struct callgraph_choice) { .specs = specs, .calls = &splits, .by_calls = true },
                err);
  specs_free (specs);
  code_calls_free (&splits);
  return ok;
}

static uint32_t
head_of (const struct callgraph *g, uint32_t node)
{
  return g->nodes[node].head;
}

/* The cost of COUNT calls of the function NODE from outside of its cycle. */
static double
cost_of_calls (const struct callgrind *c, uint32_t node, uint64_t count)
{
  uint32_t head = head_of (&c->graph, node);
  uint64_t calls = c->outer_calls[head];
  return calls > 0 ? c->costs[head] * ((double) count / (double) calls) : 0;
}

/* Adds the cost of the callees of NODE. */
static void
add_callees (struct callgrind *c, uint32_t node)
{
  const struct callgraph *g = &c->graph;
  uint32_t head = head_of (g, node);
  for (uint32_t i = g->first_child[node]; i < g->first_child[node + 1]; i++)
    {
      const struct arc *a = &g->arcs[i];
      if (head_of (g, a->child) != head)
        c->costs[head] += cost_of_calls (c, a->child, a->count);
    }
}

static void
count_outer_calls (struct callgrind *c)
{
  const struct callgraph *g = &c->graph;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    c->outer_calls[head_of (g, i)] += g->nodes[i].outside_calls;
  for (uint32_t i = 0; i < g->narcs; i++)
    if (head_of (g, g->arcs[i].parent) != head_of (g, g->arcs[i].child))
      c->outer_calls[head_of (g, g->arcs[i].child)] += g->arcs[i].count;
}

/* Symbols in the order of their levels: callees before their callers. */
static bool
order_by_level (const struct callgraph *g, uint32_t **order)
{
  struct level {
    uint64_t level;
    uint32_t node;
  } *levels = malloc (((size_t) g->nsymbols + 1) * sizeof *levels);
  *order = malloc (((size_t) g->nsymbols + 1) * sizeof **order);
  for (uint32_t i = 0; levels && i < g->nsymbols; i++)
    levels[i] = (struct level) { g->nodes[i].level, i };
  bool ok = levels && *order
            && array_sort_by_number (levels, g->nsymbols, sizeof *levels,
                                     offsetof (struct level, level));
  for (uint32_t i = 0; ok && i < g->nsymbols; i++)
    (*order)[i] = levels[i].node;
  free (levels);
  return ok;
}

/* The cost of each function's own code is already there. */
static bool
share_costs (struct callgrind *c)
{
  const struct callgraph *g = &c->graph;
  uint32_t *order;
  bool ok = order_by_level (g, &order);
  if (ok)
    count_outer_calls (c);
  for (uint32_t i = 0; ok && i < g->nsymbols; i++)
    {
      uint32_t head = head_of (g, order[i]);
      if (c->is_ready[head])
        continue;
      c->is_ready[head] = true;
      if (head < g->nsymbols)
        add_callees (c, head);
      else
        for (uint32_t m = g->nodes[head].next; m != NO_NODE; m = g->nodes[m].next)
          add_callees (c, m);
    }
  free (order);
  return ok;
}

static void
add_own_costs (struct callgrind *c)
{
  const struct annotation *a = &c->code;
  const struct symbol *symbols = c->model->symtab.symbols;
  for (size_t p = 0; p < a->npieces; p++)
    {
      const struct annotated_piece *piece = &a->pieces[p];
      uint32_t head = head_of (&c->graph, (uint32_t) (piece->symbol - symbols));
      for (size_t b = piece->first_block; b < piece->first_block + piece->nblocks; b++)
        for (size_t i = 0; i < a->blocks[b].ninstructions; i++)
          {
            uint64_t cost = export_code_count (&a->instructions[a->blocks[b].first + i]);
            c->costs[head] += (double) cost;
            c->total += cost;
          }
    }
}

/* Calls. */

/* COUNT calls of CHILD, which begins at ENTRY, from the function PARENT; null: unknown. */
static bool
put_call (struct callgrind *c, const struct symbol *parent, uint64_t from,
          const struct symbol *child, uint64_t entry, uint64_t count)
{
  const struct symbol *symbols = c->model->symtab.symbols;
  uint32_t callee = (uint32_t) (child - symbols);
  bool inside
      = parent && head_of (&c->graph, (uint32_t) (parent - symbols)) == head_of (&c->graph, callee);
  if (child->object != c->object)
    put_object (c, "cob", child->object);
  if (!put_file (c, "cfi", file_of (c, child)) || !put_function (c, "cfn", child))
    return false;
  fprintf (c->out, "calls=%" PRIu64 " ", count);
  put_position (c, entry, child->object);
  putc ('\n', c->out);
  put_position (c, from, parent ? parent->object : NULL);
  fprintf (c->out, " %.0f\n", inside ? 0 : cost_of_calls (c, callee, count));
  return true;
}

/* The function that CALL calls, or null. */
static const struct symbol *
callee_of (const struct callgrind *c, const struct call *call)
{
  const struct symtab *t = &c->model->symtab;
  const struct symbol *s = symtab_find (t, call->self);
  while (s && s > t->symbols && !s->is_function)
    s--;
  return s && s->object && !s->is_helper ? s : NULL;
}

/* The profile's calls that begin at POINT. */
static struct calls
calls_at (const struct callgrind *c, uint64_t point)
{
  const struct profile *p = &c->model->profile;
  struct calls calls;
  calls.first = ARRAY_BEFORE (i, p->ncalls, p->calls[i].from < point);
  for (calls.end = calls.first; calls.end < p->ncalls && p->calls[calls.end].from == point;)
    calls.end++;
  return calls;
}

static bool
put_calls (struct callgrind *c, const struct symbol *parent, uint64_t from, struct calls calls)
{
  bool ok = true;
  for (size_t i = calls.first; ok && i < calls.end; i++)
    {
      const struct call *call = &c->model->profile.calls[i];
      const struct symbol *child = callee_of (c, call);
      if (child && call->count > 0 && !c->is_written[i])
        ok = put_call (c, parent, from, child, call->self, call->count);
      c->is_written[i] = true;
    }
  return ok;
}

/* Is IS, a call, in the map?  Else it is the profiler's own, which counts the indirect call behind
   it. */
static bool
is_mapped (const struct callgrind *c, const struct annotated_instruction *is)
{
  const struct block *b = c->code.blocks[is->block].block;
  for (size_t i = 0; b && b->map && i < b->map->ncalls; i++)
    if (c->view->blocks.map.calls[b->map->first_call + i].point == is->code.address + is->code.size)
      return true;
  return !b || !b->map;
}

/* If IS calls the profiler, which counted indirect calls there: these, for the call behind it.
   What the profiler jumps over may have no executions of its own. */
static void
find_later (const struct callgrind *c, const struct annotated_instruction *is, struct calls *later)
{
  if (is->code.kind != INSTRUCTION_CALL || is_mapped (c, is))
    return;
  struct calls calls = calls_at (c, is->code.address + is->code.size);
  if (calls.first < calls.end)
    *later = calls;
}

/* LATER: calls that the profiler counted in front of the instruction. */
static bool
put_calls_of (struct callgrind *c, const struct symbol *s, const struct annotated_instruction *is,
              struct calls *later)
{
  enum instruction_kind kind = is->code.kind;
  uint64_t end = is->code.address + is->code.size;
  if ((kind != INSTRUCTION_CALL || !is_mapped (c, is)) && kind != INSTRUCTION_JUMP
      && kind != INSTRUCTION_BRANCH)
    return true;
  struct calls calls = calls_at (c, kind == INSTRUCTION_CALL ? end : end - 1);
  bool ok = put_calls (c, s, is->code.address, *later) && put_calls (c, s, is->code.address, calls);
  *later = (struct calls) { 0 };
  return ok;
}

/* A function that stands for all code that the profiler does not know. */
static bool
begin_outside (struct callgrind *c)
{
  c->object = NULL;
  fprintf (c->out, "\nob=(%u) [outside]\n", ++c->nobjects);
  bool ok = put_file (c, "fl", NO_FILE);
  fprintf (c->out, "fn=(%u) [outside]\n", ++c->nfunctions);
  return ok;
}

/* Calls from code without counters; or those from nowhere: OUTSIDE. */
static bool
put_other_calls (struct callgrind *c, bool outside)
{
  const struct profile *p = &c->model->profile;
  const struct symbol *before = NULL;
  bool ok = true, any = false;
  for (size_t i = 0; ok && i < p->ncalls; i++)
    {
      const struct call *call = &p->calls[i];
      uint64_t from = frames_call_address (c->model, call);
      const struct symbol *parent = from ? symtab_find (&c->model->symtab, from) : NULL;
      parent = parent && parent->object ? parent : NULL;
      if (c->is_written[i] || outside != !parent || call->count == 0 || !callee_of (c, call))
        continue;
      if (!any || parent != before)
        ok = parent ? begin_function (c, parent) : begin_outside (c);
      any = true;
      before = parent;
      ok = ok && put_calls (c, parent, from, (struct calls) { i, i + 1 });
    }
  return ok;
}

/* Jumps. */

static uint64_t
edge_count (const struct callgrind *c, uint64_t from, uint64_t to)
{
  const struct edge *edge;
  for (size_t n = edges_from (&c->model->edges, from, &edge); n > 0; n--, edge++)
    if (edge->to == to)
      return edge->count;
  return 0;
}

static bool
is_in (const struct symbol *s, uint64_t address)
{
  return address >= s->address && address <= s->end;
}

static void
put_jump (const struct callgrind *c, const struct symbol *s, const char *how, uint64_t from,
          uint64_t to)
{
  fprintf (c->out, "%s ", how);
  put_position (c, to, s->object);
  putc ('\n', c->out);
  put_position (c, from, s->object);
  fputs (" \n", c->out); /* without a cost */
}

/* Does a branch of the block lead to TO? */
static bool
is_branched_to (const struct annotation *a, const struct annotated_block *b, uint64_t to)
{
  for (size_t i = b->first; i < b->first + b->ninstructions; i++)
    if (a->instructions[i].code.kind == INSTRUCTION_BRANCH && a->instructions[i].way == to)
      return true;
  return false;
}

/* The jumps of the last instruction of a block. */
static bool
put_jumps (struct callgrind *c, const struct symbol *s, const struct annotated_block *b,
           const struct annotated_instruction *is)
{
  char how[64];
  const struct edge *edge;
  bool ok = true;
  for (size_t n = edges_from (&c->model->edges, b->start, &edge); ok && n > 0; n--, edge++)
    {
      const struct block *to = edge->to ? blocks_at (&c->view->blocks, edge->to) : NULL;
      if (edge->count == 0 || !to)
        continue;
      if (is_split (c, b->block, to))
        ok = put_call (c, s, is->code.address, to->symbol, edge->to, edge->count);
      else if (is->code.kind == INSTRUCTION_JUMP && is_in (s, edge->to)
               && !is_branched_to (&c->code, b, edge->to))
        {
          snprintf (how, sizeof how, "jump=%" PRIu64, edge->count);
          put_jump (c, s, how, is->code.address, edge->to);
        }
    }
  return ok;
}

static void
put_branch (const struct callgrind *c, const struct symbol *s, const struct annotated_block *b,
            const struct annotated_instruction *is)
{
  char how[64];
  uint64_t taken = is->code.kind == INSTRUCTION_BRANCH && is->way && is_in (s, is->way)
                       ? edge_count (c, b->start, is->way)
                       : 0;
  if (taken == 0)
    return;
  snprintf (how, sizeof how, "jcnd=%" PRIu64 "/%" PRIu64, taken, export_code_count (is));
  put_jump (c, s, how, is->code.address, is->way);
}

/* Code. */

static bool
put_instruction (struct callgrind *c, const struct symbol *s,
                 const struct annotated_instruction *is, struct calls *later)
{
  const struct annotated_block *b = &c->code.blocks[is->block];
  const struct srcline *line = export_code_line (&c->code, is);
  const char *file = line && line->file ? line->file : NO_FILE;
  size_t number = (size_t) (is - c->code.instructions);
  if (!is_same_file (file, c->file))
    {
      c->file = file;
      if (!put_file (c, is_same_file (file, file_of (c, s)) ? "fe" : "fi", file))
        return false;
    }
  put_position (c, is->code.address, s->object);
  fprintf (c->out, " %" PRIu64 "\n", export_code_count (is));
  if (!put_calls_of (c, s, is, later))
    return false;
  if (!b->block)
    return true;
  put_branch (c, s, b, is);
  return number + 1 < b->first + b->ninstructions || put_jumps (c, s, b, is);
}

static bool
put_piece (struct callgrind *c, const struct annotated_piece *piece)
{
  const struct annotation *a = &c->code;
  const struct annotated_block *last = &a->blocks[piece->first_block + piece->nblocks - 1];
  struct calls later = { 0 };
  bool ok = true, any = false;
  for (size_t i = a->blocks[piece->first_block].first; ok && i < last->first + last->ninstructions;
       i++)
    {
      const struct annotated_instruction *is = &a->instructions[i];
      find_later (c, is, &later);
      if (export_code_count (is) == 0)
        continue;
      ok = (any || begin_function (c, piece->symbol))
           && put_instruction (c, piece->symbol, is, &later);
      any = true;
    }
  return ok;
}

static void
put_head (const struct callgrind *c)
{
  fprintf (c->out,
           "# callgrind format\n"
           "version: 1\n"
           "creator: " PACKAGE_STRING "\n"
           "cmd: %s\n"
           "part: 1\n\n"
           "# Executions and calls are counted.  The inclusive cost of calls is not: each call of\n"
           "# a function has the same share of all that the function and its callees cost; calls\n"
           "# inside of a cycle have none.\n"
           "positions: instr line\n"
           "event: Ir : Instructions executed\n"
           "events: Ir\n"
           "summary: %" PRIu64 "\n",
           visible (c->view->program), c->total);
}

static bool
make_room (struct callgrind *c)
{
  size_t nodes = (size_t) c->graph.nnodes + 1;
  c->costs = calloc (nodes, sizeof *c->costs);
  c->outer_calls = calloc (nodes, sizeof *c->outer_calls);
  c->is_ready = calloc (nodes, sizeof *c->is_ready);
  c->is_written = calloc (c->model->profile.ncalls + 1, sizeof *c->is_written);
  c->functions = calloc (c->model->symtab.count + 1, sizeof *c->functions);
  c->objects = calloc (c->model->objects.count + 1, sizeof *c->objects);
  c->function_files = calloc (c->model->symtab.count + 1, sizeof *c->function_files);
  return c->costs && c->outer_calls && c->is_ready && c->is_written && c->functions && c->objects
         && c->function_files;
}

static bool
put_all (struct callgrind *c)
{
  bool ok = true;
  put_head (c);
  for (size_t p = 0; ok && p < c->code.npieces; p++)
    ok = put_piece (c, &c->code.pieces[p]);
  ok = ok && put_other_calls (c, true) && put_other_calls (c, false);
  fprintf (c->out, "\ntotals: %" PRIu64 "\n", c->total);
  return ok;
}

static void
release (struct callgrind *c)
{
  struct numbered_file *file, *next;
  HASH_ITER (hh, c->files, file, next)
  {
    HASH_DEL (c->files, file);
    free (file);
  }
  free (c->costs);
  free (c->outer_calls);
  free (c->is_ready);
  free (c->is_written);
  free (c->functions);
  free (c->objects);
  free (c->function_files);
  callgraph_free (&c->graph);
  annotate_free (&c->code);
}

bool
export_callgrind (FILE *out, const struct export_view *v, struct error *err)
{
  struct callgrind c = { .out = out, .view = v, .model = v->model };
  bool ok = export_code_read (&c.code, v, err) && build_graph (&c, err);
  if (ok && (ok = make_room (&c) || error_no_memory (err)))
    {
      add_own_costs (&c);
      ok = (share_costs (&c) && put_all (&c)) || error_no_memory (err);
    }
  release (&c);
  return ok && error_if_unwritten (out, err);
}
