/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof timeline: which thread ran when. */
#include "config.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/program/profile_program.h"
#include "tools/record/record.h"
#include "tools/timeline/timeline_options.h"
#include "tools/timeline/timeline_output.h"
#include "tools/view/pager.h"

enum { DEFAULT_COLUMNS = 100 };

static timeline_emitter *const emitters[TIMELINE_FORMS] = {
  [TIMELINE_TEXT] = timeline_emit_text, [TIMELINE_SVG] = timeline_emit_svg,
  [TIMELINE_HTML] = timeline_emit_html, [TIMELINE_CHROME] = timeline_emit_chrome,
  [TIMELINE_JSON] = timeline_emit_json,
};

/* Show. */

static struct style
choose_style (const struct timeline_options *w)
{
  struct style style;
  style_choose (&style, w->color);
  if (w->files[TIMELINE_TEXT] && !(w->color && strcmp (w->color, "always") == 0))
    style.colour = false;
  style.columns = w->columns                                  ? w->columns
                  : style.columns && !w->files[TIMELINE_TEXT] ? style.columns
                                                              : DEFAULT_COLUMNS;
  return style;
}

static bool
show_text (const struct timeline_options *w, const struct timeline_view *v, struct error *err)
{
  char *text = NULL;
  size_t size;
  FILE *page = open_memstream (&text, &size);
  bool ok = page || error_no_memory (err);
  ok = ok && timeline_emit_text (page, v, err);
  if (page && fclose (page) != 0)
    ok = error_no_memory (err);
  ok = ok && pager_show (text, size, !w->no_pager, err);
  free (text);
  return ok;
}

static bool
show_form (const struct timeline_options *w, enum timeline_form form, const struct timeline_view *v,
           struct error *err)
{
  struct timeline_output o;
  if (form == TIMELINE_TEXT && !w->files[form])
    return show_text (w, v, err);
  if (!timeline_output_open (&o, w->files[form], err))
    return false;
  bool ok = emitters[form](o.out, v, err) && error_if_unwritten (o.out, err);
  if (!ok && !err->file)
    err->file = w->files[form];
  return timeline_output_close (&o, ok, err);
}

static enum command_result
show (const struct timeline_options *w, const char *argv0, struct error *err)
{
  struct timeline t;
  struct timeline_view v
      = { .by_cpu = w->by_cpu, .ascii = w->ascii, .most = w->most, .style = choose_style (w) };
  bool ok = timeline_open (&t, w->profile, w->program, w->force, argv0, err)
            && timeline_view_make (&v, &t, &w->choice, err);
  for (unsigned form = 0; ok && form < TIMELINE_FORMS; form++)
    if (w->forms >> form & 1)
      ok = show_form (w, form, &v, err);
  bool damaged = t.damaged; /* a line on stderr has said so */
  timeline_view_free (&v);
  timeline_close (&t);
  return !ok ? COMMAND_FAILED : damaged ? COMMAND_NO : COMMAND_DONE;
}

/* Record. */

static struct timeline_options wanted; /* here, because record_command cannot pass it on */
static const char *name_of_command;

static void
show_recorded (const struct record_options *o)
{
  struct error err;
  /* null: the program was killed and left no profile, but a timeline. */
  char *program = profile_program (o->output, &err);
  wanted.program = program;
  wanted.profile = o->output;
  if (show (&wanted, name_of_command, &err) == COMMAND_FAILED)
    error_print (name_of_command, &err);
  free (program);
}

/* By bbprof record; COUNT arguments behind its options. */
static enum command_result
record (char **arguments, int count, struct error *err)
{
  static char timeline[] = "--timeline", quiet[] = "--quiet";
  char **argv = calloc ((size_t) count + 4, sizeof *argv);
  if (!argv)
    {
      error_no_memory (err);
      return COMMAND_FAILED;
    }
  argv[0] = (char *) name_of_command;
  argv[1] = timeline;
  argv[2] = quiet;
  memcpy (argv + 3, arguments, (size_t) count * sizeof *argv);
  enum command_result result
      = record_command (&command_record, count + 3, argv, show_recorded, err);
  free (argv);
  return result;
}

static enum command_result
record_processes (struct error *err)
{
  static char processes[] = "-p", time[] = "-t";
  char *arguments[] = { processes, wanted.pids, time, wanted.seconds };
  return record (arguments, wanted.seconds ? 4 : 2, err);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  if (!timeline_options_parse (&wanted, &command_timeline, argc, argv))
    return COMMAND_USAGE;
  name_of_command = argv[0];
  if (wanted.pids)
    return record_processes (err);
  if (wanted.argv) /* the dashes before it, too */
    return record (wanted.argv - 1, argc - optind + 1, err);
  return show (&wanted, argv[0], err);
}

const struct command command_timeline = {
  .name = "timeline",
  .summary = "which thread ran when, and which waited for what",
  .group = GROUP_RECORD,
  .synopsis = "[option...] [PROGRAM] [gmon.out]\n[option...] -- PROGRAM [argument...]\n"
              "[option...] -p PID [-t SECONDS]",
  .description
  = "Shows which thread of a program ran when, which was ready but had no processor, and which "
    "slept and why: of a run by bbprof record --timeline, or of PROGRAM behind --, or of "
    "processes that run already (-p), which are recorded now.",
  .notes = "Exit status: 0; 1 bad data; 2 wrong command line; with -- PROGRAM the program's own.",
  .options = timeline_option_table,
  .run = run,
};
