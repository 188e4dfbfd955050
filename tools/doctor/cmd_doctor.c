/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof doctor: tests which samplers this machine allows, how exact they are, and what prevents
   the others. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "common/visible.h"
#include "tools/arguments/command_options.h"
#include "tools/command.h"
#include "tools/doctor/doctor.h"

/* Seconds of a trial, and of one that only finds which sampler is used. */
static const double trial_seconds = 1, ask_seconds = 0.02;

static const struct doctor_trial chosen[] = { { "auto", false, 0 }, { "auto", true, 0 } };
static const struct doctor_trial trials[] = { { "itimer", false, 1000 }, { "thread", false, 1000 },
                                              { "perf", false, 1000 },   { "perf", false, 10000 },
                                              { "thread", true, 1000 },  { "ticker", true, 1000 } };
enum { NCHOSEN = sizeof chosen / sizeof *chosen, NTRIALS = sizeof trials / sizeof *trials };

struct wishes {
  bool quick, json;
  const char *color;
  const char
      *burn; /* --burn: run as the program that is sampled, for so many seconds; null: not given */
};

enum { BURN = OPTION_OWN };

/* False: a line on stderr says what is wrong. */
static bool
parse (struct wishes *w, int argc, char **argv)
{
  struct options o;
  *w = (struct wishes) { 0 };
  options_begin (&o, &command_doctor, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&o)) != OPTION_END;)
    switch (key)
      {
      case 'q': w->quick = true; break;
      case OPTION_JSON: w->json = true; break;
      case OPTION_COLOR: w->color = o.value; break;
      case BURN: w->burn = o.value; break;
      default: return false;
      }
  if (optind < argc)
    fprintf (stderr, "%s: unexpected argument '%s'; bbprof record -- PROGRAM samples a program\n",
             argv[0], visible (argv[optind]));
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
  style_choose (&style, wishes.color);
  if (wishes.json)
    doctor_emit_json (stdout, &doctor);
  else
    doctor_emit_text (stdout, &doctor, &style);
  if (!error_if_unwritten (stdout, err))
    return COMMAND_FAILED;
  return something_works (&doctor) ? COMMAND_DONE : COMMAND_NO;
}

static const struct command_option options[] = {
  { 'q', "quick", NULL, "measure nothing", NULL },
  { BURN, "burn", "SECONDS", NULL, NULL }, /* of the program that is sampled */
  OUTPUT_OPTION,
  COLOR_OPTION,
  JSON_OPTION,
  END_OF_OPTIONS,
};

const struct command command_doctor = {
  .name = "doctor",
  .summary = "what this machine can do for sampling, and how well",
  .group = GROUP_OTHER,
  .synopsis = "[option...]",
  .description
  = "Says what bbprof record can do on this machine, and what prevents the rest.  Then it samples "
    "a small program with each sampler and compares the result with what the program knows: the "
    "rate, and the shares of its functions.",
  .notes = "Exit status: 0 programs can be sampled here; 1 they cannot.",
  .options = options,
  .prints_page = true,
  .operands = OPERANDS_NONE,
  .run = run,
};
