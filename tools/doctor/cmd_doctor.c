/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof doctor: what this machine can do for sampling, why not, and how true each sampler is
   here. */
#include "config.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "common/visible.h"
#include "tools/command.h"
#include "tools/doctor/doctor.h"

/* Seconds of a trial; and of one that only asks what is taken. */
static const double trial_seconds = 1, ask_seconds = 0.02;

static const struct doctor_trial chosen[] = { { "auto", false, 0 }, { "auto", true, 0 } };
static const struct doctor_trial trials[] = { { "itimer", false, 1000 }, { "thread", false, 1000 },
                                              { "perf", false, 1000 },   { "perf", false, 10000 },
                                              { "thread", true, 1000 },  { "ticker", true, 1000 } };
enum { NCHOSEN = sizeof chosen / sizeof *chosen, NTRIALS = sizeof trials / sizeof *trials };

static void
usage (void)
{
  fputs ("Usage: bbprof doctor [option...]\n"
         "Says what this machine lets `bbprof record' do, and why not; then samples a small "
         "program by each sampler, and compares\n"
         "with what the program knows itself: the rate, and how its time is shared out.\n"
         "\n"
         "  -q, --quick   measure nothing\n"
         "      --json    for programs\n"
         "  -h, --help    this text\n"
         "\n"
         "Status 0: programs can be sampled here; 1: they cannot.\n",
         stdout);
}

struct wishes {
  bool quick, json, help;
  const char *burn; /* null, or seconds: be the program that is sampled */
};

/* False: wrong; a line has said why. */
static bool
parse (struct wishes *w, int argc, char **argv)
{
  enum { JSON = 256, BURN };
  static const struct option options[] = { { "quick", no_argument, NULL, 'q' },
                                           { "json", no_argument, NULL, JSON },
                                           { "help", no_argument, NULL, 'h' },
                                           { "burn", required_argument, NULL, BURN },
                                           { 0 } };
  *w = (struct wishes) { 0 };
  optind = 0;
  for (int c; (c = getopt_long (argc, argv, "qh", options, NULL)) != -1;)
    switch (c)
      {
      case 'q': w->quick = true; break;
      case 'h': w->help = true; break;
      case JSON: w->json = true; break;
      case BURN: w->burn = optarg; break;
      default: return false;
      }
  if (optind < argc)
    fprintf (stderr, "%s: unexpected argument '%s'\n", argv[0], visible (argv[optind]));
  return optind == argc;
}

static bool
measure (struct doctor *d, bool quick, struct error *err)
{
  struct progress progress;
  progress_start (&progress, "measuring", quick ? NCHOSEN : NCHOSEN + NTRIALS);
  bool ok = true;
  for (size_t i = 0; ok && i < NCHOSEN; i++)
    ok = doctor_measure (&d->chosen[i], &chosen[i], ask_seconds, err);
  for (size_t i = 0; ok && !quick && i < NTRIALS; i++)
    {
      progress_tell (&progress, NCHOSEN + i);
      ok = doctor_measure (&d->results[i], &trials[i], trial_seconds, err);
      d->nresults += ok;
    }
  progress_clear (&progress);
  return ok;
}

static bool
something_works (const struct doctor *d)
{
  bool works = doctor_works (&d->chosen[0]) || doctor_works (&d->chosen[1]);
  for (size_t i = 0; i < d->nresults; i++)
    works |= doctor_works (&d->results[i]);
  return works;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct wishes wishes;
  struct doctor doctor = { 0 };
  struct style style;
  if (!parse (&wishes, argc, argv))
    return COMMAND_USAGE;
  if (wishes.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  if (wishes.burn)
    {
      doctor_burn (atof (wishes.burn));
      return COMMAND_DONE;
    }
  doctor_find_kernel (&doctor.facts);
  doctor_find_timeline (&doctor.facts);
  doctor_find_process (&doctor.facts);
  if (!measure (&doctor, wishes.quick, err))
    return COMMAND_FAILED;
  doctor_find_parts (&doctor.facts, doctor.chosen[0].times);
  doctor_find_abilities (&doctor);
  style_choose (&style, NULL);
  if (wishes.json)
    doctor_emit_json (stdout, &doctor);
  else
    doctor_emit_text (stdout, &doctor, &style);
  if (!error_if_unwritten (stdout, err))
    return COMMAND_FAILED;
  return something_works (&doctor) ? COMMAND_DONE : COMMAND_NO;
}

const struct command command_doctor = {
  .name = "doctor", .help = "what this machine can do for sampling, and how well", .run = run
};
