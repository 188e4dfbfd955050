/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof top: which threads of a process run now. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/record/record.h"
#include "tools/top/top.h"

static bool
print (const struct top *top, struct error *err)
{
  (top->options->json ? top_print_json : top_print_text) (stdout, top);
  return error_if_unwritten (stdout, err);
}

/* *SIGNAL: the signal that ended it. */
static bool
run_batch (struct top *top, int *signal, struct error *err)
{
  const struct top_options *o = top->options;
  struct top_watch *w = &top->watch;
  for (unsigned long n = 1; !w->ended && (!o->refreshes || n <= o->refreshes); n++)
    {
      for (uint64_t now = 0; !w->ended && now < n * o->interval; now = top_watch_now (w))
        {
          if (!top_watch_take (w, top_patience (n * o->interval, top_watch_now (w))))
            return error_no_memory (err);
          if ((*signal = top_obey_signals (top)))
            return true;
        }
      if (!top_refresh (top))
        return error_no_memory (err);
      if (!print (top, err))
        return false;
    }
  return true;
}

/* The program has ended, or is about to: top ends as it did. */
static _Noreturn void
leave (struct top *top)
{
  while (!top_program_has_ended (top->program))
    {
      top_obey_signals (top);
      poll (NULL, 0, TOP_PATIENCE);
    }
  fflush (stdout);
  if (!top->options->program_output)
    top_program_print (top->program, top->options->batch ? STDERR_FILENO : STDOUT_FILENO);
  record_leave (top->program->status);
}

/* Watches until the end.  False: ERR says why that is not possible, and *STATUS is the exit
   status. */
static bool
watch (struct top *top, const char *argv0, int *status, struct error *err)
{
  const struct top_options *o = top->options;
  struct top_program program;
  int signal = 0;
  if (o->argv && !top_program_start (&program, o->argv, o->program_output, status, err))
    return false;
  const char *base = o->argv ? strrchr (o->argv[0], '/') : NULL, *name = base      ? base + 1
                                                                         : o->argv ? o->argv[0]
                                                                                   : NULL;
  if (!top_watch_open (&top->watch, o->argv ? program.pid : o->pid, name, o->polls, err))
    return false;
  if (o->argv && !top_program_go (&program, o->argv[0], status, err))
    return false;
  top->program = o->argv ? &program : NULL;
  bool ok = o->batch ? run_batch (top, &signal, err) : top_screen (top, &signal, err);
  if (!ok && top->program)
    error_print (argv0, err);
  if (top->program)
    leave (top);
  if (signal)
    record_leave (signal); /* as of waitpid */
  return ok;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct top_options options;
  int status = EXIT_FAILURE;
  if (!top_parse (&options, &command_top, argc, argv))
    return COMMAND_USAGE;
  struct top top
      = { .options = &options, .choice = options.choice, .watch.fd = -1, .stop = top_stop };
  if (!options.batch && !(isatty (STDIN_FILENO) && isatty (STDOUT_FILENO)))
    return error_set (err, NULL, ERROR_NO_OFFSET, "needs a terminal; or use --batch or --json"),
           COMMAND_FAILED;
  if (options.output && !freopen (options.output, "w", stdout))
    return error_set (err, options.output, ERROR_NO_OFFSET, "cannot write the file: %s",
                      strerror (errno)),
           COMMAND_FAILED;
  top_hold_signals ();
  bool ok = watch (&top, argv[0], &status, err);
  top_rows_free (&top.rows);
  top_watch_close (&top.watch);
  if (ok || status == EXIT_FAILURE)
    return ok ? COMMAND_DONE : COMMAND_FAILED;
  error_print (argv[0], err);
  exit (status);
}

const struct command command_top = {
  .name = "top",
  .summary = "the threads of a running process, refreshed",
  .group = GROUP_RECORD,
  .synopsis = "[option...] PID\n[option...] [--] PROGRAM [argument...]",
  .description
  = "Shows again and again what the threads of a process do: which run, which are ready but have "
    "no processor, which sleep and why.  On a terminal ? shows the keys.\n\n"
    "A PROGRAM is watched from its start.  Its input is /dev/null, its output is shown when top "
    "ends, and top ends with its exit status.  A PROGRAM whose name is a number needs --.",
  .options = top_option_table,
  .operands = OPERANDS_PROGRAM,
  .run = run,
};
