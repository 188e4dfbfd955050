/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile of llvm-bolt (fdata): for each edge between blocks, and for each call, the place that
   it leaves, the place to which it leads, and its count.  The places are those of another build,
   without counters, whose map has the same functions and blocks.  A function whose graph is not
   the same in both builds is left out. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "model/symbols/symtab_load.h"
#include "tools/export/export_emit.h"
#include "tools/code/disassemble.h"

/* A function of a map. */
struct function {
  const struct symbol *symbol; /* at its entry */
  size_t first, nblocks;       /* blocks of the map */
  size_t namesake;             /* how many of the same name are before it */
};

/* A build: its map, with the functions by name. */
struct build {
  const struct model *model;
  const struct map *map;
  struct function *functions;
  size_t nfunctions, room;
};

struct bolt {
  FILE *out;
  struct build counted, bare;
  struct model model; /* of the bare build */
  struct map map;     /* the same */
  size_t *numbers;    /* of its symbols: of local ones, from 1 on among those of one name */
  struct disassembler *code;
  size_t nalike;
};

/* Functions. */

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct function *x = a, *y = b;
  (void) context;
  int names = strcmp (x->symbol->name, y->symbol->name);
  if (names != 0)
    return names;
  return x->symbol->address < y->symbol->address ? -1 : x->symbol->address > y->symbol->address;
}

static bool
find_functions (struct build *b)
{
  for (size_t first = 0, end; first < b->map->count; first = end)
    {
      for (end = first + 1; end < b->map->count && b->map->blocks[end].function == first;)
        end++;
      const struct symbol *s = symtab_find (&b->model->symtab, b->map->blocks[first].start);
      if (!s || !s->object || !object_is_executable (s->object))
        continue;
      if (!array_grow (&b->functions, b->nfunctions, &b->room, sizeof *b->functions))
        return false;
      b->functions[b->nfunctions++]
          = (struct function) { .symbol = s, .first = first, .nblocks = end - first };
    }
  if (!array_sort (b->functions, b->nfunctions, sizeof *b->functions, compare_functions, NULL))
    return false;
  for (size_t i = 1; i < b->nfunctions; i++)
    if (strcmp (b->functions[i].symbol->name, b->functions[i - 1].symbol->name) == 0)
      b->functions[i].namesake = b->functions[i - 1].namesake + 1;
  return true;
}

static bool
is_alike_block (const struct bolt *bolt, const struct function *x, const struct function *y,
                size_t i)
{
  const struct map *p = bolt->counted.map, *q = bolt->bare.map;
  const struct map_block *a = &p->blocks[x->first + i], *b = &q->blocks[y->first + i];
  const unsigned shape = ~BBP_BLOCK_COUNTED, kind = ~BBP_CALL_COUNTED;
  if ((a->shape & shape) != (b->shape & shape) || a->ncalls != b->ncalls || a->nways != b->nways)
    return false;
  for (size_t k = 0; k < a->ncalls; k++)
    if ((p->calls[a->first_call + k].kind & kind) != (q->calls[b->first_call + k].kind & kind))
      return false;
  for (size_t k = 0; k < a->nways; k++)
    if (p->ways[a->first_way + k].to - x->first != q->ways[b->first_way + k].to - y->first)
      return false;
  return true;
}

static bool
is_alike (const struct bolt *bolt, const struct function *x, const struct function *y)
{
  bool alike = x->nblocks == y->nblocks;
  for (size_t i = 0; alike && i < x->nblocks; i++)
    alike = is_alike_block (bolt, x, y, i);
  return alike;
}

/* The function of BUILD with that name and as many namesakes before it; or null. */
static const struct function *
find_function (const struct build *b, const char *name, size_t namesake)
{
  size_t i = ARRAY_BEFORE (n, b->nfunctions, strcmp (b->functions[n].symbol->name, name) < 0);
  i += namesake;
  return i < b->nfunctions && strcmp (b->functions[i].symbol->name, name) == 0 ? &b->functions[i]
                                                                               : NULL;
}

static size_t
count_namesakes (const struct build *b, const char *name)
{
  size_t n = 0;
  while (find_function (b, name, n))
    n++;
  return n;
}

/* The same function in the bare build; null: none, or its graph is another. */
static const struct function *
counterpart (const struct bolt *bolt, const struct function *x)
{
  const char *name = x->symbol->name;
  const struct function *y = find_function (&bolt->bare, name, x->namesake);
  return y && count_namesakes (&bolt->counted, name) == count_namesakes (&bolt->bare, name)
                 && is_alike (bolt, x, y)
             ? y
             : NULL;
}

/* Places. */

/* A place in the bare build; llvm-bolt numbers local symbols of one name. */
static void
put_place (const struct bolt *bolt, uint64_t address)
{
  const struct symtab *t = &bolt->model.symtab;
  const struct symbol *s = symtab_find (t, address);
  fprintf (bolt->out, "1 %s", s->name);
  if (s->is_static)
    fprintf (bolt->out, "/%zu", bolt->numbers[s - t->symbols]);
  fprintf (bolt->out, " %" PRIx64 " ", address - s->address);
}

