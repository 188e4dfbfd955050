/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof top. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/command_options.h"
#include "tools/top/top.h"
#include "tools/view/duration.h"

#define DEFAULT_INTERVAL 1000000000u
#define LEAST_INTERVAL 50000000u
#define MOST_INTERVAL 3600000000000u

enum { POLLS = OPTION_OWN, ASCII, PROGRAM_OUTPUT };

const struct command_option top_option_table[] = {
  { 'd', "delay", "TIME", "time between two refreshes: 1s (default), 200ms, ...", NULL },
  { 'n', "number", "N", "end after N refreshes", NULL },
  { 'b', "batch", NULL, "print plain text, one table for each refresh", NULL },
  { OPTION_JSON, "json", NULL, "print JSON, one line for each refresh", NULL },
  { 'o', "output", "FILE", "with --batch or --json: write to FILE instead of standard output",
    NULL },
  { 's', "sort", "COLUMN",
    "tid, name, state, cpu (default), ready, sleep, voluntary, involuntary, migrations, on or time",
    "tid name state cpu ready sleep voluntary involuntary migrations on time" },
  { 'r', "reverse", NULL, "sort the other way round", NULL },
  { 'f', "threads", "TEXT", "show only threads with TEXT in their names", NULL },
  { 'f', "filter", "TEXT", NULL, NULL },
  { 'c', "cpus", NULL, "show a row for each processor instead", NULL },
  { POLLS, "polls", NULL, "poll /proc, even if the kernel reports each context switch", NULL },
  { ASCII, "ascii", NULL, "use ASCII only", NULL },
  { PROGRAM_OUTPUT, "program-output", "FILE", "write the output of PROGRAM to FILE", NULL },
  END_OF_OPTIONS,
};

/* An option with a value. */
static bool
take_value (struct top_options *o, int key, const struct options *options)
{
  unsigned long long number;
  switch (key)
    {
    case 'n':
      if (!option_number (options->value, 1, ULONG_MAX, &number))
        return options_refuse (options, "a number from 1 on");
      o->refreshes = (unsigned long) number;
      return true;
    case 'd':
      return (duration_parse (options->value, &o->interval) && o->interval >= LEAST_INTERVAL
              && o->interval <= MOST_INTERVAL)
             || options_refuse (options, "a time from 50ms to 3600s");
    case 's': o->choice.sort = (enum top_column) options->choice; return true;
    case 'f':
      snprintf (o->choice.filter, sizeof o->choice.filter, "%s", options->value);
      return true;
    case PROGRAM_OUTPUT: o->program_output = options->value; return true;
    default: o->output = options->value; return true;
    }
}

static bool
take_option (struct top_options *o, int key, const struct options *options)
{
  switch (key)
    {
    case 'b': return o->batch = true;
    case OPTION_JSON: return o->batch = o->json = true;
    case 'r': return o->choice.reverse = true;
    case 'c': return o->cpus = true;
    case POLLS: return o->polls = true;
    case ASCII: return o->ascii = true;
    case OPTION_WRONG: return false;
    default: return take_value (o, key, options);
    }
}

/* Options up to the next operand. */
static bool
take_options (struct top_options *o, struct options *options)
{
  for (int key; (key = options_next (options)) != OPTION_END;)
    if (!take_option (o, key, options))
      return false;
  return true;
}

/* Is the next word the number of a process?  Behind `--' it is a program. */
static bool
is_process (int argc, char **argv, unsigned long long *pid)
{
  bool program = optind > 1 && strcmp (argv[optind - 1], "--") == 0;
  return optind < argc && !program && option_number (argv[optind], 1, INT_MAX, pid);
}

static bool
check_process (const struct top_options *o, int argc, char **argv)
{
  if (optind < argc)
    fprintf (stderr, "%s: only one process can be watched: remove '%s'\n", argv[0],
             visible (argv[optind]));
  else if (o->program_output)
    fprintf (stderr, "%s: --program-output needs a PROGRAM instead of a PID\n", argv[0]);
  else
    return true;
  return false;
}

/* -o is for what top itself prints.  A screen goes to no file; there -o means the output of the
   program, as it did before --program-output was. */
static bool
check_output (struct top_options *o, const char *name)
{
  if (!o->output || o->batch)
    return true;
  if (o->argv && !o->program_output)
    {
      o->program_output = o->output;
      o->output = NULL;
      return true;
    }
  fprintf (stderr, "%s: --output needs --batch or --json: a screen does not go to a file\n", name);
  return false;
}

bool
top_parse (struct top_options *o, const struct command *command, int argc, char **argv)
{
  struct options options;
  unsigned long long pid;
  *o = (struct top_options) { .interval = DEFAULT_INTERVAL, .choice = { .sort = TOP_RUNS } };
  options_begin (&options, command, OPTIONS_BEFORE_OPERANDS, argc, argv);
  if (!take_options (o, &options))
    return false;
  if (is_process (argc, argv, &pid))
    {
      o->pid = (pid_t) pid;
      optind++;
      return take_options (o, &options) && check_process (o, argc, argv)
             && check_output (o, argv[0]);
    }
  if (optind == argc)
    {
      fprintf (stderr, "%s: which process?  Give its PID, or a program to start\n", argv[0]);
      return false;
    }
  o->argv = argv + optind;
  return check_output (o, argv[0]);
}
