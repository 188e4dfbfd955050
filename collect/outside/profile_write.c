/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile as the run-time library writes it: gmon.out has the samples by address, and arcs that
   the stacks tell, or what the process has counted itself; the sidecar all else. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "arch.h"
#include "collect/outside/own_counts.h"
#include "collect/outside/sample_times.h"
#include "collect/outside/session.h"
#include "collect/outside/stack_walk.h"
#include "common/array.h"
#include "model/files/bbx_losses.h"
#include "model/files/bbx_write.h"
#include "model/files/gmon_write.h"
#include "model/files/output_pair.h"
#include "runtime/dump/dump.h"

/* Samples and arcs. */

static bool
is_code (const struct context *c)
{
  return c->kind == BBX_FRAME_CODE || c->kind == BBX_FRAME_INTERRUPTED;
}

/* The innermost node of C's stack that is outside of the kernel. */
static const struct context *
code_of (const struct contexts *t, const struct context *c)
{
  while (bbx_frame_is_kernel (c->kind))
    c = &t->nodes[c->parent];
  return c;
}

/* The virtual address of the function that ADDRESS is in; or ADDRESS. */
static uint64_t
function_of (const struct process *p, uint64_t address)
{
  const struct process_object *o = process_object_at (p, address);
  struct bbp_cfi cfi;
  return o && object_file_cfi (o->file, address - o->base, &cfi) ? cfi.start + o->base : address;
}

/* The tree as the run-time library has it: SELF is a function, FROM the call that led there. */
static bool
make_tree (const struct process *p, struct bbp_tree *tree)
{
  const struct contexts *t = &p->tree;
  bool *calls = calloc (t->count + 1, sizeof *calls); /* has this node called something? */
  *tree = (struct bbp_tree) { .n = t->count ? t->count - 1 : 0 };
  tree->node = calloc (tree->n + 1, sizeof *tree->node);
  for (size_t i = tree->n; calls && tree->node && i > 0; i--)
    {
      const struct context *c = &t->nodes[i], *parent = &t->nodes[c->parent];
      struct bbp_tree_node *node = &tree->node[i - 1];
      node->parent = c->parent;
      node->below += c->ticks;
      if (c->parent)
        tree->node[c->parent - 1].below += node->below;
      if (!is_code (c) || node->below == 0)
        continue;
      node->self = function_of (p, c->address - (calls[i] && c->kind == BBX_FRAME_CODE));
      if (is_code (parent))
        {
          node->from = parent->address;
          calls[c->parent] = true;
        }
    }
  const bool good = calls && tree->node;
  free (calls);
  return good;
}

static bool
make_arcs (const struct process *p, struct bbp_counts *arcs)
{
  struct bbp_tree tree;
  const bool good = make_tree (p, &tree) && bbp_tree_arcs (arcs, &tree) == 0;
  free (tree.node);
  return good;
}

/* The samples by address. */
static bool
make_samples (const struct process *p, struct bbp_counts *samples)
{
  bool good = true;
  for (size_t i = 1; good && i < p->tree.count; i++)
    {
      const struct context *c = &p->tree.nodes[i], *code = code_of (&p->tree, c);
      if (c->ticks > 0 && is_code (code))
        good = bbp_counts_put (samples, 0, code->address, c->ticks);
    }
  bbp_counts_unite (samples);
  return good;
}

/* Writing gmon.out. */

enum { BIN_BYTES = 2, STRETCH = 4096 };

/* The samples from LOW to HIGH as a histogram; *NEXT: the first that is not below HIGH. */
static bool
write_stretch (const struct gmon_writer *w, const struct profile *units, uint64_t low,
               uint64_t high, const struct bbp_counts *samples, size_t *next)
{
  struct histogram h = { .low = low, .high = high, .nbins = (uint32_t) ((high - low) / BIN_BYTES) };
  size_t room = 0;
  bool good = true;
  for (; good && *next < samples->n && samples->item[*next].self < high; ++*next)
    {
      const struct bbp_count *s = &samples->item[*next];
      const uint32_t index = (uint32_t) ((s->self - low) / BIN_BYTES);
      if (h.nfilled > 0 && h.bins[h.nfilled - 1].index == index)
        h.bins[h.nfilled - 1].count += s->count;
      else if ((good = array_grow (&h.bins, h.nfilled, &room, sizeof *h.bins)))
        h.bins[h.nfilled++] = (struct bin) { index, s->count };
    }
  if (good)
    gmon_write_histogram (w, units, &h);
  free (h.bins);
  return good;
}

