/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints executions of blocks as `bbprof blocks' does. */
#include <stdlib.h>

#include "tools/blocks/blocks_emit.h"
#include "tools/decode/trace_model.h"
#include "tools/trace/trace_emit.h"

struct counts {
  struct trace_emitter base;
  uint64_t *counts; /* of each block */
  struct run run;   /* stands for the trace */
  size_t most;
  bool json;
};

static bool
thread (struct trace_emitter *e, const struct trace_thread *thread)
{
  (void) e;
  (void) thread;
  return true;
}

static bool
event (struct trace_emitter *e, const struct trace_event *ev)
{
  if (ev->kind == TRACE_BLOCK)
    ((struct counts *) e)->counts[ev->block->number]++;
  return true;
}

/* Makes a profile with these counts. */
static bool
fill_profile (const struct counts *c, struct profile *p)
{
  const struct trace *t = c->base.trace;
  for (uint32_t i = 0; i < t->graph.nblocks; i++)
    if (c->counts[i] > 0 && t->blocks[i].end > t->blocks[i].address
        && !profile_add_execution (p, t->graph.blocks[i].start, c->counts[i]))
      return false;
  return profile_finish (p);
}

static bool
end (struct trace_emitter *e, struct error *err)
{
  struct counts *c = (struct counts *) e;
  struct model *m = &e->trace->model,
               shown = { .objects = m->objects, .runs = &c->run, .nruns = 1 };
  struct profile p = { 0 };
  struct blocks blocks = { 0 };
  struct block_table table = { .program = e->trace->pieces.program,
                               .model = &shown,
                               .blocks = &blocks,
                               .window = e->window,
                               .function = e->function,
                               .object = e->object };
  bool ok = (fill_profile (c, &p) || error_no_memory (err))
            && blocks_build (&blocks, &m->objects, &m->symtab, &p, err)
            && blocks_choose (&table, c->most, err);
  if (ok && c->json)
    blocks_emit_json (e->out, &table);
  else if (ok)
    ok = blocks_emit_text (e->out, &table, e->style) || error_no_memory (err);
  blocks_choose_free (&table);
  blocks_free (&blocks);
  profile_free (&p);
  return ok;
}

static void
free_counts (struct trace_emitter *e)
{
  free (((struct counts *) e)->counts);
  free (e);
}

struct trace_emitter *
trace_emit_counts (FILE *out, struct trace *trace, const char *path, size_t most, uint64_t window,
                   bool json)
{
  static const struct trace_format format = { thread, event, end, free_counts };
  struct counts *c = calloc (1, sizeof *c);
  if (!c)
    return NULL;
  c->base
      = (struct trace_emitter) { .format = &format, .out = out, .trace = trace, .window = window };
  c->run.profile = path;
  c->most = most;
  c->json = json;
  if ((c->counts = calloc (trace_blocks (trace) + 1, sizeof *c->counts)))
    return &c->base;
  free (c);
  return NULL;
}