static void
put_record (const struct bolt *bolt, uint64_t from, uint64_t to, uint64_t count)
{
  if (count == 0 || !symtab_find (&bolt->model.symtab, from)
      || !symtab_find (&bolt->model.symtab, to))
    return;
  put_place (bolt, from);
  put_place (bolt, to);
  fprintf (bolt->out, "0 %" PRIu64 "\n", count);
}

/* The end of a block's code: the next block's start. */
static uint64_t
end_of (const struct bolt *bolt, const struct function *f, size_t i)
{
  const struct map_block *b = &bolt->bare.map->blocks[f->first + i];
  const struct symbol *s = symtab_find (&bolt->model.symtab, b->start);
  uint64_t end = s ? s->end + 1 : b->start;
  for (size_t k = f->first; k < f->first + f->nblocks; k++)
    {
      uint64_t start = bolt->bare.map->blocks[k].start;
      if (start > b->start && start < end)
        end = start;
    }
  return end;
}

/* The instruction that leads from a block of the bare build to TO: a branch, or the last one.
   Or the instruction that ends at POINT or, a tail call, begins there.  0: none. */
struct search {
  uint64_t start, end, to, point;
  bool tail;
};

static bool
find_instruction (const struct bolt *bolt, const struct search *s, uint64_t *found,
                  struct error *err)
{
  struct instruction code;
  *found = 0;
  for (uint64_t at = s->start; at < s->end; at += code.size)
    {
      if (!disassembler_read (bolt->code, at, &code, err))
        return false;
      free (code.text);
      if (code.size == 0)
        break;
      if (s->point)
        {
          if (s->tail ? at == s->point : at + code.size == s->point)
            *found = at;
          continue;
        }
      if (code.kind != INSTRUCTION_PADDING)
        *found = at;
      if (s->to && (code.kind == INSTRUCTION_BRANCH || code.kind == INSTRUCTION_JUMP)
          && code.target == s->to)
        break;
    }
  return true;
}

/* Edges and calls. */

static uint64_t
edge_count (const struct bolt *bolt, uint64_t from, uint64_t to)
{
  const struct edge *edge;
  for (size_t n = edges_from (&bolt->counted.model->edges, from, &edge); n > 0; n--, edge++)
    if (edge->to == to)
      return edge->count;
  return 0;
}

/* Does another block begin where block I does?  One of them is empty: the profile's edges do not
   tell them apart. */
static bool
is_ambiguous (const struct map *m, const struct function *f, size_t i)
{
  const struct map_block *b = &m->blocks[f->first];
  return (i > 0 && b[i - 1].start == b[i].start)
         || (i + 1 < f->nblocks && b[i + 1].start == b[i].start);
}

static bool
put_edges (const struct bolt *bolt, const struct function *x, const struct function *y, size_t i,
           struct error *err)
{
  const struct map *p = bolt->counted.map, *q = bolt->bare.map;
  const struct map_block *a = &p->blocks[x->first + i];
  bool ok = true;
  for (size_t k = 0; ok && k < a->nways; k++)
    {
      size_t to = p->ways[a->first_way + k].to - x->first;
      uint64_t from;
      if (is_ambiguous (p, x, i) || is_ambiguous (p, x, to))
        continue;
      struct search s = { .start = q->blocks[y->first + i].start,
                          .end = end_of (bolt, y, i),
                          .to = q->blocks[y->first + to].start };
      if (is_ambiguous (q, y, i))
        continue;
      ok = find_instruction (bolt, &s, &from, err);
      if (ok && from)
        put_record (bolt, from, s.to, edge_count (bolt, a->start, p->blocks[x->first + to].start));
    }
  return ok;
}

/* The function's entry in the bare build; 0: none. */
static uint64_t
entry_of (const struct bolt *bolt, uint64_t self)
{
  const struct symbol *s = symtab_find (&bolt->counted.model->symtab, self);
  if (!s)
    return 0;
  for (size_t n = 0;; n++)
    {
      const struct function *x = find_function (&bolt->counted, s->name, n);
      if (!x)
        return 0;
      const struct function *y = x->symbol == s ? find_function (&bolt->bare, s->name, n) : NULL;
      if (y)
        return y->symbol->address;
    }
}

/* The arcs of a call begin behind it, at the last byte of its jump, or behind the profiler's call
   in front of it: behind BEFORE. */
static bool
put_call (const struct bolt *bolt, const struct map_call *call, uint64_t before,
          const struct search *s, struct error *err)
{
  enum { LONGEST = 6 };
  const struct profile *p = &bolt->counted.model->profile;
  uint64_t last = call->point + (call->kind & BBP_CALL_TAIL ? LONGEST : 0), from;
  if (!find_instruction (bolt, s, &from, err))
    return false;
  size_t i = ARRAY_BEFORE (n, p->ncalls, p->calls[n].from <= before);
  for (; from && i < p->ncalls && p->calls[i].from <= last; i++)
    {
      uint64_t to = entry_of (bolt, p->calls[i].self);
      if (to)
        put_record (bolt, from, to, p->calls[i].count);
    }
  return true;
}

