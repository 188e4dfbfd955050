/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof trace: what the program did, block by block. */
#include "config.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/command_options.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"
#include "tools/arguments/thread_choice.h"
#include "tools/command.h"
#include "tools/program/profile_program.h"
#include "tools/trace/trace_emit.h"
#include "tools/view/duration.h"
#include "tools/view/pager.h"

#define SUFFIX ".bbt"
enum { MOST_SLICES = 1000000, MOST_ROWS = 20 };

enum form { FORM_TEXT, FORM_COUNTS, FORM_CHROME, FORM_CHECK };

struct wanted {
  enum form form;
  bool json, functions, plain, force, no_pager;
  const char *threads, *filter, *object; /* null: all */
  const char *color;
  uint64_t from, to;    /* ns */
  uint64_t first, last; /* blocks */
  uint64_t window;      /* blocks of each thread, the last ones; 0: all; UINT64_MAX: not given */
  uint64_t most;        /* UINT64_MAX: not given */
  char *profile, *file;
};

/* The command line.  */

enum {
  FUNCTIONS = OPTION_OWN,
  NO_FOLD,
  FROM,
  TO,
  FIRST,
  LAST,
  WINDOW,
  COUNTS,
  CHROME,
  MAX_EVENTS,
  CHECK
};

static bool
take_number (const struct options *o, uint64_t *number)
{
  unsigned long long value;
  if (!option_number (o->value, 0, UINT64_MAX, &value))
    return options_refuse (o, "a number from 0 on");
  *number = value;
  return true;
}

static bool
take_time (const struct options *o, uint64_t *time)
{
  return duration_parse (o->value, time) || options_refuse (o, "a time (1.5, 200ms, 30us, 12ns)");
}

/* One option; false: it is wrong. */
static bool
take_option (struct wanted *w, int key, const struct options *o)
{
  switch (key)
    {
    case FUNCTIONS: return w->functions = true;
    case NO_FOLD: return w->plain = true;
    case OPTION_THREADS: w->threads = o->value; return true;
    case OPTION_FILTER: w->filter = o->value; return true;
    case OPTION_OBJECT: w->object = o->value; return true;
    case OPTION_COLOR: w->color = o->value; return true;
    case OPTION_NO_PAGER: return w->no_pager = true;
    case FROM: return take_time (o, &w->from);
    case TO: return take_time (o, &w->to);
    case FIRST: return take_number (o, &w->first);
    case LAST: return take_number (o, &w->last);
    case WINDOW: return take_number (o, &w->window);
    case COUNTS: w->form = FORM_COUNTS; return true;
    case OPTION_FORCE: return w->force = true;
    case OPTION_JSON: return w->json = true;
    case CHROME: w->form = FORM_CHROME; return true;
    case CHECK: w->form = FORM_CHECK; return true;
    case 'n':
    case MAX_EVENTS: return take_number (o, &w->most);
    }
  return false;
}

/* FILE is the trace, or the profile beside it. */
static bool
find_files (struct wanted *w, const char *file)
{
  size_t length = strlen (file), suffix = strlen (SUFFIX);
  bool is_trace = length > suffix && strcmp (file + length - suffix, SUFFIX) == 0;
  w->profile = strndup (file, is_trace ? length - suffix : length);
  w->file = w->profile ? malloc (length + suffix + 1) : NULL;
  if (w->file)
    sprintf (w->file, "%s" SUFFIX, w->profile);
  return w->file;
}

static enum command_result
parse (struct wanted *w, int argc, char **argv)
{
  struct options o;
  *w = (struct wanted) {
    .to = UINT64_MAX, .last = UINT64_MAX, .window = UINT64_MAX, .most = UINT64_MAX
  };
  options_begin (&o, &command_trace, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&o)) != OPTION_END;)
    if (!take_option (w, key, &o))
      return COMMAND_USAGE;
  if (w->form == FORM_CHECK && (w->filter || w->object))
    {
      fprintf (stderr, "%s: --check compares all functions: leave out --filter and --object\n",
               argv[0]);
      return COMMAND_USAGE;
    }
  if (argc - optind > 1)
    {
      fprintf (stderr, "%s: only one trace can be shown: remove '%s'\n", argv[0],
               visible (argv[optind + 1]));
      return COMMAND_USAGE;
    }
  if (optind < argc && profile_is_program (argv[optind]))
    {
      fprintf (stderr, "%s: '%s' is a program: name its profile or trace (default: gmon.out.bbt)\n",
               argv[0], visible (argv[optind]));
      return COMMAND_USAGE;
    }
  return find_files (w, optind < argc ? argv[optind] : "gmon.out") ? COMMAND_DONE : COMMAND_FAILED;
}

/* Choosing.  */

static bool
is_chosen (const char *list, const struct trace_thread *thread)
{
  return !list || thread_choice_is (list, thread->name, thread->number, thread->tid);
}

