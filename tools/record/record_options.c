/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof record and bbprof run: [option...] [--] PROGRAM [argument...]. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/outside/outside.h"
#include "common/array.h"
#include "include/bbprof-samples.h"
#include "tools/arguments/command_options.h"
#include "tools/record/record.h"

enum {
  SAMPLER = OPTION_OWN,
  CLOCK,
  REPEAT,
  CHILDREN,
  LANGUAGES,
  MPI,
  LIVE,
  NO_STACKS,
  NO_TIMES,
  TIMELINE,
  PERIODIC,
  WEIGHTED,
  SIGNAL,
  RAW,
  WORDS,
  LONG,
  OUTSIDE,
  IN_KERNEL,
  HTML,
  OPEN
};

enum { FREQUENCY_MOST = 1000000, SIGNAL_MOST = 64, REPEAT_MOST = 1000000000 };
enum { SECONDS_MOST = 1000000000 };

/* The last one is perf's: stacks are always recorded. */
#define RECORD_OPTIONS                                                                           \
  { 'p', "pid", "PID[,PID...]", "sample processes that run already, from outside", NULL },       \
      { 't', "time", "SECONDS", "with -p: for so long at most", NULL },                          \
      { OUTSIDE, "outside", NULL,                                                                \
        "run PROGRAM, but sample it as -p does: also static and set-uid programs", NULL },       \
      { IN_KERNEL, "kernel", "WHEN",                                                             \
        "from outside: sample the kernel's functions: auto (default: where it allows that), no " \
        "or yes, which also means --outside for a PROGRAM",                                      \
        "auto no yes" },                                                                         \
      { SAMPLER, "sampler", "NAME",                                                              \
        "what decides when samples are taken: itimer, thread, ticker, perf or auto (default)",   \
        "itimer thread ticker perf auto" },                                                      \
      { CLOCK, "clock", "CLOCK",                                                                 \
        "sample CPU time (cpu, the default) or all elapsed time of the threads (wall)",          \
        "cpu wall" },                                                                            \
      { 'F', "frequency", "HZ", "samples a second", NULL },                                      \
      { OPTION_THREADS, "threads", "LIST",                                                       \
        "sample only these threads: numbers, names or patterns, with commas", NULL },            \
      { REPEAT, "repeat", "N", "run N times and add up, for short programs", NULL },             \
      { CHILDREN, "children", NULL, "also sample the processes that it starts, into FILE.PID",   \
        NULL },                                                                                  \
      { LANGUAGES, "languages", "LIST",                                                          \
        "show the functions of Python (3.11) and Ruby (3.1): auto (default), none, or a list",   \
        NULL },                                                                                  \
      { MPI, "mpi", "LIBRARY",                                                                   \
        "one profile of all ranks of a program of MPI: auto (default), openmpi, mpich or none",  \
        "auto openmpi mpich none" },                                                             \
      { LIVE, "live", NULL,                                                                      \
        "count in a file, so that kill -9 loses nothing; costs some milliseconds at the start",  \
        NULL },                                                                                  \
      { NO_STACKS, "no-stacks", NULL, "record no call stacks", NULL },                           \
      { NO_TIMES, "no-times", NULL, "record no times of samples", NULL },                        \
      { TIMELINE, "timeline", "[polls]",                                                         \
        "also record which thread ran when, for bbprof timeline; polls: without the kernel's "   \
        "events",                                                                                \
        "polls" },                                                                               \
      { PERIODIC, "periodic", NULL,                                                              \
        "ticker: sample at fixed times instead of pausing between samples", NULL },              \
      { WEIGHTED, "weighted", NULL,                                                              \
        "ticker: sample CPU time; each sample is weighted by the time used since the last one",  \
        NULL },                                                                                  \
      { SIGNAL, "signal", "N", "the signal that takes samples; 0 (default): an unused one",      \
        NULL },                                                                                  \
      { RAW, "raw", "FILE",                                                                      \
        "also write the address of each sample to FILE, in order of time, for bbprof report "    \
        "--counts",                                                                              \
        NULL },                                                                                  \
      { WORDS, "words", "BITS", "with --raw: 32 or 64 (default) bits for an address", "32 64" }, \
      { LONG, "long", NULL,                                                                      \
        "with --raw: a line for each sample: time, thread, user or kernel, address, processor "  \
        "flags",                                                                                 \
        NULL },                                                                                  \
      { 'o', "output", "FILE", "write the profile to FILE (default: gmon.out)", NULL },          \
      { 'q', "quiet", NULL, "print no closing line", NULL },                                     \
  {                                                                                              \
    'g', "call-graph", NULL, NULL, NULL                                                          \
  }

