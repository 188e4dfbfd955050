/* SPDX-License-Identifier: MIT */
/* Chooses a sampler: tables of preferences, and each sampler's answer whether it can run.  Pure
   except for what the samplers do.  Context: cold, lock held. */
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/sample/policy.h"
#include "runtime/sample/sample.h"

/* Preferences for "auto".  A timer of CPU time has the resolution of the kernel tick, which is
   enough up to that rate.  Wall time by timers wakes sleepers; the ticker does not. */
static const enum bbp_sampler_index slow[] = { BBP_THREAD, BBP_ITIMER, BBP_PERF };
static const enum bbp_sampler_index fast[] = { BBP_PERF, BBP_THREAD, BBP_ITIMER };
static const enum bbp_sampler_index wall[] = { BBP_TICKER, BBP_THREAD };

struct order {
  enum bbp_sampler_index sampler[1 + BBP_SAMPLERS];
  size_t n;
};

static bool
is_named (const struct bbp_wish *wish)
{
  return strcmp (wish->sampler, "auto") != 0;
}

static void
append (struct order *order, const enum bbp_sampler_index *samplers, size_t n)
{
  for (size_t i = 0; i < n; i++)
    order->sampler[order->n++] = samplers[i];
}

static void
append_auto (struct order *order, const struct bbp_wish *wish, enum bbp_clock clock)
{
  if (clock == BBP_CLOCK_WALL)
    append (order, wall, sizeof wall / sizeof *wall);
  else if (wish->rate > wish->kernel_rate)
    append (order, fast, sizeof fast / sizeof *fast);
  else
    append (order, slow, sizeof slow / sizeof *slow);
}

static const char *
refusal (const struct bbp_sampler *sampler, enum bbp_clock clock, unsigned rate)
{
  if (!sampler->clocks[clock])
    return clock == BBP_CLOCK_WALL ? "cannot sample wall time" : "cannot sample CPU time";
  return sampler->refuses ? sampler->refuses (clock, rate) : NULL;
}

/* Null, or the reason why SAMPLER does not run now. */
static const char *
try (const struct bbp_sampler *sampler, unsigned rate, struct bbp_choice *choice,
     bool (*prepare) (const struct bbp_sampler *))
{
  const char *why = refusal (sampler, choice->clock, rate);
  if (why)
    return why;
  choice->rate = prepare (sampler) ? sampler->start (choice->clock, rate) : 0;
  if (!choice->rate)
    return "cannot be started";
  choice->sampler = sampler;
  return NULL;
}

static void
try_all (const struct order *order, const struct bbp_wish *wish, struct bbp_choice *choice,
         const struct bbp_sampler *const samplers[BBP_SAMPLERS],
         bool (*prepare) (const struct bbp_sampler *))
{
  for (size_t i = 0; i < order->n && !choice->sampler; i++)
    {
      const struct bbp_sampler *sampler = samplers[order->sampler[i]];
      const char *why = try (sampler, wish->rate, choice, prepare);
      if (why && !choice->refused)
        {
          choice->refused = sampler;
          choice->why = why;
        }
    }
}

/* Starts the sampler with the requested name, or else the best of all.  Another clock is used
   only if no sampler supports the requested one. */
struct bbp_choice
bbp_policy_start (const struct bbp_wish *wish,
                  const struct bbp_sampler *const samplers[BBP_SAMPLERS],
                  bool (*prepare) (const struct bbp_sampler *))
{
  struct bbp_choice choice = { .clock = wish->clock, .unknown = is_named (wish) };
  struct order order = { .n = 0 };
  for (enum bbp_sampler_index i = 0; i < BBP_SAMPLERS; i++)
    if (strcmp (samplers[i]->name, wish->sampler) == 0)
      {
        append (&order, &i, 1);
        choice.unknown = false;
      }
  if (!wish->only || !is_named (wish))
    append_auto (&order, wish, wish->clock);
  try_all (&order, wish, &choice, samplers, prepare);
  if (choice.sampler || wish->clock == BBP_CLOCK_CPU || wish->only)
    return choice;
  order.n = 0;
  choice.clock = BBP_CLOCK_CPU;
  append_auto (&order, wish, choice.clock);
  try_all (&order, wish, &choice, samplers, prepare);
  return choice;
}

static void
put_refusal (struct bbp_text *text, const struct bbp_choice *choice)
{
  if (!choice->unknown)
    {
      bbp_text_string (text, choice->refused->name);
      bbp_text_string (text, " ");
    }
  bbp_text_string (text, choice->unknown ? "there is no such sampler" : choice->why);
}

static void
put_instead (struct bbp_text *text, const struct bbp_wish *wish, const struct bbp_choice *choice)
{
  bbp_text_string (text, "; ");
  bbp_text_string (text, choice->sampler ? choice->sampler->name : "nothing is sampled");
  if (!choice->sampler)
    return;
  bbp_text_string (text, " instead, ");
  bbp_text_number (text, choice->rate);
  bbp_text_string (text, " a second");
  if (choice->clock != wish->clock)
    bbp_text_string (text, " of CPU time");
}

/* If "auto" takes another than its first choice, that is not reported as long as clock and rate
   are as requested. */
bool
bbp_policy_news (const struct bbp_wish *wish, const struct bbp_choice *choice,
                 struct bbp_news *news)
{
  struct bbp_text subject = { .buffer = news->subject, .size = sizeof news->subject };
  struct bbp_text text = { .buffer = news->text, .size = sizeof news->text };
  bool kept = choice->sampler && choice->clock == wish->clock, named = is_named (wish);
  bool slower = choice->sampler && choice->rate + choice->rate / 8 < wish->rate;
  if (kept && !slower && !choice->unknown && !(named && choice->refused))
    return false;
  bbp_text_string (&subject, "sampler=");
  bbp_text_string (&subject, wish->sampler);
  if (choice->unknown || choice->refused)
    {
      put_refusal (&text, choice);
      if (!wish->only)
        put_instead (&text, wish, choice);
      return true;
    }
  bbp_text_number (&text, choice->rate);
  bbp_text_string (&text, " samples a second, the most that ");
  bbp_text_string (&text, choice->sampler->name);
  bbp_text_string (&text, " takes here");
  return true;
}