static bool
put_calls (const struct bolt *bolt, const struct function *x, const struct function *y, size_t i,
           struct error *err)
{
  const struct map *p = bolt->counted.map, *q = bolt->bare.map;
  const struct map_block *a = &p->blocks[x->first + i], *b = &q->blocks[y->first + i];
  uint64_t before = a->start;
  bool ok = true;
  for (size_t k = 0; ok && k < a->ncalls; k++)
    {
      const struct map_call *call = &p->calls[a->first_call + k],
                            *there = &q->calls[b->first_call + k];
      ok = put_call (bolt, call, before,
                     &(struct search) { .start = b->start,
                                        .end = end_of (bolt, y, i),
                                        .point = there->point,
                                        .tail = (there->kind & BBP_CALL_TAIL) != 0 },
                     err);
      before = call->point;
    }
  return ok;
}

static bool
put_function (struct bolt *bolt, const struct function *x, const struct function *y,
              struct error *err)
{
  bool ok = true;
  for (size_t i = 0; ok && i < x->nblocks; i++)
    {
      const struct edge *edge;
      uint64_t start = bolt->counted.map->blocks[x->first + i].start;
      if (edges_from (&bolt->counted.model->edges, start, &edge) > 0)
        ok = put_edges (bolt, x, y, i, err) && put_calls (bolt, x, y, i, err);
    }
  return ok;
}

/* The bare build. */

static bool
number_symbols (struct bolt *bolt)
{
  const struct symtab *t = &bolt->model.symtab;
  struct function *locals = malloc ((t->count + 1) * sizeof *locals);
  size_t n = 0;
  bolt->numbers = calloc (t->count + 1, sizeof *bolt->numbers);
  for (size_t i = 0; locals && i < t->count; i++)
    if (t->symbols[i].is_static)
      locals[n++] = (struct function) { .symbol = &t->symbols[i] };
  bool ok = locals && bolt->numbers
            && array_sort (locals, n, sizeof *locals, compare_functions, NULL);
  for (size_t i = 0; ok && i < n; i++)
    {
      bool same = i > 0 && strcmp (locals[i].symbol->name, locals[i - 1].symbol->name) == 0;
      locals[i].namesake = same ? locals[i - 1].namesake + 1 : 1;
      bolt->numbers[locals[i].symbol - t->symbols] = locals[i].namesake;
    }
  free (locals);
  return ok;
}

static bool
open_bare (struct bolt *bolt, const char *path, struct error *err)
{
  struct model *m = &bolt->model;
  struct profile nothing = { 0 };
  bool ok = objects_open_program (&m->objects, path, err)
            && objects_finish (&m->objects, &nothing, &m->warnings)
            && symtab_load (&m->symtab, &m->objects, &(struct symtab_choice) { .parts = true }, err)
            && map_read_bare (&bolt->map, &m->objects, err);
  if (ok && bolt->map.count == 0)
    ok = error_set (err, path, ERROR_NO_OFFSET,
                    "it has no map of blocks (compile it with -fplugin=bbprof "
                    "-fplugin-arg-bbprof-blocks=map)");
  return ok && (bolt->code = disassembler_open (m, &m->objects.all[0], err)) != NULL;
}

static bool
put_all (struct bolt *bolt, struct error *err)
{
  bool ok = true;
  for (size_t i = 0; ok && i < bolt->counted.nfunctions; i++)
    {
      const struct function *x = &bolt->counted.functions[i], *y = counterpart (bolt, x);
      bolt->nalike += y != NULL;
      ok = !y || put_function (bolt, x, y, err);
    }
  return ok;
}

bool
export_bolt (FILE *out, const struct export_view *v, struct error *err)
{
  struct bolt bolt = { .out = out, .counted = { .model = v->model, .map = &v->blocks.map } };
  bolt.bare = (struct build) { .model = &bolt.model, .map = &bolt.map };
  bool ok = open_bare (&bolt, v->map, err);
  ok = ok
       && ((find_functions (&bolt.counted) && find_functions (&bolt.bare))
           || error_no_memory (err));
  ok = ok && (number_symbols (&bolt) || error_no_memory (err));
  ok = ok && put_all (&bolt, err);
  if (ok && bolt.nalike == 0)
    ok = error_set (err, v->map, ERROR_NO_OFFSET,
                    "no function has the same blocks in both builds (compile both with the same "
                    "options)");
  else if (ok && bolt.nalike < bolt.counted.nfunctions)
    fprintf (stderr,
             "bbprof export: %zu of %zu functions have other blocks in %s, and are left out\n",
             bolt.counted.nfunctions - bolt.nalike, bolt.counted.nfunctions, v->map);
  disassembler_close (bolt.code);
  map_free (&bolt.map);
  free (bolt.counted.functions);
  free (bolt.bare.functions);
  free (bolt.numbers);
  model_free (&bolt.model);
  return ok && error_if_unwritten (out, err);
}
