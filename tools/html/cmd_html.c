/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof html: the profile as a page for a browser. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/arguments/page_output.h"
#include "tools/command.h"
#include "tools/compare/baseline.h"
#include "tools/compare/compare_arguments.h"
#include "tools/frames/chosen_threads.h"
#include "tools/html/html_page.h"
#include "tools/program/open_page.h"
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

/* The options and operands for one page: that of a profile, or one side of a comparison. */
struct page_wish {
  const char *program, *output, *threads;
  char **profiles;
  int nprofiles;
  enum frames_shown frames;
  size_t source; /* enum html_source */
  struct source_places places;
  bool no_inlines, force, open;
};

/* A profile that is shown. */
struct shown {
  struct model model;
  struct export_view view;
};

/* Prints warnings, with COMMAND in front, unless that is null. */
static bool
show (struct shown *s, const struct page_wish *w, const char *command, struct error *err)
{
  struct frames_choice choice = { .no_inlines = w->no_inlines, .counts = true };
  bool ok = model_read_stacks (
      &s->model, w->program, w->profiles, w->nprofiles,
      &(struct symtab_choice) { .parts = true, .any_build = w->force, .frames = w->frames }, err);
  s->view = (struct export_view) { .program = w->program, .model = &s->model };
  if (command)
    warnings_print (command, &s->model.warnings);
  bool *threads = ok && w->threads ? chosen_threads (&s->model, w->threads, err) : NULL;
  choice.threads = threads;
  ok = ok && (threads || !w->threads) && export_view_make (&s->view, &choice, err);
  free (threads);
  return ok;
}

static void
shown_free (struct shown *s)
{
  export_view_free (&s->view);
  model_free (&s->model);
}

static bool
write_page (const struct page_wish *w, const struct shown *s, const struct html_comparison *c,
            const char *command, struct error *err)
{
  struct html_choice page
      = { .source = (enum html_source) w->source, .places = w->places, .comparison = c };
  static char *name; /* errors name it */
  const char *output = w->output;
  if (!output && !(output = name = default_name (w->program)))
    return error_no_memory (err);
  if (!page_output_begin (output, err) || !html_page (stdout, &s->view, &page, err)
      || !page_output_end (err))
    return false;
  if (page.sources > 0)
    fprintf (stderr, "%s: the page has the source of %zu function%s; --source=none leaves it out\n",
             command, page.sources, plural (page.sources));
  fprintf (stderr, "%s: the page is in %s\n", command, visible (output));
  return !w->open || open_page (output, err);
}

static bool
show_one (const struct page_wish *w, const char *command, struct error *err)
{
  struct shown s = { 0 };
  bool ok = show (&s, w, command, err) && write_page (w, &s, NULL, command, err);
  shown_free (&s);
  return ok;
}

/* Sets W's program and profiles to the words of a run set.  False: it is a baseline. */
static bool
take_words (struct page_wish *w, char **words, int nwords)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  w->program = words[0];
  w->profiles = nwords > 1 ? words + 1 : default_profiles;
  w->nprofiles = nwords > 1 ? nwords - 1 : 1;
  return !baseline_is (words[nwords - 1]);
}

static bool
compare (struct page_wish *w, const struct compare_arguments *a, const char *command,
         struct error *err)
{
  struct shown old = { 0 }, now = { 0 };
  struct run_set before = { 0 }, after = { 0 };
  struct diff diff = { 0 };
  struct html_comparison c = { .diff = &diff };
  bool ok = run_set_read (&before, command, a->force, a->before, a->nbefore, err)
            && run_set_read (&after, command, a->force, a->now, a->nnow, err)
            && (diff_make (&diff, &before, &after) || error_no_memory (err));
  if (ok && take_words (w, a->before, a->nbefore))
    {
      ok = show (&old, w, NULL, err);
      c.old = &old.view;
    }
  if (ok && !take_words (w, a->now, a->nnow))
    ok = error_set (err, a->now[a->nnow - 1], ERROR_NO_OFFSET,
                    "is a baseline, which has no stacks; the new run set needs profiles");
  ok = ok && show (&now, w, NULL, err) && write_page (w, &now, &c, command, err);
  diff_free (&diff);
  run_set_free (&after);
  run_set_free (&before);
  shown_free (&now);
  shown_free (&old);
  return ok;
}

static enum command_result
run_diff (struct compare_arguments *a, const char *command, struct error *err)
{
  struct page_wish wish = { .output = a->output,
                            .threads = a->of_threads,
                            .frames = (enum frames_shown) a->frames,
                            .source = a->source,
                            .places = a->places,
                            .no_inlines = a->no_inlines,
                            .force = a->force,
                            .open = a->open };
  enum command_result result = compare_arguments_sides (a, command, err);
  if (result == COMMAND_DONE && !compare (&wish, a, command, err))
    result = COMMAND_FAILED;
  return result;
}

static enum command_result
run_one (int argc, char **argv, struct error *err)
{
  struct arguments a;
  enum command_result parsed = arguments_parse (&a, &command_html, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  struct page_wish wish = { .program = a.program,
                            .output = a.output,
                            .threads = a.threads,
                            .profiles = a.profiles,
                            .nprofiles = a.nprofiles,
                            .frames = (enum frames_shown) a.frames,
                            .source = a.source,
                            .places = a.places,
                            .no_inlines = a.no_inlines,
                            .force = a.force,
                            .open = a.open };
  bool ok = show_one (&wish, argv[0], err);
  source_places_free (&a.places);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

/* With --diff, --old or --new the operands are two run sets. */
static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct compare_arguments a;
  enum command_result result = COMMAND_USAGE;
  if (compare_arguments_parse (&a, &command_html, argc, argv))
    result = a.diff || a.nbefore > 0 || a.nnow > 0 ? run_diff (&a, argv[0], err)
                                                   : run_one (argc, argv, err);
  compare_arguments_free (&a);
  return result;
}

static const struct command_option options[] = {
  { 'o', "output", "FILE", "write to FILE (default: PROGRAM.html in the current folder)", NULL },
  { ARGUMENT_OPEN, "open", NULL, "open the page with xdg-open", NULL },
  THREADS_OPTION ("stacks"),
  FRAMES_OPTION,
  { ARGUMENT_NO_INLINES, "no-inlines", NULL, "leave out frames of inlined functions", NULL },
  { ARGUMENT_SOURCE, "source", "WHICH",
    "the functions whose code is in the page: hot (default), all that ran; none: hot, without "
    "source",
    "hot all none" },
  SOURCE_PLACES_OPTIONS,
  { COMPARE_DIFF, "diff", NULL, "compare two profiles: what became slower or faster", NULL },
  RUN_SET_OPTIONS,
  FORCE_OPTION,
  END_OF_OPTIONS,
};

const struct command command_html = {
  .name = "html",
  .summary = "a page for a browser: flame graph, call graph, code, timeline",
  .group = GROUP_LOOK,
  .synopsis = "[option...] [PROGRAM] [gmon.out...]\n"
              "--diff [option...] [PROGRAM] OLD NEW\n"
              "--diff [option...] --old PROGRAM [gmon.out...] --new PROGRAM [gmon.out...]",
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
