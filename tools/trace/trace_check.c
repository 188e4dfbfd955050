/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the trace with the counters of the same run: all executions of all traced blocks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/visible.h"
#include "model/symbols/srcline.h"
#include "tools/decode/trace_model.h"
#include "tools/trace/trace_emit.h"
#include "tools/view/plural.h"

enum { MOST_SHOWN = 20 };

struct check {
  struct trace_emitter base;
  const char *profile;
  uint64_t *counts; /* of each block: executions in the trace */
  uint64_t mistakes;
  bool partial; /* the trace has gaps, or no end */
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
  struct check *c = (struct check *) e;
  if (ev->kind == TRACE_BLOCK)
    c->counts[ev->block->number]++;
  else if (ev->kind == TRACE_LOST)
    {
      c->mistakes += ev->why != NULL;
      c->partial = true;
    }
  else if (ev->kind == TRACE_END)
    c->partial |= ev->cut;
  return true;
}

/* The object of the profile that is the trace's O; or null. */
static const struct object *
find_object (const struct model *m, const struct object *o)
{
  for (size_t i = 0; i < m->objects.count; i++)
    {
      const struct object *other = &m->objects.all[i];
      if (strcmp (other->path, o->path) == 0 && build_id_equal (&other->build_id, &o->build_id))
        return other;
    }
  return NULL;
}

static uint64_t
executions (const struct profile *p, uint64_t address)
{
  size_t before = ARRAY_BEFORE (i, p->nexecutions, p->executions[i].address < address);
  return before < p->nexecutions && p->executions[before].address == address
             ? p->executions[before].count
             : 0;
}

static void
print_difference (const struct check *c, uint32_t i, uint64_t counted)
{
  const struct trace_block *b = &c->base.trace->blocks[i];
  unsigned line;
  const char *file = trace_line (c->base.trace, b, &line);
  fprintf (c->base.out, "0x%" PRIx64 " %s:%u %s: trace %" PRIu64 ", profile %" PRIu64 "\n",
           b->address, file ? visible (srcline_base (file)) : "?", line,
           visible (b->function->name), c->counts[i], counted);
}

/* Compares with the profile M; returns the number of blocks that differ.  Executions that were
   not recorded may be missing. */
static size_t
compare (const struct check *c, const struct model *m)
{
  const struct trace *t = c->base.trace;
  size_t executed = 0, different = 0;
  uint64_t total = 0, missing = 0;
  for (uint32_t i = 0; i < t->graph.nblocks; i++)
    {
      const struct object *o = objects_find (&t->model.objects, t->graph.blocks[i].start),
                          *its = o ? find_object (m, o) : NULL;
      if ((i < t->located.map.count && !t->located.map.blocks[i].traced)
          || t->graph.blocks[i].hidden || t->blocks[i].end == t->blocks[i].address)
        continue;
      uint64_t counted = its ? executions (&m->profile, its->base + t->blocks[i].address) : 0;
      executed += c->counts[i] != 0;
      total += c->counts[i];
      missing += counted > c->counts[i] ? counted - c->counts[i] : 0;
      if ((c->partial ? counted < c->counts[i] : counted != c->counts[i])
          && ++different <= MOST_SHOWN)
        print_difference (c, i, counted);
    }
  if (different == 0 && missing == 0)
    fprintf (c->base.out, "%zu block%s, %" PRIu64 " execution%s: equal\n", executed,
             plural (executed), total, plural (total));
  else if (different == 0)
    fprintf (c->base.out,
             "%zu block%s, %" PRIu64 " execution%s; %" PRIu64
             " more %s counted, and not all was recorded\n",
             executed, plural (executed), total, plural (total), missing,
             missing == 1 ? "was" : "were");
  return different;
}

static bool
end (struct trace_emitter *e, struct error *err)
{
  const struct check *c = (const struct check *) e;
  char *profiles[] = { (char *) c->profile, NULL };
  struct model m = { 0 };
  bool ok = model_read (&m, e->trace->mappings.program, profiles, 1,
                        &(struct symtab_choice) { .parts = true, .any_build = e->trace->any_build },
                        err);
  warnings_print ("bbprof trace", &m.warnings);
  if (ok)
    {
      size_t different = compare (c, &m);
      ok = (different == 0
            || error_set (err, c->profile, ERROR_NO_OFFSET, "%zu block%s", different,
                          different == 1 ? " differs" : "s differ"))
           && (c->mistakes == 0
               || error_set (err, NULL, ERROR_NO_OFFSET, "the trace has %" PRIu64 " mistake%s",
                             c->mistakes, plural (c->mistakes)));
    }
  if (!ok)
    error_detach (err, NULL);
  model_free (&m);
  return ok;
}

static void
free_check (struct trace_emitter *e)
{
  free (((struct check *) e)->counts);
  free (e);
}

struct trace_emitter *
trace_emit_check (FILE *out, struct trace *trace, const char *profile)
{
  static const struct trace_format format = { thread, event, end, free_check };
  struct check *c = calloc (1, sizeof *c);
  if (!c)
    return NULL;
  c->base = (struct trace_emitter) { .format = &format, .out = out, .trace = trace };
  c->profile = profile;
  for (size_t i = 0; i < trace->pieces.nlosses; i++)
    c->partial |= trace->pieces.losses[i].count > 0;
  if ((c->counts = calloc (trace_blocks (trace) + 1, sizeof *c->counts)))
    return &c->base;
  free (c);
  return NULL;
}
