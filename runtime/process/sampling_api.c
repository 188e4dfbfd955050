/* SPDX-License-Identifier: MIT */
/* bbprof_sampling_start and bbprof_sampling_stop.  The options of bbprof record override what the
   program asks for; BBPROF_OPTIONS applies where the program leaves a field empty.  Context: cold,
   the program's. */
#include <errno.h>
#include <string.h>

#include "arch.h"
#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/dump/dump.h"
#include "runtime/process/process.h"
#include "runtime/sample/policy.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"
#include "runtime/unwind/unwind.h"

BBP_PUBLIC int bbprof_sampling_start (struct bbprof_sampling *);
BBP_PUBLIC int bbprof_sampling_stop (void);

#define MOST_RATE 1000000

/* The part of bbp_options that a program can set. */
struct settings {
  bool wall, stacks;
  unsigned rate;
  char sampler[BBP_OPTION_TEXT], threads[BBP_OPTION_TEXT];
};

/* Too large for stacks.  Lock. */
static struct settings environment, before;
static bool environment_known;

static bool runs; /* started by bbprof_sampling_start; lock */

static void
get (struct settings *settings)
{
  settings->wall = bbp_options.wall;
  settings->stacks = bbp_options.stacks;
  settings->rate = bbp_options.rate;
  bbp_copy_bytes (settings->sampler, bbp_options.sampler, BBP_OPTION_TEXT);
  bbp_copy_bytes (settings->threads, bbp_options.threads, BBP_OPTION_TEXT);
}

static void
put (const struct settings *settings)
{
  bbp_options.wall = settings->wall;
  bbp_options.stacks = settings->stacks;
  bbp_options.rate = settings->rate;
  bbp_copy_bytes (bbp_options.sampler, settings->sampler, BBP_OPTION_TEXT);
  bbp_copy_bytes (bbp_options.threads, settings->threads, BBP_OPTION_TEXT);
}

static void
put_text (char option[BBP_OPTION_TEXT], const char *text)
{
  bbp_copy_bytes (option, text, bbp_string_bytes (text));
}

/* As the handler expects it: names that end with zeros. */
static void
put_list (char option[BBP_OPTION_TEXT], const char *text)
{
  for (size_t i = 0; i < BBP_OPTION_TEXT; i++)
    {
      option[i] = *text == ',' ? '\0' : *text;
      text += *text != '\0';
    }
}

static void
put_wish (const struct bbprof_sampling *wish)
{
  put (&environment);
  if (wish->sampler || !*bbp_options.sampler)
    put_text (bbp_options.sampler, wish->sampler ? wish->sampler : "auto");
  if (wish->clock)
    bbp_options.wall = wish->clock == BBPROF_WALL_TIME;
  if (wish->rate)
    bbp_options.rate = wish->rate;
  if (wish->threads)
    put_list (bbp_options.threads, wish->threads);
  bbp_options.stacks |= before.stacks || wish->stacks;
}

static bool
is_text (const char *text)
{
  return !text || (*text && strlen (text) < BBP_OPTION_TEXT);
}

/* Null, or what is wrong with WISH itself. */
static const char *
mistake (const struct bbprof_sampling *wish)
{
  if (wish->clock < 0 || wish->clock > BBPROF_WALL_TIME)
    return "clock must be 0, BBPROF_CPU_TIME or BBPROF_WALL_TIME";
  if (wish->rate > MOST_RATE)
    return "rate must be at most 1000000 a second";
  if (!is_text (wish->sampler) || !is_text (wish->threads))
    return "sampler or threads is empty or too long; null is the default";
  return NULL;
}

/* Null, or why the program cannot decide. */
static const char *
reason_to_refuse (void)
{
  if (bbp_options.record || bbp_is_second_copy ())
    return "the program runs under bbprof record, whose options decide how it is sampled";
  return runs ? "sampling is on already; call bbprof_sampling_stop first" : NULL;
}

static int
refuse (struct bbprof_sampling *wish, int error, const char *why)
{
  struct bbp_text text = { .buffer = wish->message, .size = sizeof wish->message };
  bbp_text_string (&text, why);
  return error;
}