/* False, with ERR: a word of --threads means none of the COUNT threads. */
static bool
has_threads (const char *list, const struct trace_thread *threads, size_t count, const char *file,
             struct error *err)
{
  bool all = !list;
  for (size_t i = 0; i < count && !all; i++) /* a name may have commas */
    all = fnmatch (list, threads[i].name, 0) == 0;
  char *copy = all ? NULL : strdup (list), *rest = copy, *word;
  bool ok = all || copy || error_no_memory (err);
  while (copy && ok && (word = strsep (&rest, ",")))
    {
      size_t i = 0;
      while (i < count && !is_chosen (word, &threads[i]))
        i++;
      ok = i < count
           || (count == 0 ? error_set (err, file, ERROR_NO_OFFSET, "no thread is in this trace")
                          : error_set (err, file, ERROR_NO_OFFSET,
                                       "there is no thread %.60s, only 0 to %zu", visible (word),
                                       count - 1));
    }
  free (copy);
  return ok;
}

static bool
is_in_object (const struct trace_function *f, const char *pattern)
{
  const char *slash = strrchr (f->object, '/');
  return object_choice_is (pattern, slash ? slash + 1 : f->object, f->object);
}

/* Considers the functions of the chosen object; returns their number. */
static size_t
consider (const struct wanted *w, const struct trace *t, struct name_choice *choice)
{
  size_t n = 0;
  for (unsigned i = 0; i < trace_functions (t); i++)
    {
      const struct trace_function *f = trace_function (t, i);
      if (!is_in_object (f, w->object))
        continue;
      n++;
      if (w->filter)
        name_choice_consider (choice, f->symbol, f->name);
    }
  return n;
}

static bool
mark (const struct wanted *w, const struct trace *t, const struct name_choice *choice,
      bool **chosen)
{
  *chosen = calloc (trace_functions (t) + 1, sizeof **chosen);
  for (unsigned i = 0; *chosen && i < trace_functions (t); i++)
    {
      const struct trace_function *f = trace_function (t, i);
      (*chosen)[i] = is_in_object (f, w->object)
                     && (!w->filter || name_choice_is (choice, f->symbol, f->name));
    }
  return *chosen;
}

/* *CHOSEN: of each function, whether --filter and --object choose it; null: all are.  False: ERR
   says what matches nothing. */
static bool
choose_functions (const struct wanted *w, const struct trace *t, bool **chosen, struct error *err)
{
  struct name_choice choice;
  bool ok;
  *chosen = NULL;
  if (!w->filter && !w->object)
    return true;
  name_choice_begin (&choice, w->filter);
  if (consider (w, t, &choice) == 0 && w->object)
    ok = object_choice_refuse (w->object, err);
  else if (w->filter && choice.best == PATTERN_NOT)
    ok = name_choice_refuse (&choice, "function of the trace", err);
  else
    ok = mark (w, t, &choice, chosen) || error_no_memory (err);
  name_choice_free (&choice);
  return ok;
}

/* Showing.  */

/* The file has whole chunks, so it may have more than its window; --check needs all of it. */
static void
choose_window (struct wanted *w, const struct trace *t)
{
  if (w->form == FORM_CHECK)
    w->window = 0;
  else if (w->window == UINT64_MAX)
    w->window = trace_window (t);
}

static struct trace_emitter *
choose_emitter (const struct wanted *w, struct trace *t)
{
  switch (w->form)
    {
    case FORM_COUNTS:
      return trace_emit_counts (stdout, t, w->file,
                                w->most == UINT64_MAX ? MOST_ROWS
                                : w->most             ? w->most
                                                      : SIZE_MAX,
                                w->window, w->json);
    case FORM_CHROME:
      return trace_emit_chrome (stdout, t, w->most == UINT64_MAX ? MOST_SLICES : w->most,
                                w->window);
    case FORM_CHECK: return trace_emit_check (stdout, t, w->profile);
    case FORM_TEXT: break;
    }
  if (w->json)
    return trace_emit_json (stdout, t, w->window, w->functions);
  return w->functions ? trace_emit_functions (stdout, t, w->window)
                      : trace_emit_text (stdout, t, w->window, !w->plain);
}

/* The first block of the window. */
static uint64_t
find_window (struct trace_cursor *c, uint64_t window)
{
  struct trace_event ev;
  while (trace_next (c, &ev))
    ;
  const uint64_t all = trace_position (c);
  return all > window ? all - window : 0;
}

/* Goes to the first event to show; false: none. */
static bool
seek (struct trace_cursor *c, const struct wanted *w)
{
  const uint64_t begin = w->window ? find_window (c, w->window) : 0,
                 first = w->first > begin ? w->first : begin;
  if (w->from > 0 && !trace_seek_time (c, w->from))
    return false;
  return (w->from > 0 && first <= trace_position (c)) || trace_seek_block (c, first);
}

/* The formats of whole traces choose by themselves. */
static bool
is_shown (const struct wanted *w, const struct trace_emitter *e, const struct trace_event *ev)
{
  return w->form != FORM_TEXT || !ev->block || ev->kind == TRACE_SIGNAL
         || ev->kind == TRACE_SIGNAL_END || trace_is_wanted (e, ev->block);
}

