/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof trace: what the program did, block by block. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/command.h"
#include "tools/trace/trace_emit.h"
#include "tools/view/duration.h"

#define SUFFIX ".bbt"
enum { MOST_SLICES = 1000000, MOST_ROWS = 20 };

enum form { FORM_TEXT, FORM_COUNTS, FORM_CHROME, FORM_CHECK };

struct wanted {
  enum form form;
  bool json, functions, plain, force;
  bool one_thread;
  uint64_t thread;
  uint64_t from, to;    /* ns */
  uint64_t first, last; /* blocks */
  uint64_t window;      /* blocks of each thread, the last ones; 0: all; UINT64_MAX: not said */
  uint64_t most;        /* UINT64_MAX: not said */
  char *profile, *file;
};

static void
usage (void)
{
  fputs (
      "Usage: bbprof trace [option...] [FILE]\n"
      "Shows what a program did, block by block, that was compiled with -fplugin-arg-bbprof-ax and "
      "run with\n"
      "BBPROF_OPTIONS=trace=1.  FILE: the profile, or the trace beside it; without: gmon.out.bbt.\n"
      "\n"
      "      --functions      only which functions were entered and left\n"
      "      --no-fold        show each round of a loop\n"
      "      --thread N       of this thread only, as numbered in the output\n"
      "      --from T, --to T      between these times since the start (1.5, 200ms, 30us, 12ns)\n"
      "      --first N, --last N   between these blocks of the thread\n"
      "      --window N       the last N blocks of each thread; 0: all that the file has (default: "
      "as it was recorded)\n"
      "      --counts         how often each block was executed, as bbprof blocks shows it\n"
      "  -n, --number N       ... so many blocks at most; 0: all (default 20)\n"
      "      --force          of another build of the program, too: functions and lines may be "
      "wrong\n"
      "      --json           for programs: a JSON document on each line; with --counts, one\n"
      "      --chrome         JSON for chrome://tracing and ui.perfetto.dev: a slice for each "
      "call\n"
      "      --max-events N   ... at most so many, the longest ones (default 1000000)\n"
      "      --check          compare with the counts of the profile beside the trace; status 1 if "
      "they differ\n"
      "  -h, --help           this text\n"
      "\n"
      "Columns: number of the block in its thread; time in seconds, interpolated; frames on the "
      "stack; address, source\n"
      "line (if compiled with -g) and function of the block.\n",
      stdout);
}

/* The command line.  */

enum option_name {
  O_FUNCTIONS = 256,
  O_NO_FOLD,
  O_THREAD,
  O_FROM,
  O_TO,
  O_FIRST,
  O_LAST,
  O_WINDOW,
  O_COUNTS,
  O_JSON,
  O_CHROME,
  O_MOST,
  O_CHECK,
  O_FORCE
};

