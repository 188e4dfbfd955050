/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the doctor's page. */
#include "config.h"

#include <inttypes.h>

#include "common/header.h"
#include "common/visible.h"
#include "tools/doctor/doctor.h"

enum { COLUMNS = 100, WHAT_COLUMNS = 54 }; /* columns: of the page; of the abilities */

static void
print_fact (FILE *out, const struct doctor_fact *f, const struct style *style)
{
  static const enum emphasis looks[]
      = { [DOCTOR_PLAIN] = PLAIN, [DOCTOR_GOOD] = RELIEF, [DOCTOR_POOR] = ALARM };
  fprintf (out, "  %-26s ", f->label);
  style_put (style, out, looks[f->state]);
  fputs (visible (f->value), out);
  style_put (style, out, PLAIN);
  fprintf (out, f->note[0] ? "   (%s)\n" : "\n", visible (f->note));
}

static void
print_chosen (FILE *out, const struct doctor_result *r)
{
  const char *clock = r->trial.wall ? "--clock wall" : "--clock cpu";
  if (r->used[0])
    fprintf (out, "  %-26s %s, %u a second\n", clock, r->used, r->promised);
  else
    fprintf (out, "  %-26s none: %s\n", clock, visible (r->why));
}

static const char *
verdict (const struct doctor_result *r)
{
  if (!r->ticks)
    return "no samples";
  if (!doctor_is_right (r))
    return "BIASED";
  return r->achieved < 0.8 * r->promised ? "right, but slow" : "right";
}

static void
print_result (FILE *out, const struct doctor_result *r, const struct style *style)
{
  const char *clock = r->trial.wall ? "wall" : "cpu";
  if (!doctor_works (r))
    {
      fprintf (out, "  %-8s %-5s %6u  not possible: %s\n", r->trial.sampler, clock, r->trial.rate,
               visible (r->why));
      return;
    }
  fprintf (out, "  %-8s %-5s %6u %8u %8.0f %8" PRIu64 " ", r->trial.sampler, clock, r->trial.rate,
           r->promised, r->achieved, r->ticks);
  uint64_t all = 0;
  for (int i = 0; i < DOCTOR_WORKS; i++)
    all += r->expected[i] > 0 ? r->counted[i] : 0;
  for (int i = 0; i < DOCTOR_WORKS; i++)
    if (r->expected[i] > 0)
      fprintf (out, " %5.1f/%4.1f", all ? 100. * (double) r->counted[i] / (double) all : 0,
               100 * r->expected[i]);
    else
      fprintf (out, " %10s", "-");
  fprintf (out, " %7.3f  ", r->p);
  style_put (style, out, doctor_is_right (r) ? RELIEF : ALARM);
  fputs (verdict (r), out);
  style_put (style, out, PLAIN);
  fputc ('\n', out);
}

static void
title (FILE *out, const char *text, const struct style *style)
{
  style_put (style, out, TITLE);
  fputs (text, out);
  style_put (style, out, PLAIN);
}

/* Prints the abilities that the user has, or those that are missing, each with its fix. */
static void
print_abilities (FILE *out, const struct doctor *d, bool can, const struct style *style)
{
  size_t n = 0;
  for (size_t i = 0; i < d->nabilities; i++)
    n += d->abilities[i].can == can;
  if (n == 0)
    return;
  title (out, can ? "You can\n" : "You cannot\n", style);
  for (size_t i = 0; i < d->nabilities; i++)
    {
      const struct doctor_ability *a = &d->abilities[i];
      if (a->can != can)
        continue;
      if (can)
        {
          char what[WHAT_COLUMNS + 1];
          snprintf (what, sizeof what, "  %s", a->what);
          header_wrap (out, what, WHAT_COLUMNS, COLUMNS, visible (a->how));
          continue;
        }
      fputs ("  ", out);
      style_put (style, out, ALARM);
      fputs (a->what, out);
      style_put (style, out, PLAIN);
      fputc ('\n', out);
      header_wrap (out, "", 6, COLUMNS, visible (a->mend));
    }
  fputc ('\n', out);
}

void
doctor_emit_text (FILE *out, const struct doctor *d, const struct style *style)
{
  print_abilities (out, d, true, style);
  print_abilities (out, d, false, style);
  title (out, "This machine\n", style);
  for (size_t i = 0; i < d->facts.count; i++)
    print_fact (out, &d->facts.list[i], style);
  title (out, "\nSampler that `bbprof record' chooses\n", style);
  print_chosen (out, &d->chosen[0]);
  print_chosen (out, &d->chosen[1]);
  if (!d->nresults)
    return;
  title (out, "\nSamplers, measured\n", style);
  fprintf (out, "  %-8s %-5s %6s %8s %8s %8s  %10s %10s %10s %10s %7s\n", "sampler", "clock",
           "asked", "promised", "achieved", "ticks", "first", "second", "third", "asleep", "p");
  for (size_t i = 0; i < d->nresults; i++)
    print_result (out, &d->results[i], style);
  fputs (
      "Rates in ticks per second.  Shares of a program's four kinds of work in percent: sampled / "
      "true, by its own clocks.\n"
      "p: the probability of such differences without a bias.  On a busy machine wall time is "
      "sampled less often than promised.\n",
      out);
}
