/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof record and bbprof run: [option...] [--] PROGRAM [argument...]. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "include/bbprof-samples.h"
#include "tools/record/record.h"

enum {
  SAMPLER = 256,
  CLOCK,
  THREADS,
  REPEAT,
  CHILDREN,
  LIVE,
  NO_STACKS,
  NO_TIMES,
  TIMELINE,
  PERIODIC,
  WEIGHTED,
  SIGNAL,
  RAW,
  WORDS,
  LONG
};

static const struct option options[] = {
  { "sampler", required_argument, NULL, SAMPLER },
  { "clock", required_argument, NULL, CLOCK },
  { "frequency", required_argument, NULL, 'F' },
  { "threads", required_argument, NULL, THREADS },
  { "repeat", required_argument, NULL, REPEAT },
  { "children", no_argument, NULL, CHILDREN },
  { "live", no_argument, NULL, LIVE },
  { "output", required_argument, NULL, 'o' },
  { "no-stacks", no_argument, NULL, NO_STACKS },
  { "no-times", no_argument, NULL, NO_TIMES },
  { "timeline", optional_argument, NULL, TIMELINE },
  { "periodic", no_argument, NULL, PERIODIC },
  { "weighted", no_argument, NULL, WEIGHTED },
  { "signal", required_argument, NULL, SIGNAL },
  { "raw", required_argument, NULL, RAW },
  { "words", required_argument, NULL, WORDS },
  { "long", no_argument, NULL, LONG },
  { "quiet", no_argument, NULL, 'q' },
  { "help", no_argument, NULL, 'h' },
  { 0 },
};

void
record_print_options (void)
{
  fputs ("      --sampler NAME     who decides when samples are taken: itimer, thread, ticker, "
         "perf; auto (default)\n"
         "      --clock CLOCK      cpu (default): time that threads use; wall: all time that "
         "passes for them\n"
         "  -F, --frequency HZ     samples a second\n"
         "      --threads LIST     these threads only: numbers, names, patterns, with commas\n"
         "      --repeat N         N runs, added up: for short programs\n"
         "      --children         and the processes that it makes, into FILE.PID\n"
         "      --live             count in a file, so that kill -9 loses nothing; costs some "
         "milliseconds at the start\n"
         "      --no-stacks        only where each sample was, not who had called it\n"
         "      --no-times         not when it was\n"
         "      --timeline[=polls] also which thread ran when, for bbprof timeline; polls: without "
         "the kernel's events\n"
         "      --periodic         ticker: at fixed times, not with a pause between samples\n"
         "      --weighted         ticker: of CPU time, each sample stands for what was used since "
         "the last\n"
         "      --signal N         the signal that samples are taken in; 0: one that nobody uses "
         "(default)\n"
         "      --raw FILE         also write FILE: the address of each sample, in order of time "
         "(bbprof report --counts reads it)\n"
         "      --words BITS       32 or 64 (default) bits for each of these\n"
         "      --long             instead, a line for each sample: when, thread, user or kernel, "
         "address, the processor's flags\n"
         "  -o, --output FILE      the profile (gmon.out)\n"
         "  -q, --quiet            no closing line\n"
         "  -h, --help             this text\n",
         stdout);
}