/* The executable has one histogram; other objects one for each page with samples. */
static bool
write_histograms (const struct gmon_writer *w, const struct outside *o, const struct process *p,
                  const struct bbp_counts *samples)
{
  const struct profile units
      = { .rate = o->options.rate, .dimension = "seconds", .letter = 's', .scale = 1 };
  const struct object_file *executable = p->objects[0].file;
  const uint64_t low = executable->text_start & -(uint64_t) 4,
                 high = (executable->text_end + 3) & -(uint64_t) 4;
  size_t next = 0;
  while (next < samples->n && samples->item[next].self < low)
    next++;
  bool good = write_stretch (w, &units, low, high, samples, &next);
  while (good && next < samples->n)
    {
      const uint64_t page = samples->item[next].self & -(uint64_t) STRETCH;
      good = write_stretch (w, &units, page, page + STRETCH, samples, &next);
    }
  return good;
}

/* Has the process counted calls?  COUNTS may be null. */
static bool
has_calls (const struct own_counts *counts)
{
  return counts && counts->profile.ncalls > 0;
}

static bool
write_estimated_calls (const struct gmon_writer *w, const struct process *p)
{
  struct bbp_counts arcs = { 0 };
  const bool good = make_arcs (p, &arcs);
  for (size_t i = 0; good && i < arcs.n; i++)
    gmon_write_call (w, arcs.item[i].from, arcs.item[i].self, arcs.item[i].count);
  bbp_counts_free (&arcs);
  return good;
}

static void
write_counts (const struct gmon_writer *w, const struct profile *p)
{
  for (size_t i = 0; i < p->ncalls; i++)
    gmon_write_call (w, p->calls[i].from, p->calls[i].self, p->calls[i].count);
  if (p->has_executions)
    gmon_write_executions (w, p->executions, p->nexecutions);
}

static bool
write_gmon (struct output *out, const struct outside *o, const struct process *p,
            const struct own_counts *counts)
{
  const struct gmon_shape shape = gmon_shape_unknown ();
  const struct gmon_writer w = { out, &shape };
  struct bbp_counts samples = { 0 };
  bool good = make_samples (p, &samples);
  gmon_write_header (&w, p->run, !has_calls (counts) || counts->exact_callers);
  good = good && write_histograms (&w, o, p, &samples)
         && (has_calls (counts) || write_estimated_calls (&w, p));
  if (counts)
    write_counts (&w, &counts->profile);
  bbp_counts_free (&samples);
  return good;
}

/* Writing the sidecar. */

static uint64_t
cpu_of_all (const struct process *p, uint64_t now)
{
  uint64_t cpu = 0;
  for (size_t i = 0; i < p->nthreads; i++)
    cpu += process_thread_cpu (p->all[i], now);
  return cpu;
}

static bool
write_run (struct output *out, const struct outside *o, const struct process *p, uint64_t now)
{
  const struct bbx_process run = {
    .fixed = { .started = p->began_at,
               .wall = now - p->began,
               .cpu = cpu_of_all (p, now),
               .pid = (uint32_t) p->pid,
               .parent = (uint32_t) p->parent,
               .rate = o->options.rate,
               .dump = 1,
               .threads = p->most_threads,
               .samples = p->samples },
    .program = p->objects[0].file->path,
  };
  return bbx_write_run (out, &run);
}

static bool
write_machine (struct output *out, const struct process *p)
{
  struct bbx_machine machine = { .processors = p->processors, .processes = 1 };
  struct utsname name;
  if (uname (&name) == 0)
    snprintf (machine.system, sizeof machine.system, "%.20s %.36s %.12s", name.sysname,
              name.release, name.machine);
  bbp_arch_processor (machine.processor, sizeof machine.processor);
  return bbx_write_machine (out, &machine);
}

/* An object of P, and what its process says of it: null, or nothing. */
static bool
write_object (struct output *out, const struct process_object *o, const struct bbx_run_object *own,
              uint32_t flags)
{
  const struct object_file *f = o->file;
  const struct bbx_run_object object = {
    .fixed = { .base = o->base,
               .start = f->start,
               .end = f->end,
               .text_start = f->text_start,
               .text_end = f->text_end,
               .bias = o->bias,
               .loads = o->loads,
               .flags = flags | (own ? own->fixed.flags & BBX_OBJECT_BLOCKS : 0) },
    .build_id = f->build_id,
    .path = f->path,
  };
  return bbx_write_object (out, &object);
}

static bool
write_objects (struct output *out, const struct process *p, const struct own_counts *counts)
{
  bool good = true;
  for (size_t i = 0; good && i < p->nobjects; i++)
    good = write_object (out, &p->objects[i],
                         counts ? own_counts_object (counts, p->objects[i].base) : NULL,
                         i == 0 ? BBX_OBJECT_EXECUTABLE : 0);
  for (size_t i = 0; good && counts && i < counts->sidecar.nobjects; i++)
    if (!counts->known[i])
      good = bbx_write_object (out, &counts->sidecar.objects[i]);
  return good;
}

