/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof-gprof: options -> read -> resolve -> propagate -> emit.  Nothing below this file exits or prints errors. */
#include "config.h"

#include <stdlib.h>

#include "emit.h"
#include "error.h"
#include "options.h"
#include "report.h"

/* What the user did not choose: all that the data is there for. */
static bool
choose_parts (struct options *o, const struct profile *p, struct error *err)
{
  bool has_time = p->nhistograms > 0;
  if (!o->flat && !o->graph)
    {
      o->flat = has_time;
      o->graph = p->has_calls;
      return true;
    }
  if (o->flat && !has_time)
    return error_set (err, o->profiles[0], ERROR_NO_OFFSET,
                      "no histogram in the profile, so there is no flat profile to show");
  if (o->graph && !p->has_calls)
    return error_set (err, o->profiles[0], ERROR_NO_OFFSET,
                      "no calls in the profile, so there is no call graph to show (was the program compiled with -pg?)");
  return true;
}

static bool
emit (const struct report *r, const struct options *o, struct error *err)
{
  const struct { const struct emitter *emitter; bool wanted; } parts[]
      = { { &emit_flat, o->flat }, { &emit_graph, o->graph }, { &emit_index, o->graph } };
  bool first = true;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    {
      const struct emitter *e = parts[i].emitter;
      if (!parts[i].wanted)
        continue;
      if (!first)
        fputs ("\f\n", stdout);
      first = false;
      if (!e->body (stdout, r, o->brief))
        return error_no_memory (err);
      if (e->explain && !o->brief)
        e->explain (stdout);
    }
  return error_if_unwritten (stdout, err);
}

/* GNU gprof says nothing then, which looks like a fault. */
static void
note_emptiness (const struct options *o, const struct profile *p, const char *argv0)
{
  if (!o->flat && !o->graph)
    fprintf (stderr, "%s: %s: nothing to report: neither samples nor calls%s\n", argv0, o->profiles[0],
             p->has_executions ? " (block counts: bbprof blocks)" : "");
}

static bool
run (struct options *o, const char *argv0, struct error *err)
{
  struct report r = { 0 };
  struct model *m = &r.model;
  bool ok = model_read (m, o->program, o->profiles, o->nprofiles, &(struct symtab_choice) { 0 }, err);
  warnings_print (argv0, &m->warnings);
  ok = ok && choose_parts (o, &m->profile, err) && callgraph_build (&r.graph, &m->symtab, &m->profile, err)
       && emit (&r, o, err);
  if (ok)
    note_emptiness (o, &m->profile, argv0);
  callgraph_free (&r.graph);
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
      options_usage (stderr, argv[0]);
      return EXIT_FAILURE;
    case OPTIONS_GO:
      break;
    }
  if (run (&options, argv[0], &err))
    return EXIT_SUCCESS;
  error_print (argv[0], &err);
  return EXIT_FAILURE;
}
