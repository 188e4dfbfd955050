/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof-gprof: options -> read -> resolve -> propagate -> emit.  No other file of this room
   exits or prints errors. */
#include "config.h"

#include <stdlib.h>

#include "common/error.h"
#include "common/visible.h"
#include "gprof-compat/emit.h"
#include "gprof-compat/file_info.h"
#include "gprof-compat/gprof_options.h"
#include "gprof-compat/report.h"
#include "gprof-compat/sum.h"
#include "model/elf/demangle.h"
#include "model/symbols/symbol_sources.h"

/* Adds defaults: all parts that the profiles have data for. */
static bool
choose_styles (struct options *o, struct model *m, struct error *err)
{
  const struct profile *p = &m->profile;
  bool has_time = p->nhistograms > 0;
  if (o->styles == 0 && !o->sum && !o->file_info)
    {
      o->styles = (has_time ? STYLE_FLAT : 0) | (p->has_calls ? STYLE_GRAPH : 0);
      if (o->styles == 0)
        {
          o->styles = STYLE_COUNTS;
          /* Only this default needs symbols. */
          if (!o->symbols_file && !symbol_sources_find (&m->symtab))
            return error_no_memory (err);
        }
      o->styles &= ~o->no_styles;
    }
  if ((o->styles & STYLE_FLAT) && !has_time)
    return error_set (err, o->profiles[0], ERROR_NO_OFFSET,
                      "no histogram in the profile, so there is no flat profile");
  if ((o->styles & STYLE_GRAPH) && !p->has_calls)
    return error_set (err, o->profiles[0], ERROR_NO_OFFSET,
                      "no calls in the profile, so there is no call graph (was the program "
                      "compiled with -pg?)");
  return true;
}