/* False: no memory. */
static bool
show_events (struct trace_emitter *e, struct trace_cursor *c, const struct wanted *w)
{
  struct trace_event ev;
  while (trace_next (c, &ev) && ev.time <= w->to && ev.number <= w->last && !ferror (e->out))
    {
      if (ev.kind == TRACE_LOST && ev.why)
        {
          fflush (stdout);
          fprintf (stderr, "bbprof trace: %s: %s\n", visible (w->file), visible (ev.why));
        }
      if (is_shown (w, e, &ev) && !e->format->event (e, &ev))
        return false;
    }
  return true;
}

static bool
show_thread (struct trace_emitter *e, struct trace *t, const struct trace_thread *thread,
             const struct wanted *w)
{
  struct trace_cursor *c = trace_begin (t, thread->number);
  bool ok = c && (!seek (c, w) || (e->format->thread (e, thread) && show_events (e, c, w)));
  if (c)
    trace_cursor_free (c);
  return ok;
}

static bool
show (struct trace *t, struct wanted *w, const struct style *style, struct error *err)
{
  const struct trace_thread *threads;
  bool *chosen = NULL;
  size_t n = trace_threads (t, &threads);
  if (!has_threads (w->threads, threads, n, w->file, err) || !choose_functions (w, t, &chosen, err))
    return false;
  choose_window (w, t);
  struct trace_emitter *e = choose_emitter (w, t);
  bool ok = e || error_no_memory (err);
  if (e)
    {
      e->style = style;
      e->function = w->filter;
      e->object = w->object;
      e->wanted = chosen;
    }
  for (size_t i = 0; ok && i < n; i++)
    if (is_chosen (w->threads, &threads[i]))
      ok = show_thread (e, t, &threads[i], w) || error_no_memory (err);
  ok = ok && (!e->format->end || e->format->end (e, err)) && pager_end (err);
  if (e)
    e->format->free (e);
  free (chosen);
  return ok;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  static struct wanted w; /* errors refer to its names */
  struct warnings warnings = { 0 };
  error_no_memory (err);
  enum command_result result = parse (&w, argc, argv);
  if (result != COMMAND_DONE)
    return result;
  struct trace *t = trace_open (w.file, w.force, &warnings, err);
  bool page = t && !w.json && w.form != FORM_CHROME;
  struct style style;
  style_choose (&style, w.color);
  warnings_print_beside (argv[0], &warnings, page && w.force);
  if (page)
    pager_begin (!w.no_pager);
  if (page && w.force)
    warnings_show (stdout, &warnings);
  bool ok = t && show (t, &w, &style, err);
  if (!ok)
    result = COMMAND_FAILED;
  else if (trace_is_damaged (t))
    result = COMMAND_NO; /* a warning has said so */
  warnings_free (&warnings);
  trace_close (t);
  return result;
}

static const struct command_option options[] = {
  { FUNCTIONS, "functions", NULL, "show only entries and exits of functions", NULL },
  { NO_FOLD, "no-fold", NULL, "show each iteration of a loop", NULL },
  THREADS_OPTION ("blocks"),
  { OPTION_THREADS, "thread", "N", NULL, NULL },
  FILTER_OPTION ("blocks of functions"),
  OBJECT_OPTION ("blocks"),
  { FROM, "from", "T", "begin at this time since the start (1.5, 200ms, 30us, 12ns)", NULL },
  { TO, "to", "T", "end at this time", NULL },
  { FIRST, "first", "N", "begin with this block of the thread", NULL },
  { LAST, "last", "N", "end with this block of the thread", NULL },
  { WINDOW, "window", "N",
    "show the last N blocks of each thread; 0: all in the file (default: the window of the "
    "recording)",
    NULL },
  { COUNTS, "counts", NULL, "show executions of blocks, as bbprof blocks does", NULL },
  { 'n', "number", "N", "with --counts: show at most N blocks (default 20); 0: all", NULL },
  { CHROME, "chrome", NULL,
    "print JSON for ui.perfetto.dev and chrome://tracing, a slice for each call", NULL },
  { MAX_EVENTS, "max-events", "N", "with --chrome: at most N slices, the longest (default 1000000)",
    NULL },
  { CHECK, "check", NULL,
    "compare with the counts of the profile beside the trace; exit status 1 if they differ", NULL },
  COLOR_OPTION,
  NO_PAGER_OPTION,
  OUTPUT_OPTION,
  FORCE_OPTION,
  { OPTION_JSON, "json", NULL, "print a JSON document on each line; with --counts: one", NULL },
  END_OF_OPTIONS,
};

const struct command command_trace = {
  .name = "trace",
  .summary = "what the program did, block by block",
  .group = GROUP_TRACE,
  .synopsis = "[option...] [FILE]",
  .description
  = "Shows what a program did, block by block.  It was compiled with -fplugin-arg-bbprof-ax and "
    "run with BBPROF_OPTIONS=trace=1.  FILE: the profile, or the trace beside it (default: "
    "gmon.out.bbt).",
  .notes
  = "Columns: number of the block in its thread; time in seconds, interpolated; frames on the "
    "stack; address, source line (with -g) and function of the block.",
  .options = options,
  .prints_page = true,
  .run = run,
};