static bool
write_how (struct output *out, const struct outside *o, const struct process *p,
           const struct own_counts *counts, uint64_t now)
{
  struct bbx_sampling how = { .sampler = "outside",
                              .clock = o->options.wall,
                              .asked = o->options.rate,
                              .rate = o->options.rate,
                              .depth = STACK_DEPTH,
                              .flags = (has_calls (counts) ? 0 : BBX_SAMPLING_ARCS)
                                       | (o->options.wants ? BBX_SAMPLING_CHOSEN : 0),
                              .samples = p->samples,
                              .cut = p->cut,
                              .wall = now - p->began,
                              .cpu = cpu_of_all (p, now) };
  for (size_t i = 1; i < p->tree.count; i++)
    how.ticks += p->tree.nodes[i].ticks;
  return bbx_write_sampling (out, &how);
}

static bool
write_threads (struct output *out, const struct process *p, uint64_t now)
{
  bool good = true;
  for (size_t i = 0; good && i < p->nthreads; i++)
    {
      const struct process_thread *t = p->all[i];
      struct bbx_thread thread = { .number = t->number,
                                   .tid = t->tid,
                                   .begun = t->begun > p->began ? t->begun - p->began : 0,
                                   .ended = t->ended ? t->ended - p->began : 0,
                                   .cpu = process_thread_cpu (t, now) };
      memcpy (thread.name, t->name, sizeof thread.name);
      good = bbx_write_thread (out, &thread);
    }
  return good;
}

static bool
write_contexts (struct output *out, const struct process *p)
{
  const size_t n = p->tree.count ? p->tree.count - 1 : 0;
  struct bbx_node *nodes = calloc (n + 1, sizeof *nodes);
  for (size_t i = 0; nodes && i < n; i++)
    {
      const struct context *c = &p->tree.nodes[i + 1];
      nodes[i] = (struct bbx_node) { .address = c->address,
                                     .ticks = c->ticks,
                                     .parent = c->parent,
                                     .kind = c->kind,
                                     .by_pointer = c->by_pointer };
    }
  const bool good = nodes && bbx_write_kernel (out, &p->kernel)
                    && bbx_write_contexts (out, nodes, n);
  free (nodes);
  return good;
}

static bool
write_losses (struct output *out, const struct outside *o, const struct process *p,
              const struct own_counts *counts)
{
  const struct bbx_loss samples[] = {
    { o->lost, BBX_LOST_RECORDS },     { p->lost_memory + o->lost_memory, BBX_LOST_SAMPLES },
    { p->nowhere, BBX_LOST_NOWHERE },  { p->replaced, BBX_LOST_REPLACED },
    { p->lost_times, BBX_LOST_TIMES },
  };
  enum { OF_SAMPLES = sizeof samples / sizeof *samples };
  const size_t most = OF_SAMPLES + (counts ? counts->sidecar.nlosses : 0);
  struct bbx_loss *losses = malloc (most * sizeof *losses);
  if (!losses)
    return false;
  memcpy (losses, samples, sizeof samples);
  size_t n = OF_SAMPLES;
  bool unbounded;
  for (size_t i = 0; i < most - OF_SAMPLES; i++)
    if (bbx_loss_is_of_counts (counts->sidecar.losses[i].cause, &unbounded))
      losses[n++] = counts->sidecar.losses[i];
  const bool good = bbx_write_losses (out, losses, n);
  free (losses);
  return good;
}

static bool
write_sidecar (struct output *out, const struct outside *o, const struct process *p,
               const struct own_counts *counts)
{
  const uint64_t now = p->ended ? p->ended : o->now;
  bbx_write_header (out, p->run);
  return write_run (out, o, p, now) && write_machine (out, p) && write_objects (out, p, counts)
         && (!counts || own_counts_write_lists (counts, out)) && write_how (out, o, p, counts, now)
         && write_threads (out, p, now) && write_contexts (out, p)
         && write_losses (out, o, p, counts) && bbx_write_end (out);
}

bool
outside_write (const struct outside *o, const struct process *p, const struct own_counts *counts,
               const char *output, struct error *err)
{
  struct output_pair pair;
  if (p->nobjects == 0)
    return error_set (err, output, ERROR_NO_OFFSET,
                      "no profile: process %d ended before its program was known", (int) p->pid);
  bool ok = output_pair_open (&pair, output, true, err);
  if (ok
      && (!write_gmon (&pair.profile, o, p, counts)
          || !write_sidecar (&pair.sidecar, o, p, counts)))
    ok = error_no_memory (err);
  ok = ok && output_pair_publish (&pair, err);
  if (ok && o->options.times && !sample_times_write (p, output))
    ok = error_set (err, output, ERROR_NO_OFFSET,
                    "the times of its samples (%s) could not be written", BBS_SUFFIX);
  output_pair_close (&pair);
  return ok;
}
