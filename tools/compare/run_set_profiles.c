/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the model of one profile to a run set, as a run. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "model/files/bbx_losses.h"
#include "model/graph/callgraph.h"
#include "tools/builds/function_names.h"
#include "tools/compare/run_set.h"
#include "tools/report/summary.h"

/* Names.  */

/* libz.so.1.2.13 becomes libz.so: another version has the same functions. */
static size_t
object_length (const char *name)
{
  const char *so = strstr (name, ".so");
  return so && (so[3] == '.' || so[3] == '\0') ? (size_t) (so + 3 - name) : strlen (name);
}

/* The names of the function that a symbol is, or is a copy or part of. */
struct names {
  char *object, *plain;
  const char *file;
};

/* False: no memory; call free_names in both cases. */
static bool
find_names (struct names *n, const struct symbol *symbol)
{
  bool part;
  const struct object *o = symbol->object;
  n->file = function_file (symbol);
  n->object
      = strndup (object_name (o), object_is_executable (o) ? 0 : object_length (object_name (o)));
  n->plain = strndup (symbol->name, function_plain_length (symbol->name, &part));
  return n->object && n->plain;
}

static void
free_names (struct names *n)
{
  free (n->object);
  free (n->plain);
}

/* The function that SYMBOL is, or is a copy or part of; null: no memory. */
static struct run_set_function *
find_function (struct run_set *s, const struct symbol *symbol)
{
  struct names n;
  struct run_set_function *f
      = find_names (&n, symbol) ? run_set_function (s, n.object, n.file, n.plain) : NULL;
  free_names (&n);
  return f;
}

const struct run_set_function *
run_set_find_symbol (const struct run_set *s, const struct symbol *symbol)
{
  struct names n;
  const struct run_set_function *f
      = find_names (&n, symbol) ? run_set_find_names (s, n.object, n.file, n.plain) : NULL;
  free_names (&n);
  return f;
}

/* Losses.  */

/* Keeps the worst cause. */
static bool
add_loss (struct run_set *s, const char *cause, bool unbounded)
{
  if (s->inexact && (s->incomplete || !unbounded))
    return true;
  free (s->inexact);
  s->incomplete = unbounded;
  return (s->inexact = strdup (cause)) != NULL;
}

static bool
add_losses (struct run_set *s, const struct model *m)
{
  struct summary summary;
  bool ok = summary_make (&summary, m), unbounded;
  for (size_t i = 0; ok && i < summary.nlosses; i++)
    if (bbx_loss_is_of_counts (summary.losses[i].cause, &unbounded))
      ok = add_loss (s, summary.losses[i].cause, unbounded);
  summary_free (&summary);
  return ok;
}

/* Counts.  */

/* Counts of one run while they are transferred from symbols to functions. */
struct passage {
  struct run_set *set;
  const struct callgraph *graph;
  uint64_t *executions;                /* of each symbol: the counts of its blocks */
  struct run_set_function **functions; /* of each symbol; null: nothing counted */
};

static bool
is_part (const struct symbol *symbol)
{
  bool part;
  function_plain_length (symbol->name, &part);
  return part;
}

static bool
add_function (struct passage *p, uint32_t symbol)
{
  struct run_set *s = p->set;
  const struct node *n = &p->graph->nodes[symbol];
  uint64_t calls = n->calls + n->self_calls + n->outside_calls;
  if (n->symbol->is_helper || (calls == 0 && p->executions[symbol] == 0 && n->time <= 0))
    return true;
  struct run_set_function *f = p->functions[symbol] = find_function (s, n->symbol);
  if (!f)
    return false;
  if (is_part (n->symbol))
    calls = 0;
  f->now_calls += calls;
  f->now_executions += p->executions[symbol];
  f->samples[s->runs] += n->time;
  s->total.now_calls += calls;
  s->total.samples[s->runs] += n->time;
  return true;
}

