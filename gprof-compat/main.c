/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof-gprof: options -> read -> resolve -> propagate -> emit.  Nothing below this file exits or prints errors. */
#include "config.h"

#include <stdlib.h>

#include "emit.h"
#include "error.h"
#include "name.h"
#include "options.h"
#include "report.h"

/* What the user did not choose: all that the data is there for. */
static bool
choose_styles (struct options *o, const struct profile *p, struct error *err)
{
  bool has_time = p->nhistograms > 0;
  if (o->styles == 0 && !o->sum)
    {
      o->styles = (has_time ? STYLE_FLAT : 0) | (p->has_calls ? STYLE_GRAPH : 0);
      if (o->styles == 0)
        o->styles = STYLE_COUNTS;
      o->styles &= ~o->no_styles;
    }
  if ((o->styles & STYLE_FLAT) && !has_time)
    return error_set (err, o->profiles[0], ERROR_NO_OFFSET,
                      "no histogram in the profile, so there is no flat profile to show");
  if ((o->styles & STYLE_GRAPH) && !p->has_calls)
    return error_set (err, o->profiles[0], ERROR_NO_OFFSET,
                      "no calls in the profile, so there is no call graph to show (was the program compiled with -pg?)");
  return true;
}

/* All parts, each at its place in the output. */
static bool
emit (const struct report *r, struct error *err)
{
  const struct options *o = r->options;
  const struct { const struct emitter *emitter; bool wanted; } parts[] = {
    { &emit_graph, o->traditional && (o->styles & STYLE_GRAPH) },
    { &emit_flat, o->styles & STYLE_FLAT },
    { &emit_graph, !o->traditional && (o->styles & STYLE_GRAPH) },
    { &emit_index, o->styles & STYLE_GRAPH },
  };
  bool first = true;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    {
      const struct emitter *e = parts[i].emitter;
      if (!parts[i].wanted)
        continue;
      if (!first)
        fputs ("\f\n", stdout);
      first = false;
      if (!e->body (stdout, r, err))
        return false;
      if (e->explain && !o->brief)
        e->explain (stdout);
    }
  return error_if_unwritten (stdout, err);
}

/* GNU gprof says nothing then, which looks like a fault. */
static void
note_emptiness (const struct options *o, const struct profile *p, const char *argv0)
{
  if (p->nhistograms == 0 && !p->has_calls)
    fprintf (stderr, "%s: %s: nothing to report: neither samples nor calls%s\n", argv0, o->profiles[0],
             p->has_executions ? " (block counts: bbprof blocks)" : "");
}

static struct symtab_choice
choose_symbols (const struct options *o)
{
  return (struct symtab_choice) { .lines = o->lines,
                                  .no_static = o->no_static,
                                  .only_functions = o->only_functions,
                                  .sources = o->lines || o->inline_files || o->nspecs > 0
                                             || (o->styles & (STYLE_COUNTS | STYLE_SOURCE)),
                                  .file = o->symbols_file };
}

static bool
run (struct options *o, const char *argv0, struct error *err)
{
  struct report r = { .options = o };
  struct model *m = &r.model;
  struct symtab_choice choice = choose_symbols (o);
  if (o->demangle_style)
    name_set_style (o->demangle_style);
  bool ok = model_read (m, o->program, o->profiles, o->nprofiles, &choice, err);
  warnings_print (argv0, &m->warnings);
  ok = ok && (r.specs = specs_resolve (o->specs, o->nspecs, &m->symtab, err)) && choose_styles (o, &m->profile, err)
       && callgraph_build_for (&r.graph, &m->symtab, &m->profile, r.specs, err) && emit (&r, err);
  if (ok)
    note_emptiness (o, &m->profile, argv0);
  callgraph_free (&r.graph);
  specs_free (r.specs);
  model_free (m);
  return ok;
}

int
main (int argc, char **argv)
{
  struct options options;
  struct error err;
  switch (options_parse (&options, argc, argv))
    {
    case OPTIONS_HELP:
      options_usage (stdout, argv[0]);
      return EXIT_SUCCESS;
    case OPTIONS_VERSION:
      puts (PACKAGE_NAME "-gprof " PACKAGE_VERSION "\nLicence GPL-3.0-or-later; there is no warranty.");
      return EXIT_SUCCESS;
    case OPTIONS_WRONG:
      return EXIT_FAILURE;
    case OPTIONS_GO:
      break;
    }
  bool ok = run (&options, argv[0], &err);
  options_free (&options);
  if (ok)
    return EXIT_SUCCESS;
  error_print (argv[0], &err);
  return EXIT_FAILURE;
}