/* Prints all parts, each at its place in the output. */
static bool
emit (struct report *r, struct error *err)
{
  const struct options *o = r->options;
  const struct {
    const struct emitter *emitter;
    bool wanted;
  } parts[] = {
    { &emit_graph, o->traditional && (o->styles & STYLE_GRAPH) },
    { &emit_flat, o->styles & STYLE_FLAT },
    { &emit_graph, !o->traditional && (o->styles & STYLE_GRAPH) },
    { &emit_index, o->styles & STYLE_GRAPH },
    { &emit_counts, o->styles & STYLE_COUNTS },
    { &emit_source, o->styles & STYLE_SOURCE },
    { &emit_function_order, o->styles & STYLE_FUNCTION_ORDER },
    { &emit_file_order, o->styles & STYLE_FILE_ORDER },
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    {
      const struct emitter *e = parts[i].emitter;
      if (!parts[i].wanted)
        continue;
      if (!e->unbroken)
        report_break (r, stdout);
      if (!e->body (stdout, r, err))
        return false;
      if (e->explain && !o->brief)
        e->explain (stdout);
    }
  return error_if_unwritten (stdout, err);
}

static struct symtab_choice
choose_symbols (const struct options *o, const struct model *m, const struct order_map *map)
{
  return (struct symtab_choice) { .executed = o->gnu ? NULL : &m->profile,
                                  .needs_table = o->gnu,
                                  .any_build = o->force,
                                  .lines = o->lines,
                                  .no_static = o->no_static,
                                  .only_functions = o->only_functions,
                                  .sources = o->lines || o->inline_files || o->nspecs > 0
                                             || (o->styles & (STYLE_COUNTS | STYLE_SOURCE)),
                                  .file = o->symbols_file,
                                  .map = o->order_file ? map : NULL };
}

/* Builds the functions and calls that the selected parts need. */
static bool
build_graph (struct report *r, struct error *err)
{
  const struct options *o = r->options;
  const struct model *m = &r->model;
  struct code_calls calls = { 0 };
  r->specs = specs_resolve (o->specs, o->nspecs, &m->symtab, err);
  struct callgraph_choice choice = { .specs = r->specs, .calls = &calls };
  bool ok = r->specs
            && (!o->scan_code || !m->profile.has_calls
                || code_calls_find (&calls, model_program (m), &m->symtab, &m->profile, err))
            && callgraph_build_for (&r->graph, &m->symtab, &m->profile, &choice, err);
  code_calls_free (&calls);
  return ok;
}

/* Is there any data to report?  Orders of functions need no profile. */
static bool
has_subject (const struct options *o, const struct profile *p)
{
  bool executions = (o->styles & (STYLE_COUNTS | STYLE_SOURCE)) && (p->has_executions || o->unused);
  bool order = o->styles & (STYLE_FUNCTION_ORDER | STYLE_FILE_ORDER);
  return p->nhistograms > 0 || p->has_calls || executions || order || o->file_info;
}

/* Explains an empty report.  GNU gprof prints nothing then. */
static void
note (const struct report *r, const char *argv0)
{
  const struct options *o = r->options;
  const struct profile *p = &r->model.profile;
  const struct image *im = model_program (&r->model);
  if (!has_subject (o, p))
    fprintf (stderr, "%s: %s: nothing to report: neither samples nor calls%s\n", argv0,
             visible (o->profiles[0]), p->has_executions ? " (block counts: bbprof blocks)" : "");
  if (o->scan_code && !code_calls_can (im))
    fprintf (stderr, "%s: %s: -c finds no calls: unknown machine code (%s)\n", argv0, o->program,
             im->machine_name);
}

/* Are the calls of some profile estimates from samples, because calls were not counted? */
static bool
are_calls_estimated (const struct model *m)
{
  for (size_t i = 0; i < m->nruns; i++)
    {
      const struct bbx_stacks *s = &m->runs[i].sidecar.stacks;
      if (s->nsamplings > 0 && (s->samplings[0].flags & BBX_SAMPLING_ARCS))
        return m->profile.has_calls;
    }
  return false;
}

static bool
run (struct options *o, const char *argv0, struct error *err)
{
  struct report r = { .options = o };
  struct model *m = &r.model;
  struct symtab_choice choice = choose_symbols (o, m, &r.order_map);
  if (o->demangle_style)
    demangle_set_style (o->demangle_style);
  bool ok
      = (!o->order_file || order_map_read (&r.order_map, o->order_file, err))
        && model_read_format (m, o->program, o->profiles, o->nprofiles, o->format, &choice, err);
  if (o->file_info)
    file_info_print (stdout, m);
  bool page = ok && o->force && !o->gnu;
  warnings_print_beside (argv0, &m->warnings, page);
  if (page)
    warnings_show (stdout, &m->warnings);
  if (ok && !o->gnu && !o->sum && are_calls_estimated (m))
    fputs ("Calls are estimated from samples; they were not counted (bbprof record).\n\n", stdout);
  r.begun = o->file_info;
  ok = ok && build_graph (&r, err) && (!o->sum || sum_write (&r, "gmon.sum", err))
       && choose_styles (o, m, err) && emit (&r, err);
  warnings_print (argv0, &r.warnings);
  if (ok)
    note (&r, argv0);
  warnings_free (&r.warnings);
  callgraph_free (&r.graph);
  specs_free (r.specs);
  model_free (m);
  order_map_free (&r.order_map);
  return ok;
}

int
main (int argc, char **argv)
{
  static char output[1 << 18]; /* libc's own buffer has one page only */
  struct options options;
  struct error err;
  bool ok = false;
  setvbuf (stdout, output, _IOFBF, sizeof output);
  visible_stderr ();
  switch (options_parse (&options, argc, argv))
    {
    case OPTIONS_HELP:
      options_usage (stdout);
      ok = error_if_unwritten (stdout, &err);
      break;
    case OPTIONS_VERSION:
      puts (PACKAGE_NAME "-gprof " PACKAGE_VERSION
                         "\nLicence GPL-3.0-or-later; there is no warranty.");
      ok = error_if_unwritten (stdout, &err);
      break;
    case OPTIONS_WRONG: return EXIT_FAILURE;
    case OPTIONS_GO:
      ok = run (&options, argv[0], &err);
      options_free (&options);
      break;
    }
  if (ok)
    return EXIT_SUCCESS;
  error_print (argv[0], &err);
  return EXIT_FAILURE;
}