static bool
is_number (const char *text, unsigned long least, unsigned long most, unsigned long *number)
{
  char *end;
  errno = 0;
  *number = strtoul (text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno && *number >= least && *number <= most;
}

static bool
is_word (const char *text, const char *const *words)
{
  while (*words && strcmp (*words, text) != 0)
    words++;
  return *words;
}

static bool
complain (const char *argv0, const char *option, const char *wants, const char *value)
{
  fprintf (stderr, "%s: %s wants %s, not '%s'\n", argv0, option, wants, visible (value));
  return false;
}

/* An option with a VALUE. */
static bool
take_value (struct record_options *o, int option, const char *argv0, const char *value)
{
  static const char *const samplers[] = { "itimer", "thread", "ticker", "perf", "auto", NULL };
  static const char *const clocks[] = { "cpu", "wall", NULL };
  unsigned long number;
  switch (option)
    {
    case SAMPLER:
      o->sampler = value;
      return is_word (value, samplers)
             || complain (argv0, "--sampler", "itimer, thread, ticker, perf or auto", value);
    case CLOCK:
      o->clock = value;
      return is_word (value, clocks) || complain (argv0, "--clock", "cpu or wall", value);
    case 'F':
      o->frequency = value;
      return is_number (value, 1, 1000000, &number)
             || complain (argv0, "--frequency", "1 to 1000000 samples a second", value);
    case SIGNAL:
      o->signal = value;
      return is_number (value, 0, 64, &number)
             || complain (argv0, "--signal", "the number of a signal, or 0", value);
    case REPEAT:
      return is_number (value, 1, 1000000000, &o->repeat)
             || complain (argv0, "--repeat", "a number of runs", value);
    case THREADS: o->threads = value; return true;
    case RAW: o->raw = value; return true;
    case TIMELINE:
      o->timeline = BBS_TIMELINE_POLLS;
      return strcmp (value, "polls") == 0
             || complain (argv0, "--timeline", "polls, or nothing", value);
    case WORDS:
      o->raw_words = (unsigned) strtoul (value, NULL, 10) / 8;
      return strcmp (value, "32") == 0 || strcmp (value, "64") == 0
             || complain (argv0, "--words", "32 or 64", value);
    default: o->output = value; return true;
    }
}

/* One without. */
static void
take_switch (struct record_options *o, int option)
{
  o->children |= option == CHILDREN;
  o->live |= option == LIVE;
  o->no_stacks |= option == NO_STACKS;
  o->no_times |= option == NO_TIMES;
  if (option == TIMELINE)
    o->timeline = BBS_TIMELINE_AUTO;
  o->periodic |= option == PERIODIC;
  o->weighted |= option == WEIGHTED;
  o->raw_long |= option == LONG;
  o->quiet |= option == 'q';
  o->help |= option == 'h';
}

/* Null, or why these options do not go together. */
static const char *
contradiction (const struct record_options *o)
{
  bool ticker = o->sampler && strcmp (o->sampler, "ticker") == 0,
       wall = o->clock && strcmp (o->clock, "wall") == 0;
  bool by_itself = wall && (!o->sampler || strcmp (o->sampler, "auto") == 0);
  bool thread = o->sampler && strcmp (o->sampler, "thread") == 0;
  if (o->repeat > 1 && o->children)
    return "--repeat adds up runs of one process each, without --children";
  if (o->raw && (o->repeat > 1 || o->no_stacks || o->no_times))
    return "--raw is made of stacks and times, and of one run";
  if (o->timeline && (o->repeat > 1 || o->no_times))
    return "--timeline is of one run, and made of times";
  if (o->raw_words && !o->raw)
    return "--words is for the addresses of --raw";
  if (o->raw_long && (!o->raw || o->raw_words))
    return "--long is for --raw, in the place of --words";
  if (thread && !HAVE_POSIX_TIMERS)
    return "--sampler=thread is not in this build, which has no POSIX timers; --sampler=auto takes "
           "another";
  if (ticker && !wall && !o->weighted)
    return "--sampler=ticker wants --clock=wall, or --weighted for CPU time";
  if (o->weighted && (!ticker || wall))
    return "--weighted is for --sampler=ticker and CPU time";
  if (o->periodic && !ticker && !by_itself)
    return "--periodic is for --sampler=ticker";
  return NULL;
}

bool
record_parse (struct record_options *o, int argc, char **argv)
{
  int c, index;
  *o = (struct record_options) { .output = "gmon.out", .repeat = 1 };
  while ((c = getopt_long (argc, argv, "+F:o:qh", options, &index)) != -1)
    {
      if (c == '?')
        return false;
      if (!optarg)
        take_switch (o, c);
      else if (!take_value (o, c, argv[0], optarg))
        return false;
    }
  o->argv = argv + optind;
  if (o->help)
    return true;
  const char *why = contradiction (o);
  if (!why && optind == argc)
    why = "which program?";
  if (why)
    fprintf (stderr, "%s: %s\n", argv[0], why);
  if (!o->raw_words)
    o->raw_words = sizeof (uint64_t);
  return !why;
}
