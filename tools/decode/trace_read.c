/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "model/elf/demangle.h"
#include "model/symbols/srcline.h"
#include "model/symbols/symtab_load.h"
#include "tools/decode/trace_model.h"

/* The program. */

static const struct block *
locate (const struct trace *t, uint64_t address)
{
  size_t before = ARRAY_BEFORE (i, t->located.count, t->located.blocks[i].start <= address);
  return before > 0 && address < t->located.blocks[before - 1].end ? &t->located.blocks[before - 1]
                                                                   : NULL;
}

uint32_t
trace_block_at (const struct trace *t, uint64_t address)
{
  const struct block *b = locate (t, address);
  return b && b->map ? (uint32_t) (b->map - t->located.map.blocks) : GRAPH_NO_BLOCK;
}

static bool
describe_function (struct trace *t, uint32_t i)
{
  const struct graph_function *from = &t->graph.functions[i];
  struct trace_function *to = &t->functions[i];
  const struct block *b = locate (t, t->graph.blocks[from->first].start);
  const char *symbol = b && b->symbol ? b->symbol->name : "?";
  char *name = demangle_name (model_program (&t->model), symbol);
  if (!name && !(name = strdup (symbol)))
    return false;
  *to = (struct trace_function) { .name = name,
                                  .symbol = symbol,
                                  .object = b && b->object ? b->object->path : "?",
                                  .blocks = &t->blocks[from->first],
                                  .nblocks = from->nblocks,
                                  .number = i };
  return true;
}

/* An empty block has no address of its own. */
static void
describe_block (struct trace *t, uint32_t i)
{
  const struct graph_block *from = &t->graph.blocks[i];
  const struct map_block *map = i < t->located.map.count ? &t->located.map.blocks[i] : NULL;
  const struct block *b = locate (t, from->start);
  uint64_t base = b && b->object ? b->object->base : 0;
  t->blocks[i]
      = (struct trace_block) { .address = from->start - base,
                               .end = (b && b->map == map ? b->end : from->start) - base,
                               .function = &t->functions[from->function],
                               .index = i - t->graph.functions[from->function].first,
                               .number = i,
                               .nsuccessors = from->nways,
                               .ways = from->nways
                                       + (map && from->nways && (map->shape & BBP_BLOCK_OUT)) };
}

static bool
make_graph (struct trace *t)
{
  struct graph_lone *lone = malloc ((t->located.count + 1) * sizeof *lone);
  bool ok = lone && graph_make (&t->graph, &t->located.map, lone, trace_sidecar_lone (t, lone));
  free (lone);
  if (t->pieces.version > 1)
    ok = ok && trace_callees_find (t);
  if (ok)
    trace_sidecar_hide (t);
  return ok;
}

static bool
describe (struct trace *t)
{
  t->functions = calloc ((size_t) t->graph.nfunctions + 1, sizeof *t->functions);
  t->blocks = calloc ((size_t) t->graph.nblocks + 1, sizeof *t->blocks);
  bool ok = t->functions && t->blocks;
  for (uint32_t i = 0; ok && i < t->graph.nfunctions; i++)
    ok = describe_function (t, i);
  for (uint32_t i = 0; ok && i < t->graph.nblocks; i++)
    describe_block (t, i);
  return ok;
}

static bool
read_program (struct trace *t, struct warnings *warnings, struct error *err)
{
  struct objects *objects = &t->model.objects;
  return trace_objects_open (&t->mappings, objects, &t->pieces, t->any_build, warnings, err)
         && (trace_sidecar_read (t) || error_no_memory (err))
         && symtab_load (&t->model.symtab, objects, &(struct symtab_choice) { .parts = true }, err)
         && blocks_build (&t->located, objects, &t->model.symtab, &t->model.profile, err)
         && ((make_graph (t) && describe (t)) || error_no_memory (err));
}

/* Interface. */

static bool
tell_losses (const struct pieces *p, struct warnings *warnings)
{
  struct error loss;
  bool ok = true;
  for (size_t i = 0; ok && i < p->nlosses; i++)
    if (p->losses[i].count > 0)
      {
        error_set (&loss, p->name, ERROR_NO_OFFSET, "not recorded: %" PRIu64 " %s",
                   p->losses[i].count, p->losses[i].cause);
        ok = warnings_add (warnings, &loss);
      }
  return ok;
}

struct trace *
trace_open (const char *path, bool any_build, struct warnings *warnings, struct error *err)
{
  struct trace *t = calloc (1, sizeof *t);
  if (t)
    t->any_build = any_build;
  if (!t || !pieces_open (&t->pieces, path, err))
    {
      if (!t)
        error_no_memory (err);
      else if (access (path, R_OK) != 0)
        error_set (err, path, ERROR_NO_OFFSET,
                   "cannot open the trace: %s; compile with -fplugin-arg-bbprof-ax and run with "
                   "BBPROF_OPTIONS=trace=1",
                   strerror (errno));
      free (t);
      return NULL;
    }
  if ((t->pieces.whole || warnings_add (warnings, &t->pieces.why))
      && (tell_losses (&t->pieces, warnings) || error_no_memory (err))
      && read_program (t, warnings, err) && (trace_streams_find (t) || error_no_memory (err)))
    return t;
  error_detach (err, path); /* it outlives the trace */
  trace_close (t);
  return NULL;
}

void
trace_close (struct trace *t)
{
  if (!t)
    return;
  for (uint32_t i = 0; t->functions && i < t->graph.nfunctions; i++)
    free ((char *) t->functions[i].name);
  free (t->functions);
  free (t->blocks);
  free (t->threads);
  free (t->thread_streams);
  free (t->handlers);
  graph_free (&t->graph);
  blocks_free (&t->located);
  trace_objects_free (&t->mappings);
  model_free (&t->model);
  bbx_free (&t->sidecar);
  pieces_close (&t->pieces);
  free (t);
}

uint64_t
trace_run (const struct trace *t)
{
  return t->pieces.run;
}

bool
trace_is_damaged (const struct trace *t)
{
  return !t->pieces.whole && !t->pieces.torn;
}

uint64_t
trace_window (const struct trace *t)
{
  return t->pieces.about.window;
}

size_t
trace_blocks (const struct trace *t)
{
  return t->graph.nblocks;
}

size_t
trace_functions (const struct trace *t)
{
  return t->graph.nfunctions;
}

size_t
trace_threads (const struct trace *t, const struct trace_thread **threads)
{
  *threads = t->threads;
  return t->nthreads;
}

const struct trace_function *
trace_function (const struct trace *t, unsigned number)
{
  return &t->functions[number];
}

const char *
trace_line (const struct trace *t, const struct trace_block *b, unsigned *line)
{
  struct srcline found;
  uint64_t address = t->graph.blocks[b->number].start;
  const struct object *o = objects_find (&t->model.objects, address);
  bool known = o && srcline_find (o, address, &found);
  *line = known ? found.line : 0;
  return known ? found.file : NULL;
}
