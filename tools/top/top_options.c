/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof top. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/top/top.h"
#include "tools/view/duration.h"

#define DEFAULT_INTERVAL 1000000000u
#define LEAST_INTERVAL 50000000u
#define MOST_INTERVAL 3600000000000u

enum { JSON = 256, POLLS, ASCII };

static const struct option names[] = {
  { "batch", no_argument, NULL, 'b' },
  { "number", required_argument, NULL, 'n' },
  { "json", no_argument, NULL, JSON },
  { "delay", required_argument, NULL, 'd' },
  { "sort", required_argument, NULL, 's' },
  { "reverse", no_argument, NULL, 'r' },
  { "filter", required_argument, NULL, 'f' },
  { "cpus", no_argument, NULL, 'c' },
  { "polls", no_argument, NULL, POLLS },
  { "ascii", no_argument, NULL, ASCII },
  { "output", required_argument, NULL, 'o' },
  { "help", no_argument, NULL, 'h' },
  { 0 },
};

void
top_print_usage (void)
{
  fputs ("Usage: bbprof top [option...] PID\n"
         "       bbprof top [option...] [--] PROGRAM [argument...]\n"
         "Shows, again and again, what the threads of a process do: who runs, who is ready but has "
         "no processor, who sleeps and why.\n"
         "On the screen ? shows the keys.  A program is watched from its beginning; its input is "
         "/dev/null, its output comes when top ends,\n"
         "and top ends with its status.  A PROGRAM that is a number needs --.\n"
         "\n"
         "  -d, --delay TIME       between two refreshes: 1s (default), 200ms, ...\n"
         "  -n, --number N         end after so many refreshes\n"
         "  -b, --batch            plain text, one table for each refresh\n"
         "      --json             a line of JSON for each\n"
         "  -s, --sort COLUMN      tid, name, state, cpu (default), ready, sleep, voluntary, "
         "involuntary, migrations, on, time\n"
         "  -r, --reverse          the other way round\n"
         "  -f, --filter TEXT      only threads with this in their name\n"
         "  -c, --cpus             a row for each processor instead\n"
         "      --polls            look into /proc, even if the kernel would tell of each switch\n"
         "      --ascii            no other characters\n"
         "  -o, --output FILE      of the program\n"
         "  -h, --help             this text\n",
         stdout);
}

static bool
is_number (const char *text, unsigned long most, unsigned long *number)
{
  char *end;
  errno = 0;
  *number = strtoul (text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno && *number > 0 && *number <= most;
}

static bool
complain (const char *argv0, const char *what, const char *wants, const char *value)
{
  fprintf (stderr, "%s: %s wants %s, not '%s'\n", argv0, what, wants, visible (value));
  return false;
}

/* Those with a value. */
static bool
take_value (struct top_options *o, int letter, const char *argv0)
{
  switch (letter)
    {
    case 'n':
      return is_number (optarg, ULONG_MAX, &o->refreshes)
             || complain (argv0, "--number", "a number from 1 on", optarg);
    case 'd':
      return (duration_parse (optarg, &o->interval) && o->interval >= LEAST_INTERVAL
              && o->interval <= MOST_INTERVAL)
             || complain (argv0, "--delay", "a time from 50ms to 3600s", optarg);
    case 's':
      o->choice.sort = top_column_of (optarg);
      return o->choice.sort != TOP_COLUMNS || complain (argv0, "--sort", "a column", optarg);
    case 'f': snprintf (o->choice.filter, sizeof o->choice.filter, "%s", optarg); return true;
    default: o->output = optarg; return true;
    }
}

static bool
take_option (struct top_options *o, int letter, const char *argv0)
{
  switch (letter)
    {
    case 'b': o->batch = true; return true;
    case JSON: o->batch = o->json = true; return true;
    case 'r': o->choice.reverse = true; return true;
    case 'c': o->cpus = true; return true;
    case POLLS: o->polls = true; return true;
    case ASCII: o->ascii = true; return true;
    case 'h': o->help = true; return true;
    case '?': return false;
    default: return take_value (o, letter, argv0);
    }
}

/* Options up to the next word that is none. */
static bool
take_options (struct top_options *o, int argc, char **argv)
{
  int letter;
  while (!o->help && (letter = getopt_long (argc, argv, "+bn:d:s:rf:co:h", names, NULL)) != -1)
    if (!take_option (o, letter, argv[0]))
      return false;
  return true;
}

/* Is the next word the number of a process?  Behind `--' it is a program. */
static bool
is_process (int argc, char **argv, unsigned long *pid)
{
  bool program = optind > 1 && strcmp (argv[optind - 1], "--") == 0;
  return optind < argc && !program && is_number (argv[optind], INT_MAX, pid);
}

static bool
check_process (const struct top_options *o, int argc, char **argv)
{
  if (optind < argc)
    fprintf (stderr, "%s: one process at a time, not '%s' as well\n", argv[0],
             visible (argv[optind]));
  else if (o->output)
    fprintf (stderr, "%s: --output is for a program that is started\n", argv[0]);
  else
    return true;
  return false;
}

bool
top_parse (struct top_options *o, int argc, char **argv)
{
  unsigned long pid;
  *o = (struct top_options) { .interval = DEFAULT_INTERVAL, .choice = { .sort = TOP_RUNS } };
  if (!take_options (o, argc, argv))
    return false;
  if (!o->help && is_process (argc, argv, &pid))
    {
      o->pid = (pid_t) pid;
      optind++;
      return take_options (o, argc, argv) && (o->help || check_process (o, argc, argv));
    }
  if (!o->help && optind == argc)
    {
      fprintf (stderr, "%s: which process?\n", argv[0]);
      return false;
    }
  o->argv = argv + optind;
  return true;
}