/* The caller may have no counts itself. */
static bool
add_arc (struct passage *p, const struct arc *arc)
{
  const struct symbol *caller = p->graph->nodes[arc->parent].symbol,
                      *callee = p->graph->nodes[arc->child].symbol;
  if (arc->count == 0 || caller->is_helper || callee->is_helper || is_part (callee))
    return true;
  if (!p->functions[arc->parent] && !(p->functions[arc->parent] = find_function (p->set, caller)))
    return false;
  struct run_set_arc *a = run_set_arc (p->set, p->functions[arc->parent], p->functions[arc->child]);
  if (a)
    a->now_calls += arc->count;
  return a != NULL;
}

static void
add_executions (struct passage *p, const struct model *m)
{
  for (size_t i = 0; i < m->profile.nexecutions; i++)
    {
      const struct execution *e = &m->profile.executions[i];
      const struct symbol *symbol = symtab_find (&m->symtab, e->address);
      if (symbol)
        p->executions[symbol - m->symtab.symbols] += e->count;
      p->set->total.now_executions += e->count;
    }
}

static bool
add_counts (struct run_set *s, const struct model *m)
{
  struct callgraph graph = { 0 };
  struct error ignored;
  struct passage p = { .set = s, .graph = &graph };
  p.executions = calloc (m->symtab.count + 1, sizeof *p.executions);
  p.functions = calloc (m->symtab.count + 1, sizeof (struct run_set_function *));
  bool ok = p.executions && p.functions
            && callgraph_build (&graph, &m->symtab, &m->profile, &ignored);
  if (ok)
    add_executions (&p, m);
  for (uint32_t i = 0; ok && i < graph.nsymbols; i++)
    ok = add_function (&p, i);
  for (uint32_t i = 0; ok && i < graph.narcs; i++)
    ok = add_arc (&p, &graph.arcs[i]);
  callgraph_free (&graph);
  free (p.functions);
  free (p.executions);
  return ok;
}

static void
end_count (const struct run_set *s, struct run_set_count *c, uint64_t *now)
{
  c->sum += *now;
  c->most = *now > c->most ? *now : c->most;
  c->least = s->runs == 0 || *now < c->least ? *now : c->least;
  *now = 0;
}

static void
end_run (struct run_set *s)
{
  end_count (s, &s->total.calls, &s->total.now_calls);
  end_count (s, &s->total.executions, &s->total.now_executions);
  for (struct run_set_function *f = s->functions; f; f = f->hh.next)
    {
      end_count (s, &f->calls, &f->now_calls);
      end_count (s, &f->executions, &f->now_executions);
    }
  for (struct run_set_arc *a = s->arcs; a; a = a->hh.next)
    end_count (s, &a->calls, &a->now_calls);
  s->runs++;
}

/* Scales the samples of the new run, taken at another RATE, to the rate of the first run. */
static void
scale_samples (struct run_set *s, double rate)
{
  double scale = rate > 0 ? s->rate / rate : 0;
  s->total.samples[s->runs] *= scale;
  for (struct run_set_function *f = s->functions; f; f = f->hh.next)
    f->samples[s->runs] *= scale;
  s->rate = rate > 0 ? s->rate : 0;
}

bool
run_set_add_run (struct run_set *s, const struct model *m)
{
  const struct profile *p = &m->profile;
  const struct build_id *id = &m->objects.all[0].build_id;
  char text[BUILD_ID_TEXT];
  double rate = p->nhistograms > 0 && p->letter == 's' ? p->rate : 0;
  if (!s->build_id && id->size > 0 && !(s->build_id = strdup (build_id_text (id, text))))
    return false;
  if (!add_counts (s, m) || !add_losses (s, m))
    return false;
  if (s->runs == 0)
    s->rate = rate;
  else if (rate != s->rate)
    scale_samples (s, rate);
  s->has_calls &= p->has_calls;
  s->has_executions &= p->has_executions;
  end_run (s);
  return true;
}
