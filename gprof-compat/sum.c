/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <unistd.h>

#include "common/array.h"
#include "gprof-compat/sum.h"
#include "model/files/gmon_write.h"
#include "model/files/output_pair.h"
#include "model/sums/bbx_sum.h"

/* The state of a sum: its input and its output files.  MOVES: from the model's addresses to those
   of the sidecar's objects. */
struct sum {
  const struct report *report;
  struct gmon_writer writer;
  struct bbx_sum sidecar;
  struct gmon_moves moves;
  void (*write_call) (const struct gmon_writer *, uint64_t from, uint64_t self, uint64_t count);
};

/* The sidecar. */

/* Reads the sidecar again, because the sum takes over its contents. */
static bool
add_sidecar (struct bbx_sum *sum, const struct run *run, struct error *err)
{
  struct bbx x;
  struct gmon_moves moves = { 0 };
  bbx_read (&x, run->profile, run->number, run->moment);
  bool ok = bbx_sum_place (sum, &x, run->profile, &moves, err)
            && (bbx_sum_take (sum, &x, run->number, &moves) || error_no_memory (err));
  free (moves.moves);
  bbx_free (&x);
  return ok;
}

static bool
add_sidecars (struct bbx_sum *sum, const struct model *m, struct error *err)
{
  for (size_t i = 0; i < m->nruns; i++)
    {
      const struct bbx *x = &m->runs[i].sidecar;
      if (x->state != BBX_WHOLE && x->state != BBX_TORN)
        sum->lacks = true;
      else if (!add_sidecar (sum, &m->runs[i], err))
        return false;
    }
  return true;
}

/* Finds the addresses of the model's objects in the sum. */
static bool
find_objects (struct sum *s)
{
  const struct objects *all = &s->report->model.objects;
  s->moves.moves = malloc (all->count * sizeof *s->moves.moves);
  if (!s->moves.moves)
    return false;
  for (size_t i = 1; i < all->count; i++)
    {
      const struct object *o = &all->all[i];
      struct bbx_run_object same = { .fixed = { .start = o->start,
                                                .end = o->end,
                                                .text_start = o->text_start,
                                                .text_end = o->text_end },
                                     .build_id = o->build_id,
                                     .path = o->path };
      uint64_t base;
      if (bbx_sum_base (&s->sidecar, &same, &base))
        s->moves.moves[s->moves.count++] = (struct gmon_move) { .start = o->base + o->start,
                                                                .end = o->base + o->end,
                                                                .distance = base - o->base };
    }
  return true;
}

static bool
make_sidecar (struct sum *s, struct error *err)
{
  struct gmon_moves unused = { 0 };
  bbx_sum_init (&s->sidecar);
  bool ok
      = add_sidecars (&s->sidecar, &s->report->model, err)
        && ((bbx_sum_finish (&s->sidecar, &unused) && find_objects (s)) || error_no_memory (err));
  free (unused.moves);
  return ok;
}

/* The records. */

static void
write_histograms (const struct sum *s)
{
  const struct profile *p = &s->report->model.profile;
  for (size_t i = 0; i < p->nhistograms; i++)
    {
      struct histogram h = p->histograms[i];
      const struct gmon_move *move = gmon_find_move (&s->moves, h.low, h.high);
      h.low += move ? move->distance : 0;
      h.high += move ? move->distance : 0;
      gmon_write_histogram (&s->writer, p, &h);
    }
}

/* Writes calls from symbol to symbol, except those that exist only in the code. */
static void
write_calls (const struct sum *s)
{
  const struct callgraph *g = &s->report->graph;
  for (uint32_t n = 0; n < g->nsymbols; n++)
    for (uint32_t i = g->first_child[n]; i < g->first_child[n + 1]; i++)
      {
        const struct arc *a = &g->arcs[i];
        if (g->dates[i] < g->nrecorded)
          s->write_call (&s->writer, gmon_moved (&s->moves, g->nodes[n].symbol->address),
                         gmon_moved (&s->moves, g->nodes[a->child].symbol->address), a->count);
      }
}

/* In the order in which the files named them. */
static int
compare_dates (const void *a, const void *b, void *context)
{
  const struct execution *x = a, *y = b;
  (void) context;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Writes the executions symbol by symbol.  Of each symbol those named first come first, because
   GNU gprof keeps ten per line. */
static bool
write_executions (const struct sum *sum)
{
  const struct profile *p = &sum->report->model.profile;
  const struct symtab *t = &sum->report->model.symtab;
  struct execution *list = malloc ((p->nexecutions + 1) * sizeof *list);
  size_t n = 0, start = 0;
  bool ok = list != NULL;
  const struct symbol *last = NULL;
  for (size_t i = 0; ok && i < p->nexecutions; i++)
    {
      const struct symbol *s = symtab_find (t, p->executions[i].address);
      if (!s)
        continue;
      if (s != last)
        {
          ok = array_sort (list + start, n - start, sizeof *list, compare_dates, NULL);
          start = n;
          last = s;
        }
      list[n] = p->executions[i];
      list[n].address = gmon_moved (&sum->moves, list[n].address);
      n++;
    }
  ok = ok && array_sort (list + start, n - start, sizeof *list, compare_dates, NULL);
  if (ok)
    gmon_write_executions (&sum->writer, list, n);
  free (list);
  return ok;
}

static bool
is_bsd (const struct sum *s)
{
  return s->report->options->format == GMON_BSD || s->report->options->format == GMON_44BSD;
}

/* Counters in BSD's files have 16 bits, and a second record is not possible. */
static bool
has_room (const struct sum *s, const char *file, struct error *err)
{
  const struct profile *p = &s->report->model.profile;
  for (size_t i = 0; is_bsd (s) && p->nhistograms > 0 && i < p->histograms[0].nfilled; i++)
    if (p->histograms[0].bins[i].count > UINT16_MAX)
      return error_set (err, file, ERROR_NO_OFFSET,
                        "not written: a count is too large for BSD's format; omit -O");
  return true;
}

static bool
write_records (const struct sum *s)
{
  if (is_bsd (s))
    {
      const struct profile *p = &s->report->model.profile;
      gmon_write_bsd (&s->writer, p,
                      s->report->options->format == GMON_44BSD
                          || p->rate != (uint64_t) sysconf (_SC_CLK_TCK));
      write_calls (s);
      return true;
    }
  gmon_write_header (&s->writer, s->sidecar.run, false);
  write_histograms (s);
  write_calls (s);
  return !s->report->model.profile.has_executions || write_executions (s);
}

static bool
write_pair (struct sum *s, const char *file, struct error *err)
{
  struct output_pair pair;
  bool ok = output_pair_open (&pair, file, s->sidecar.run != 0, err);
  s->writer.output = &pair.profile;
  ok = ok
       && ((write_records (s) && (!pair.has_sidecar || bbx_sum_write (&s->sidecar, &pair.sidecar)))
           || error_no_memory (err))
       && output_pair_publish (&pair, err);
  output_pair_close (&pair);
  return ok;
}

bool
sum_write (const struct report *r, const char *file, struct error *err)
{
  struct gmon_shape shape = gmon_shape_of (model_program (&r->model));
  struct sum s = { .report = r, .writer = { .shape = &shape } };
  s.write_call = is_bsd (&s) ? gmon_write_bsd_call : gmon_write_call;
  bool ok = has_room (&s, file, err) && make_sidecar (&s, err) && write_pair (&s, file, err);
  free (s.moves.moves);
  bbx_sum_free (&s.sidecar);
  return ok;
}
