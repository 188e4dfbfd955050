/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof html: the profile as a page for a browser. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/arguments/page_output.h"
#include "tools/command.h"
#include "tools/frames/chosen_threads.h"
#include "tools/html/html_page.h"
#include "tools/view/plural.h"

#define SUFFIX ".html"

/* PROGRAM.html in the current folder, in new memory; null: out of memory. */
static char *
default_name (const char *program)
{
  const char *slash = strrchr (program, '/'), *base = slash ? slash + 1 : program;
  char *name = malloc (strlen (base) + sizeof SUFFIX);
  if (name)
    sprintf (name, "%s" SUFFIX, base);
  return name;
}

static bool
print (const struct arguments *a, struct export_view *v, struct html_choice *page,
       struct error *err)
{
  struct frames_choice choice = { .no_inlines = a->no_inlines, .counts = true };
  bool *threads = a->threads ? chosen_threads (v->model, a->threads, err) : NULL;
  choice.threads = threads;
  bool ok = (threads || !a->threads) && export_view_make (v, &choice, err)
            && html_page (stdout, v, page, err);
  export_view_free (v);
  free (threads);
  return ok;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  static char *name; /* errors name it */
  struct arguments a;
  struct model model = { 0 };
  enum command_result parsed = arguments_parse (&a, &command_html, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  struct html_choice page = { .source = (enum html_source) a.source };
  bool ok = model_read_stacks (&model, a.program, a.profiles, a.nprofiles,
                               &(struct symtab_choice) { .parts = true, .any_build = a.force },
                               err);
  warnings_print (argv[0], &model.warnings);
  struct export_view view = { .program = a.program, .model = &model };
  if (ok && !a.output)
    ok = (a.output = name = default_name (a.program)) || error_no_memory (err);
  ok = ok && page_output_begin (a.output, err) && print (&a, &view, &page, err)
       && page_output_end (err);
  if (ok && page.sources > 0)
    fprintf (stderr, "%s: the page has the source of %zu function%s; --source=none leaves it out\n",
             argv[0], page.sources, plural (page.sources));
  if (ok)
    fprintf (stderr, "%s: the page is in %s\n", argv[0], visible (a.output));
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  { 'o', "output", "FILE", "write to FILE (default: PROGRAM.html in the current folder)", NULL },
  THREADS_OPTION ("stacks"),
  { ARGUMENT_NO_INLINES, "no-inlines", NULL, "leave out frames of inlined functions", NULL },
  { ARGUMENT_SOURCE, "source", "WHICH",
    "the functions whose code is in the page: hot (default), all that ran; none: hot, without "
    "source",
    "hot all none" },
  FORCE_OPTION,
  END_OF_OPTIONS,
};

const struct command command_html = {
  .name = "html",
  .summary = "a page for a browser: flame graph, call graph, code, timeline",
  .group = GROUP_LOOK,
  .synopsis = "[option...] [PROGRAM] [gmon.out...]",
  .description
  = "Writes one file for a browser, which shows the profile as a flame graph, as a table of "
    "functions, as call graph, as source and machine code, as graphs of blocks, and as timeline.  "
    "The page loads nothing and needs no network.  Several profiles are added up.  "
    "Without PROGRAM: the program that the profile names.",
  .notes = "The flame graph needs samples with call stacks (bbprof record), the timeline bbprof "
           "record --timeline.  The page explains its keys (?); its address names the view that it "
           "shows.",
  .options = options,
  .run = run,
};