static bool
parse_number (const char *text, uint64_t *number)
{
  char *end;
  errno = 0;
  *number = strtoull (text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* One option; false: it is wrong. */
static bool
take_option (struct wanted *w, int option)
{
  switch (option)
    {
    case O_FUNCTIONS: return w->functions = true;
    case O_NO_FOLD: return w->plain = true;
    case O_THREAD: return w->one_thread = parse_number (optarg, &w->thread);
    case O_FROM: return duration_parse (optarg, &w->from);
    case O_TO: return duration_parse (optarg, &w->to);
    case O_FIRST: return parse_number (optarg, &w->first);
    case O_LAST: return parse_number (optarg, &w->last);
    case O_WINDOW: return parse_number (optarg, &w->window);
    case O_COUNTS: w->form = FORM_COUNTS; return true;
    case O_FORCE: return w->force = true;
    case O_JSON: return w->json = true;
    case O_CHROME: w->form = FORM_CHROME; return true;
    case O_CHECK: w->form = FORM_CHECK; return true;
    case 'n':
    case O_MOST: return parse_number (optarg, &w->most);
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

static const struct option options[] = { { "functions", no_argument, NULL, O_FUNCTIONS },
                                         { "no-fold", no_argument, NULL, O_NO_FOLD },
                                         { "thread", required_argument, NULL, O_THREAD },
                                         { "from", required_argument, NULL, O_FROM },
                                         { "to", required_argument, NULL, O_TO },
                                         { "first", required_argument, NULL, O_FIRST },
                                         { "last", required_argument, NULL, O_LAST },
                                         { "window", required_argument, NULL, O_WINDOW },
                                         { "counts", no_argument, NULL, O_COUNTS },
                                         { "number", required_argument, NULL, 'n' },
                                         { "json", no_argument, NULL, O_JSON },
                                         { "chrome", no_argument, NULL, O_CHROME },
                                         { "max-events", required_argument, NULL, O_MOST },
                                         { "check", no_argument, NULL, O_CHECK },
                                         { "force", no_argument, NULL, O_FORCE },
                                         { "help", no_argument, NULL, 'h' },
                                         { 0 } };

static enum command_result
parse (struct wanted *w, int argc, char **argv, bool *help)
{
  int c, which = -1;
  *w = (struct wanted) {
    .to = UINT64_MAX, .last = UINT64_MAX, .window = UINT64_MAX, .most = UINT64_MAX
  };
  while ((c = getopt_long (argc, argv, "n:h", options, &which)) != -1)
    if (c == 'h')
      {
        *help = true;
        return COMMAND_DONE;
      }
    else if (c == '?')
      return COMMAND_USAGE;
    else if (!take_option (w, c))
      {
        fprintf (stderr, "%s: not what %s%s wants: %s\n", argv[0], which < 0 ? "-n" : "--",
                 which < 0 ? "" : options[which].name, visible (optarg));
        return COMMAND_USAGE;
      }
    else
      which = -1;
  if (argc - optind > 1)
    {
      fprintf (stderr, "%s: one trace at a time\n", argv[0]);
      return COMMAND_USAGE;
    }
  return find_files (w, optind < argc ? argv[optind] : "gmon.out") ? COMMAND_DONE : COMMAND_FAILED;
}

/* Showing.  */

/* The file has whole pieces, and so more than its window; all that is compared with counters. */
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

/* To the first event that is wanted; false: there is none. */
static bool
seek (struct trace_cursor *c, const struct wanted *w)
{
  const uint64_t begin = w->window ? find_window (c, w->window) : 0,
                 first = w->first > begin ? w->first : begin;
  if (w->from > 0 && !trace_seek_time (c, w->from))
    return false;
  return (w->from > 0 && first <= trace_position (c)) || trace_seek_block (c, first);
}

/* False: memory is short. */
static bool
show_events (struct trace_emitter *e, struct trace_cursor *c, const struct wanted *w)
{
  struct trace_event ev;
  while (trace_next (c, &ev) && ev.time <= w->to && ev.number <= w->last)
    {
      if (ev.kind == TRACE_LOST && ev.why)
        {
          fflush (stdout);
          fprintf (stderr, "bbprof trace: %s: %s\n", visible (w->file), visible (ev.why));
        }
      if (!e->format->event (e, &ev))
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
show (struct trace *t, struct wanted *w, struct error *err)
{
  const struct trace_thread *threads;
  size_t n = trace_threads (t, &threads);
  if (w->one_thread && w->thread >= n)
    return error_set (err, w->file, ERROR_NO_OFFSET, "there is no thread %" PRIu64 ", only %zu",
                      w->thread, n);
  choose_window (w, t);
  struct trace_emitter *e = choose_emitter (w, t);
  bool ok = e || error_no_memory (err);
  for (size_t i = 0; ok && i < n; i++)
    if (!w->one_thread || w->thread == i)
      ok = show_thread (e, t, &threads[i], w) || error_no_memory (err);
  ok = ok && (!e->format->end || e->format->end (e, err)) && error_if_unwritten (stdout, err);
  if (e)
    e->format->free (e);
  return ok;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  static struct wanted w; /* its names are in the error */
  struct warnings warnings = { 0 };
  bool help = false;
  error_no_memory (err);
  enum command_result result = parse (&w, argc, argv, &help);
  if (help)
    usage ();
  if (help || result != COMMAND_DONE)
    return result;
  struct trace *t = trace_open (w.file, w.force, &warnings, err);
  bool page = t && w.force && !w.json && w.form != FORM_CHROME;
  warnings_print_beside (argv[0], &warnings, page);
  if (page)
    warnings_show (stdout, &warnings);
  bool ok = t && show (t, &w, err);
  warnings_free (&warnings);
  trace_close (t);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_trace
    = { .name = "trace", .help = "what the program did, block by block (ax, trace=1)", .run = run };