const struct command_option record_option_table[] = {
  RECORD_OPTIONS,
  END_OF_OPTIONS,
};

const struct command_option run_option_table[] = {
  { HTML, "html", "[FILE]",
    "write a page for a browser instead of the report (default: PROGRAM.html)", NULL },
  { OPEN, "open", NULL, "with --html: open the page with xdg-open", NULL },
  RECORD_OPTIONS,
  END_OF_OPTIONS,
};

/* The processes of a list with commas. */
static bool
take_pids (struct record_options *o, const struct options *options)
{
  unsigned long long number;
  char *copy = strdup (options->value), *rest = copy, *word;
  size_t room = 0;
  bool good = copy;
  while (good && (word = strsep (&rest, ",")))
    good = option_number (word, 1, INT_MAX, &number)
           && array_grow (&o->pids, o->npids, &room, sizeof *o->pids)
           && (o->pids[o->npids++] = (pid_t) number, true);
  free (copy);
  return good || options_refuse (options, "a number of a process, or several with commas");
}

static bool
take_seconds (struct record_options *o, const struct options *options)
{
  char *end;
  o->seconds = strtod (options->value, &end);
  return (end != options->value && *end == '\0' && o->seconds > 0 && o->seconds <= SECONDS_MOST)
         || options_refuse (options, "a number of seconds");
}

/* An option with a value.  False: a line on stderr says what is wrong with it. */
static bool
take_value (struct record_options *o, int key, const struct options *options)
{
  const char *value = options->value;
  unsigned long long number;
  switch (key)
    {
    case SAMPLER: o->sampler = value; return true;
    case CLOCK: o->clock = value; return true;
    case 'F':
      o->frequency = value;
      return option_number (value, 1, FREQUENCY_MOST, &number)
             || options_refuse (options, "a number of samples a second from 1 to 1000000");
    case SIGNAL:
      o->signal = value;
      return option_number (value, 0, SIGNAL_MOST, &number)
             || options_refuse (options, "the number of a signal, or 0");
    case REPEAT:
      if (!option_number (value, 1, REPEAT_MOST, &number))
        return options_refuse (options, "a number of runs");
      o->repeat = (unsigned long) number;
      return true;
    case OPTION_THREADS: o->threads = value; return true;
    case LANGUAGES:
      o->languages = value;
      return record_is_language_list (value)
             || options_refuse (options, "auto, none, or a list of: python, ruby");
    case MPI: o->mpi = value; return true;
    case RAW: o->raw = value; return true;
    case HTML:
      o->html = true;
      o->page = value;
      return true;
    case TIMELINE: o->timeline = BBS_TIMELINE_POLLS; return true;
    case IN_KERNEL: o->kernel = value; return true;
    case 'p': return take_pids (o, options);
    case 't': return take_seconds (o, options);
    case WORDS: o->raw_words = (unsigned) strtoul (value, NULL, 10) / 8; return true;
    default: o->output = value; return true;
    }
}

/* One without. */
static void
take_switch (struct record_options *o, int key)
{
  o->children |= key == CHILDREN;
  o->live |= key == LIVE;
  o->outside |= key == OUTSIDE;
  o->no_stacks |= key == NO_STACKS;
  o->no_times |= key == NO_TIMES;
  if (key == TIMELINE)
    o->timeline = BBS_TIMELINE_AUTO;
  o->periodic |= key == PERIODIC;
  o->weighted |= key == WEIGHTED;
  o->raw_long |= key == LONG;
  o->quiet |= key == 'q';
  o->html |= key == HTML;
  o->open |= key == OPEN;
}