/* Report which sampler, clock and rate are in use, and which wishes could not be met. */
static void
report (struct bbprof_sampling *wish, const struct bbp_news *news, bool able)
{
  struct bbp_text name = { .buffer = wish->runs, .size = sizeof wish->runs };
  struct bbp_text text = { .buffer = wish->message, .size = sizeof wish->message };
  bbp_text_string (&text, news->subject);
  bbp_text_string (&text, *news->subject ? ": " : "");
  bbp_text_string (&text, news->text);
  if (!able)
    return;
  bbp_text_string (&name, bbp_sampling.sampler->name);
  wish->runs_clock = bbp_sampling.clock == BBP_CLOCK_WALL ? BBPROF_WALL_TIME : BBPROF_CPU_TIME;
  wish->runs_rate = bbp_sampling.rate;
}

static bool
same_threads (const struct settings *settings)
{
  size_t i = 0;
  while (i < BBP_OPTION_TEXT && settings->threads[i] == bbp_options.threads[i])
    i++;
  return i == BBP_OPTION_TEXT;
}

/* True if new samples can be added to those of PAST. */
static bool
can_continue (const struct bbp_sampling *past)
{
  return past->sampler == bbp_sampling.sampler && past->clock == bbp_sampling.clock
         && past->rate == bbp_sampling.rate && past->stacks == bbp_sampling.stacks
         && same_threads (&before);
}

/* Lock. */
static int
begin (struct bbprof_sampling *wish)
{
  struct bbp_sampling past = bbp_sampling;
  struct bbp_news news;
  int error = 0;
  if (!environment_known)
    get (&environment);
  environment_known = true;
  get (&before);
  put_wish (wish);
  bbp_samples_enable (false);
  bool able = bbp_sampler_change (true, &news);
  report (wish, &news, able);
  if (!able)
    put (&before);
  else if (!can_continue (&past))
    error = bbp_merge_reset_samples ();
  runs = able;
  if (able)
    bbp_samples_want (true);
  bbp_samples_enable (!bbp.stopped);
  return able ? error : -ENOTSUP;
}

/* Start profiling if it does not run, without samples until it is known how.  Returns whether it
   was started. */
static bool
start_profile (void)
{
  bbp_sigset old = bbp_lock ();
  bool starts = !bbp.started;
  if (starts)
    bbp_samples_want (false);
  bbp_unlock (old);
  if (starts)
    bbp_start_by_call ();
  bbp_unwind_start ();
  return starts;
}

static int
start (struct bbprof_sampling *wish)
{
  const char *wrong = mistake (wish), *decided = wrong ? NULL : reason_to_refuse ();
  if (wrong)
    return refuse (wish, -EINVAL, wrong);
  if (decided)
    return refuse (wish, -EBUSY, decided);
  if (bbp_arch_is_emulated ())
    return refuse (wish, -ENOTSUP, "valgrind emulates the processor: nothing is sampled");
  bool starts = start_profile (), able;
  bbp_sigset old = bbp_lock ();
  decided = reason_to_refuse ();
  able = bbp.started && !bbp.finished && bbp_own_process ();
  if (starts && !able)
    bbp_samples_want (true);
  int error = decided ? refuse (wish, -EBUSY, decided)
              : able  ? begin (wish)
                      : refuse (wish, -EINVAL, "profiling has ended, or cannot start");
  bbp_unlock (old);
  if (!error)
    {
      bbp_sigmask_begin (bbp_sigmask_blocks ());
      bbp_sampled_begin_self ();
    }
  return error;
}

int
bbprof_sampling_start (struct bbprof_sampling *wish)
{
  struct bbprof_sampling usual = { 0 };
  if (!wish)
    wish = &usual;
  *wish->message = *wish->runs = '\0';
  return start (wish);
}

int
bbprof_sampling_stop (void)
{
  bbp_sigset old = bbp_lock ();
  int error = runs ? 0 : -EINVAL;
  if (runs)
    {
      bbp_samples_enable (false);
      bbp_samples_want (false);
    }
  runs = false;
  bbp_unlock (old);
  return error;
}