/* The same for processes that run already, where the library has no part. */
static const char *
contradiction_outside (const struct record_options *o)
{
  if (o->timeline && o->no_times)
    return "--timeline needs times: leave out --no-times";
  if (o->outside && o->seconds > 0)
    return "-t needs -p: a program that is started runs to its end";
  if (o->sampler || o->signal || o->periodic || o->weighted || o->live || o->raw || o->no_stacks
      || o->timeline == BBS_TIMELINE_POLLS || o->repeat > 1)
    return "with -p and --outside go -F, -o, -q, --clock, --kernel, --no-times, --threads, "
           "--timeline and --children; the other options need the library in the program";
  if (o->frequency && strtoul (o->frequency, NULL, 10) > OUTSIDE_RATE_MOST)
    return "from outside, samples are taken at most 10000 times a second";
  return NULL;
}

/* Null, or what is wrong with this combination of options. */
static const char *
contradiction (const struct record_options *o)
{
  bool ticker = o->sampler && strcmp (o->sampler, "ticker") == 0,
       wall = o->clock && strcmp (o->clock, "wall") == 0;
  bool by_itself = wall && (!o->sampler || strcmp (o->sampler, "auto") == 0);
  bool thread = o->sampler && strcmp (o->sampler, "thread") == 0;
  if (o->npids > 0 && o->outside)
    return "--outside starts a program; leave it out, or -p";
  if (o->npids > 0 || o->outside)
    return contradiction_outside (o);
  if (o->seconds > 0)
    return "-t needs -p: a program that is started runs to its end";
  if (o->repeat > 1 && o->children)
    return "--repeat and --children do not go together: each run is one process";
  if (o->raw && (o->repeat > 1 || o->no_stacks || o->no_times))
    return "--raw needs call stacks, times and one run: leave out --no-stacks, --no-times and "
           "--repeat";
  if (o->timeline && (o->repeat > 1 || o->no_times))
    return "--timeline needs times and one run: leave out --no-times and --repeat";
  if (o->open && !o->html)
    return "--open needs --html";
  if (o->raw_words && !o->raw)
    return "--words needs --raw=FILE";
  if (o->raw_long && (!o->raw || o->raw_words))
    return "--long needs --raw=FILE, and no --words";
  if (thread && !HAVE_POSIX_TIMERS)
    return "--sampler=thread is not in this build, which has no POSIX timers; use --sampler=auto";
  if (ticker && !wall && !o->weighted)
    return "--sampler=ticker needs --clock=wall, or --weighted for CPU time";
  if (o->weighted && (!ticker || wall))
    return "--weighted needs --sampler=ticker and CPU time";
  if (o->periodic && !ticker && !by_itself)
    return "--periodic needs --sampler=ticker";
  return NULL;
}

bool
record_parse (struct record_options *o, const struct command *command, int argc, char **argv)
{
  struct options options;
  *o = (struct record_options) {
    .output = "gmon.out", .languages = "auto", .mpi = "auto", .repeat = 1
  };
  options_begin (&options, command, OPTIONS_BEFORE_OPERANDS, argc, argv);
  for (int key; (key = options_next (&options)) != OPTION_END;)
    {
      if (key == OPTION_WRONG)
        return false;
      if (!options.value)
        take_switch (o, key);
      else if (!take_value (o, key, &options))
        return false;
    }
  o->argv = o->npids > 0 ? NULL : argv + optind;
  /* The library in a program sees its system calls only. */
  o->outside |= o->argv && o->kernel && strcmp (o->kernel, "yes") == 0;
  const char *why = contradiction (o);
  if (!why && !o->argv && optind < argc)
    why = "-p samples processes that run already; leave out the PROGRAM, or -p";
  if (!why && o->argv && optind == argc)
    why = "which program?  Name it behind the options: -- PROGRAM [argument...]";
  if (why)
    fprintf (stderr, "%s: %s\n", argv[0], why);
  if (!o->raw_words)
    o->raw_words = sizeof (uint64_t);
  return !why;
}
